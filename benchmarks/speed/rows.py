"""A line of the results, and the folders and the scale of a measurement. Owns the arithmetic of figures."""

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
"""The bytes that the stamps of the largest run may take."""


class Row(NamedTuple):
    """One figure; None where it could not be measured, and then `note` says why."""

    part: str
    what: str
    unit: str
    median: float | None = None
    least: float | None = None
    high: float | None = None
    """The 95th percentile."""
    ratio: float | None = None
    """The ratio to the part's yardstick: the median of the rounds' ratios."""
    least_ratio: float | None = None
    """The ratio of the two least figures, which a busy machine disturbs less."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    rounds: int
    games: int
    """The games in one run of one contender."""
    plies: int
    crowd_games: int
    """The most games in a run of many at once. The last worker must start before the first one has no games left."""
    alone: bool = False
    """True for the smallest form: only the floor and this referee, without containment."""


FULL = Scale(rounds=10, games=40, plies=150, crowd_games=640)
QUICK = Scale(rounds=2, games=20, plies=150, crowd_games=640)


@dataclass(frozen=True, slots=True)
class Workspace:
    """The scale of a benchmark and its folders: for stamps in memory, for scripts and for records on disk."""

    scale: Scale
    stamps: Path
    scripts: Path
    records: Path

    def clean(self) -> Path:
        """Empty the folder for records and return it."""
        shutil.rmtree(self.records)
        self.records.mkdir()
        return self.records


@contextmanager
def workspace(scale: Scale) -> Iterator[Workspace]:
    """A workspace, removed at the end. Stamps are in memory where there is room, so that they never wait for a disk."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK)
    if roomy:
        free = os.statvfs(memory)
        roomy = free.f_bavail * free.f_frsize >= _ROOM
    with (
        tempfile.TemporaryDirectory(prefix="bench-", dir=memory if roomy else None) as stamps,
        tempfile.TemporaryDirectory(prefix="bench-") as disk,
    ):
        made = Workspace(scale, Path(stamps), Path(disk) / "scripts", Path(disk) / "records")
        made.scripts.mkdir()
        made.records.mkdir()
        yield made


def row(part: str, what: str, unit: str, figures: Sequence[float]) -> Row:
    """The row of at least one figure."""
    ordered = sorted(figures)
    high = ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]
    return Row(part, what, unit, statistics.median(ordered), ordered[0], high)


def compared(row: Row, rounds: Sequence[Sequence[float]], yardstick: Sequence[Sequence[float]]) -> Row:
    """The row with its ratios to a yardstick that was measured in the same rounds."""
    least = min(map(min, rounds)) / min(map(min, yardstick))
    return row._replace(ratio=ratio(rounds, yardstick), least_ratio=least)


def ratio(rounds: Sequence[Sequence[float]], yardstick: Sequence[Sequence[float]]) -> float:
    """The median over the rounds of one contender's median to the yardstick's, each pair from one round."""
    pairs = zip(rounds, yardstick, strict=True)
    return statistics.median(statistics.median(one) / statistics.median(other) for one, other in pairs)
