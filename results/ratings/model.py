"""The model of a field: who met whom and with which results, the unknowns, and the priors on them.

Every engine has two unknowns: its strength as p1 (f) and as p2 (g). Its skill is s = (f + g) / 2 and its role is
r = (f - g) / 2. The advantage of p1 is what all roles have in common: a = 2 mean(r). The difference in a
game is f of p1 less g of p2. All arrays of unknowns have f of every engine, then g of every engine.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from results.ratings.connectivity import Relation, connected
from results.ratings.estimates import Estimate, PairResult
from results.ratings.likelihood import Floats
from results.ratings.scale import Z95, settled

FAR = 1000.0  # the standard deviation of a skill around nothing: so far apart may groups be that no games connect
NEAR = 12.5  # that of a group's mean skill in the computation: no comparison within a group depends on it
SIDE = 12.5  # the standard deviation of half the advantage before any game: hardly a restriction
MOST = 10_000_000  # no pairing has more games of one result


@dataclass(frozen=True, eq=False)
class Field:
    """The results of all pairings. A pairing is p1 and p2 in this order. Squares have a row for each p1."""

    names: tuple[str, ...]  # in alphabetical order, so that the order of the games changes nothing
    one: NDArray[np.intp]  # the number of each pairing's p1 in `names`
    two: NDArray[np.intp]
    counts: Floats  # p1's wins, draws and losses: 3 rows with a column for each pairing

    @classmethod
    def of(cls, meetings: Iterable[PairResult], names: Iterable[str] = ()) -> "Field":
        """The field of these games. Raises ValueError for impossible counts and without engines."""
        rows = list(meetings)
        everybody = tuple(sorted({*names, *(name for row in rows for name in row[:2])}))
        if not everybody:
            raise ValueError("there are no engines to rate: give games or names")
        at, n = {name: number for number, name in enumerate(everybody)}, len(everybody)
        if any(not isinstance(count, int) or abs(count) > MOST for row in rows for count in row[2:]):
            raise ValueError(f"counts of games are whole numbers up to {MOST}: give 1 draw, not half a win")
        table = np.array([(at[p1] * n + at[p2], *counts) for p1, p2, *counts in rows], np.int64).reshape(-1, 4)
        pairs, pair = np.unique(table[:, 0], return_inverse=True)
        counts = np.array([np.bincount(pair, column, len(pairs)) for column in table[:, 1:].T])
        for row in np.flatnonzero((table < 0).any(1)):
            raise ValueError(f"{rows[row].p1} against {rows[row].p2}: a count of games is below 0: {rows[row][2:]}")
        for k in pairs[(counts > MOST).any(0)]:
            raise ValueError(f"{everybody[k // n]} against {everybody[k % n]}: more than {MOST} games of one result")
        played = counts.any(0)
        return cls(everybody, pairs[played] // n, pairs[played] % n, counts[:, played])

    @property
    def n(self) -> int:
        return len(self.names)

    def square(self, x: Floats) -> Floats:
        """A figure of each pairing, as a square."""
        return np.asarray(np.bincount(self.one * self.n + self.two, x, self.n**2).reshape(self.n, self.n), float)

    @cached_property
    def between(self) -> Floats:
        """The games of each two engines, whoever played p1. Nobody meets itself."""
        games = self.square(self.counts.sum(0))
        np.fill_diagonal(games, 0.0)
        return games + games.T

    @property
    def took(self) -> Relation:
        """Who took a point of whom, or half of one."""
        wins, draws, losses = (self.square(counts) for counts in self.counts)
        return np.asarray((wins + draws > 0) | (losses + draws > 0).T)

    @cached_property
    def groups(self) -> list[list[int]]:
        """The engines that games connect, the largest group first."""
        return connected(self.between > 0)

    @cached_property
    def group_of(self) -> NDArray[np.intp]:
        """The number in `groups` of each engine's group."""
        numbers = np.empty(self.n, np.intp)
        for number, group in enumerate(self.groups):
            numbers[group] = number
        return numbers

    @cached_property
    def share(self) -> Floats:
        """For each two engines one over the size of their group; 0 if no games connect them."""
        same = self.group_of[:, None] == self.group_of
        return np.asarray(same / same.sum(1), float)

    def unlinked(self, at: list[int], weights: list[float]) -> float:
        """The variance of a sum of unknowns that comes from groups that no games connect."""
        of_groups = np.bincount(self.group_of[np.array(at) % self.n], weights, len(self.groups))
        return float(sum(FAR**2 * weight**2 / len(group) for weight, group in zip(of_groups, self.groups, strict=True)))

    @cached_property
    def laplacian(self) -> Floats:
        """The graph of who met whom, as its Laplacian matrix. All links of one engine weigh about 1 together."""
        met = self.between > 0
        opponents = np.maximum(met.sum(1), 1)
        link = 2 * met / (opponents[:, None] + opponents)
        return np.asarray(np.diag(link.sum(1)) - link, float)

    def differences(self, u: Floats) -> Floats:
        """How far p1 is ahead in each pairing."""
        return np.asarray(u[self.one] - u[self.n + self.two], float)

    def sums(self, x: Floats) -> Floats:
        """The transpose of `differences`: figures of pairings, added up for each unknown."""
        return np.concatenate([np.bincount(self.one, x, self.n), -np.bincount(self.two, x, self.n)])

    def variances(self, covariance: Floats) -> Floats:
        """The variance of each pairing's difference."""
        v = covariance.diagonal()
        return np.asarray(v[self.one] + v[self.n + self.two] - 2 * covariance[self.one, self.n + self.two], float)

    def precision(self, information: Floats, width: float, role: float) -> Floats:
        """The posterior's inverse covariance: that of both priors plus the information of each pairing.

        Skills are a Gaussian field over who met whom (Besag and Kooperberg, Biometrika 82, 1995): those who met are
        pulled together, with a standard deviation of about `width`; who never met is not. Roles vary around their mean.

        Games tell nothing of a group's mean skill, and nothing depends on it. Its variance of FAR**2 would cost six
        digits of all differences, so it is held near 0 here. `unlinked` has what that leaves out.
        """
        n, eye, games = self.n, np.eye(self.n), self.square(information)
        skills = self.laplacian / width**2 + eye / FAR**2 + (self.share / NEAR) ** 2
        roles = (eye - 1 / n) / role**2 + 1 / (n * SIDE) ** 2
        same, cross = (skills + roles) / 4, (skills - roles) / 4 - games
        matrix = np.block([[same, cross], [cross.T, same]])
        matrix[range(2 * n), range(2 * n)] += np.concatenate([games.sum(1), games.sum(0)])
        return matrix


@dataclass(frozen=True, slots=True, eq=False)
class Normal:
    """A joint normal distribution of some figures."""

    mean: Floats
    covariance: Floats

    def split(self) -> "tuple[Normal, Normal]":
        """The skills and the roles, from f and g."""
        n = len(self.mean) // 2
        f, g, c = self.mean[:n], self.mean[n:], self.covariance
        same, cross = c[:n, :n] + c[n:, n:], c[:n, n:] + c[n:, :n]
        return Normal((f + g) / 2, (same + cross) / 4), Normal((f - g) / 2, (same - cross) / 4)

    def sum(self, at: list[int], weights: list[float]) -> Estimate:
        """The sum of some figures times their weights."""
        weight = np.array(weights)
        variance = float(weight @ self.covariance[np.ix_(at, at)] @ weight)
        return Estimate(settled(float(weight @ self.mean[at])), settled(max(variance, 0.0) ** 0.5))

    def relative(self, held: list[int]) -> list[Estimate]:
        """All figures less the mean of those that are held at 0."""
        shared = self.covariance[:, held].mean(1)
        variances = self.covariance.diagonal() - 2 * shared + shared[held].mean()
        sigmas = np.sqrt(np.maximum(variances, 0.0))
        figures = zip((self.mean - self.mean[held].mean()).tolist(), sigmas.tolist(), strict=True)
        return [Estimate(settled(mean), settled(sigma)) for mean, sigma in figures]

    def apart(self, group: list[int]) -> tuple[Floats, Floats]:
        """How far each of a group is ahead of each, and the lower ends of these 95 % intervals: two squares."""
        mean, covariance = self.mean[group], self.covariance[np.ix_(group, group)]
        variance = covariance.diagonal()[:, None] + covariance.diagonal() - 2 * covariance
        ahead = mean[:, None] - mean
        return ahead, ahead - Z95 * np.sqrt(np.maximum(variance, 1e-18))
