"""The help of every command: short, with an example, within the terminal."""

import re
import shlex

import pytest
from typer.testing import CliRunner

from arena.cli.documents import text
from arena.cli.errors import EXIT_CODES
from arena.cli.help import LINES, folded
from tests.command_line import commands, program

COMMANDS: list[tuple[str, ...]] = []
for name, command in commands().items():
    COMMANDS += [(name, each) for each in getattr(command, "commands", ())] or [(name,)]


def help_of(*words: str, option: str = "--help") -> str:
    """What `arena WORDS --help` prints in a pipe."""
    env = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "xterm"}
    result = CliRunner(env=env).invoke(program(), [*words, option], prog_name="arena")
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_help_of_a_command_is_short_and_has_an_example(words: tuple[str, ...]) -> None:
    """It can be typed as it stands. What is left out is in the whole help."""
    text = help_of(*words)
    assert len(text.splitlines()) <= LINES and all(len(line) <= 80 for line in text.splitlines())
    shown = re.search(r"\n\n  (arena (?:.*\\\n)*.*)\n", text)
    assert shown and shlex.split(shown[1].replace("\\\n", ""))[1 : len(words) + 1] == [*words]
    left_out = re.search(r"(\d+) more options: arena (.*) --help-all", text)
    whole = help_of(*words, option="--help-all")
    count = len(re.findall(r"^  --", whole, re.MULTILINE)) - len(re.findall(r"^  --", text, re.MULTILINE))
    assert count == (int(left_out[1]) if left_out else 0)


def test_the_whole_help_has_panels_ranges_words_and_defaults() -> None:
    """Those of the table of settings; a flag takes no value."""
    whole = " ".join(help_of("match", option="--help-all").split())
    options = ("--margin MS Milliseconds", "--freeze Freeze", "--contain <none|basic|strict>")
    for part in ("Limits: ", "[default: 50]", *options):
        assert part in whole, part


def test_a_long_example_is_broken_where_a_shell_reads_on() -> None:
    """At blanks, with a backslash at the end of the line; no line is wider than it may be."""
    assert folded("arena match a b --games 2", 80) == ["arena match a b --games 2"]
    lines = folded("arena match a b --games 2", 16)
    assert lines == ["arena match a \\", "  b --games 2"]
    assert shlex.split("\n".join(lines).replace("\\\n", "")) == "arena match a b --games 2".split()


def test_the_exit_codes_are_told_in_the_help_and_in_one_table() -> None:
    """The same words at the end of `arena --help`, which fits on a screen, and on the page of commands."""
    page = text("COMMANDS")
    table = page.split("| exit code | meaning |\n| --- | --- |\n", 1)[1].split("\n\n", 1)[0]
    assert dict(re.findall(r"^\| (\d+) \| (.+) \|$", table, re.MULTILINE)) == {
        str(code): meaning for code, meaning in EXIT_CODES.items()
    }
    shown = help_of()
    assert len(shown.splitlines()) <= LINES
    assert all(f"{code} {meaning}" in " ".join(shown.split()) for code, meaning in EXIT_CODES.items())
