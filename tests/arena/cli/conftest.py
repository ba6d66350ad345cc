"""Small databases written by hand, and the command line run in this process."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from results.plies import Ply
from results.record import GameRecord, Player, Run, Termination, Winner
from results.store.store import Store
from tests import command_line
from tests.arena.conftest import ENGINE_IN_C as ENGINE_IN_C
from tests.results.made import GAME

Arena = Callable[..., Result]

SCOTTISH = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"
ESCAPE = ("d1c1", "d3b3", "c1d1", "d4d3", "d1c1", "d3g3")
"""A game of scottish in which the king reaches g3."""


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Arena:
    """Run a command, typed in the folder of the test; the result has exit_code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    return command_line.arena


def record(
    run: str, number: int, winner: Winner | None, termination: str, moves: tuple[str, ...] = ESCAPE
) -> GameRecord:
    """A game of scottish between alpha and beta, who swap sides; its first two moves are the opening."""
    sides = ("alpha", "beta") if number % 2 else ("beta", "alpha")
    alike = {"variant": "scottish", "fen": SCOTTISH, "tc": "5+0.05", "seed": 7, "wall_ms": 1234}
    plies = tuple(Ply(move, 12_345, 6_700, 4_987, depth=7, score="cp 31", pv=f"{move} a1a2") for move in moves[2:])
    place = {"id": f"{run}-{number}", "number": number, "round": (number + 1) // 2, "p1": sides[0], "p2": sides[1]}
    detail = "no bestmove within the clock and 50 ms" if termination == Termination.TIME else ""
    ended = {"winner": winner, "termination": termination, "detail": detail, "started_at": "2026-01-02T03:04:05+00:00"}
    return replace(GAME, **alike, **place, opening=moves[:2], plies=plies, **ended)  # type: ignore[arg-type]


def add(store: Store, run: str, records: list[GameRecord]) -> None:
    """Keep a run of alpha, beta and whoever else has one of these games."""
    names = dict.fromkeys(["alpha", "beta", *(name for one in records for name in (one.p1, one.p2))])
    players = [Player(name, "1", "me", (name,), "00") for name in names]
    store.add_run(Run(run, f"match {run}", "match", "2026-01-02", "{}", 7, len(records), "box", "{}"), players)
    for one in records:
        store.add_game(one)


def games_in(path: Path) -> int:
    """How many games a database has, also while it is being made."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """One run: the king escapes, beta (p1) loses on time after four plies, a draw by adjudication."""
    path = tmp_path / "games.db"
    with Store.create_or_open(path) as store:
        records = [
            record("aa11", 1, "p2", "king-escaped"),
            record("aa11", 2, "p2", Termination.TIME, ESCAPE[:4]),
            record("aa11", 3, "draw", Termination.ADJUDICATION, ESCAPE[:5]),
        ]
        add(store, "aa11", records)
    return path


@pytest.fixture
def two_runs(db: Path) -> Path:
    """The same with a second run of one game."""
    with Store.create_or_open(db) as store:
        add(store, "ab22", [record("ab22", 1, "p2", "king-escaped")])
    return db


@pytest.fixture
def mixed_db(db: Path) -> Path:
    """The first database with a second run, of scottish-armed."""
    game = replace(record("dd44", 1, "p2", "king-escaped"), variant="scottish-armed")
    with Store.create_or_open(db) as store:
        add(store, "dd44", [game])
    return db


@pytest.fixture
def empty_db(tmp_path: Path) -> Path:
    """A run of which no game has ended."""
    path = tmp_path / "empty.db"
    with Store.create_or_open(path) as store:
        add(store, "ee55", [])
    return path
