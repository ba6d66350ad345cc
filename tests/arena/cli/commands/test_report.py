"""`arena report`: what it prints, what it refuses, and what is left."""

import errno
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.command_line import program
from tests.web.conftest import games, keep

Invoke = Callable[..., tuple[int, str]]


@pytest.fixture
def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Call `arena report` in a folder that has `cup.db`; gives the exit code and all that was printed."""
    monkeypatch.chdir(tmp_path)
    keep(tmp_path / "cup.db", games())

    def call(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(program(), ["report", *words])
        return result.exit_code, result.output

    return call


def test_a_report_goes_beside_the_database_if_no_folder_is_named(invoke: Invoke, tmp_path: Path) -> None:
    """The page to open is named, and what was left out is said."""
    code, told = invoke("cup.db")
    assert code == 0, told
    assert "cup-report/index.html: 6 games" in told and "Command lines, paths" in told
    about = json.loads((tmp_path / "cup-report" / "report.json").read_text())
    assert (about["games"], about["private_left_out"]) == (6, True)


def test_a_report_in_a_closed_folder_names_the_folder_to_write(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says nothing of a file of ours that nobody has asked for."""

    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    code, told = invoke("cup.db", "--output", "pages")
    assert (code, told.startswith("arena: pages: Permission denied; check its permissions")) == (2, True), told


def test_options_choose_games_and_title(invoke: Invoke, tmp_path: Path) -> None:
    """The title is a text, whatever is in it."""
    code, told = invoke("cup.db", "--output", "r", "--games", "lost", "--title", "T & <i>")
    assert code == 0, told
    assert "1 of 6 games have a page" in told
    assert "T &amp; &lt;i&gt;" in (tmp_path / "r" / "index.html").read_text()
