"""Do the results fit the model? A chi-square over the pairings, and the pairings that stick out."""

import math
from typing import NamedTuple

import numpy as np

from results.ratings.likelihood import chances
from results.ratings.model import Field
from results.ratings.posterior import Posterior

CHANCE = 0.01
"""A misfit is told if chance alone gives one as large more rarely than this."""
FEW = 0.25
"""Half a game, squared. It is added to each variance, so that one upset in a foregone pairing is no misfit yet."""


class OddPairing(NamedTuple):
    """A pairing whose results chance alone hardly explains, from the point of view of p1."""

    p1: str
    p2: str
    games: float
    score: float
    expected_score: float
    draws: float
    expected_draws: float


class Misfit(NamedTuple):
    """How far the results are from what the fit expects."""

    chi_square: float
    freedom: float
    p: float
    """The probability that chance alone gives as large a chi-square, or one pairing that sticks out as far."""
    pairings: tuple[OddPairing, ...]
    """Those that stick out, the farthest first."""


def misfit(field: Field, found: Posterior) -> Misfit:
    """Compare the score and the draws of each pairing with those expected at the posterior's mean."""
    games, d = field.counts.sum(0), field.differences(found.bell.mean)
    win, draw, _ = chances(d, found.margin)
    share = np.array([win + draw / 2, draw])
    variance = np.array([win + draw / 4, draw]) - share**2
    seen = np.array([field.counts[0] + field.counts[1] / 2, field.counts[1]])
    squares = (seen - games * share) ** 2 / (games * variance + FEW)
    # Ratings follow the results: each pairing loses its share of the degree of freedom of its own difference.
    win, draw, _ = chances(d + 1e-3, found.margin)
    slope = (win + draw / 2 - share[0]) / 1e-3
    followed = games * slope**2 / np.maximum(variance[0], 1e-12) * field.variances(found.bell.covariance)
    freedom = games * variance / (games * variance + FEW) * np.array([1 - np.minimum(followed, 1), np.ones_like(d)])
    all_freedom = float(freedom.sum()) - (found.margin > 0)  # the draw margin follows the draws
    each = [_p(*row) for row in zip(squares.sum(0).tolist(), freedom.sum(0).tolist(), strict=True)]
    figures = np.array([games, seen[0], games * share[0], seen[1], games * share[1]]).T.tolist()
    odd = [
        OddPairing(field.names[field.one[k]], field.names[field.two[k]], *figures[k])
        for k in sorted(range(len(each)), key=each.__getitem__)
        if each[k] * len(each) < CHANCE
    ]
    total = float(squares.sum())
    p = 2 * min(_p(total, all_freedom), len(each) * min(each, default=1.0))  # twice, for two looks at the same games
    return Misfit(total, all_freedom, min(1.0, p), tuple(odd))


def _p(chi_square: float, freedom: float) -> float:
    """How often a chi-square of these degrees of freedom is larger (Wilson and Hilferty 1931)."""
    if freedom < 0.1:
        return 1.0
    spread = 2 / (9 * freedom)
    return 0.5 * math.erfc(((chi_square / freedom) ** (1 / 3) - 1 + spread) / math.sqrt(2 * spread))
