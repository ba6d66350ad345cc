"""`arena balance`, with real engines."""

import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

pytestmark = pytest.mark.usefixtures("quick")
FAST = ("callanish-7", "--engine", "random", "--nodes", "9,3", "--games", "2", "--concurrency", "1")


def values(done: Result) -> dict[str, Any]:
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_a_study_goes_on_where_it_stopped_and_tells_the_sides_by_strength(
    arena: Callable[..., Result], tmp_path: Path
) -> None:
    """One object with a level for each node count, weakest first; what is missing is played, then nothing."""
    study = ("balance", *FAST, "--db", tmp_path / "b.db")
    first = values(arena(*study, "--json"))
    assert [level["nodes"] for level in first["levels"]] == [3, 9]
    assert [level["games"] for level in first["levels"]] == [2, 2] and first["games"] == 6
    assert first["fitted"]["lower"] < first["fitted"]["score"] < first["fitted"]["upper"]
    with closing(sqlite3.connect(tmp_path / "b.db")) as db, db:
        assert {row[0] for row in db.execute("SELECT p1 FROM games")} == {
            "random@3",
            "random@3'",
            "random@9",
            "random@9'",
        }
        db.execute("DELETE FROM games WHERE number = 2")
    one_by_one = tuple(word for word in study if word not in ("--nodes", "9,3"))
    again = arena(*one_by_one, "--nodes", "3", "--nodes", "9")
    assert "1 game to play" in again.stderr and "5 already there" in again.stderr
    assert "callanish-7: what p1 scores among equals" in again.stdout and "9 nodes" in again.stdout
    assert max(map(len, again.stdout.splitlines())) <= 80
    assert values(arena(*study, "--json")) == first


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("callanish-7", "--nodes", "10,x"), "--nodes '10,x' cannot be read"),
        (("callanish-7", "--games", "0"), "--games 0"),
        (("chess",), "chess"),
        (("callanish-7", "--engine", "randm"), "did you mean 'random'?"),
        (("callanish-7", "--db", "no/such.db"), "--db no/such.db"),
    ],
)
def test_what_cannot_be_studied_is_refused(arena: Callable[..., Result], words: tuple[str, ...], sentence: str) -> None:
    """In one sentence that names the option."""
    done = arena("balance", *words)
    assert done.exit_code in (2, 3) and sentence in done.stderr and not done.stdout


def test_an_engine_that_is_given_by_its_command_can_be_studied(arena: Callable[..., Result]) -> None:
    """It keeps the names of its rungs: what it calls itself at its first contact does not replace them."""
    command = f"{sys.executable} -m engines.random"
    done = values(arena("balance", "callanish-5", "--engine", command, "--nodes", "3", "--games", "2", "--json"))
    assert done["games"] == 2
