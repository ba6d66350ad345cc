"""Who meets whom in the next batch of a ladder: newcomers first, then the pairs whose games tell most.

Pure functions of results, the field and a random generator. Independent of game numbers and of time.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from results.ratings.estimates import PairResult
from results.ratings.fit import fit
from results.ratings.matchmaking import Belief, Pair, next_pair, placing
from results.ratings.scale import for_order

NEWCOMER_OPPONENTS = 4
"""How many different opponents a newcomer meets first, spread over the whole ranking."""
NEWCOMER_GAMES = 2 * NEWCOMER_OPPONENTS
"""After so many games an engine is no newcomer: it had both sides against each of those opponents."""

PairCounts = Mapping[tuple[str, str], tuple[int, int, int]]
"""By p1 and p2: games that p1 won, draws, games that p2 won."""


def choose_pairs(known: PairCounts, field: Sequence[str], count: int, chance: random.Random) -> list[Pair]:
    """`count` pairs of the field. Each plays two games: the first with the sides given, the second with sides swapped.

    A chosen pair counts at once as two more games, so that a batch is not all one pair. Raises ValueError for a field
    of fewer than two engines.
    """
    if len(field) < 2:
        raise ValueError("a game needs two engines")
    met = (PairResult(p1, p2, *results) for (p1, p2), results in known.items())
    belief = _restricted(Belief.of(fit(met, field)), field)
    games = {pair: sum(results) for pair, results in known.items()}
    pairs: list[Pair] = []

    def take(pair: Pair) -> None:
        nonlocal belief
        pairs.append(pair)
        belief = belief.after(pair).after(pair)
        for sides in ((pair.p1, pair.p2), (pair.p2, pair.p1)):
            games[sides] = games.get(sides, 0) + 1

    for pair in _placement_pairs(known, belief, count, chance):
        take(pair)
    while len(pairs) < count:
        take(next_pair(belief, games, chance))
    return pairs


def _placement_pairs(known: PairCounts, belief: Belief, most: int, chance: random.Random) -> list[Pair]:
    """The games that newcomers still need, fewest games first, against engines that are no newcomers.

    While there are few of these, against any engine. Opponents of earlier batches count: as long as there are others, a
    newcomer meets a new one.
    """
    met: Counter[frozenset[str]] = Counter()
    played: Counter[str] = Counter()

    def count(one: str, two: str, games: int) -> None:
        met[frozenset((one, two))] += games
        played.update({one: games, two: games})

    for (p1, p2), results in known.items():
        count(p1, p2, sum(results))
    strength = dict(zip(belief.names, map(for_order, belief.means.tolist()), strict=True))
    field = chance.sample(belief.names, len(belief.names))
    ranked = sorted(field, key=strength.__getitem__, reverse=True)
    placed = [name for name in ranked if played[name] >= NEWCOMER_GAMES]
    pairs: list[Pair] = []
    while len(pairs) < most and played[name := min(field, key=played.__getitem__)] < NEWCOMER_GAMES:
        others = [other for other in (placed if len(placed) >= NEWCOMER_OPPONENTS else ranked) if other != name]
        seen = {other: met[frozenset((name, other))] for other in others}
        games = {other: min(played[other], NEWCOMER_GAMES) for other in others}
        other = placing(others, seen, NEWCOMER_OPPONENTS, games, chance)
        pairs.append(Pair(name, other))
        count(name, other, 2)
    return pairs


def _restricted(belief: Belief, field: Sequence[str]) -> Belief:
    """The belief about these engines alone: other engines have played, and play no more."""
    place = {name: k for k, name in enumerate(belief.names)}
    at = [place[name] for name in field]
    return Belief(tuple(field), belief.means[at], belief.covariance[at][:, at])
