"""How often the intervals of a field cover its true strengths, and the bars that a cell must meet."""

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from benchmarks.ratings.cells import FEW, OTHER_DRAWS, ROUND_ROBINS
from benchmarks.ratings.field import VERSIONS, Cell, Games, Strengths, names
from benchmarks.ratings.plain import Interval, maximum_likelihood, online_trueskill
from benchmarks.ratings.schedules import field
from results.diagnostics import misfit
from results.ratings import Fit, fit
from results.ratings.estimates import Rating
from results.tables.elo import MOST, elo, elo_estimate, error_text, points_text

MOST_PAIRS = 200
"""More pairs than this are not all looked at, only so many random ones."""
NEAR = 10
"""Versions that are farther apart are not looked at, but for the first and the last: nobody asks who would win."""
ROUNDING = 1e-14
"""An interval of an expected score may miss it by this: both may be 1 but for rounding."""
FIGURES = ("ratings", "differences", "first-to-last", "predictions")
ELO = 0.93
"""If ratings of a cell are covered at least so often, so must be their Elo."""
BEHIND, OFF = 0.025, 0.03
"""The most that a cell may be worse than maximum likelihood, and the most that P>next may be off."""


class Covered(NamedTuple):
    """The shares of a field's intervals that cover the truth, in the order of FIGURES."""

    ratings: float
    differences: float
    first_to_last: float
    predictions: float


class Replicate(NamedTuple):
    """The figures of one field."""

    published: Covered
    plain: Covered
    online: Covered | None
    elo: float
    """The share of engines whose Elo is covered, as tables print it. A bound covers what is on its side."""
    said: float
    """The mean probability that an engine is stronger than the next in the list."""
    true: float
    """How often it is."""
    misfit: bool
    """Is a misfit told?"""


class Estimate(Protocol):
    """What intervals are read from. Engines are numbers."""

    @property
    def reference(self) -> list[int]:
        """The engines whose mean rating is 0."""

    def rating(self, engine: int) -> Interval:
        """The interval of a rating."""

    def difference(self, one: int, two: int) -> Interval:
        """That of a difference of skills."""

    def score(self, one: int, two: int) -> Interval:
        """That of the expected score of the first one as p1."""


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """The published ratings, by numbers."""

    fit: Fit
    names: list[str]

    @property
    def reference(self) -> list[int]:
        """The engines whose mean rating is 0."""
        return [self.names.index(name) for name in self.fit.reference]

    def rating(self, engine: int) -> Interval:
        """The interval of a rating."""
        found = self.fit[self.names[engine]]
        return found.lower, found.upper

    def difference(self, one: int, two: int) -> Interval:
        """That of a difference of skills."""
        found = self.fit.difference(self.names[one], self.names[two])
        return found.lower, found.upper

    def score(self, one: int, two: int) -> Interval:
        """That of the expected score of the first one as p1."""
        found = self.fit.expected(self.names[one], self.names[two])
        return found.lower, found.upper


def covered(estimate: Estimate, truth: Strengths, pairs: Sequence[tuple[int, int]]) -> Covered:
    """The shares of all ratings, of these differences and predictions, and whether first to last is covered."""
    skills, n = truth.skills, len(truth.skills)
    level = float(skills[estimate.reference].mean())

    def holds(interval: Interval, at: float, slack: float = 0.0) -> bool:
        return interval[0] - slack <= at <= interval[1] + slack

    def difference(one: int, two: int) -> bool:
        return holds(estimate.difference(one, two), float(skills[one] - skills[two]))

    return Covered(
        mean([holds(estimate.rating(k), float(skills[k]) - level) for k in range(n)]),
        mean([difference(one, two) for one, two in pairs if one < two] or [difference(*pairs[0])]),
        float(difference(0, n - 1)),
        mean([holds(estimate.score(one, two), truth.score(one, two), ROUNDING) for one, two in pairs]),
    )


def printed(rating: Rating) -> Interval:
    """The interval of an Elo, read from the text of a table, which rounds it."""
    estimate = elo_estimate(rating, rating.one_sided)
    points, error = points_text(estimate), error_text(estimate)
    down, up = re.fullmatch(r"-?([\d.]+)(?:\+([\d.]+))?", error).groups()  # type: ignore[union-attr]
    low, high = float(points) - float(down), float(points) + float(up or down)
    return (
        -math.inf if math.isinf(estimate.low) or low <= -MOST else low,
        math.inf if math.isinf(estimate.high) or high >= MOST else high,
    )


def elo_covered(found: Fit, truth: Strengths) -> float:
    """The share of engines whose Elo, as it is printed, covers that of their true skill."""
    skills = dict(zip(names(len(truth.skills)), map(float, truth.skills), strict=True))
    level = mean([skills[name] for name in found.reference])
    inside = []
    for rating in found.ratings:
        low, high = printed(rating)
        inside.append(low <= elo(skills[rating.name] - level) <= high)
    return mean(inside)


def judged(games: Games, number: int, online: bool) -> Replicate:
    """The figures of these games."""
    truth, rng = games.strengths, np.random.default_rng([number, 3])
    name = names(len(truth.skills))
    pairs = [*itertools.permutations(range(len(name)), 2)]
    if truth.cell.schedule in VERSIONS:
        pairs = [(one, two) for one, two in pairs if abs(one - two) <= NEAR]
    if len(pairs) > MOST_PAIRS:
        pairs = [pairs[k] for k in rng.permutation(len(pairs))[:MOST_PAIRS]]
    found = fit(games.results, name)
    number_of = {each: k for k, each in enumerate(name)}
    said, true = [], []
    for rating, below in itertools.pairwise(found.ratings):
        if rating.better_than_next is not None:
            said.append(rating.better_than_next)
            true.append(truth.skills[number_of[rating.name]] > truth.skills[number_of[below.name]])
    return Replicate(
        covered(Published(found, name), truth, pairs),
        covered(maximum_likelihood(games), truth, pairs),
        covered(online_trueskill(games, rng), truth, pairs) if online else None,
        elo_covered(found, truth),
        mean(said),
        mean(true),
        misfit(found).is_significant,
    )


def replicate(cell: Cell, number: int, online: bool) -> Replicate:
    """The figures of one field of a cell. They are the same for the same number."""
    return judged(field(cell, number), number, online)


def mean(figures: Sequence[float]) -> float:
    """The mean of the figures; nan where there are none."""
    return sum(figures) / len(figures) if figures else math.nan


def misses(cell: Cell, found: Sequence[Replicate]) -> Iterator[str]:
    """The bars that a cell misses. Each figure has two simulation errors."""
    told = mean([one.misfit for one in found])
    for figure, name in enumerate(FIGURES):
        ours = [float(one.published[figure]) for one in found]
        theirs = [float(one.plain[figure]) for one in found]
        low, high = _band(cell, figure)
        share, at = mean(ours), min(max(mean(ours), low), high)
        # In few fields all intervals may hold by chance. So the error is at least that of independent intervals.
        least = math.sqrt(max(at * (1 - at), 0.0) / (len(ours) * _intervals(cell, figure)))
        if abs(share - at) > 2 * max(standard_error(ours), least):
            if cell not in OTHER_DRAWS or told <= 0.5:  # there a misfit excuses it
                yield f"{cell}: {name} {share:.3f}, not {low:g} to {high:g}"
        # Intervals that are too wide are the band's matter.
        behind = min(mean(theirs), 0.95) - min(share, 0.95)
        if behind - BEHIND > 2 * standard_error([a - b for a, b in zip(theirs, ours, strict=True)]):
            yield f"{cell}: {name} {share:.3f}, and {mean(theirs):.3f} by maximum likelihood"
    ratings, points = mean([one.published.ratings for one in found]), mean([one.elo for one in found])
    if points < ELO <= ratings:
        yield f"{cell}: Elo {points:.3f}, not {ELO:g}, where ratings have {ratings:.3f}"
    off = [one.said - one.true for one in found]
    if cell in ROUND_ROBINS and abs(mean(off)) - OFF > 2 * standard_error(off):
        yield f"{cell}: P>next is off by {mean(off):+.3f}, more than {OFF:g}"
    if cell.schedule in VERSIONS and mean(off) > 2 * standard_error(off):
        yield f"{cell}: P>next is too sure by {mean(off):.3f}"


def _band(cell: Cell, figure: int) -> tuple[float, float]:
    """The least and the largest share that a cell may have."""
    if cell in FEW:
        return 0.9, 1.0
    if cell in OTHER_DRAWS:
        return (0.92, 0.97) if FIGURES[figure] == "ratings" else (0.0, 1.0)
    return 0.93, 0.98 if FIGURES[figure] == "predictions" else 0.97


def _intervals(cell: Cell, figure: int) -> int:
    """The number of intervals of a field."""
    pairs = min(cell.engines * (cell.engines - 1), MOST_PAIRS)
    return (cell.engines, max(pairs // 2, 1), 1, pairs)[figure]


def standard_error(figures: Sequence[float]) -> float:
    """The standard error of their mean."""
    return float(np.std(figures, ddof=1)) / math.sqrt(len(figures)) if len(figures) > 1 else math.inf
