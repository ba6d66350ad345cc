"""Fields of engines whose strengths are known, and games whose results are drawn from these strengths.

Independent of who meets whom (`ratings_schedules`) and of how strengths are estimated.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np
from numpy import float64, intp
from numpy.random import Generator
from numpy.typing import NDArray

from results.ratings import PairResult

Floats = NDArray[float64]
Numbers = NDArray[intp]

NOISE = 25 / 6 * math.sqrt(2)
"""The standard deviation of the difference of two performances."""
MARGINS_APART = 0.5
"""The standard deviation of the logarithm of draw margins, where each engine has its own."""

Schedule = Literal["round robin", "chain", "last three", "leagues", "gauntlet", "Swiss", "ladder"]
VERSIONS: tuple[Schedule, ...] = ("chain", "last three")
"""The schedules of versions, each of which is stronger than the one before it, on average."""
DrawLaw = Literal["one margin", "Davidson's draws", "margins by engine"]

_erfc = np.frompyfunc(math.erfc, 1, 1)


class Cell(NamedTuple):
    """One kind of field: a line of the table."""

    engines: int
    games: int
    """All games of the field."""
    spread: float
    """The standard deviation of skills; of leagues, that within a league."""
    side: float = 0.0
    """The advantage of p1."""
    draws: float = 0.0
    """The share of draws between equals on equal sides."""
    roles: float = 0.0
    """The standard deviation of roles."""
    schedule: Schedule = "round robin"
    step: float = 0.0
    """How much stronger the next version or the next league is, on average."""
    leagues: int = 1
    law: DrawLaw = "one margin"

    @property
    def margin(self) -> float:
        """The draw margin that gives this share of draws."""
        return NOISE * NormalDist().inv_cdf(0.5 + self.draws / 2)

    @property
    def seed(self) -> list[int]:
        """What a random generator starts from. It differs between cells."""
        figures = (self.spread, self.side, self.draws, self.roles, self.step)
        words = [*self.schedule.encode(), *self.law.encode()]
        return [self.engines, self.games, self.leagues, *(int(100 * x) for x in figures), *words]

    def __str__(self) -> str:
        match self.schedule:
            case "leagues":
                who = f"{self.leagues} leagues of {self.engines // self.leagues}"
            case "chain" | "Swiss":
                who = f"{self.schedule} of {self.engines}"
            case "gauntlet":
                who = f"gauntlet 1 against {self.engines - 1}"
            case _:
                who = f"{self.schedule} {self.engines}"
        strengths = [f"step {self.step:g}"] * bool(self.step) + [f"spread {self.spread:g}"] * bool(self.spread)
        rest = [f"side {self.side:g}", f"draws {self.draws:.0%}", f"roles {self.roles:g}"]
        law = [] if self.law == "one margin" else [self.law]
        return ", ".join([f"{who}/{self.games}", *strengths, *rest, *law])


def normal_cdf(x: Floats) -> Floats:
    """The standard normal distribution."""
    return np.asarray(0.5 * _erfc(x * -math.sqrt(0.5)), float)


def chances(d: Floats, margin: Floats | float) -> Floats:
    """The probabilities that p1 wins, draws and loses who is `d` ahead: 3 rows. Small ones keep their digits."""
    inner = normal_cdf((margin - abs(d)) / NOISE) - normal_cdf((-margin - abs(d)) / NOISE)
    return np.array([normal_cdf((d - margin) / NOISE), inner, normal_cdf((-d - margin) / NOISE)])


def davidson(d: Floats, margin: float) -> Floats:
    """The same with the draws of Davidson's model (1970), whose chance is proportional to sqrt(win * loss).

    The expected score and the draws between equals are those of the margin, so strengths have the same scale.
    """
    win, inner, loss = chances(d, margin)
    won, lost = win + inner / 2, loss + inner / 2
    equal = chances(np.zeros(1), margin)[1, 0]
    often = (2 * equal / (1 - equal)) ** 2
    # win + draw / 2 = score and draw^2 = often * win * loss: a quadratic equation for the draws.
    a, b, c = 1 - often / 4, often / 2, often * won * lost
    draw = 2 * c / (b + np.sqrt(b * b + 4 * a * c))
    return np.array([won - draw / 2, draw, lost - draw / 2])


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """The true strengths of a field."""

    skills: Floats
    as_p1: Floats
    as_p2: Floats
    margins: Floats
    cell: Cell

    @classmethod
    def of(cls, skills: Floats, cell: Cell, rng: Generator) -> "Strengths":
        """Those of a cell with these skills. Roles and margins are drawn."""
        roles = cell.side / 2 + cell.roles * rng.standard_normal(len(skills))
        margins = np.full(len(skills), cell.margin)
        if cell.law == "margins by engine":
            margins *= np.exp(MARGINS_APART * rng.standard_normal(len(skills)))
        return cls(skills, skills + roles, skills - roles, margins, cell)

    def chances(self, one: Numbers, two: Numbers) -> Floats:
        """The probabilities of p1's win, draw and loss in each pairing."""
        d = self.as_p1[one] - self.as_p2[two]
        if self.cell.law == "Davidson's draws":
            return davidson(d, self.cell.margin)
        return chances(d, (self.margins[one] + self.margins[two]) / 2)

    def score(self, one: int, two: int) -> float:
        """What p1 scores on average."""
        win, draw, _ = map(float, self.chances(np.array([one]), np.array([two]))[:, 0])
        return win + draw / 2


class Games:
    """The games of a field, counted by pairing."""

    def __init__(self, strengths: Strengths, rng: Generator) -> None:
        self.strengths, self._rng = strengths, rng
        n = len(strengths.skills)
        self.counts = np.zeros((3, n, n), np.int64)
        """Wins, draws and losses of p1 (row) against p2 (column)."""

    def play(self, pairings: Sequence[tuple[int, int]], games: Sequence[int] | Numbers) -> None:
        """Play so many games of each pairing."""
        one, two = np.array(pairings, np.intp).T
        # A little less, because numpy refuses probabilities that add up to more than 1 by rounding.
        results = self._rng.multinomial(np.asarray(games), self.strengths.chances(one, two).T * (1 - 1e-12))
        for counts, more in zip(self.counts, results.T, strict=True):
            np.add.at(counts, (one, two), more)

    def spread(self, pairings: Sequence[tuple[int, int]], games: int) -> None:
        """Play `games` games, the same number of each pairing; what remains goes to random ones."""
        each = np.full(len(pairings), games // len(pairings))
        each[self._rng.permutation(len(pairings))[: games % len(pairings)]] += 1
        self.play(pairings, each)

    @property
    def met(self) -> Sequence[tuple[int, int]]:
        """The pairings with games."""
        return [(int(one), int(two)) for one, two in np.argwhere(self.counts.sum(0))]

    @property
    def results(self) -> list[PairResult]:
        """The results of each pairing."""
        name, counts = names(len(self.strengths.skills)), self.counts
        return [PairResult(name[i], name[j], *map(int, counts[:, i, j])) for i, j in self.met]

    @property
    def decisive(self) -> bool:
        """Did every engine win and lose a game?"""
        wins, _, losses = self.counts
        return bool((wins.sum(1) + losses.sum(0) > 0).all() and (losses.sum(1) + wins.sum(0) > 0).all())


def names(count: int) -> list[str]:
    """The names of so many engines, in the order of their numbers."""
    return [f"e{number:04}" for number in range(count)]


def round_robin(skills: Floats, cell: Cell, rng: Generator) -> list[PairResult]:
    """All games of a round robin between engines with these skills."""
    games = Games(Strengths.of(skills, cell, rng), rng)
    games.spread([*itertools.permutations(range(len(skills)), 2)], cell.games)
    return games.results
