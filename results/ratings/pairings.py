"""The games of a field as arrays, in an order of their own.

Meetings are added up and sorted by name, so that nothing later can depend on the order in which games came.
"""

import struct
from collections.abc import Iterable
from itertools import chain, compress
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy import intp
from numpy.typing import NDArray

from results.ratings.likelihood import Counts
from results.ratings.normal import Floats
from results.ratings.pair_result import PairResult

MOST = 10**7
"""With many more results of one kind in a pairing than this, the rounding of sums would count."""


class Field(NamedTuple):
    """Engines by name, and their pairings: engine `one[k]` as p1 met engine `two[k]` as p2 with result `counts[k]`."""

    names: tuple[str, ...]
    one: NDArray[intp]
    two: NDArray[intp]
    counts: Counts

    def per_engine(self, pairings: Floats, side: Literal["p1", "p2"]) -> Floats:
        """The sum of a figure of the pairings for the engine that had this side in them."""
        return np.asarray(np.bincount(self.one if side == "p1" else self.two, pairings, len(self.names)), float)

    def games(self) -> NDArray[intp]:
        """How many games each engine played."""
        played = self.counts.games
        found = self.per_engine(played, "p1") + self.per_engine(np.where(self.one == self.two, 0.0, played), "p2")
        return found.astype(np.intp)


def field(meetings: Iterable[PairResult], names: Iterable[str] = ()) -> Field:
    """Everybody who is named or met somebody. Raises ValueError for a count below 0 or above MOST."""
    flat: list[Any] = list(chain.from_iterable(meetings))
    first, second = flat[::5], flat[1::5]
    try:
        table = _numbers(flat[2::5] + flat[3::5] + flat[4::5]).reshape(3, -1)
        wrong = np.minimum.reduce(table, None, initial=0) < 0 or np.maximum.reduce(table, None, initial=0) > MOST
    except struct.error:
        wrong = True
    if wrong:
        for p1, p2, *counts in zip(*(flat[at::5] for at in range(5)), strict=True):
            if not all(isinstance(count, int | np.integer) and 0 <= count <= MOST for count in counts):
                wins, draws, losses = counts
                raise ValueError(
                    f"{p1} against {p2}: {wins} wins, {draws} draws, {losses} losses; "
                    f"a count is a whole number from 0 to {MOST}"
                )
    met = np.add.reduce(table) > 0
    if not np.logical_and.reduce(met):
        first, second = [*compress(first, met.tolist())], [*compress(second, met.tolist())]
        table = table[:, met]
    everybody = tuple(sorted({*names, *first, *second}))
    number = {name: k for k, name in enumerate(everybody)}
    one, two = (_numbers([*map(number.__getitem__, side)]) for side in (first, second))
    codes = one * len(everybody)
    codes += two
    if np.logical_or.reduce(codes[1:] <= codes[:-1]):
        codes, which = np.unique(codes, return_inverse=True)
        one, two = np.divmod(codes, len(everybody))
        sums = np.array([np.bincount(which, row) for row in table], float)
        if sums.max(initial=0) > MOST:
            pairing = int(sums.max(0).argmax())
            p1, p2 = everybody[one[pairing]], everybody[two[pairing]]
            raise ValueError(f"{p1} against {p2}: more than {MOST} games of one result, which sums cannot tell apart")
        return Field(everybody, one, two, Counts.of(sums))
    return Field(everybody, one, two, Counts.of(table.astype(float)))


def _numbers(listed: list[int]) -> NDArray[intp]:
    """Whole numbers as an array, in the quickest way."""
    return np.frombuffer(struct.pack(f"{len(listed)}q", *listed), np.int64)
