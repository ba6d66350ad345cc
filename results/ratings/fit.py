"""The published ratings: one fit of the TrueSkill model to all games at once, with honest intervals.

Unlike a rating that is updated game by game, it does not depend on the order of the games, and it knows the advantage
of a side and what each engine makes of it. RATINGS.md explains the model: `model` has its unknowns and priors,
`likelihood` the results, `posterior` the computation. The caller counts results, identical games once. Loads numpy only
to fit.
"""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from results.ratings.estimates import Estimate, Expected, Lead, OneSided, PairResult, Rating
from results.ratings.scale import NOISE, for_order, settled

if TYPE_CHECKING:
    from results.ratings.connectivity import Relation
    from results.ratings.model import Field, Normal
    from results.ratings.posterior import Posterior, PosteriorDrop


SKEWED = 0.2  # a posterior is skewed if its mean is so many of the peak's standard deviations farther from 0


@dataclass(frozen=True, eq=False)
class Fit:
    """What all games together say of a field. Games tell differences only, so ratings are relative to a reference."""

    field: "Field"
    posterior: "Posterior"
    anchor: str | None

    def __getitem__(self, name: str) -> Rating:
        """The rating of an engine. Raises KeyError."""
        self._at(name)
        return next(rating for rating in self.ratings if rating.name == name)

    @property
    def names(self) -> tuple[str, ...]:
        """The engines in alphabetical order."""
        return self.field.names

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The engines that games connect, the largest group first; across groups nothing can be compared."""
        return [self._named(group) for group in self.field.groups]

    @property
    def reference(self) -> tuple[str, ...]:
        """The engines whose mean is 0: the anchor, or else the middle of the field."""
        return self._named(self._middle) if self.anchor is None else (self.anchor,)

    @property
    def side(self) -> Estimate:
        """What playing p1 is worth between two who have the mean role of the field."""
        return self._bell[1].sum(self._middle, [2 / len(self._middle)] * len(self._middle))

    @cached_property
    def ratings(self) -> tuple[Rating, ...]:
        """Group by group, the best first; equals by name. A group without the reference is relative to its own mean."""
        skills, roles = self._bell
        games = self.field.square(self.field.counts.sum(0))
        played = games.sum(0) + games.sum(1) - games.diagonal()  # a game against itself is one game
        rated: list[Rating] = []
        of_roles, n = roles.relative(self._middle), len(self.names)
        for group in self.field.groups:
            zero = self._held(group)
            means, peaks = skills.relative(zero), self._peak[0].relative(zero)
            less, parts = [*zero, *(n + k for k in zero)], [0.5, 0.5, *[-0.5 / len(zero)] * (2 * len(zero))]
            ranks = self._ranks(group, len(rated))
            order = sorted(group, key=lambda k: -for_order(means[k].mean))  # equals by number, which is by name
            for k, following in itertools.zip_longest(order, order[1:]):
                near = self._towards_0(means[k], peaks[k], [k, n + k, *less], parts)
                better = None if following is None else self._difference(k, following).positive
                figures = means[k].mean, means[k].sigma, *near, self.names[k], int(played[k])
                rated.append(Rating(*figures, self._one_sided.get(k), better, ranks[k], of_roles[k]))
        return tuple(rated)

    def difference(self, a: str, b: str) -> Lead:
        """How much stronger `a` is than `b`, both sides alike. Raises KeyError for an engine not in the field."""
        return self._difference(self._at(a), self._at(b))

    def one_sided(self, a: str, b: str) -> OneSided | None:
        """On which side alone games bound `difference(a, b)`: `a` took points of `b`, if only through others, or gave.

        None where both did, and where games do not tell. Raises KeyError, as `difference`.
        """
        took, gave = self._reach[self._at(a), self._at(b)], self._reach[self._at(b), self._at(a)]
        return None if took == gave else "at least" if took else "at most"

    def ahead(self, p1: str, p2: str) -> Lead:
        """How far `p1` is ahead of `p2` when it plays p1: skills, roles and the advantage."""
        return self._lead([self._at(p1), len(self.names) + self._at(p2)], [1.0, -1.0])

    def expected(self, p1: str, p2: str) -> Expected:
        """The result of the next game of `p1`, who plays p1, against `p2`. Raises KeyError, as `difference`."""
        return self._expected(self.ahead(p1, p2))

    def score(self, ahead: float) -> float:
        """What p1 scores on average who is so far ahead."""
        return 0.5 + (self._won(Estimate(ahead, 0.0)) - self._won(Estimate(-ahead, 0.0))) / 2

    def _expected(self, ahead: Lead) -> Expected:
        win, loss = self._won(ahead.towards_0), self._won(Estimate(-ahead.mean, ahead.towards_0.sigma))
        score, lower, upper = (1 + win - loss) / 2, self.score(ahead.lower), self.score(ahead.upper)
        return Expected(score, min(lower, score), max(upper, score), win, max(0.0, 1 - win - loss), loss)

    def _won(self, ahead: Estimate) -> float:
        """The probability that one wins who is so far ahead."""
        return 0.5 * math.erfc((self.posterior.margin - ahead.mean) / math.hypot(NOISE, ahead.sigma) / math.sqrt(2))

    def _lead(self, at: list[int], weights: list[float]) -> Lead:
        mean, peak = self.posterior.bell.sum(at, weights), self.posterior.peak.sum(at, weights)
        if unlinked := self.field.unlinked(at, weights):
            return Lead(mean.mean, math.hypot(mean.sigma, math.sqrt(unlinked)), 0.0, 0.0, self._skill_variance)
        return Lead(mean.mean, mean.sigma, *self._towards_0(mean, peak, at, weights), self._skill_variance)

    def _towards_0(self, mean: Estimate, peak: Estimate, at: list[int], weights: list[float]) -> tuple[float, float]:
        """What `Skewed` has beside the mean, of a sum of unknowns. Not in large fields, where it would take minutes."""
        import numpy as np

        from results.ratings.posterior import MANY

        lean = (mean.mean - peak.mean) * math.copysign(1.0, mean.mean)
        if lean <= SKEWED * peak.sigma or mean.mean * peak.mean <= 0 or len(self.names) > MANY:
            return 0.0, 0.0
        dense = np.zeros(2 * len(self.names))
        np.add.at(dense, at, weights)
        near, distance = self._drop.towards_0(dense)
        return settled(near), settled(distance)

    @cached_property
    def _drop(self) -> "PosteriorDrop":
        from results.ratings.posterior import PosteriorDrop

        return PosteriorDrop(self.field, self.posterior)

    def _difference(self, i: int, j: int) -> Lead:
        n = len(self.names)
        return self._lead([i, n + i, j, n + j], [0.5, 0.5, -0.5, -0.5])

    def _ranks(self, group: list[int], before: int) -> dict[int, tuple[int, int]]:
        """The best and the worst rank of each engine, by the intervals of its differences with all of its group.

        `before` engines are in the groups before it.
        """
        (mean, low), (peak, peak_low) = self._bell[0].apart(group), self._peak[0].apart(group)
        above = (low > 0) | ((0 < peak) & (peak < mean) & (peak_low > 0))
        best, worst = before + 1 + above.sum(0), before + len(group) - above.sum(1)
        return {k: (int(best[i]), int(worst[i])) for i, k in enumerate(group)}

    @cached_property
    def _bell(self) -> "tuple[Normal, Normal]":
        return self.posterior.bell.split()

    @cached_property
    def _peak(self) -> "tuple[Normal, Normal]":
        return self.posterior.peak.split()

    @cached_property
    def _skill_variance(self) -> float:
        """The variance of skills in the middle of the field, less the noise of ratings, or what that noise can hide."""
        group = self._middle
        means, freedom = self._bell[0].relative(group), max(len(group) - 1, 1)
        noise = sum(means[k].sigma ** 2 for k in group) / freedom
        return max(sum(means[k].mean ** 2 for k in group) / freedom - noise, 2 * noise / freedom)

    @cached_property
    def _reach(self) -> "Relation":
        from results.ratings.connectivity import closure

        return closure(self.field.took)

    @cached_property
    def _one_sided(self) -> dict[int, OneSided]:
        """Seen from the anchor, if there is one."""
        from results.ratings.connectivity import one_sided

        anchor = None if self.anchor is None else self._at(self.anchor)
        return one_sided(self._reach, self.field.groups, anchor)

    @cached_property
    def _hardly_known(self) -> dict[int, OneSided]:
        """Seen from the field. An anchor moves where 0 is, and no probability may depend on it."""
        from results.ratings.connectivity import one_sided

        return one_sided(self._reach, self.field.groups)

    @cached_property
    def _middle(self) -> list[int]:
        return self._middle_of(self.field.groups[0])

    def _middle_of(self, group: list[int]) -> list[int]:
        """Engines with two-sided bounds, if at least half of the group: how far off the others are is hardly known."""
        bounded = [engine for engine in group if engine not in self._hardly_known]
        return bounded if 2 * len(bounded) >= len(group) else group

    def _held(self, group: list[int]) -> list[int]:
        anchor = None if self.anchor is None else self._at(self.anchor)
        return [anchor] if anchor in group else self._middle_of(group)

    def _at(self, name: str) -> int:
        if name not in self.names:
            raise KeyError(f"no engine of the field is called {name!r}")
        return self.names.index(name)

    def _named(self, engines: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.names[k] for k in engines)


def fit(meetings: Iterable[PairResult], names: Iterable[str] = (), *, anchor: str | None = None) -> Fit:
    """The ratings of everybody who is named or met somebody.

    Raises ValueError for a count below 0 or above 10^7, for a field without engines and for an anchor not in it.
    """
    import results.one_thread  # noqa: F401 - before numpy is loaded
    from results.ratings.model import Field
    from results.ratings.posterior import posterior

    field = Field.of(meetings, names)
    if anchor is not None and anchor not in field.names:
        raise ValueError(f"no engine of the field is called {anchor!r}, so it cannot be the anchor")
    return Fit(field, posterior(field), anchor)
