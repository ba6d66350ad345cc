"""The posterior of skills, roles and the side's advantage, given the widths of their priors: its peak.

Unknowns are one vector: the skills of all engines, then their roles where roles are asked for, then the advantage of
p1. A pairing's expected difference is skill(p1) - skill(p2) + role(p1) + role(p2) + advantage. Knows no names.
"""

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from results.model_field import Field
from results.model_likelihood import NOISE, Slopes, slopes

if TYPE_CHECKING:
    from results.model_normal import Floats

WIDE = 25.0
"""The prior width of the side's advantage and of the margin for draws: more than a thousand games' worth of doubt."""
DENSE = 1 << 14
"""Pairings times unknowns: up to 24 engines that all meet on both sides."""
STEPS = 200
SMALL = 1e-6
"""Newton's method doubles the digits in every step: after one this small there are twelve."""
TINY = 1e-10
"""A step after which no slope is another."""


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
    def rows(self) -> "Floats | None":
        """What each pairing takes of each unknown; None where products with that many zeros would be the longer way."""
        import numpy as np

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

    def differences(self, unknowns: "Floats") -> "Floats":
        """The expected difference of each pairing."""
        import numpy as np

        if self.rows is not None:
            return np.asarray(self.rows @ unknowns, float)
        n, one, two = len(self.field.names), self.field.one, self.field.two
        found: Floats = unknowns[one] - unknowns[two] + unknowns[-1]
        if self.roles:
            found += unknowns[n + one] + unknowns[n + two]
        return found

    def gathered(self, pairings: "Floats") -> "Floats":
        """What a figure of the pairings adds up to for each unknown: the transpose of `differences`."""
        import numpy as np

        if self.rows is not None:
            return np.asarray(pairings @ self.rows, float)
        first, second = self.field.per_engine(pairings, "p1"), self.field.per_engine(pairings, "p2")
        roles = [first + second] if self.roles else []
        return np.concatenate([first - second, *roles, [pairings.sum()]])

    def information(self, pairings: "Floats", prior: "Floats") -> "Floats":
        """The matrix of the unknowns' precision: `prior` on its diagonal and the precision of each pairing."""
        import numpy as np

        diagonal = np.arange(self.size)
        if self.rows is not None:
            few: Floats = (self.rows.T * pairings) @ self.rows
            few[diagonal, diagonal] += prior
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
        found[diagonal, diagonal] += prior
        return found

    def covariance(self, pairings: "Floats", prior: "Floats") -> "Floats":
        """The inverse of `information`."""
        import numpy as np

        return np.asarray(np.linalg.inv(self.information(pairings, prior)), float)

    def variances(self, covariance: "Floats") -> "Floats":
        """The variance of each pairing's difference."""
        import numpy as np

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

    def prior(self, widths: Widths) -> "Floats":
        """The precision of each unknown before any game."""
        import numpy as np

        n = len(self.field.names)
        roles = [] if widths.role is None else [np.full(n, widths.role**-2)]
        return np.concatenate([np.full(n, widths.skill**-2), *roles, [WIDE**-2]])


@dataclass(frozen=True, slots=True, eq=False)
class Peak:
    """The most probable unknowns and margin, and the curvature there."""

    unknowns: "Floats"
    margin: float
    slopes: Slopes
    prior: "Floats"


def beginning(design: Design) -> tuple["Floats", float]:
    """Where the climb begins knowing nothing: all engines equal, as many draws between them as there were."""
    import numpy as np

    wins, draws, losses = (float(part.sum()) for part in design.field.counts)
    if not draws:
        return np.zeros(design.size), 0.0
    share = draws / (wins + draws + losses + 0.5)  # all draws would make the margin infinite
    return np.zeros(design.size), NOISE * NormalDist().inv_cdf((1 + share) / 2)


def climb(design: Design, widths: Widths, unknowns: "Floats", margin: float, enough: float = SMALL) -> Peak:
    """The peak, by Newton's method from any start; the margin stays 0 where no game was a draw.

    The last step is shorter than `enough`, and what is left after it is of that length squared.
    """
    import numpy as np

    counts = design.field.counts
    prior = design.prior(widths)
    here = slopes(counts, design.differences(unknowns), margin)
    height = _height(here, unknowns, margin, prior)
    for _ in range(STEPS):
        matrix = design.information(here.dd, prior)
        uphill = design.gathered(here.d) - prior * unknowns
        if counts.drawn:
            cross = design.gathered(here.de)
            plain, through = np.linalg.solve(matrix, np.stack([uphill, cross], 1)).T
            left = float(here.ee.sum()) + WIDE**-2 - cross @ through
            rise = float((here.e.sum() - margin * WIDE**-2 - cross @ plain) / left)
            step = plain - through * rise
            longest = 1.0 if margin + rise > 0.1 * margin else -0.9 * margin / rise
        else:
            rise, longest = 0.0, 1.0
            step = np.linalg.solve(matrix, uphill)
        if max(float(np.abs(step).max(initial=0.0)), abs(rise)) < TINY:
            return Peak(unknowns + step, margin + rise, here, prior)
        share = longest
        while True:
            trial, border = unknowns + share * step, margin + share * rise
            there = slopes(counts, design.differences(trial), border)
            reached = _height(there, trial, border, prior)
            # A step as long as rounding can neither rise nor fall.
            if reached >= height - 1e-12 * abs(height) or share < 1e-6 * longest:
                break
            share /= 2
        unknowns, margin, here, height = trial, border, there, reached
        if share == 1.0 and max(float(np.abs(step).max(initial=0.0)), abs(rise)) < enough:
            return Peak(unknowns, margin, here, prior)
    raise ArithmeticError(f"no peak after {STEPS} steps")


def _height(here: Slopes, unknowns: "Floats", margin: float, prior: "Floats") -> float:
    return float(here.total - 0.5 * (prior @ unknowns**2) - 0.5 * (margin / WIDE) ** 2)
