"""How the unknowns of a field add up to the differences of its pairings.

Unknowns are one vector: the skills of all engines, then their roles where roles are asked for, then the advantage of
p1. A pairing's expected difference is skill(p1) - skill(p2) + role(p1) + role(p2) + advantage. Knows no names.
"""

from typing import NamedTuple

import numpy as np

from results.ratings.normal import Floats
from results.ratings.pairings import Field

WIDE = 25.0
"""The prior width of the side's advantage and of the margin for draws: more than a thousand games' worth of doubt."""
DENSE = 1 << 14
"""Pairings times unknowns: up to 25 engines that all meet on both sides, or 20 with roles."""

# In all modules of the fit it is `dot`, not `@`: for matrices as small as these a call of it costs half as much, and
# calls are most of what a small field costs.

Widths = tuple[float, ...]
"""The standard deviations of the priors: of skills, and of roles where they are asked for."""


class Design(NamedTuple):
    """The matrix that makes differences of unknowns, or what takes its place where it would be mostly zeros."""

    field: Field
    roles: bool
    size: int
    """The number of unknowns."""
    parts: tuple[slice, ...]
    """Which of them have a width: the skills, and the roles."""
    columns: Floats | None
    """What each unknown gives to each pairing; None where products with that many zeros would be the longer way."""
    squares: Floats
    """The same squared; without a meaning where that is None."""

    @classmethod
    def of(cls, field: Field, roles: bool) -> "Design":
        """That of a field."""
        n, one, two = len(field.names), field.one, field.two
        parts = (slice(0, n), slice(n, 2 * n)) if roles else (slice(0, n),)
        size = n * len(parts) + 1
        if len(one) * size > DENSE:
            return cls(field, roles, size, parts, None, np.empty(0))
        columns, every = np.zeros((size, len(one))), np.arange(len(one))
        columns[one, every] = 1.0
        columns[two, every] -= 1.0
        if roles:
            columns[n + one, every] = 1.0
            columns[n + two, every] += 1.0
        columns[-1] = 1.0
        return cls(field, roles, size, parts, columns, columns * columns)

    def differences(self, unknowns: Floats) -> Floats:
        """The expected difference of each pairing."""
        if self.columns is not None:
            few: Floats = unknowns.dot(self.columns)
            return few
        n, one, two = len(self.field.names), self.field.one, self.field.two
        found: Floats = unknowns[one] - unknowns[two] + unknowns[-1]
        if self.roles:
            found += unknowns[n + one] + unknowns[n + two]
        return found

    def gathered(self, pairings: Floats) -> Floats:
        """What a figure of the pairings adds up to for each unknown: the transpose of `differences`."""
        if self.columns is not None:
            few: Floats = self.columns.dot(pairings)
            return few
        first, second = self.field.per_engine(pairings, "p1"), self.field.per_engine(pairings, "p2")
        roles = [first + second] if self.roles else []
        return np.concatenate([first - second, *roles, [pairings.sum()]])

    def information(self, pairings: Floats) -> Floats:
        """The matrix of the unknowns' precision by that of each pairing."""
        if self.columns is not None:
            few: Floats = (self.columns * pairings).dot(self.columns.T)
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
        return found

    def diagonal(self, pairings: Floats) -> Floats:
        """The diagonal of `information`."""
        if self.columns is not None:
            few: Floats = self.squares.dot(pairings)
            return few
        # An engine's skill does not count against itself, its role counts twice.
        itself = self.field.one == self.field.two
        found = np.full(self.size, pairings.sum())
        for part, counts in zip(self.parts, (~itself, 1 + itself), strict=False):
            counted = pairings * counts
            found[part] = self.field.per_engine(counted, "p1") + self.field.per_engine(counted, "p2")
        return found

    def covariance(self, pairings: Floats, prior: Floats) -> Floats:
        """The inverse of the precision by `information` and a prior for each unknown."""
        precision = self.information(pairings)
        precision.reshape(-1)[:: self.size + 1] += prior
        return np.asarray(np.linalg.inv(precision), float)

    def variances(self, covariance: Floats) -> Floats:
        """The variance of each pairing's difference."""
        if self.columns is not None:
            few: Floats = np.add.reduce(covariance.dot(self.columns) * self.columns)
            return few
        n, one, two = len(self.field.names), self.field.one, self.field.two
        spread, side = covariance.diagonal(), covariance[-1]
        found: Floats = spread[one] + spread[two] - 2 * covariance[one, two] + spread[-1] + 2 * (side[one] - side[two])
        if self.roles:
            a, b = n + one, n + two
            found += spread[a] + spread[b] + 2 * (covariance[a, b] + side[a] + side[b])
            found += 2 * (covariance[one, a] + covariance[one, b] - covariance[two, a] - covariance[two, b])
        return found

    def prior(self, widths: Widths) -> Floats:
        """The precision of each unknown before any game."""
        found = np.empty(self.size)
        for part, width in zip(self.parts, widths, strict=True):
            found[part] = width**-2
        found[-1] = WIDE**-2
        return found
