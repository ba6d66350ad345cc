"""How near a fit is to the exact posterior of its model, which importance sampling finds. Seeds are fixed.

The unknowns are each engine's strengths as p1 and as p2. In one column the widths of skills and roles and the draw
margin are those of the fit; in the other they are unknown as well. `mean` is the largest distance of a rating from its
true mean, in true standard deviations. `sd` are the least and the largest standard deviation, as shares of the true
ones. `points` is the effective sample size of the drawn points. The model is written anew here, from RATINGS.md,
so that an error of the fit cannot hide.
"""

import itertools
import math
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from benchmarks.ratings.field import Cell, Floats, Games, Numbers, chances, names
from benchmarks.ratings.plain import TINY
from benchmarks.ratings.schedules import field
from results.ratings import Fit, fit
from results.ratings.posterior import ROLE, SKILL, Width

POINTS = 50_000
FREEDOM = 6
"""The degrees of freedom of the t distribution that points are drawn from: its tails are longer than a Gaussian's."""
WIDER = 1.4
"""How much wider it is, as a factor of the covariance."""
ROUNDS = 3
"""The points of each round but the last only tell where those of the next one should lie."""
FAR, SIDE = 1000.0, 12.5
WIDTHS = 60
"""The integral over a width is a sum over so many."""
FEWEST_POINTS = 1_000
MEAN_BAR, SD_BAR = 0.15, 0.10

SHAPES = [
    Cell(3, 60, 3.0, 2.0, 0.2),
    Cell(3, 300, 8.0, 2.0, 0.2, 2.0),
    Cell(4, 60, 3.0, 0.0, 0.0),
    Cell(4, 240, 8.0, 2.0, 0.2, 4.0),
    Cell(5, 100, 4.0, 2.0, 0.2),
    Cell(5, 400, 8.0, 0.0, 0.0, 1.0),
    Cell(6, 100, 0.0, 2.0, 0.2, 0.0, "chain", 2.0),
    Cell(6, 500, 0.0, 2.0, 0.2, 4.0, "chain", 4.0),
    Cell(8, 200, 4.0, 2.0, 0.2, 1.0),
    Cell(8, 800, 8.0, 2.0, 0.0, 4.0),
]
FIELDS = 2
"""So many fields of each shape in which every engine won and lost."""
SWEPT = [Cell(3, 60, 20.0, 2.0, 0.2), Cell(5, 60, 20.0, 2.0, 0.2), Cell(8, 200, 20.0, 2.0, 0.0)]
"""One field of each in which some engine won or lost every game. They have no bar."""


class Nearness(NamedTuple):
    """The figures of one field; the module's docstring explains them."""

    mean: float
    least: float
    most: float
    points: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} | {self.least:.3f} to {self.most:.3f} | {self.points:.0f}"


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The model of a field: who met whom, the results, and the fit's widths and margin."""

    one: Numbers
    two: Numbers
    counts: Floats
    n: int
    width: float
    role: float
    margin: float

    @classmethod
    def of(cls, games: Games, found: Fit) -> "Model":
        """The model of these games."""
        one, two = np.array(games.met).T
        whole = found.posterior
        counts = games.counts[:, one, two].astype(float)
        return cls(one, two, counts, len(found.names), whole.width, whole.role_width, whole.margin)

    @property
    def laplacian(self) -> Floats:
        """Who met whom: the prior of skills is `skills @ laplacian @ skills / width^2`."""
        met = np.zeros((self.n, self.n), bool)
        met[self.one, self.two] = met[self.two, self.one] = True
        opponents = met.sum(1)
        links = np.where(met, 2 / (opponents[:, None] + opponents), 0.0)
        return np.asarray(np.diag(links.sum(1)) - links, float)

    def log_posterior(self, points: Floats, vague: bool) -> Floats:
        """The height at each point (a row): the unknowns, and if `vague` the margin's logarithm last."""
        n = self.n
        f, g = points[:, :n], points[:, n : 2 * n]
        margin = np.exp(points[:, -1:]) if vague and self.margin else np.full((len(points), 1), self.margin)
        found = np.zeros(len(points))
        for k, (i, j) in enumerate(zip(self.one, self.two, strict=True)):
            found += self.counts[:, k] @ np.log(np.maximum(chances(f[:, i] - g[:, j], margin[:, 0]), TINY))
        skills, roles = (f + g) / 2, (f - g) / 2
        side = roles.mean(1)
        squares = ((skills @ self.laplacian) * skills).sum(1)
        role_squares = ((roles - side[:, None]) ** 2).sum(1)
        found -= 0.5 * (skills**2).sum(1) / FAR**2 + 0.5 * side**2 / SIDE**2
        if not vague:
            return np.asarray(found - 0.5 * squares / self.width**2 - 0.5 * role_squares / self.role**2, float)
        rank = n - 1  # every field here is connected
        return found + _over_widths(squares, rank, SKILL) + _over_widths(role_squares, rank, ROLE)


def _over_widths(squares: Floats, rank: int, width: Width) -> Floats:
    """The logarithm of a Gaussian prior, with its width integrated over what is believed of it."""
    logs = np.linspace(math.log(width.least), math.log(width.most), WIDTHS)
    off = (logs - math.log(width.median)) / width.doubt
    each = -rank * logs - 0.5 * squares[:, None] * np.exp(-2 * logs) - 0.5 * off**2
    top = each.max(1)
    return np.asarray(top + np.log(np.exp(each - top[:, None]).sum(1)), float)


def nearness(games: Games, found: Fit, rng: Generator, vague: bool = False, points: int = POINTS) -> Nearness:
    """Draw and weight points, and compare their ratings with the fit's."""
    model = Model.of(games, found)
    n, name = model.n, names(model.n)
    # The fit holds the mean skill near 0, since nothing depends on it; here it has its prior.
    start, covariance = found.posterior.bell.mean, found.posterior.bell.covariance + FAR**2 / n
    if vague and model.margin:
        start, covariance = np.append(start, math.log(model.margin)), np.pad(covariance, (0, 1))
        # As among equals: the variance of the logarithm of a count.
        covariance[-1, -1] = 1 / max(games.counts[1].sum(), 1)
    for _ in range(ROUNDS):
        at, weight = _weighted(model, start, covariance, rng, vague, points)
        start = weight @ at
        covariance = (at - start).T @ ((at - start) * weight[:, None])
    skills = (at[:, :n] + at[:, n : 2 * n]) / 2
    ratings = skills - skills[:, [name.index(each) for each in found.reference]].mean(1, keepdims=True)
    mean = weight @ ratings
    sigma = np.sqrt(weight @ (ratings - mean) ** 2)
    off = np.array([found[each].mean for each in name]) - mean
    shares = np.array([found[each].sigma for each in name]) / sigma
    return Nearness(float((abs(off) / sigma).max()), *map(float, (shares.min(), shares.max(), 1 / (weight @ weight))))


def _weighted(
    model: Model, start: Floats, covariance: Floats, rng: Generator, vague: bool, points: int
) -> tuple[Floats, Floats]:
    """Points of a t distribution, and their weights."""
    size = len(start)
    steps = rng.standard_normal((points, size))
    stretch = FREEDOM / rng.chisquare(FREEDOM, points)
    at = start + (steps * np.sqrt(stretch)[:, None]) @ np.linalg.cholesky(WIDER * covariance).T
    drawn = -(FREEDOM + size) / 2 * np.log1p((steps**2).sum(1) * stretch / FREEDOM)
    height = model.log_posterior(at, vague) - drawn
    weight = np.exp(height - height.max())
    return at, weight / weight.sum()


def some_field(shape: int, number: int) -> Games:
    """The field of a shape with this number, among those of the wanted kind. Shapes count on from SHAPES to SWEPT."""
    decisive = shape < len(SHAPES)
    cell = [*SHAPES, *SWEPT][shape]
    each = (field(cell, k) for k in itertools.count())
    return next(itertools.islice((games for games in each if games.decisive == decisive), number, None))


def compared(at: tuple[int, int]) -> tuple[Nearness, Nearness]:
    """A field's figures with the widths of the fit, and with unknown ones."""
    games, rng = some_field(*at), np.random.default_rng([*at, 11])
    found = fit(games.results, names(games.strengths.cell.engines))
    return nearness(games, found, rng), nearness(games, found, rng, vague=True)


def truth_table(pool: Executor) -> tuple[list[str], list[str]]:
    """The table as Markdown, and the lines that miss a bar."""
    lines = [
        "| field | mean | sd | points | mean, widths unknown | sd | points |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    misses = []
    fields = [*itertools.product(range(len(SHAPES)), range(FIELDS))]
    fields += [(len(SHAPES) + k, 0) for k in range(len(SWEPT))]
    for (shape, number), (known, unknown) in zip(fields, pool.map(compared, fields), strict=True):
        swept = shape >= len(SHAPES)
        name = f"{[*SHAPES, *SWEPT][shape]}{' (swept)' if swept else ''}"
        lines.append(f"| {name} | {known} | {unknown} |")
        near = known.mean <= MEAN_BAR and 1 - SD_BAR <= known.least <= known.most <= 1 + SD_BAR
        if not swept and not (near and known.points >= FEWEST_POINTS):
            misses.append(f"exact posterior of {name}, field {number + 1}: mean, sd, points {known}")
    return lines, misses
