"""Elo points of ratings and of differences between two engines, with their 95 % intervals, as figures and as text."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from results.ratings import sprt
from results.ratings.estimates import Lead, OneSided, Skewed
from results.ratings.fit import Fit
from results.ratings.scale import NOISE
from results.ratings.sprt import EloEstimate
from results.tally import PairTally, Tally

MOST = 1200.0
"""No figure is farther from 0: the expected score is 99.9 % there, and no usual number of games tells more."""
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
    alone: bool
    """Whether the two are the whole field, and all games differ. Then their score alone tells Elo, as in an SPRT."""

    @property
    def elo(self) -> EloEstimate:
        """The difference in Elo points: of the score if the two are alone and it is not 0 or 1, else of the fit."""
        plain = sprt.elo(self._counts) if self.alone else None
        return elo_estimate(self.lead, self.one_sided) if plain is None else EloEstimate(*map(_capped, plain))

    @property
    def los(self) -> float:
        """The likelihood of superiority of `one`, from the same figures as `elo`."""
        plain = sprt.los(self._counts) if self.alone else None
        return self.lead.positive if plain is None else plain

    @property
    def _counts(self) -> tuple[int, ...]:
        """The pentanomial counts if all games are in pairs, else those of the games."""
        if self.pairs is not None and 2 * self.pairs.pairs == self.tally.games:
            return self.pairs.points
        return self.tally.losses, self.tally.draws, self.tally.wins


def duels(
    fit: Fit, met: Mapping[tuple[str, str], Tally], pairs: Mapping[tuple[str, str], PairTally] | None, all_differ: bool
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
    alone = all_differ and len(names) == 2
    if alone and _tally(met, *names).reversed.score > _tally(met, *names).score:
        hub = names[1]  # roles may let the fit prefer the other one, but a match is told by its score
    for name in names:
        if name != hub:
            tally = _tally(met, hub, name)
            paired = None if pairs is None else pairs.get((hub, name), PairTally())
            lead, one_sided = fit.difference(hub, name), fit.one_sided(hub, name)
            yield Duel(hub, name, tally, lead, one_sided, paired, alone)


def _tally(met: Mapping[tuple[str, str], Tally], one: str, two: str) -> Tally:
    return met.get((one, two), Tally()) + met.get((two, one), Tally()).reversed


def elos(fit: Fit, its_duels: Sequence[Duel]) -> dict[str, EloEstimate]:
    """The Elo points of every rated engine. Those of two alone differ by the Elo of their duel."""
    if len(its_duels) != 1 or not its_duels[0].alone:
        return {rating.name: elo_estimate(rating, rating.one_sided) for rating in fit.ratings}
    (duel,) = its_duels
    ahead, behind = {None: (0.5, -0.5), duel.one: (0.0, -1.0), duel.two: (1.0, 0.0)}[fit.anchor]
    return {duel.one: _times(ahead, duel.elo), duel.two: _times(behind, duel.elo)}


def _times(factor: float, estimate: EloEstimate) -> EloEstimate:
    if not factor:
        return EloEstimate(0.0, 0.0, 0.0)
    low, high = sorted(factor * end for end in (estimate.low, estimate.high))
    return EloEstimate(factor * estimate.value, low, high)


def elo(difference: float) -> float:
    """A difference in units of mu as Elo points: those of the same expected score, sides equal and draws apart.

    Score Phi(difference / NOISE), Elo 400 log10(score / (1 - score)); near 0 it is 47.0 points for a unit.
    """
    away = abs(difference) / NOISE
    tail = 0.5 * math.erfc(away / math.sqrt(2))
    if tail > 0:
        points = 400 * (math.log10(1 - tail) - math.log10(tail))
    else:  # some 38 standard deviations out: the tail's first term
        points = 400 * (away**2 / 2 + math.log(away * math.sqrt(2 * math.pi))) / math.log(10)
    return math.copysign(points, difference)


def elo_estimate(figure: Skewed, one_sided: OneSided | None) -> EloEstimate:
    """A rating or a difference in Elo points, with its 95 % interval.

    An end that games do not bound is infinite, and the value comes from the prior as well.
    """
    points, low, high = (_capped(elo(each)) for each in (figure.mean, figure.lower, figure.upper))
    return EloEstimate(
        points, -math.inf if one_sided == "at most" else low, math.inf if one_sided == "at least" else high
    )


def _capped(points: float) -> float:
    return min(max(points, -MOST), MOST)


def points_text(estimate: EloEstimate) -> str:
    """The points: `+62`."""
    return f"{estimate.value:+z.{_digits(estimate)}f}"


def error_text(estimate: EloEstimate) -> str:
    """Half of the interval, `34`, or both halves if they differ: `-117+150`. Of an open interval the known half."""
    digits, (down, up) = _digits(estimate), _halves(estimate)
    if abs(up - down) <= ALIKE * max(up, down):
        return f"{max(up, down):.{digits}f}"
    return f"-{down:.{digits}f}+{up:.{digits}f}"


def elo_texts(estimate: EloEstimate | None) -> tuple[str, str]:
    """The points and the error of an engine, which may have no rating."""
    return ("-", "-") if estimate is None else (points_text(estimate), error_text(estimate))


def with_error(estimate: EloEstimate) -> str:
    """`+62 +- 34` or `+414 -215+261`."""
    points, error = points_text(estimate), error_text(estimate)
    return f"{points} {error}" if error[0] == "-" else f"{points} +- {error}"


def _halves(estimate: EloEstimate) -> tuple[float, float]:
    """Those below and above the value. If an end is open, both are the other half."""
    down, up = estimate.value - estimate.low, estimate.high - estimate.value
    return (up if math.isinf(down) else down), (down if math.isinf(up) else up)


def _digits(estimate: EloEstimate) -> int:
    return int(0 < max(_halves(estimate)) < PRECISE)
