"""Where a climb to the peak begins: least squares, as if each score told its pairing's difference by itself."""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy import bool_
from numpy.typing import NDArray

from results.ratings.design import Design
from results.ratings.likelihood import Counts
from results.ratings.normal import Floats
from results.ratings.scale import NOISE

SURELY, WITH_DRAWS = 0.4, 0.8
"""A score of 30 to 0 is taken for a difference larger than it must be: by so many standard deviations of the noise, and
by so many times the margin for draws,"""
HARDLY = 0.003
"""and has only this share of its weight where the difference is larger yet."""
FLATTER = 0.225
"""What half the logarithm of a score's precision falls by, at a difference of one standard deviation of the noise."""


class Beginning(NamedTuple):
    """What each pairing's score says of its difference, were it alone: where a climb from nothing begins."""

    margin: float
    """The margin that makes for as many draws as there were."""
    ahead: Floats
    """The difference whose chances are as the score."""
    weight: Floats
    """Its precision: halfway (as logarithms go) from that of the score to the one at a difference of 0."""
    sure: NDArray[bool_]
    """Scores like 30 to 0: they say how small a difference may be, not how large,"""
    sures: int
    """and how many these are."""

    @classmethod
    def of(cls, counts: Counts) -> "Beginning":
        """By the score of each pairing, a draw being half a point."""
        games = counts.games
        score = (counts.wins + 0.5 * counts.draws + 0.1) / (games + 0.2)
        rest = 1.0 - score
        ahead = (score**0.135 - rest**0.135) / 0.1975  # nearly the normal distribution's quantile (Tukey)
        dense = np.exp(-0.5 * ahead**2)
        margin = 0.0
        if counts.drawn:
            draws = float(np.add.reduce(counts.draws))
            share = min(draws / float(games.dot(dense)), draws / (draws + 0.5))  # all draws would make it infinite
            margin = NOISE * NormalDist().inv_cdf((1 + share) / 2)
        weight = games * dense
        weight /= np.sqrt(score * rest) * (math.pi * NOISE**2)
        sure = (counts.wins == games) | (counts.losses == games)
        ahead += np.copysign(SURELY + WITH_DRAWS * margin / NOISE, ahead) * sure
        return cls(margin, ahead * math.hypot(NOISE, margin), weight, sure, int(np.add.reduce(sure)))

    def alone(self, design: Design, prior: Floats, others: Floats | None = None) -> Floats:
        """Each unknown, which is 0 as yet, as if the others were known; all are 0 where nothing is said of them."""
        ahead = self.ahead if others is None else self.ahead - design.differences(others)
        return design.gathered(self.weight * ahead) / (design.diagonal(self.weight) + prior)

    def at(self, design: Design, prior: Floats, before: Floats) -> tuple[Floats, Floats]:
        """Unknowns by least squares, and their covariance; `before` are those of an earlier try.

        Weights by the scores alone would make differences too small, as chance makes scores extreme; by what is fitted
        alone, too large: they are taken halfway.
        """
        fitted = design.differences(before)
        weight = fitted * fitted
        weight *= -FLATTER / (NOISE**2 + self.margin**2)
        np.exp(weight, weight)
        weight *= self.weight
        if self.sures:
            weight[self.sure & (fitted * self.ahead > self.ahead * self.ahead)] *= HARDLY
        covariance = design.covariance(weight, prior)
        return covariance.dot(design.gathered(weight * self.ahead)), covariance
