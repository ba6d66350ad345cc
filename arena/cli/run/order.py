"""How a plan is to be carried out, and what came of a run. Parses nothing."""

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.containment_options import Containment
from arena.cli.errors import BadInput

if TYPE_CHECKING:
    from results.record import GameRecord


MOST_AT_ONCE = 1024


CROSSTABLE = 64
"""More engines than this make a table that no screen shows."""


@dataclass(frozen=True, slots=True)
class Order:
    """How a plan is to be carried out."""

    box: Containment
    db: Path | None
    """None: the games are kept in memory, until they are printed."""
    concurrency: int | None
    pgn: Path | None
    as_json: bool
    seed_given: bool
    everyone: bool
    """A match: no game without both engines; and a repeated command goes on by itself."""
    resume: bool = False
    added: bool = False
    """The plan has the games of engines that join a tournament."""
    pin: bool = True
    smoke: bool = False
    """Are the engines asked the smoke checks before the first game?"""
    events: Path | None = None
    """Where what happens is written as JSON lines; `-` is stdout, which then has nothing else."""
    quiet: bool = False
    """No progress on stderr."""
    trace: Path | None = None
    """The folder for all that is said with the engines."""


def at_least(option: str, value: float, least: int) -> None:
    """Raise BadInput where a number is too small."""
    if value < least:
        raise BadInput(f"{option} {value} is out of range: it must be at least {least}")


def within_reach(concurrency: int | None) -> None:
    """Raise BadInput for a number of games at once that no machine has."""
    if concurrency is not None and not 1 <= concurrency <= MOST_AT_ONCE:
        raise BadInput(f"--concurrency {concurrency} is out of range: it must be from 1 to {MOST_AT_ONCE}")


@dataclass(slots=True)
class RunOutcome:
    """What came of a run beside what the store has."""

    unfinished: "list[GameRecord]" = field(default_factory=list)
    interrupted: bool = False
    not_played: int = 0
    """Because engines were withdrawn."""


def say(text: str) -> None:
    """A line for people, beside whatever stdout has."""
    print(text, file=sys.stderr)
