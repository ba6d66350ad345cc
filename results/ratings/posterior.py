"""The peak of the posterior: the most probable skills, roles, advantage and margin at given widths of their priors."""

import math
from typing import NamedTuple

import numpy as np

from results.ratings.design import WIDE, Design
from results.ratings.likelihood import Slopes, slopes
from results.ratings.normal import Floats, longest
from results.ratings.scale import NOISE

STEPS = 200
FALLEN = 0.1
"""In one step a margin falls to no less than this share of itself: it stays above 0."""
NEAR = 2.0
"""Newton's method is near the peak with so much left to go. There, derivatives up to the fourth tell the rest,"""
AGAIN = 4
"""step by step: so many,"""
CLOSE = 0.002
"""or until what a step leaves is as short as this, in standard deviations of each unknown were all others known. A peak
is found when no more is left."""
ABROAD = 1.0
"""What is farther than this is not foretold."""


class Peak(NamedTuple):
    """Where the most probable unknowns and margin are, as the derivatives at a point close by foretell."""

    prior: Floats
    """The precision of each unknown before any game."""
    unknowns: Floats
    margin: float
    """The point,"""
    slopes: Slopes
    covariance: Floats
    """the inverse of the precision there while the margin is what it is, or one close to it,"""
    margin_variance: float
    by_margin: Floats
    """and how the peak's unknowns move with the margin."""
    step: Floats
    rise: float
    """From the point to the peak."""
    moved: Floats
    """What the step is in each pairing's difference."""
    left: float
    """How far from there it may yet be: in standard deviations of each unknown were all others known, where derivatives
    have foretold it, and the length of the step itself where Newton's method has."""
    far: float
    """How long the whole step is: the longest in any pairing over the noise, and the margin's over its scale."""

    @property
    def top(self) -> Floats:
        """The unknowns at the peak."""
        return self.unknowns + self.step

    @property
    def top_margin(self) -> float:
        """The margin there."""
        return self.margin + self.rise

    @property
    def onward(self) -> tuple[Floats, float]:
        """Where a climb goes on: at the peak, but a margin falls to no less than its FALLEN."""
        return self.top, max(self.top_margin, FALLEN * self.margin)


def climb(design: Design, prior: Floats, unknowns: Floats, margin: float, like: Floats | None = None) -> Peak:
    """A point, found from any start, from where Newton's method has less than NEAR to go.

    The margin stays 0 where no game was a draw. `like` is a covariance that will do at the start.
    """
    peak: Peak | None = None
    height = share = 0.0
    for _ in range(STEPS):
        here = slopes(design.field.counts, design.differences(unknowns), margin)
        reached = here.total - 0.5 * float(prior.dot(unknowns * unknowns)) - 0.5 * (margin / WIDE) ** 2
        # A step as long as rounding can neither rise nor fall.
        if peak is not None and reached < height - 1e-12 * abs(height) and share > 1e-6:
            share /= 2
        else:
            covariance = design.covariance(here.dd, prior) if like is None else like
            peak, height, share = _newton(design, prior, unknowns, margin, here, covariance), reached, 1.0
            like = None
            if peak.top_margin < FALLEN * peak.margin:
                share = (FALLEN - 1) * peak.margin / peak.rise
            elif peak.left < NEAR:
                return peak
        unknowns, margin = peak.unknowns + share * peak.step, peak.margin + share * peak.rise
    raise ArithmeticError(f"no peak after {STEPS} steps")


def _newton(design: Design, prior: Floats, unknowns: Floats, margin: float, here: Slopes, covariance: Floats) -> Peak:
    """The peak by first and second derivatives."""
    step = covariance.dot(design.gathered(here.d) - prior * unknowns)
    variance = rise = 0.0
    by_margin = np.zeros(design.size)
    if design.field.counts.drawn:
        cross = design.gathered(here.de)
        by_margin = covariance.dot(-cross)
        known = float(np.add.reduce(here.ee)) + float(cross.dot(by_margin))
        variance = 1 / (max(known, 0.0) + WIDE**-2)  # of millions of games rounding may leave less than nothing
        rise = variance * (float(np.add.reduce(here.e)) - margin * WIDE**-2 - float(cross.dot(step)))
        step += by_margin * rise
    left = max(longest(step), abs(rise))
    return Peak(prior, unknowns, margin, here, covariance, variance, by_margin, step, rise, here.d, left, 0.0)


def foretold(design: Design, prior: Floats, peak: Peak, step: Floats, rise: float) -> Peak:
    """The peak with this prior, by all derivatives at the point; `step` and `rise` lead near it.

    Where they tell nothing, it is the guess that is returned, with everything left to go.
    """
    here, drawn = peak.slopes, design.field.counts.drawn
    precise = np.sqrt(design.diagonal(here.dd) + prior)  # of each unknown were all others known
    bend, whirl = 0.5 * here.ddd, here.dddd / 6
    moved = design.differences(step)
    far = longest(moved) / NOISE
    if drawn:
        scale = min(peak.margin, NOISE**2 / peak.margin)  # a large margin leaves tails, which fall exponentially
        far += abs(rise) / scale
        e, ee, eee = (float(np.add.reduce(part)) for part in (here.e, here.ee, here.eee))
    guess = step, rise, moved
    before = size = math.inf
    for _ in range(AGAIN if far < ABROAD else 0):
        slope = moved * whirl
        slope += bend
        slope *= moved
        slope -= here.dd
        if drawn:
            slope += rise * here.dde
        slope *= moved
        slope += here.d
        if drawn:
            slope += rise * (0.5 * rise * here.dee - here.de)
        pull = design.gathered(slope)
        pull -= prior * (peak.unknowns + step)
        more = peak.covariance.dot(pull)
        if drawn:
            lift = float(moved.dot(0.5 * moved * here.dde + rise * here.dee - here.de))
            lift += e + rise * (0.5 * rise * eee - ee) - (peak.margin + rise) * WIDE**-2
            up = peak.margin_variance * (lift + float(peak.by_margin.dot(pull)))
            more += peak.by_margin * up
            rise += up
        step = step + more
        moved = design.differences(step)
        before, size = size, longest(more * precise)
        if not size < before or size * far < CLOSE:  # a step leaves about the share of itself that all of them are long
            break
    if not size < before:
        step, rise, moved = guess
        return peak._replace(prior=prior, step=step, rise=rise, moved=moved, left=math.inf, far=far)
    # What the next derivative would add, taken for the fourth over the noise.
    rest = moved * moved
    rest *= rest
    rest *= here.dddd
    np.copysign(rest, moved, rest)
    left = size * far + longest(peak.covariance.dot(design.gathered(rest)) * precise) / (12 * NOISE)
    if drawn:
        left += (rise / scale) ** 4 * scale / math.sqrt(peak.margin_variance)
    return peak._replace(prior=prior, step=step, rise=rise, moved=moved, left=left, far=far)


def peak_from(design: Design, prior: Floats, unknowns: Floats, margin: float, enough: float = CLOSE) -> Peak:
    """The peak with this prior, found from any start; no more than so much is left."""
    for _ in range(STEPS):
        peak = climb(design, prior, unknowns, margin)
        peak = foretold(design, prior, peak, peak.step, peak.rise)
        if peak.left < enough:
            return peak
        unknowns, margin = peak.onward
    raise ArithmeticError(f"no peak after {STEPS} steps")
