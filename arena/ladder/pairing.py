"""Who meets whom in the next batch of a ladder: newcomers first, then the pairs whose games tell most.

Pure: results, the field and chance in, pairs out, the same for the same. Refuses to know numbers, games and time.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from results.ratings.fit import PairResult, fit
from results.ratings.matchmaking import Belief, Pair, next_pair, placing

OPPONENTS = 4
"""A newcomer's first ones, from all over the list."""
PLACED = 2 * OPPONENTS
"""Games after which an engine is no newcomer: it had both sides against each."""

Known = Mapping[tuple[str, str], tuple[int, int, int]]
"""Results by p1 and p2: p1 won, draws, p2 won."""


def encounters(known: Known, field: Sequence[str], count: int, chance: random.Random) -> list[Pair]:
    """So many pairs of the field; each is to play two games, the first as it says, then with sides swapped.

    A pair that is chosen counts at once as two games more, so that a batch is not all one pair. Raises ValueError for a
    field of fewer than two engines.
    """
    if len(field) < 2:
        raise ValueError("a game needs two engines")
    met = (PairResult(p1, p2, *results) for (p1, p2), results in known.items())
    belief = _among(Belief.of(fit(met, field)), field)
    games = {pair: sum(results) for pair, results in known.items()}
    found: list[Pair] = []

    def take(pair: Pair) -> None:
        nonlocal belief
        found.append(pair)
        belief = belief.after(pair).after(pair)
        for sides in ((pair.p1, pair.p2), (pair.p2, pair.p1)):
            games[sides] = games.get(sides, 0) + 1

    for pair in _placements(known, belief, count, chance):
        take(pair)
    while len(found) < count:
        take(next_pair(belief, games, chance))
    return found


def _placements(known: Known, belief: Belief, most: int, chance: random.Random) -> list[Pair]:
    """The games that newcomers still need, fewest games first, against those who are placed; while these are few, any.

    What a newcomer has met in earlier batches counts: its opponents differ, as long as there are others.
    """
    met: Counter[frozenset[str]] = Counter()
    played: Counter[str] = Counter()

    def count(one: str, two: str, games: int) -> None:
        met[frozenset((one, two))] += games
        played.update({one: games, two: games})

    for (p1, p2), results in known.items():
        count(p1, p2, sum(results))
    strength = dict(zip(belief.names, belief.means.tolist(), strict=True))
    field = chance.sample(belief.names, len(belief.names))
    ranked = sorted(field, key=strength.__getitem__, reverse=True)
    placed = [name for name in ranked if played[name] >= PLACED]
    found: list[Pair] = []
    while len(found) < most and played[name := min(field, key=played.__getitem__)] < PLACED:
        others = [other for other in (placed if len(placed) >= OPPONENTS else ranked) if other != name]
        seen = {other: met[frozenset((name, other))] for other in others}
        games = {other: min(played[other], PLACED) for other in others}
        other = placing(others, seen, OPPONENTS, games, chance)
        found.append(Pair(name, other))
        count(name, other, 2)
    return found


def _among(belief: Belief, field: Sequence[str]) -> Belief:
    """The same belief of these engines alone: others have played, and play no more."""
    place = {name: k for k, name in enumerate(belief.names)}
    at = [place[name] for name in field]
    return Belief(tuple(field), belief.means[at], belief.covariance[at][:, at])
