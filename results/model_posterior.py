"""The posterior of skills, roles and the side's advantage, given the widths of their priors: its peak.

Unknowns are one vector: the skills of all engines, then their roles where roles are asked for, then the advantage of
p1. A pairing's expected difference is skill(p1) - skill(p2) + role(p1) + role(p2) + advantage. Knows no names.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy import bool_
from numpy.typing import NDArray

from results.model_field import Field
from results.model_likelihood import Counts, Slopes, slopes
from results.model_normal import Floats
from results.scale import NOISE

WIDE = 25.0
"""The prior width of the side's advantage and of the margin for draws: more than a thousand games' worth of doubt."""
DENSE = 1 << 14
"""Pairings times unknowns: up to 25 engines that all meet on both sides, or 19 with roles."""
STEPS = 200
SURELY = 0.5
"""A score of 30 to 0 is taken for a difference larger by so many standard deviations of the noise than it must be,"""
HARDLY = 0.003
"""and has only this share of its weight where the difference is larger yet."""


class Widths(NamedTuple):
    """The standard deviations of the priors; `role` is None where an engine plays both sides equally well."""

    skill: float
    role: float | None = None


@dataclass(frozen=True, eq=False)
class Design:
    """How the unknowns add up to the differences of a field's pairings."""

    field: Field
    roles: bool

    @cached_property
    def rows(self) -> Floats | None:
        """What each pairing takes of each unknown; None where products with that many zeros would be the longer way."""
        n, one, two = len(self.field.names), self.field.one, self.field.two
        if len(one) * self.size > DENSE:
            return None
        each = np.eye(self.size)
        found: Floats = each[one] - each[two]
        if self.roles:
            found += each[n + one] + each[n + two]
        found[:, -1] = 1.0
        return found

    @property
    def size(self) -> int:
        """The number of unknowns."""
        return len(self.field.names) * (2 if self.roles else 1) + 1

    def differences(self, unknowns: Floats) -> Floats:
        """The expected difference of each pairing."""
        if self.rows is not None:
            return np.asarray(self.rows @ unknowns, float)
        n, one, two = len(self.field.names), self.field.one, self.field.two
        found: Floats = unknowns[one] - unknowns[two] + unknowns[-1]
        if self.roles:
            found += unknowns[n + one] + unknowns[n + two]
        return found

    def gathered(self, pairings: Floats) -> Floats:
        """What a figure of the pairings adds up to for each unknown: the transpose of `differences`."""
        if self.rows is not None:
            return np.asarray(pairings @ self.rows, float)
        first, second = self.field.per_engine(pairings, "p1"), self.field.per_engine(pairings, "p2")
        roles = [first + second] if self.roles else []
        return np.concatenate([first - second, *roles, [pairings.sum()]])

    def information(self, pairings: Floats, prior: Floats) -> Floats:
        """The matrix of the unknowns' precision: `prior` on its diagonal and the precision of each pairing."""
        if self.rows is not None:
            few: Floats = (self.rows.T * pairings) @ self.rows
            few.reshape(-1)[:: self.size + 1] += prior
            return few
        n = len(self.field.names)
        met = np.zeros((n, n))
        met[self.field.one, self.field.two] = pairings
        first, second = met.sum(1), met.sum(0)
        found = np.empty((self.size, self.size))
        both = met + met.T
        np.negative(both, out=found[:n, :n])
        every = np.arange(n)
        found[every, every] += first + second
        found[:n, -1] = found[-1, :n] = first - second
        found[-1, -1] = first.sum()
        if self.roles:
            across = np.diag(first - second) + met - met.T
            found[:n, n:-1], found[n:-1, :n] = across, across.T
            found[n:-1, n:-1] = both
            found[n + every, n + every] += first + second
            found[n:-1, -1] = found[-1, n:-1] = first + second
        found.reshape(-1)[:: self.size + 1] += prior
        return found

    def covariance(self, pairings: Floats, prior: Floats) -> Floats:
        """The inverse of `information`."""
        return np.asarray(np.linalg.inv(self.information(pairings, prior)), float)

    def variances(self, covariance: Floats) -> Floats:
        """The variance of each pairing's difference."""
        if self.rows is not None:
            return np.asarray(np.einsum("ij,ij->i", self.rows @ covariance, self.rows), float)
        n, one, two = len(self.field.names), self.field.one, self.field.two
        spread, side = covariance.diagonal(), covariance[-1]
        found: Floats = spread[one] + spread[two] - 2 * covariance[one, two] + spread[-1] + 2 * (side[one] - side[two])
        if self.roles:
            a, b = n + one, n + two
            found += spread[a] + spread[b] + 2 * (covariance[a, b] + side[a] + side[b])
            found += 2 * (covariance[one, a] + covariance[one, b] - covariance[two, a] - covariance[two, b])
        return found

    def blocks(self, widths: Widths) -> list[tuple[slice, float]]:
        """Which unknowns have a width, and the width."""
        n = len(self.field.names)
        roles = [] if widths.role is None else [(slice(n, 2 * n), widths.role)]
        return [(slice(0, n), widths.skill), *roles]

    def prior(self, widths: Widths) -> Floats:
        """The precision of each unknown before any game."""
        n = len(self.field.names)
        roles = [] if widths.role is None else [np.full(n, widths.role**-2)]
        return np.concatenate([np.full(n, widths.skill**-2), *roles, [WIDE**-2]])


@dataclass(frozen=True, slots=True, eq=False)
class Peak:
    """A point close to the most probable unknowns and margin, the curvature there, and what is left to go."""

    unknowns: Floats
    margin: float
    slopes: Slopes
    covariance: Floats
    """Of the unknowns while the margin is what it is."""
    step: Floats
    rise: float
    """From the unknowns and the margin to the peak by Newton's method. It leaves the square of its length."""
    margin_variance: float
    by_margin: Floats
    """How the peak's unknowns move with the margin."""

    @property
    def top(self) -> Floats:
        """The unknowns at the peak."""
        return self.unknowns + self.step

    @property
    def top_margin(self) -> float:
        """The margin there."""
        return self.margin + self.rise

    @property
    def left(self) -> float:
        """How far there is to go."""
        return max(float(abs(self.step).max(initial=0.0)), abs(self.rise))


@dataclass(frozen=True, slots=True, eq=False)
class Beginning:
    """What each pairing's score says of its difference, were it alone: where a climb from nothing begins."""

    margin: float
    """The margin that makes for as many draws as there were."""
    ahead: Floats
    weight: Floats
    """The difference whose chances are as the score, and the precision of that."""
    sure: NDArray[bool_]
    """Scores like 30 to 0: they say how small a difference may be, not how large."""

    @classmethod
    def of(cls, counts: Counts) -> "Beginning":
        """By the score of each pairing, a draw being half a point."""
        games = counts.wins + counts.draws + counts.losses
        score = (counts.wins + 0.5 * counts.draws + 0.1) / (games + 0.2)
        rest = 1.0 - score
        ahead = (score**0.135 - rest**0.135) / 0.1975  # nearly the normal distribution's quantile (Tukey)
        dense = np.exp(-0.5 * ahead**2)
        margin = 0.0
        if counts.drawn:
            draws = float(counts.draws.sum())
            share = min(draws / float(games @ dense), draws / (draws + 0.5))  # all draws would make it infinite
            margin = NOISE * NormalDist().inv_cdf((1 + share) / 2)
        weight = games * dense**2 / (score * rest * (2 * math.pi * NOISE**2))
        sure = (counts.draws == 0) & ((counts.wins == 0) | (counts.losses == 0))
        ahead += SURELY * np.sign(ahead) * sure
        return cls(margin, ahead * math.hypot(NOISE, margin), weight, sure)

    def at(self, design: Design, widths: Widths, before: Floats | None) -> tuple[Floats, Floats]:
        """Unknowns by least squares, and their covariance; `before` are those of an earlier try."""
        weight = self.weight
        if before is not None:
            beyond = design.differences(before) * self.ahead > self.ahead * self.ahead
            weight = np.where(self.sure & beyond, HARDLY * weight, weight)
        covariance = design.covariance(weight, design.prior(widths))
        return covariance @ design.gathered(weight * self.ahead), covariance


def climb(design: Design, widths: Widths, unknowns: Floats, margin: float, enough: float) -> Peak:
    """A point, found from any start, from where Newton's method has less than `enough` to go.

    The margin stays 0 where no game was a draw.
    """
    counts = design.field.counts
    prior = design.prior(widths)
    peak: Peak | None = None
    height = share = 0.0
    for _ in range(STEPS):
        here = slopes(counts, design.differences(unknowns), margin)
        reached = float(here.total - 0.5 * (prior @ unknowns**2) - 0.5 * (margin / WIDE) ** 2)
        # A step as long as rounding can neither rise nor fall.
        if peak is not None and reached < height - 1e-12 * abs(height) and share > 1e-6:
            share /= 2
        else:
            peak, height, share = _peak(design, prior, unknowns, margin, here), reached, 1.0
            if peak.margin + peak.rise < 0.1 * peak.margin:
                share = -0.9 * peak.margin / peak.rise
            elif peak.left < enough:
                return peak
        unknowns, margin = peak.unknowns + share * peak.step, peak.margin + share * peak.rise
    raise ArithmeticError(f"no peak after {STEPS} steps")


def _peak(design: Design, prior: Floats, unknowns: Floats, margin: float, here: Slopes) -> Peak:
    covariance = design.covariance(here.dd, prior)
    plain = covariance @ (design.gathered(here.d) - prior * unknowns)
    if not design.field.counts.drawn:
        return Peak(unknowns, margin, here, covariance, plain, 0.0, 0.0, np.zeros_like(plain))
    cross = design.gathered(here.de)
    by_margin = -covariance @ cross
    variance = 1 / (float(here.ee.sum()) + WIDE**-2 + float(cross @ by_margin))
    rise = variance * float(here.e.sum() - margin * WIDE**-2 - cross @ plain)
    return Peak(unknowns, margin, here, covariance, plain + by_margin * rise, rise, variance, by_margin)
