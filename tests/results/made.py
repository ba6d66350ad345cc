"""Runs and games for the tests of results, with only what a test says being special."""

from dataclasses import replace
from typing import Any

from arena.play.jobs import GameJob
from results.plies import Ply
from results.record import GameRecord, Player, ResultCount, Run, Winner

RUN = Run(
    id="5ca1ab1e",
    name="evening",
    kind="tournament",
    created_at="2024-01-02T03:04:05+00:00",
    config='{"seed": 7}',
    seed=7,
    games=6,
    host="box",
    versions="{}",
)
PLAYERS = tuple(Player(name, "1.0", "somebody", ("run", name, "a b"), "00ff") for name in ("ann", "bob", "cyd"))
GAME = GameRecord(
    id="5ca1ab1e-000001",
    number=1,
    round=1,
    variant="callanish-9",
    p1="ann",
    p2="bob",
    fen="9/9/9 p1 1",
    opening=("a1", "b2"),
    plies=(Ply("c3", 1200, 1100, 9998, 4, 12345, "cp 31", pv="c3 d4"), Ply("d4", 900, None, None)),
    winner="p1",
    termination="line",
    detail="",
    tc="10+0.1",
    seed=11,
    started_at="2024-01-02T03:04:06+00:00",
    wall_ms=3,
    host="box",
)


def numbered(number: int, run: str = RUN.id) -> GameRecord:
    """Game `number` of a run."""
    return replace(GAME, id=f"{run}-{number:06d}", number=number)


def game_of(job: GameJob, **fields: Any) -> GameRecord:
    """The record of a job."""
    return replace(replace(GAME, id=job.id, number=job.number, p1=job.p1, p2=job.p2), **fields)


def result(
    p1: str,
    p2: str,
    winner: Winner | None,
    termination: str = "line",
    variant: str = "callanish-9",
) -> ResultCount:
    """A game as ratings and tables need it."""
    return ResultCount(variant, "", p1, p2, winner, termination)
