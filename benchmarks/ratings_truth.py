"""The distance of the published ratings' Gaussian approximation from the exact posterior. Seeds are fixed.

The posterior of skills, advantage and width, at the fitted margin, is summed by importance sampling: a hundred thousand
points are drawn from a wider distribution and weighted by their likelihood. `off` is the largest distance of a rating
from its true mean, in true standard deviations. `from` and `to` are the least and the largest standard deviation, as
shares of the true ones. `points` is the effective sample size; where it is small, these figures are uncertain.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.ratings_field import Cell, Floats, round_robin
from results.ratings.design import WIDE
from results.ratings.fit import Fit, PairResult, fit
from results.ratings.likelihood import Counts
from results.ratings.normal import log_phi
from results.ratings.prior_width import DOUBT, USUAL
from results.ratings.scale import NOISE

POINTS = 100_000
FREEDOM = 6
"""The degrees of freedom of the t distribution that points are drawn from: its tails are longer than a Gaussian's."""
WIDER = 1.5
CELLS = [
    *(
        Cell(12, games, spread, 0.0, draws)
        for spread in (2.0, 8.0, 20.0)
        for games in (2_000, 20_000)
        for draws in (0.0, 0.2)
    ),
    Cell(5, 100, 20.0, 0.0, 0.2),
    Cell(3, 12, 8.0, 0.0, 0.2),
]
FIELDS = 3


class Nearness(NamedTuple):
    """The figures of one field; the module's docstring explains them."""

    off: float
    least: float
    most: float
    points: float


def lines() -> Iterator[str]:
    """The table as Markdown."""
    yield "| engines | games | spread | draws | lean | off | from | to | points |"
    yield "|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for cell in CELLS:
        for number in range(FIELDS):
            rng = np.random.default_rng([11, number, cell.engines, cell.games, *(int(100 * x) for x in cell[2:])])
            found = fit(round_robin(cell.spread * rng.standard_normal(cell.engines), cell, rng))
            columns = f"{cell.engines} | {cell.games} | {cell.spread:g} | {cell.draws:.0%}"
            yield f"| {columns} | {found.posterior.bell.lean:.2f} | {_cells(nearness(found, rng))} |"
    for wins in (1, 30):
        found = fit([PairResult("ann", "bob", wins, 0, 0), PairResult("bob", "ann", 0, 0, wins)])
        near = nearness(found, np.random.default_rng(wins))
        yield f"| 2 | {2 * wins}, all won |  |  | {found.posterior.bell.lean:.2f} | {_cells(near)} |"


def _cells(near: Nearness) -> str:
    return f"{near.off:.2f} | {near.least:.2f} | {near.most:.2f} | {near.points:.0f}"


def nearness(found: Fit, rng: np.random.Generator, points: int = POINTS) -> Nearness:
    """Draw and weight the points, and compare their ratings, relative to the field's mean, with the fit's."""
    posterior, n = found.posterior, len(found.names)
    field = posterior.design.field
    steps = rng.standard_normal((points, len(found.unknowns)))
    stretch = FREEDOM / rng.chisquare(FREEDOM, points)
    root = np.linalg.cholesky(WIDER * found.covariance)
    at = found.unknowns + (steps * np.sqrt(stretch)[:, None]) @ root.T
    drawn = -(FREEDOM + at.shape[1]) / 2 * np.log1p((steps**2).sum(1) * stretch / FREEDOM)
    height = _log_likelihood(field.counts, (at[:, field.one] - at[:, field.two] + at[:, -1:]), found.margin.mean)
    height += _log_prior(at[:, :n], found.width) - 0.5 * (at[:, -1] / WIDE) ** 2
    weight = np.exp(height - drawn - (height - drawn).max())
    weight /= weight.sum()
    ratings = at[:, :n] - at[:, :n].mean(1, keepdims=True)
    mean = weight @ ratings
    sigma = np.sqrt(weight @ (ratings - mean) ** 2)
    middle = found.unknowns[:n] - found.unknowns[:n].mean()
    level = np.eye(n) - 1 / n
    fitted = np.sqrt((level @ found.covariance[:n, :n] @ level).diagonal())
    off, share = np.abs(middle - mean) / sigma, fitted / sigma
    return Nearness(float(off.max()), float(share.min()), float(share.max()), float(1 / (weight @ weight)))


def _log_likelihood(counts: Counts, ahead: Floats, margin: float) -> Floats:
    """The log-likelihood of all results at each point (a row), up to a constant."""
    found = np.zeros(len(ahead))
    for pairing, column in enumerate(ahead.T / NOISE):
        edge = margin / NOISE
        win, loss, inner = log_phi(np.array([column - edge, -column - edge, edge - np.abs(column)]))[0]
        found += counts.wins[pairing] * win + counts.losses[pairing] * loss
        if counts.draws[pairing]:
            found += counts.draws[pairing] * (inner + np.log(-np.expm1(np.minimum(win, loss) - inner)))
    return found


def _log_prior(skills: Floats, width: float) -> Floats:
    """The log-prior of the skills at each point, summed over widths far around the fitted one."""
    logs = math.log(width) + np.linspace(-2.0, 2.5, 91)
    square, n = (skills**2).sum(1)[:, None], skills.shape[1]
    each = -n * logs - 0.5 * square * np.exp(-2 * logs) - 0.5 * ((logs - math.log(USUAL[0])) / DOUBT) ** 2
    top = each.max(1)
    return np.asarray(top + np.log(np.exp(each - top[:, None]).sum(1)), float)
