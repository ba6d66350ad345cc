"""A line of the results, the folders of a measurement, and the arithmetic of figures."""

import os
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

OURS, FLOOR = "arena", "C floor"
_ROOM = 1 << 29
"""The bytes that the stamps of the largest run may take."""

Rounds = Sequence[Sequence[float]]
"""The figures of each round."""


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of figure, of all that were measured in the same rounds."""

    part: str
    what: str
    unit: str
    rounds: Mapping[str, Rounds] = field(default_factory=dict)
    """By contender."""
    more_is_better: bool = False
    cause: str = ""
    """Why a peer may be ahead."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """By contender, why it has no figure."""

    def median(self, who: str) -> float | None:
        """The median of all figures of a contender; None without one."""
        figures = [figure for round_ in self.rounds.get(who, ()) for figure in round_]
        return statistics.median(figures) if figures else None

    def ratio(self, other: str) -> float | None:
        """The median over the rounds of our median to another contender's, each pair from one round."""
        ours, theirs = self.rounds.get(OURS, ()), self.rounds.get(other, ())
        medians = [tuple(map(statistics.median, both)) for both in zip(ours, theirs, strict=False) if all(both)]
        pairs = [a / b for a, b in medians if b]
        return statistics.median(pairs) if pairs else None

    def best_peer(self) -> str | None:
        """The peer with the best median, the floor left out; None without peers."""
        peers = [who for who in self.rounds if who not in (OURS, FLOOR) and self.median(who) is not None]
        sign = -1 if self.more_is_better else 1
        return min(peers, key=lambda who: sign * (self.median(who) or 0.0), default=None)

    def behind(self) -> tuple[str, float] | None:
        """The best peer and its lead over us as a factor above 1.05; None if no peer leads by that."""
        peer = self.best_peer()
        ratio = None if peer is None else self.ratio(peer)
        if peer is None or not ratio:
            return None
        lead = 1 / ratio if self.more_is_better else ratio
        return (peer, lead) if lead > 1.05 else None


@dataclass(frozen=True, slots=True)
class Workspace:
    """The number of rounds and the folders of a benchmark: stamps in memory, scripts and records on disk."""

    rounds: int
    stamps: Path
    scripts: Path
    records: Path

    def clean(self) -> Path:
        """Empty the folder for records and return it."""
        shutil.rmtree(self.records)
        self.records.mkdir()
        return self.records


@contextmanager
def workspace(rounds: int) -> Iterator[Workspace]:
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
        made = Workspace(rounds, Path(stamps), Path(disk) / "scripts", Path(disk) / "records")
        made.scripts.mkdir()
        made.records.mkdir()
        yield made
