"""The posterior of a field's unknowns: a peak, a step for its skewness, and widths that come from the field itself.

1. Newton's method finds the peak, given widths and the draw margin.
2. The mean lies off the peak where the likelihood is skewed, as after lopsided scores. One step goes there.
3. Expectation maximisation improves the widths and the margin, and all begins again until they stand still.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from results.ratings.likelihood import Floats, chances, log_likelihood, log_normal_cdf, outcome
from results.ratings.model import Field, Normal
from results.ratings.scale import NOISE, Z95, settled


class Width(NamedTuple):
    """Log-normal prior of a scale parameter, between two limits."""

    median: float
    doubt: float
    least: float
    most: float

    def likeliest(self, squares: float, count: int) -> float:
        """The most probable width of `count` unknowns with this sum of squares, by Newton's method."""
        start = t = math.log(self.median)
        for _ in range(20):
            q = squares * math.exp(-2 * t)
            t += min(max((q - count - (t - start) / self.doubt**2) / (2 * q + self.doubt**-2), -1), 1)
        return self.within(math.exp(t))

    def within(self, width: float) -> float:
        return min(max(width, self.least), self.most)


# How far skills lie apart. Below the least, near-equals who meet because they are near-equal, such as versions in a
# chain, would be believed the same. Above the most, ratings would run away after two or three won games.
SKILL = Width(20.0, 1.0, 5.0, 60.0)
ROLE = Width(2.0, 1.0, 0.2, 60.0)
MARGIN_MOST = 60.0  # the draw margin of a field in which every game is drawn
SKEW_MOST = 1.0  # standard deviations from the peak to the mean of a difference
# Each step of a width's logarithm is known to be short, so it is taken 1.7 times. Below 3 % the widths stand still.
POWER, STILL = 1.7, 0.03
ROUNDS, MANY, ROUNDS_OF_MANY = 40, 500, 5  # above so many engines each round takes seconds


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """What games and priors say of the unknowns: the mean with its covariance, the peak with the curvature there."""

    bell: Normal
    peak: Normal
    margin: float
    width: float
    role_width: float


def posterior(field: Field) -> Posterior:
    drawn, games = field.counts[1].sum(), field.counts.sum()
    width, role, u = SKILL.median, ROLE.median, np.zeros(2 * field.n)
    # The margin that makes this share of draws among equals.
    margin = NOISE * NormalDist().inv_cdf((1 + (drawn + 0.5) / (games + 1)) / 2) if drawn else 0.0
    most = ROUNDS if field.n <= MANY else ROUNDS_OF_MANY
    for done in range(1, most + 1):
        u = _peak(field, u, margin, width, role)
        _, _, information, third = log_likelihood(field.counts, field.differences(u), margin)
        peak = Normal(u, np.asarray(np.linalg.inv(field.precision(information, width, role)), float))
        mean = u + _skew(field, third, peak.covariance)
        # The curvature at the mean gives better intervals than that at the peak: a heuristic, but see RATINGS.md.
        _, _, information, _ = log_likelihood(field.counts, field.differences(mean), margin)
        bell = Normal(mean, np.asarray(np.linalg.inv(field.precision(information, width, role)), float))
        new_width, new_role = _widths(field, Normal(mean, peak.covariance))
        new_margin = _margin(field, bell, margin) if drawn else 0.0
        steps = math.log(new_width / width), math.log(new_role / role), 5 * (new_margin - margin) / NOISE
        if max(map(abs, steps)) < STILL or done == most:
            break
        width = SKILL.within(width * math.exp(POWER * steps[0]))
        role, margin = ROLE.within(role * math.exp(POWER * steps[1])), new_margin
    return Posterior(bell, peak, settled(margin), width, role)


def _peak(field: Field, u: Floats, margin: float, width: float, role: float) -> Floats:
    """The most probable unknowns, by Newton's method from `u`. A step that does not climb is halved."""
    prior = field.precision(np.zeros(len(field.one)), width, role)
    step, height = np.zeros_like(u), -math.inf
    for _ in range(60):
        value, slopes, information, _ = log_likelihood(field.counts, field.differences(u + step), margin)
        now = float(value.sum() - 0.5 * (u + step) @ prior @ (u + step))
        if now < height - 1e-9 * abs(height):
            step = step / 2
            continue
        u, height = u + step, now
        uphill = field.sums(slopes) - prior @ u
        step = np.asarray(np.linalg.solve(field.precision(information, width, role), uphill), float)
        if step @ uphill < 1e-4:  # a hundredth of a standard deviation
            break
    return u + step


def _skew(field: Field, third: Floats, covariance: Floats) -> Floats:
    """How far the mean lies off the peak, to first order (Lindley 1980; Tierney and Kadane 1986).

    After clean sweeps it would run away. So what pairings pull is reduced until none of their differences moves by more
    than SKEW_MOST standard deviations. All unknowns then move together as they vary together.
    """
    variances = field.variances(covariance)
    pull, shift = third * variances / 2, np.zeros(2 * field.n)
    for _ in range(20):
        shift = covariance @ field.sums(pull)
        moved = np.abs(field.differences(shift)) / (SKEW_MOST * np.sqrt(variances))
        if moved.max(initial=0.0) <= 1.01:
            break
        pull = pull / np.maximum(moved, 1.0)
    return shift


class PosteriorDrop:
    """How the logarithm of a posterior drops from its peak.

    The root of twice the fall of its logarithm is nearly normal, also if it is skewed (Barndorff-Nielsen 1986).
    """

    def __init__(self, field: Field, posterior: Posterior) -> None:
        self._field, self._posterior = field, posterior
        self._d = field.differences(posterior.peak.mean)
        self._prior = field.precision(np.zeros(len(field.one)), posterior.width, posterior.role_width)
        self._height = self._likelihood(self._d)

    def _likelihood(self, d: Floats) -> float:
        (wins, draws, losses), margin = self._field.counts, self._posterior.margin
        value = wins @ log_normal_cdf((d - margin) / NOISE) + losses @ log_normal_cdf((-d - margin) / NOISE)
        return float(value + (draws @ outcome((-margin - d) / NOISE, (margin - d) / NOISE)[0] if margin else 0.0))

    def towards_0(self, weights: Floats) -> tuple[float, float]:
        """The end towards 0 of the 95 % interval of a sum of unknowns, and its distance from 0 in standard deviations.

        On the way from the peak to 0 the other unknowns follow as they vary together.
        """
        u, along = self._posterior.peak.mean, self._posterior.peak.covariance @ weights
        top, sigma = float(weights @ u), math.sqrt(max(float(weights @ along), 1e-18))
        along = along / -math.copysign(sigma**2, top)  # by a step of 1 the sum comes nearer to 0 by 1
        per_step, pulled = self._field.differences(along), self._prior @ along
        slope, curve = float(pulled @ u), float(pulled @ along)

        def root(step: float) -> float:
            fall = self._height - self._likelihood(self._d + step * per_step)
            return math.sqrt(max(2 * fall + 2 * step * slope + step**2 * curve, 1e-18))

        before, step = (0.0, 0.0), Z95 * sigma
        for _ in range(5):  # the secant method
            here = step, root(step)
            if abs(here[1] - Z95) < 0.01:
                break
            step += (Z95 - here[1]) * (here[0] - before[0]) / (here[1] - before[1])
            before = here
        return top - math.copysign(step, top), root(abs(top))


def _widths(field: Field, unknowns: Normal) -> tuple[float, float]:
    """The widths of skills and roles for which the expected squares are what they are (MacKay 1992)."""
    skills, roles = unknowns.split()
    squares = skills.mean @ field.laplacian @ skills.mean + (field.laplacian * skills.covariance).sum()
    role_squares = field.n * roles.mean.var() + roles.covariance.trace() - roles.covariance.sum() / field.n
    free = field.n - len(field.groups)
    return SKILL.likeliest(float(squares), free), ROLE.likeliest(float(role_squares), field.n - 1)


def _margin(field: Field, unknowns: Normal, margin: float) -> float:
    """The margin that makes as many draws expected as there were: a step of Newton's method, at most a factor 2."""
    d, sigma = field.differences(unknowns.mean), np.sqrt(field.variances(unknowns.covariance))
    now, more = (field.counts.sum(0) @ chances(d, each, sigma)[1] for each in (margin, 1.001 * margin))
    step = (field.counts[1].sum() - now) / (more - now) * 0.001 * margin
    return float(min(max(margin + step, margin / 2), 2 * margin, MARGIN_MOST))
