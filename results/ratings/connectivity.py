"""Whom the games connect, and whom the scores leave open: searches in who took a point from whom.

Sets of engines are whole numbers, engine k being bit k: a search takes a step for each engine, not for each pairing.
"""

import numpy as np
from numpy import bool_
from numpy.typing import NDArray

from results.ratings.pair_result import OneSided
from results.ratings.pairings import Field

FEW = 256
"""Of so many engines a product of matrices sooner tells that all are linked than a search does, where most met."""

Engines = int
"""A set of engines, as bits."""


def standing(field: Field, anchor: int | None = None) -> tuple[list[list[int]], dict[int, OneSided]]:
    """The engines that games connect, the largest group first, and those whom the scores leave open.

    Left open are those of a group that took no point from its main body or gave it none, not even through others. The
    main body is more than half of the group, and in it everybody took a point from everybody else, directly or through
    others (Ford, American Mathematical Monthly 64, 1957). With an anchor it is the part that the anchor belongs to.
    Where there is no main body every part is seen against all others.
    """
    n = len(field.names)
    if _linked(field):
        return [[*range(n)]], {}
    points = np.zeros((n, n), bool)
    scored, lost = (decided + field.counts.draws > 0 for decided in (field.counts.wins, field.counts.losses))
    points[field.one[scored], field.two[scored]] = True
    points[field.two[lost], field.one[lost]] = True
    took, gave = _as_bits(points), _as_bits(points.T)
    met = [a | b for a, b in zip(took, gave, strict=True)]
    bodies = _bodies(took, gave)
    groups = sorted(_parts(met), key=lambda group: -group.bit_count())
    found: dict[int, OneSided] = {}
    for group in groups:
        found |= _open(group, took, gave, bodies, anchor)
    return [_members(group) for group in groups], found


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


def _open(
    group: Engines, took: list[Engines], gave: list[Engines], bodies: list[Engines], anchor: int | None
) -> dict[int, OneSided]:
    """Those of a group whom the scores leave open."""
    members = _members(group)
    held = anchor is not None and bool(group >> anchor & 1)
    main = bodies[anchor] if anchor is not None and held else max((bodies[k] for k in members), key=int.bit_count)
    if main == group:
        return {}
    if held or 2 * main.bit_count() > len(members):
        above, below = _reached(main, gave), _reached(main, took)  # who took points of the main body; who gave it some
    else:
        # Against all others: those of bodies that took points outside, and that gave some away.
        above, below = (_beyond(members, bodies, points) for points in (took, gave))
        main = 0
    found: dict[int, OneSided] = {}
    for k in members:
        if main >> k & 1:
            continue
        up, down = above >> k & 1, below >> k & 1
        # With neither it met only such as are open themselves on the side that it hangs on.
        found[k] = "open" if up == down else "at least" if up else "at most"
    return found


def _beyond(members: list[int], bodies: list[Engines], points: list[Engines]) -> Engines:
    """Those whose body has points with somebody who is not in it."""
    found = 0
    for k in members:
        if points[k] & ~bodies[k]:
            found |= bodies[k]
    return found


def _bodies(took: list[Engines], gave: list[Engines]) -> list[Engines]:
    """For each engine all that took points from it and gave it some, directly or through others, itself among them.

    By the way of Kosaraju: two searches, the second against the stream and in the order in which the first ended.
    """
    left = (1 << len(took)) - 1
    ended: list[int] = []
    while left:
        path = [left.bit_length() - 1]
        left ^= 1 << path[0]
        while path:
            if onward := took[path[-1]] & left:
                path.append(onward.bit_length() - 1)
                left ^= 1 << path[-1]
            else:
                ended.append(path.pop())
    bodies, left = [0] * len(took), (1 << len(took)) - 1
    for engine in reversed(ended):
        if left >> engine & 1:
            body = _reached(1 << engine, gave, left)
            left &= ~body
            for k in _members(body):
                bodies[k] = body
    return bodies


def _parts(met: list[Engines]) -> list[Engines]:
    """The parts into which the engines fall, where whoever met is in the same."""
    left, found = (1 << len(met)) - 1, []
    while left:
        found.append(_reached(left & -left, met))
        left &= ~found[-1]
    return found


def _reached(start: Engines, onward: list[Engines], within: Engines = -1) -> Engines:
    """All that can be reached from those at the start, which are among them."""
    found = ahead = start
    while ahead:
        through = ahead.bit_length() - 1
        new = onward[through] & within & ~found
        found |= new
        ahead = ahead & ~(1 << through) | new
    return found


def _members(engines: Engines) -> list[int]:
    """Their numbers, ascending."""
    found = []
    while engines:
        lowest = engines & -engines
        found.append(lowest.bit_length() - 1)
        engines ^= lowest
    return found


def _as_bits(rows: NDArray[bool_]) -> list[Engines]:
    """Each row as a set."""
    packed = np.packbits(rows, axis=1, bitorder="little")
    data, width = packed.tobytes(), packed.shape[1]
    return [int.from_bytes(data[at : at + width], "little") for at in range(0, len(data), width)]
