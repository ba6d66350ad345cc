"""The README is true: its commands exist, its examples run, its tables are complete."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from arena.cli.app import app
from arena.config import load_registry, load_tournament
from arena.settings import EngineTable, TournamentTable
from results.record import Termination

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SPEC = (ROOT / "protocol" / "SPEC.md").read_text(encoding="utf-8")
SHORT = ["--variant", "callanish-7", "--movetime", "100", "--json"]
COMMANDS: dict[str, object] = dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]  # it is a group


def block(language: str, having: str) -> str:
    """The code block of the README in this language that has these words."""
    (found,) = (text for text in re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL) if having in text)
    return str(found)


def keys(heading: str) -> set[str]:
    """The keys in the first column of the table with this heading."""
    table = README.split(heading, 1)[1].split("\n\n", 1)[0]
    return {
        key for row in table.splitlines()[2:] for key in re.findall(r"`(\w+)`", row.split(" | ")[0].replace("\\|", ""))
    }


def test_every_command_is_in_the_readme_and_every_command_there_exists() -> None:
    """The table of all commands has each of them, and the README's examples use no other."""
    table = README.split("## All commands", 1)[1].split("\n## ", 1)[0]
    assert set(re.findall(r"`arena ([a-z]+)", table)) == set(COMMANDS)
    assert set(re.findall(r"^arena ([a-z]+)", README, re.MULTILINE)) <= set(COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_of_every_command_says_what_it_does(name: str) -> None:
    """No option without help, and the help is reached by --help."""
    command = COMMANDS[name]
    assert command.help  # type: ignore[attr-defined]  # a click command
    for parameter in command.params:  # type: ignore[attr-defined]  # the same
        assert getattr(parameter, "help", None), f"{name}: {parameter.name}"


def test_the_tables_of_keys_are_those_of_the_files() -> None:
    """A key that the README does not name cannot be found; one that does not exist is an error."""
    assert keys("| key of `[tournament]`") == set(TournamentTable.model_fields)
    assert keys("| key of an `[[engines]]` entry") == set(EngineTable.model_fields)


def test_the_tournament_file_of_the_readme_can_be_read(tmp_path: Path) -> None:
    """As it stands there."""
    file = tmp_path / "cup.toml"
    file.write_text(block("toml", "# cup.toml"))
    table, engines = load_tournament(file, load_registry())
    assert (table.name, table.rounds, [engine.name for engine in engines]) == ("cup", 2, ["greedy", "mine"])


def test_the_engine_of_the_readme_plays(tmp_path: Path) -> None:
    """As it stands there, against random, without a fault."""
    (tmp_path / "mine.py").write_text(block("python", "class Mine"))
    done = subprocess.run(
        [sys.executable, "-m", "arena.main", "match", f"{sys.executable} mine.py", "random", *SHORT],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"line"') + done.stdout.count('"no-turn"') == 2


def test_every_termination_is_in_the_specification() -> None:
    """An engine's author finds each word that may stand beside his loss."""
    for word in Termination:
        assert f"`{word}`" in SPEC, word


def test_every_file_that_the_readme_points_to_is_there() -> None:
    """No dead links."""
    for target in re.findall(r"\]\(([^)#]+)", README):
        assert (ROOT / target).exists(), target
