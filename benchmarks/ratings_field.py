"""Simulated fields of known strengths, and how often the intervals of the published ratings cover these.

Strengths are drawn anew for each replicate, from a normal distribution with the cell's spread. Games are whole round
robins of all ordered pairs; the remaining games go to random pairs. Each result is drawn from the model: the difference
of strengths, plus the side and noise, against the margin for draws.
"""

import itertools
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy import float64
from numpy.random import Generator
from numpy.typing import NDArray

from results.ratings.fit import Fit, PairResult, fit
from results.ratings.scale import NOISE

Floats = NDArray[float64]


class Cell(NamedTuple):
    """One line of the table."""

    engines: int
    games: int
    spread: float
    side: float
    draws: float
    """The share of draws between equals on equal sides."""

    @property
    def margin(self) -> float:
        """The margin that gives this share of draws."""
        return NOISE * NormalDist().inv_cdf(0.5 + self.draws / 2)


class Replicate(NamedTuple):
    """The figures of one field."""

    tested: bool
    """True where every engine won and lost a game."""
    covered: float
    """The share of engines whose interval covers their strength, relative to the field's mean."""
    side_covered: bool
    tau: float
    """Kendall's tau between strengths and ratings."""
    flagged: int
    """The number of engines with one-sided scores."""


def names(count: int) -> list[str]:
    """Names whose order is independent of strengths."""
    return [f"e{number:04}" for number in range(count)]


def meeting(one: int, two: int, games: int, strengths: Floats, cell: Cell, rng: Generator) -> PairResult:
    """The result of `games` games of two engines, the first one as p1."""
    ahead = strengths[one] - strengths[two] + cell.side + NOISE * rng.standard_normal(games)
    wins, losses = int((ahead > cell.margin).sum()), int((ahead < -cell.margin).sum())
    return PairResult(f"e{one:04}", f"e{two:04}", wins, games - wins - losses, losses)


def round_robin(strengths: Floats, cell: Cell, rng: Generator) -> list[PairResult]:
    """All games of a cell, from known strengths."""
    pairs = list(itertools.permutations(range(len(strengths)), 2))
    games = np.full(len(pairs), cell.games // len(pairs))
    games[rng.permutation(len(pairs))[: cell.games % len(pairs)]] += 1
    return [meeting(one, two, count, strengths, cell, rng) for (one, two), count in zip(pairs, games, strict=True)]


def kendall(one: Floats, two: Floats) -> float:
    """Kendall's tau of two lists without ties."""
    agree = np.sign(one[:, None] - one) * np.sign(two[:, None] - two)
    return float(agree.sum() / (len(one) * (len(one) - 1)))


def relative(strengths: Floats, found: Fit) -> Floats:
    """Strengths as the ratings give them: relative to the mean of the same engines."""
    reference = [number for number, name in enumerate(names(len(strengths))) if name in found.reference]
    truth: Floats = strengths - strengths[reference].mean()
    return truth


def judged(found: Fit, strengths: Floats, side: float, meetings: Sequence[PairResult]) -> Replicate:
    """Compare a fit with the true strengths."""
    won, lost = set(), set()
    for game in meetings:
        if game.wins:
            won.add(game.p1)
            lost.add(game.p2)
        if game.losses:
            won.add(game.p2)
            lost.add(game.p1)
    ratings = sorted(found.ratings, key=lambda rating: rating.name)
    truth = relative(strengths, found)
    covered = [rating.lower <= at <= rating.upper for rating, at in zip(ratings, truth, strict=True)]
    return Replicate(
        len(won) == len(lost) == len(ratings),
        sum(covered) / len(covered),
        found.side.lower <= side <= found.side.upper,
        kendall(truth, np.array([rating.mean for rating in ratings])),
        sum(rating.one_sided is not None for rating in ratings),
    )


def replicate(cell: Cell, number: int) -> Replicate:
    """One field of a cell; the same for the same number."""
    rng = np.random.default_rng([number, cell.engines, cell.games, *(int(100 * figure) for figure in cell[2:])])
    strengths = cell.spread * rng.standard_normal(cell.engines)
    meetings = round_robin(strengths, cell, rng)
    return judged(fit(meetings), strengths, cell.side, meetings)
