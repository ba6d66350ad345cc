"""Pairs off an even number of players who stand in a line, at the least cost.

Neighbours are cheapest, but for obstacles between some. Players are taken in order; each either waits for a later one
or takes one who waits. Ways to the same waiting players are one state, of which the cheapest is kept. Of the states
only the most promising are followed; if none that was left out promised less than what was found, the pairing is
proven the cheapest, and otherwise more are followed, up to a bound on the whole work. So small fields are always solved
exactly (a field of 8 has 70 states at most), and the time for large ones is bounded.
"""

from collections.abc import Callable
from dataclasses import dataclass

Cost = Callable[[int, int], int]
Pairs = tuple[tuple[int, int], ...]

FEWEST = 8
"""States that are followed at first."""
WORK = 30_000
"""States that are followed at most, over all players: about a second."""


@dataclass(frozen=True, slots=True)
class Way:
    """How the players so far can be paired: what it costs, and the way before with the pair that was added."""

    cost: int
    before: "Way | None" = None
    pair: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs, lower first, in order of their first players; `proven`: no other pairing is cheaper."""

    pairs: Pairs
    cost: int
    proven: bool


def pair_off(count: int, distance: Cost, obstacle: Cost) -> Matching:
    """Pair 0 .. `count` - 1 at the least sum of `distance` and `obstacle`, both of (i, j) with i < j, neither negative.

    `distance` must be a convex function of places on a line, or a sum of such with the same order: then neighbours are
    cheapest where nothing is in the way, which is what the bound rests on.
    """
    width = FEWEST
    while True:
        matching = _followed(count, distance, obstacle, width)
        if matching.proven:
            return matching
        if 8 * width * count > WORK:
            return _exchanged(matching, lambda i, j: distance(i, j) + obstacle(i, j), obstacle)
        width *= 8


def _exchanged(matching: Matching, cost: Cost, obstacle: Cost) -> Matching:
    """Rid of obstacles by exchanging partners between two pairs, as long as that makes it cheaper.

    Where each player has an obstacle to fewer than (count - 2) / 2 others, there is always such an exchange: two who
    should not meet have count - 2 ways to exchange, and each of their obstacles spoils one.
    """
    pairs = list(matching.pairs)
    total = matching.cost
    while True:
        gains = [
            (cost(*one) + cost(*two) - cost(*sorted(new)) - cost(*sorted(other)), one, two, new, other)
            for one in pairs
            if obstacle(*one)
            for two in pairs
            if one != two
            for new, other in (((one[0], two[0]), (one[1], two[1])), ((one[0], two[1]), (one[1], two[0])))
        ]
        gain, one, two, new, other = max(gains, default=(0, (0, 0), (0, 0), (0, 0), (0, 0)))
        if gain <= 0:
            return Matching(tuple(sorted(pairs)), total, False)
        kept = [pair for pair in pairs if pair not in (one, two)]
        pairs = [*kept, (min(new), max(new)), (min(other), max(other))]
        total -= gain


def _followed(count: int, distance: Cost, obstacle: Cost, width: int) -> Matching:
    # What those from p on cost at least among themselves, their number being even.
    rest = [0] * (count + 2)
    for p in range(count - 2, -1, -1):
        rest[p] = distance(p, p + 1) + rest[p + 2]

    def least(waiting: tuple[int, ...], p: int) -> int:
        """What pairing those who wait and everybody from p on costs at least: whoever waits needs a later one.

        With nothing in the way the first of those take them in order; swapping two pairs shows that it is cheapest.
        """
        end = p + len(waiting)
        return sum(map(distance, waiting, range(p, end))) + rest[end]

    ways: dict[tuple[int, ...], Way] = {(): Way(0)}
    left_out: int | None = None
    for p in range(count):
        after: dict[tuple[int, ...], Way] = {}
        for waiting, way in ways.items():
            if len(waiting) + 1 < count - p:
                after[(*waiting, p)] = way
            for place, other in enumerate(waiting):
                key = waiting[:place] + waiting[place + 1 :]
                cost = way.cost + distance(other, p) + obstacle(other, p)
                if key not in after or cost < after[key].cost:
                    after[key] = Way(cost, way, (other, p))
        if len(after) > width:
            promise = {key: way.cost + least(key, p + 1) for key, way in after.items()}
            order = sorted(after, key=promise.__getitem__)
            left_out = promise[order[width]] if left_out is None else min(left_out, promise[order[width]])
            after = {key: after[key] for key in order[:width]}
        ways = after
    way = last = ways[()]
    pairs = []
    while way.before is not None and way.pair is not None:
        pairs.append(way.pair)
        way = way.before
    return Matching(tuple(sorted(pairs)), last.cost, left_out is None or left_out >= last.cost)
