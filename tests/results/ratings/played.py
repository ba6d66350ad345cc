"""Games that are played by chance between engines of known strength, for the tests of the ratings."""

from collections.abc import Iterable, Mapping

import numpy as np

from results.ratings import PairResult
from results.ratings.scale import NOISE
from results.record import ResultCount, Winner

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


def as_counts(games: Iterable[PairResult]) -> list[ResultCount]:
    """The same games as tables take them, none of them alike."""
    winners: tuple[Winner, ...] = ("p1", "draw", "p2")
    line = "line"
    return [
        ResultCount("scottish", "1+0", met.p1, met.p2, winner, line, games=count, distinct=count)
        for met in games
        for winner, count in zip(winners, met[2:], strict=True)
    ]
