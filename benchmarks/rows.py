"""One line of the results, and what every measurement is given. Owns the arithmetic of figures; measures nothing."""

import os
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_ROOM = 1 << 29
"""Bytes that the stamps of the largest run may take."""


class Row(NamedTuple):
    """One figure. None where it could not be had: then `note` says why."""

    part: str
    what: str
    unit: str
    median: float | None = None
    least: float | None = None
    high: float | None = None
    """95 of 100 are not above it."""
    ratio: float | None = None
    """To the part's yardstick, whose ratio is 1: the median of the rounds' ratios."""
    least_ratio: float | None = None
    """The same of the two least figures, which a busy machine disturbs less."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    rounds: int
    games: int
    """In one run of one contender."""
    plies: int
    crowd_games: int
    """In one run of many at once, at most: the last worker must start before the first has nothing left to do."""
    alone: bool = False
    """Only the floor and this referee, uncontained: the smallest form."""


FULL = Scale(rounds=10, games=40, plies=150, crowd_games=640)
QUICK = Scale(rounds=2, games=20, plies=150, crowd_games=640)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a benchmark works: its scale, a folder in memory for stamps, on disk one for scripts, one for records."""

    scale: Scale
    stamps: Path
    scripts: Path
    records: Path

    def clean(self) -> Path:
        """The folder for records, empty."""
        shutil.rmtree(self.records)
        self.records.mkdir()
        return self.records


@contextmanager
def place(scale: Scale) -> Iterator[Place]:
    """The folders, removed at the end. Stamps lie in memory where there is room: they must not wait for a disk."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK)
    if roomy:
        free = os.statvfs(memory)
        roomy = free.f_bavail * free.f_frsize >= _ROOM
    with (
        tempfile.TemporaryDirectory(prefix="bench-", dir=memory if roomy else None) as stamps,
        tempfile.TemporaryDirectory(prefix="bench-") as disk,
    ):
        made = Place(scale, Path(stamps), Path(disk) / "scripts", Path(disk) / "records")
        made.scripts.mkdir()
        made.records.mkdir()
        yield made


def row(part: str, what: str, unit: str, figures: Sequence[float]) -> Row:
    """The row of some figures, at least one."""
    ordered = sorted(figures)
    high = ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]
    return Row(part, what, unit, statistics.median(ordered), ordered[0], high)


def compared(row: Row, rounds: Sequence[Sequence[float]], yardstick: Sequence[Sequence[float]]) -> Row:
    """The row with its ratios to a yardstick, whose rounds took turns with its own."""
    least = min(map(min, rounds)) / min(map(min, yardstick))
    return row._replace(ratio=ratio(rounds, yardstick), least_ratio=least)


def ratio(rounds: Sequence[Sequence[float]], yardstick: Sequence[Sequence[float]]) -> float:
    """The median over the rounds of one contender's median to the yardstick's, each pair from one round."""
    pairs = zip(rounds, yardstick, strict=True)
    return statistics.median(statistics.median(one) / statistics.median(other) for one, other in pairs)
