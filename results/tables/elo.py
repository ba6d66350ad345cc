"""Elo points of ratings and of differences between two engines, with their 95 % intervals, as figures and as text."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import NormalDist

from results.ratings.estimates import Lead, OneSided, Rating, Skewed
from results.ratings.fit import Fit
from results.ratings.scale import NOISE
from results.ratings.sprt import EloEstimate
from results.tally import PairTally, Tally

MOST = 800
"""Elo points beyond which an expected score is above 99 %. No usual number of games tells such scores apart."""
ALIKE = 0.1
"""If both halves of an interval differ by no larger share, one figure stands for both: the larger one."""
PRECISE = 10
"""Errors below so many points, and their Elo, have a decimal."""


@dataclass(frozen=True, slots=True)
class Duel:
    """Two engines that met, from the point of view of `one`."""

    one: str
    two: str
    tally: Tally
    lead: Lead
    """By how much `one` is stronger by all games of the field, both sides alike."""
    one_sided: OneSided | None
    pairs: PairTally | None
    """Their pairs of games from one opening; None if they were not counted."""

    @property
    def elo(self) -> EloEstimate:
        """The difference in Elo points."""
        return elo_estimate(self.lead, self.one_sided)


def duels(
    fit: Fit, met: Mapping[tuple[str, str], Tally], pairs: Mapping[tuple[str, str], PairTally] | None
) -> Iterator[Duel]:
    """The one of a match of two, or in a gauntlet one for each opponent, the best first. No other field has any.

    Each is from the point of view of the engine of the gauntlet, or of the better one of two.
    """
    names = [rating.name for rating in fit.ratings]
    opponents: dict[str, set[str]] = {name: set() for name in names}
    for one, two in met:
        if one != two:
            opponents[one].add(two)
            opponents[two].add(one)
    hubs = [name for name in names if len(opponents[name]) == len(names) - 1]
    if not hubs or any(len(opponents[name]) > 1 for name in names if name != hubs[0]):
        return
    hub = hubs[0]
    for name in names:
        if name != hub:
            tally = met.get((hub, name), Tally()) + met.get((name, hub), Tally()).reversed
            paired = None if pairs is None else pairs.get((hub, name), PairTally())
            yield Duel(hub, name, tally, fit.difference(hub, name), fit.one_sided(hub, name), paired)


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


def elo_estimate(figure: Skewed, one_sided: OneSided | None) -> EloEstimate:
    """A rating or a difference in Elo points, with its 95 % interval.

    An end that games do not bound is infinite. So is the far end of an interval around more than MOST points, and the
    near end is at most MOST: no figure beyond it is told.
    """
    points, low, high = elo(figure.mean), elo(figure.lower), elo(figure.upper)
    if one_sided == "at least" or (one_sided is None and points > MOST):
        return EloEstimate(points, min(low, MOST), math.inf)
    if one_sided == "at most" or (one_sided is None and points < -MOST):
        return EloEstimate(points, -math.inf, max(high, -MOST))
    return EloEstimate(points, low, high)


def of_rating(rating: Rating) -> EloEstimate:
    """The Elo points of a rating."""
    return elo_estimate(rating, rating.one_sided)


def points_text(estimate: EloEstimate) -> str:
    """The points, `+62`, or a bound if an end is open: `> +350`. Its other end is not known at all."""
    if math.isinf(estimate.high):
        return f"> {estimate.low:+z.0f}"
    if math.isinf(estimate.low):
        return f"< {estimate.high:+z.0f}"
    return f"{estimate.value:+z.{_digits(estimate)}f}"


def error_text(estimate: EloEstimate) -> str:
    """Half of the interval, `34`, or both halves if they differ: `-117+150`. It is `-` beside a bound."""
    if math.isinf(estimate.high - estimate.low):
        return "-"
    digits, (down, up) = _digits(estimate), _halves(estimate)
    if abs(up - down) <= ALIKE * max(up, down):
        return f"{max(up, down):.{digits}f}"
    return f"-{down:.{digits}f}+{up:.{digits}f}"


def elo_texts(rating: Rating | None) -> tuple[str, str]:
    """The points and the error of an engine, which may have no rating."""
    return ("-", "-") if rating is None else (points_text(of_rating(rating)), error_text(of_rating(rating)))


def with_error(estimate: EloEstimate) -> str:
    """`+62 +- 34`, `+414 -215+261`, or only the bound."""
    points, error = points_text(estimate), error_text(estimate)
    return points if error == "-" else f"{points} {error}" if error[0] == "-" else f"{points} +- {error}"


def _halves(estimate: EloEstimate) -> tuple[float, float]:
    return estimate.value - estimate.low, estimate.high - estimate.value


def _digits(estimate: EloEstimate) -> int:
    return int(0 < max(_halves(estimate)) < PRECISE)
