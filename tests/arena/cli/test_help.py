"""The help of every command: an example first, within the terminal, plain where it is asked for."""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from arena.cli.documents import text
from arena.cli.errors import EXIT_CODES
from arena.cli.help import folded
from tests.command_line import program


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command and group by its words. Any: typer's own copy of click is not public."""
    yield path
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name)


COMMANDS = sorted(commands(typer.main.get_command(program())))


def help_of(words: tuple[str, ...], columns: int = 80) -> str:
    """What `arena WORDS --help` prints in a pipe."""
    result = CliRunner(env={"COLUMNS": str(columns), "NO_COLOR": "1", "TERM": "xterm"}).invoke(
        program(words[0] if words else None), [*words, "--help"], prog_name="arena"
    )
    assert result.exit_code == 0
    return result.output


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_help_of_every_command_begins_with_an_example_of_it(words: tuple[str, ...]) -> None:
    """It can be typed as it stands, fits into 80 columns as all of the help does, and has no colours in a pipe."""
    text = help_of(words)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "\x1b" not in text
    shown = re.split(r"\n\s*Usage:", text, maxsplit=1)[0].strip().removeprefix("Example: ")
    typed = shlex.split(shown.replace("\\\n", ""))
    assert typed[: len(words) + 1] == ["arena", *words]


def test_a_long_example_is_broken_where_a_shell_reads_on() -> None:
    """At blanks, with a backslash at the end of the line; no line is wider than it may be."""
    assert folded("arena match a b --games 2", 80) == ["arena match a b --games 2"]
    lines = folded("arena match a b --games 2", 16)
    assert lines == ["arena match a \\", "  b --games 2"]
    assert shlex.split("\n".join(lines).replace("\\\n", "")) == "arena match a b --games 2".split()


def test_the_exit_codes_are_told_in_the_help_and_in_one_table() -> None:
    """The same words at the end of `arena --help` and on the page of commands."""
    page = text("COMMANDS")
    table = page.split("| exit code | meaning |\n| --- | --- |\n", 1)[1].split("\n\n", 1)[0]
    assert dict(re.findall(r"^\| (\d+) \| (.+) \|$", table, re.MULTILINE)) == {
        str(code): meaning for code, meaning in EXIT_CODES.items()
    }
    told = " ".join(help_of(()).split())
    assert all(f"{code} {meaning}" in told for code, meaning in EXIT_CODES.items())


@pytest.mark.parametrize("words", [(), ("match",), ("engines",)], ids=" ".join)
def test_a_flag_takes_no_value(words: tuple[str, ...]) -> None:
    """So the help shows none behind it."""
    shown = help_of(words)
    assert "--help" in shown
    assert "bool" not in shown
