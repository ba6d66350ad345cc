"""`arena ladder`, as a user runs it."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.planning.run_lock import run_lock
from results.store.store import Store
from tests.arena.cli.conftest import Arena
from tests.arena.conftest import cup

pytestmark = pytest.mark.usefixtures("quick")


def test_one_file_is_a_cup_and_a_ladder(arena: Arena, tmp_path: Path) -> None:
    """One sentence names all keys without effect, in one database; a book of one's own has its openings in both."""
    file, book = tmp_path / "cup.toml", tmp_path / "book.txt"
    book.write_text("b4b5\n")
    format_ = {"format": "swiss", "rounds": 1, "games_per_pairing": 4, "book": "book.txt"}
    file.write_text(cup("random", "greedy", name="steps", variants=["scottish"], nodes=5, **format_))
    swiss = ("tournament", file, "--db", tmp_path / "cup.db", "--no-smoke")
    for words in (("ladder", file, "--db", tmp_path / "cup.db", "--games", 2), swiss, swiss):
        done = arena(*words)
        assert done.exit_code == 0 and "other settings" not in done.stderr, done.stderr
        told = [line for line in done.stderr.splitlines() if "that a ladder ignores" in line]
        keys = "format, rounds, games_per_pairing"
        said = f"{file} sets keys that a ladder ignores: {keys}"
        assert told == ([said] if words[0] == "ladder" else [])
    with closing(sqlite3.connect(tmp_path / "cup.db")) as db, db:
        assert {opening for (opening,) in db.execute("SELECT opening FROM games")} == {"b4b5"}
        assert db.execute("SELECT count(*) FROM games").fetchone() == (6,)
    again = arena("ladder", file, "--db", tmp_path / "cup.db", "--games", 1)
    assert "2 games so far" in again.stderr and "stopped: 1 game played, 3 in all" in again.stderr
    book.write_text("f4f6\n")
    assert "(another book of openings)" in arena("ladder", file, "--db", tmp_path / "cup.db").stderr


def test_a_ladder_of_one_says_so(arena: Arena, tmp_path: Path) -> None:
    """An engine that cannot be started leaves the other alone, which is no ladder."""
    file = tmp_path / "l.toml"
    file.write_text(cup("random", 'name = "dead"\ncommand = ["true"]', variants=["callanish-7"], nodes=5))
    done = arena("ladder", file, "--db", tmp_path / "l.db")
    assert done.exit_code == 3
    assert "dead stays out" in done.stderr and "fewer than two engines are left to play" in done.stderr


def test_a_ladder_that_another_arena_plays_is_refused(arena: Arena, tmp_path: Path) -> None:
    """Each would count the other's games."""
    file, db = tmp_path / "l.toml", tmp_path / "l.db"
    file.write_text(cup("random", "greedy", name="steps", variants=["callanish-7"], nodes=5))
    assert arena("ladder", file, "--db", db, "--games", 1).exit_code == 0
    with Store.open_existing(db) as store:
        (run,) = store.runs()
    with run_lock(db, run.id, "steps"):
        two = arena("ladder", file, "--db", db, "--games", 1)
    assert two.exit_code == 2 and f"the run 'steps' is being played by process {os.getpid()} since" in two.stderr
    assert "stop that one first" in two.stderr
