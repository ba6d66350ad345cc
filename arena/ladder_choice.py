"""Who meets whom in the next batch of a ladder: newcomers first, then the pairs whose games tell most.

Pure: results, the field and chance in, pairs out, the same for the same. Refuses to know numbers, games and time.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from results.matchmaking import Belief, Pair, next_pair, placement
from results.model import Meeting, fit

PLACED = 8
"""Games after which an engine is no newcomer: four opponents, from all over the list, on both sides."""

Known = Mapping[tuple[str, str], tuple[int, int, int]]
"""Results by p1 and p2: p1 won, draws, p2 won."""


def encounters(known: Known, field: Sequence[str], count: int, chance: random.Random) -> list[Pair]:
    """So many pairs of the field; each is to play two games, the first as it says, then with sides swapped.

    A pair that is chosen counts at once as two games more, so that a batch is not all one pair. Raises ValueError for a
    field of fewer than two engines.
    """
    if len(field) < 2:
        raise ValueError("a game needs two engines")
    met = (Meeting(p1, p2, *results) for (p1, p2), results in known.items())
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
    """The games that newcomers still need, in turns; where nobody is placed yet, of each other."""
    played: Counter[str] = Counter()
    for (p1, p2), results in known.items():
        played.update({p1: sum(results), p2: sum(results)})
    strength = dict(zip(belief.names, belief.means.tolist(), strict=True))
    newcomers = [name for name in belief.names if played[name] < PLACED]
    placed = [name for name in belief.names if played[name] >= PLACED]
    chance.shuffle(newcomers)
    queues = []
    for name in newcomers:
        others = sorted(placed, key=lambda other: (-strength[other], other))
        if not others:
            others = [other for other in newcomers if other != name]
            chance.shuffle(others)
        queues.append((name, placement(name, others, -(-(PLACED - played[name]) // 2), chance)))
    found: list[Pair] = []
    for turn in range(PLACED):
        for name, queue in queues:
            if len(found) < most and turn < len(queue) and played[name] < PLACED:
                found.append(queue[turn])
                played.update({queue[turn].p1: 2, queue[turn].p2: 2})
    return found


def _among(belief: Belief, field: Sequence[str]) -> Belief:
    """The same belief of these engines alone: others have played, and play no more."""
    place = {name: k for k, name in enumerate(belief.names)}
    at = [place[name] for name in field]
    return Belief(tuple(field), belief.means[at], belief.covariance[at][:, at])
