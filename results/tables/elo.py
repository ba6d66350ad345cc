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

    If games bound the rating on one side only, the bound is that end of the interval. No bound is beyond MOST: `> +800`
    is the highest, and a rating that is at most something higher has no bound, which is `-`.
    """
    sign, points = "", elo(rating.mean)
    if rating.one_sided is not None:
        sign, points = (">", elo(rating.lower)) if rating.one_sided == "at least" else ("<", elo(rating.upper))
    if abs(points) > MOST:
        beyond = ">" if points > 0 else "<"
        if sign not in ("", beyond):
            return "-"
        sign, points = beyond, math.copysign(MOST, points)
    return f"{sign} {points:+z.0f}".strip()
