"""The published ratings: one fit of the TrueSkill model to all games at once, with honest intervals.

Unlike a rating that is updated game by game, it does not depend on the order of the games, and it knows a side's
advantage. Games tell differences only: a rating is relative to the mean of the field (of those in its largest group
whom games bound on both sides) or to an anchor. docs/RATINGS.md has the formulas and how often the intervals hold the
truth. Refuses to know what a game is: the caller counts results, identical games once. Loads no numpy before it fits.
"""

import itertools
import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from results.ratings.pair_result import OneSided, PairResult
from results.ratings.scale import MU, NOISE, Z95

if TYPE_CHECKING:
    from results.ratings.design import Design
    from results.ratings.normal import Floats
    from results.ratings.prior_width import Posterior

__all__ = ["Estimate", "Expected", "Fit", "PairResult", "Rating", "elo", "fit"]


LEANING = 0.1
"""Where no mean lies farther off its peak than this, in standard deviations, nothing leans."""


class Estimate(NamedTuple):
    """A figure in units of mu, and its standard deviation."""

    mean: float
    sigma: float

    @property
    def lower(self) -> float:
        """The lower end of the 95 % interval."""
        return self.mean - Z95 * self.sigma

    @property
    def upper(self) -> float:
        """The upper end."""
        return self.mean + Z95 * self.sigma


class Lead(NamedTuple):
    """How far one is ahead of another, in units of mu: a bell, and the peak with its curvature.

    Where scores are lopsided the posterior leans away from 0: it reaches far out, and falls quickly towards 0. There
    the bell, as wide to both sides, doubts what the peak does not, and what is said is the surer of the two.
    """

    mean: float
    sigma: float
    top: float
    top_sigma: float

    @property
    def lower(self) -> float:
        """The lower end of the 95 % interval."""
        end = self.mean - Z95 * self.sigma
        return max(end, self.top - Z95 * self.top_sigma) if self.mean > self.top else end

    @property
    def upper(self) -> float:
        """The upper end."""
        end = self.mean + Z95 * self.sigma
        return min(end, self.top + Z95 * self.top_sigma) if self.mean < self.top else end

    @property
    def away(self) -> bool:
        """Does it lean away from 0?"""
        return self.top * (self.mean - self.top) > 0

    @property
    def positive(self) -> float:
        """The probability that there is a lead, and no lag."""
        bells = ((self.mean, self.sigma), (self.top, self.top_sigma))[: 1 + self.away]
        distances = [mean / max(sigma, sys.float_info.min) for mean, sigma in bells]
        return 0.5 * math.erfc(max(distances, key=abs) / -math.sqrt(2))


class Expected(NamedTuple):
    """What p1 scores against p2 in a game on average, a draw being half a point.

    `lower` and `upper` hold 95 % of what that may be, and the average: where nearly all is won it can lie below them.
    """

    score: float
    lower: float
    upper: float
    win: float
    draw: float
    loss: float


class Rating(NamedTuple):
    """One engine's skill relative to the field's mean or the anchor, in units of mu."""

    name: str
    mean: float
    sigma: float
    games: int
    one_sided: OneSided | None
    """The scores bound the rating on one side only (or on neither): the interval's open end rests on the prior."""
    better_than_next: float | None
    """The probability to be stronger than the next in the list; None for the last and where no games connect them."""
    ranks: tuple[int, int]
    """The best and the worst rank, from 1: fewer and more are certainly (97.5 % each) better. Of engines that no games
    connect with it none is."""
    role: Estimate | None
    """What the engine is better as p1, and worse as p2, than its rating, relative to the field's mean whoever is the
    anchor; None unless roles were asked for. Games tell no more: an advantage of the side is a role that all have."""

    @property
    def lower(self) -> float:
        """The lower end of the 95 % interval."""
        return self.mean - Z95 * self.sigma

    @property
    def upper(self) -> float:
        """The upper end."""
        return self.mean + Z95 * self.sigma

    @property
    def mu(self) -> float:
        """The skill on TrueSkill's scale, where the reference is 25."""
        return MU + self.mean

    @property
    def conservative(self) -> float:
        """The skill that the engine almost surely has on TrueSkill's scale: mu - 3 sigma."""
        return self.mu - 3 * self.sigma

    @property
    def elo(self) -> float:
        """The mean as Elo points above the reference."""
        return elo(self.mean)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """What all games together say of a field."""

    ratings: tuple[Rating, ...]
    """The best first; equals by name."""
    anchor: str | None
    reference: tuple[str, ...]
    """The engines whose mean is 0: the anchor; else those of the largest group whose scores bound them on both sides,
    because how far off the others are would move everybody."""
    side: Estimate
    """What having the first side is worth, with roles between two who have the mean role of the field."""
    margin: Estimate
    """Two performances no farther apart than this make a draw; 0 where there was none."""
    width: float
    """How far skills lie apart: the estimated standard deviation of the prior."""
    role_width: float | None
    groups: tuple[tuple[str, ...], ...]
    """The engines that games connect, the largest group first; across groups nothing can be compared."""
    names: tuple[str, ...]
    """The engines in the order of the figures below: skills, then roles if asked for, then the advantage of p1."""
    unknowns: "Floats" = field(repr=False)
    """Their means, relative to nothing: only differences mean something."""
    covariance: "Floats" = field(repr=False)
    posterior: "Posterior" = field(repr=False)
    """Where the next fit starts."""

    def __getitem__(self, name: str) -> Rating:
        """The rating of an engine. Raises KeyError."""
        for rating in self.ratings:
            if rating.name == name:
                return rating
        raise _unknown(name)

    def difference(self, a: str, b: str) -> Lead:
        """How much stronger `a` is than `b`, sides apart. Raises KeyError for an engine that is not in the field."""
        return self._lead(self._apart(self._at(a), self._at(b)))

    def expected(self, p1: str, p2: str) -> Expected:
        """The result of the next game of `p1` on the first side against `p2`. Raises KeyError, as `difference`."""
        return self.scores(self.ahead(p1, p2))

    def ahead(self, p1: str, p2: str) -> Lead:
        """How far `p1` is ahead of `p2` when it has the first side: skills, roles and the advantage."""
        n = len(self.names)
        one, two = self._at(p1), self._at(p2)
        weights = self._apart(one, two)
        weights[-1] = 1
        if self.role_width is not None:
            weights[n + one] += 1
            weights[n + two] += 1
        return self._lead(weights)

    def scores(self, ahead: Lead) -> Expected:
        """The result of a game in which p1 is so far ahead."""
        bells = (ahead[:2], ahead[2:])[: 1 + ahead.away]
        win, loss = max((self._chances(*bell) for bell in bells), key=lambda chances: abs(chances[0] - chances[1]))
        score, lower, upper = 0.5 + 0.5 * (win - loss), self.score(ahead.lower), self.score(ahead.upper)
        return Expected(score, min(lower, score), max(upper, score), win, max(0.0, 1 - win - loss), loss)

    def score(self, ahead: float, sigma: float = 0.0) -> float:
        """What p1 scores on average who is so far ahead, with that standard deviation."""
        win, loss = self._chances(ahead, sigma)
        return 0.5 + 0.5 * (win - loss)

    def _chances(self, ahead: float, sigma: float) -> tuple[float, float]:
        """The probabilities that p1 wins and that p2 does."""
        scale = math.sqrt(2) * math.hypot(NOISE, sigma)
        return (
            0.5 * math.erfc((self.margin.mean - ahead) / scale),
            0.5 * math.erfc((self.margin.mean + ahead) / scale),
        )

    def _apart(self, one: int, two: int) -> "Floats":
        """What makes the difference of two skills of the unknowns."""
        import numpy as np

        weights = np.zeros_like(self.unknowns)
        weights[one] += 1
        weights[two] -= 1
        return weights

    def _lead(self, weights: "Floats") -> Lead:
        found, peak = self.posterior, self.posterior.peak
        top = (peak.top, peak.covariance) if found.bell.lean > LEANING else (self.unknowns, self.covariance)
        figures: list[float] = []
        for mean, covariance in ((self.unknowns, self.covariance), top):
            figures += [float(weights @ mean), math.sqrt(max(float(weights @ covariance @ weights), 0.0))]
        return Lead(*figures)

    def _at(self, name: str) -> int:
        try:
            return self.names.index(name)
        except ValueError:
            raise _unknown(name) from None


def _unknown(name: str) -> KeyError:
    return KeyError(f"no engine of the field is called {name!r}")


def fit(
    meetings: Iterable[PairResult],
    names: Iterable[str] = (),
    *,
    anchor: str | None = None,
    roles: bool = False,
    start: Fit | None = None,
) -> Fit:
    """The ratings of everybody who is named or met somebody.

    `start` is a fit of nearly the same games, from which this one is found sooner, and the same to a hundredth of its
    doubts; in one field of some hundreds that games hardly bound, no nearer than a twentieth or more. Raises ValueError
    for a count below 0 or (of a pairing) above 10^7, for a field without engines and for an anchor that is not in it.
    """
    from results.ratings import connectivity, pairings, prior_width
    from results.ratings import design as model_design

    games = pairings.field(meetings, names)
    if not games.names:
        raise ValueError("there are no engines to rate: give games or names")
    if anchor is not None and anchor not in games.names:
        raise ValueError(f"no engine of the field is called {anchor!r}, so it cannot be the anchor")
    design = model_design.Design.of(games, roles)
    found = prior_width.posterior(design, None if start is None else start.posterior)
    fixed = None if anchor is None else games.names.index(anchor)
    linked, open_ = connectivity.standing(games, fixed)
    middle = [engine for engine in linked[0] if engine not in open_] or linked[0]
    held = middle if fixed is None else [fixed]
    return Fit(
        _ratings(design, found, linked, open_, held, middle),
        anchor,
        tuple(map(games.names.__getitem__, held)),
        _side(found.mean, found.covariance, design.parts[1] if roles else None, middle),
        Estimate(found.peak.top_margin, math.sqrt(found.peak.margin_variance)),
        found.widths[0],
        found.widths[1] if roles else None,
        tuple(tuple(map(games.names.__getitem__, group)) for group in linked),
        games.names,
        found.mean,
        found.covariance,
        found,
    )


def elo(difference: float) -> float:
    """A difference in units of mu as Elo points: those of the same expected score, sides equal and draws apart.

    Score Phi(difference / NOISE), Elo 400 log10(score / (1 - score)); near 0 it is 47.0 points for a unit.
    """
    from statistics import NormalDist

    away = abs(difference) / NOISE
    tail = 0.5 * math.erfc(away / math.sqrt(2))
    if tail > 0:
        points = 400 * (math.log10(NormalDist().cdf(away)) - math.log10(tail))
    else:  # some 38 standard deviations out: the tail's first term
        points = 400 * (away**2 / 2 + math.log(away * math.sqrt(2 * math.pi))) / math.log(10)
    return math.copysign(points, difference)


def _relative(mean: "Floats", covariance: "Floats", held: list[int]) -> "tuple[Floats, Floats]":
    """Figures of all engines less the mean of some, and their standard deviations."""
    import numpy as np

    reference = np.zeros_like(mean)
    reference[held] = 1 / len(held)
    shared = covariance.dot(reference)
    variances = covariance.diagonal() - 2 * shared + reference.dot(shared)
    return mean - mean.dot(reference), np.sqrt(np.maximum(variances, 0.0))


def _ahead(mean: "Floats", covariance: "Floats") -> "Floats":
    """How far each engine is ahead of each, in standard deviations of that."""
    import numpy as np

    apart: Floats = covariance.diagonal()[:, None] + covariance.diagonal()
    apart -= 2 * covariance
    apart.reshape(-1)[:: len(mean) + 1] = 1.0
    ahead: Floats = mean[:, None] - mean
    ahead /= np.sqrt(np.maximum(apart, sys.float_info.min, out=apart), out=apart)
    return ahead


def _side(mean: "Floats", covariance: "Floats", roles: "slice | None", middle: list[int]) -> Estimate:
    """What the first side is worth between two who have the mean role of some."""
    import numpy as np

    weights = np.zeros_like(mean)
    weights[-1] = 1.0
    if roles is not None:
        weights[roles][middle] = 2 / len(middle)
    return Estimate(float(weights.dot(mean)), math.sqrt(weights.dot(covariance).dot(weights)))


def _ratings(
    design: "Design",
    found: "Posterior",
    linked: list[list[int]],
    open_: dict[int, OneSided],
    held: list[int],
    middle: list[int],
) -> tuple[Rating, ...]:
    import numpy as np

    games = design.field
    n = len(games.names)
    means, sigmas = _relative(found.mean[:n], found.covariance[:n, :n], held)
    ahead = _ahead(means, found.covariance[:n, :n])
    if found.bell.lean > LEANING:  # as in Lead
        top = found.peak.top[:n]
        peak, shift = _ahead(top, found.peak.covariance[:n, :n]), found.mean[:n] - top
        surer = (peak * (shift[:, None] - shift) > 0) & (np.abs(peak) > np.abs(ahead))
        ahead[surer] = peak[surer]
    surely = ahead > Z95
    if len(linked) > 1:
        group_of = np.zeros(n, np.intp)
        for label, group in enumerate(linked):
            group_of[group] = label
        surely &= group_of[:, None] == group_of
    ranks = (1 + np.add.reduce(surely), n - np.add.reduce(surely, 1))

    # Equals by number, which is by name: what lies closer together than this does so by rounding.
    order = np.negative(means).round(9).argsort(kind="stable")
    best_first = order.tolist()
    to_next = ahead[order[:-1], order[1:]].tolist()
    better: list[float | None] = [0.5 * math.erfc(away / -math.sqrt(2)) for away in to_next]
    if len(linked) > 1:
        for at, (one, two) in enumerate(itertools.pairwise(best_first)):
            if group_of[one] != group_of[two]:
                better[at] = None
    roles: Iterable[Estimate | None] = itertools.repeat(None)
    if design.roles:
        part = design.parts[1]
        relative = _relative(found.mean[part], found.covariance[part, part], middle)
        roles = map(Estimate, *(each[order].tolist() for each in relative))
    figures = (figure[order].tolist() for figure in (means, sigmas, games.games(), *ranks))
    mean_, sigma, played, best, worst = figures
    return tuple(
        map(
            Rating,
            map(games.names.__getitem__, best_first),
            mean_,
            sigma,
            played,
            map(open_.get, best_first),
            [*better, None],
            zip(best, worst, strict=True),
            roles,
        )
    )
