"""The games of a field as arrays, in an order of their own, and which engines the games connect.

Meetings are added up and sorted by name, so that nothing later can depend on the order in which games came.
"""

import struct
from collections.abc import Iterable, Sequence
from itertools import chain, compress
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy import bool_, intp
from numpy.typing import NDArray

from results.meeting import Meeting, OneSided
from results.model_likelihood import Counts
from results.model_normal import Floats

MOST = 10**12
"""With more games of a pairing than this, the rounding of sums would count."""
FEW = 256
"""Of so many engines a product of matrices sooner tells that all are linked than a search does."""


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


def field(meetings: Iterable[Meeting], names: Iterable[str] = ()) -> Field:
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
            if not all(isinstance(count, int) and 0 <= count <= MOST for count in counts):
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
    one, two = (_numbers([number[name] for name in side]) for side in (first, second))
    codes = one * len(everybody)
    codes += two
    if np.logical_or.reduce(codes[1:] <= codes[:-1]):
        codes, which = np.unique(codes, return_inverse=True)
        one, two = np.divmod(codes, len(everybody))
        return Field(everybody, one, two, Counts.of(np.array([np.bincount(which, row) for row in table])))
    return Field(everybody, one, two, Counts.of(table.astype(float)))


def _numbers(listed: list[int]) -> NDArray[intp]:
    """Whole numbers as an array, in the quickest way."""
    return np.frombuffer(struct.pack(f"{len(listed)}q", *listed), np.int64)


def standing(field: Field, anchor: int | None = None) -> tuple[list[list[int]], dict[int, OneSided]]:
    """The engines that games connect, the largest group first, and those whom the scores leave open."""
    if _linked(field):
        return [[*range(len(field.names))]], {}
    found: dict[int, OneSided] = {}
    linked = groups(field)
    for group in linked:
        found |= one_sided(field, group, anchor)
    return linked, found


def _linked(field: Field) -> bool:
    """Did everybody take a point from everybody else, directly or through up to three others?

    The usual case, quickly told of few; False is no answer.
    """
    if len(field.names) > FEW:
        return False
    counts, n = field.counts, len(field.names)
    first, second = np.zeros((2, n, n))
    first[field.one, field.two] = counts.wins + counts.draws
    second[field.one, field.two] = counts.losses + counts.draws
    points = first + second.T
    points.reshape(-1)[:: n + 1] += 1.0
    points = points.dot(points)
    return bool(points.min() > 0 or points.dot(points).min() > 0)


def groups(field: Field) -> list[list[int]]:
    """The engines that games connect, the largest group first; engines of different groups cannot be compared."""
    leader = list(range(len(field.names)))

    def led_by(engine: int) -> int:
        while leader[engine] != engine:
            leader[engine] = engine = leader[leader[engine]]
        return engine

    apart = len(leader)
    for one, two in zip(field.one.tolist(), field.two.tolist(), strict=True):
        low, high = sorted((led_by(one), led_by(two)))
        if low != high:
            leader[high] = low
            apart -= 1
            if apart == 1:
                break
    found: dict[int, list[int]] = {}
    for engine in leader:
        found.setdefault(led_by(engine), [])
    for engine in range(len(leader)):
        found[led_by(engine)].append(engine)
    return sorted(found.values(), key=lambda group: (-len(group), group))


def one_sided(field: Field, group: Sequence[int], anchor: int | None = None) -> dict[int, OneSided]:
    """Those of a connected group that took no point from the main body or gave it none, and whom that leaves open.

    The main body is more than half of the group, and in it everybody took a point from everybody else, directly or
    through others (Ford, American Mathematical Monthly 64, 1957). With an anchor it is the part that the anchor belongs
    to. Where there is no main body every part is seen against all others.
    """
    if len(group) < 2:
        return {}
    place = {engine: k for k, engine in enumerate(group)}
    at = np.full(len(field.names), -1)
    at[list(group)] = np.arange(len(group))
    one, two = at[field.one], at[field.two]
    scored = (one >= 0) & (field.counts.wins + field.counts.draws > 0)
    lost = (one >= 0) & (field.counts.losses + field.counts.draws > 0)
    points = np.eye(len(group), dtype=bool)
    points[one[scored], two[scored]] = True
    points[two[lost], one[lost]] = True
    took, gave = _as_bits(points), _as_bits(points.T)
    if _reaches_all(took) and _reaches_all(gave):
        return {}
    beats, beaten = [any_ & (any_ - 1) != 0 for any_ in took], [any_ & (any_ - 1) != 0 for any_ in gave]
    above, below = _through_others(took), _through_others(gave)
    bodies = [a & b for a, b in zip(above, below, strict=True)]
    main = bodies[place[anchor]] if anchor in place else max(bodies, key=int.bit_count)
    found: dict[int, OneSided] = {}
    for engine, k in place.items():
        if anchor in place or 2 * main.bit_count() > len(group):
            if main >> k & 1:
                continue
            up, down = above[k] & main != 0, below[k] & main != 0
        else:
            up, down = above[k] != bodies[k], below[k] != bodies[k]
        if not up and not down:  # met nobody through whom it can be compared: its own games speak
            up, down = beats[k], beaten[k]
        found[engine] = "open" if up and down else "at least" if up else "at most"
    return found


def _as_bits(rows: NDArray[bool_]) -> list[int]:
    """Each row as a set of engines."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(rows, axis=1, bitorder="little")]


def _reaches_all(reach: list[int]) -> bool:
    """Can the first reach everybody, in any number of steps?"""
    found = ahead = 1
    while ahead:
        through = ahead.bit_length() - 1
        new = reach[through] & ~found
        found |= new
        ahead = ahead & ~(1 << through) | new
    return found == (1 << len(reach)) - 1


def _through_others(reach: list[int]) -> list[int]:
    """Sets of engines as bits: whom each can reach in any number of steps (Warshall)."""
    reach, full = list(reach), (1 << len(reach)) - 1
    rest = list(range(len(reach)))
    for through in range(len(reach)):
        onward = reach[through]
        for k in rest:
            if reach[k] >> through & 1:
                reach[k] |= onward
        rest = [k for k in rest if reach[k] != full]
        if not rest:
            break
    return reach
