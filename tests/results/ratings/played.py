"""Games that are played by chance between engines of known strength, for the tests of the ratings."""

from collections.abc import Iterable, Mapping

import numpy as np

from results.ratings import PairResult
from results.ratings.scale import NOISE

MARGIN = 1.5
"""The draw margin: about a fifth of the games between equals are drawn."""


def played(
    skills: Mapping[str, float],
    pairs: Iterable[tuple[str, str]],
    games: int,
    seed: int,
    side: float = 2.0,
    margin: float = MARGIN,
) -> list[PairResult]:
    """So many games of each pair (p1, p2). Having the first side is worth `side`."""
    chance = np.random.default_rng(seed)
    found = []
    for p1, p2 in pairs:
        ahead = skills[p1] - skills[p2] + side + NOISE * chance.standard_normal(games)
        wins, losses = int((ahead > margin).sum()), int((ahead < -margin).sum())
        found.append(PairResult(p1, p2, wins, games - wins - losses, losses))
    return found


def both_ways(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each pair with either side first."""
    return [way for one, two in pairs for way in ((one, two), (two, one))]
