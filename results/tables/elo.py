"""Elo points for differences of ratings, and how far games bound them."""

import math
from statistics import NormalDist

from results.ratings.estimates import Rating
from results.ratings.scale import NOISE

MOST = 800
"""Elo points beyond which an expected score is above 99 %. No usual number of games tells such scores apart."""


def elo(difference: float) -> float:
    """A difference in units of mu as Elo points: those of the same expected score, sides equal and draws apart.

    Score Phi(difference / NOISE), Elo 400 log10(score / (1 - score)); near 0 it is 47.0 points for a unit.
    """
    away = abs(difference) / NOISE
    tail = 0.5 * math.erfc(away / math.sqrt(2))
    if tail > 0:
        points = 400 * (math.log10(NormalDist().cdf(away)) - math.log10(tail))
    else:  # some 38 standard deviations out: the tail's first term
        points = 400 * (away**2 / 2 + math.log(away * math.sqrt(2 * math.pi))) / math.log(10)
    return math.copysign(points, difference)


def elo_text(rating: Rating) -> str:
    """The rating in Elo points, or a bound: `> +350`.

    It is a bound if games bound the rating on one side only, or if the points are beyond MOST. The bound is the end of
    the interval towards 0, or MOST if that is nearer. It is `-` if that end is on the other side of 0: no bound at all.
    """
    points = elo(rating.mean)
    if rating.one_sided is None and abs(points) <= MOST:
        return f"{points:+z.0f}"
    above = points > 0 if rating.one_sided is None else rating.one_sided == "at least"
    bound = min(MOST, elo(rating.lower)) if above else max(-MOST, elo(rating.upper))
    return "-" if (bound > 0) != above else f"{'>' if above else '<'} {bound:+z.0f}"
