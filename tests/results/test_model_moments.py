"""Moments of single pairings: against plain sums, and what is remembered of them."""

from typing import TYPE_CHECKING

import numpy as np
import pytest

from results.model_likelihood import Counts, log_likelihood, slopes
from results.model_moments import LARGE, Moments, Points

if TYPE_CHECKING:
    from results.model_normal import Floats

PAIRINGS = LARGE + 50
MARGIN = 1.5


def field() -> "tuple[Counts, Floats, Floats]":
    """Pairings of up to nine games; the differences' means and variances; the first hundred foregone and uncertain."""
    chance = np.random.default_rng(4)
    d, v = chance.normal(0, 4, PAIRINGS), chance.uniform(0.04, 0.06, PAIRINGS)
    games = chance.integers(0, 4, (3, PAIRINGS)).astype(float)
    v[:100], d[:100], games[:, :100] = 9.0, 8.0, [[9.0], [0.0], [0.0]]
    return Counts(*games), d, v


def around(points: Points, d: "Floats", v: "Floats", known: Moments | None = None) -> "tuple[Moments, Floats, Floats]":
    """The moments where each pairing's own bell is that of its likelihood there."""
    own = slopes(points.counts, d, MARGIN)
    return points.moments(own.dd * d + own.d, own.dd, d, v, known)


def test_moments_are_those_of_plain_sums() -> None:
    """Mean and variance of a likelihood times all else as a bell, on a fine grid."""
    counts, d, v = field()
    points = Points.at(counts, d, np.sqrt(v), MARGIN)
    _, centre, variance = around(points, d, v)
    for at in (0, 200, 300):
        x = d[at] + np.sqrt(v[at]) * np.linspace(-8, 8, 4001)
        own = slopes(counts.part(slice(at, at + 1)), d[at : at + 1], MARGIN)
        rest = 0.5 * (1 / v[at] - own.dd) * (x - d[at]) ** 2 + own.d * (x - d[at])
        log = log_likelihood(counts.part(slice(at, at + 1)), x[None], MARGIN)[0] - rest
        weight = np.exp(log - log.max())
        mean = float(weight @ x / weight.sum())
        assert centre[at] == pytest.approx(mean, abs=1e-3 * np.sqrt(v[at]))
        assert variance[at] == pytest.approx(float(weight @ (x - mean) ** 2 / weight.sum()), rel=1e-2)


@pytest.mark.parametrize("by", [0.0, 5e-4, 5e-3])
def test_what_is_remembered_is_what_would_be_summed(by: float) -> None:
    """To ten digits, however far all moved; pairings that moved too far, or lean, are summed anew."""
    counts, d, v = field()
    points = Points.at(counts, d, np.sqrt(v), MARGIN)
    known, *_ = around(points, d, v)
    moved, wider = d + by * np.sqrt(v), v * (1 + by / 2)
    found, centre, variance = around(points, moved, wider, known)
    _, summed, spread = around(points, moved, wider)
    assert np.abs(centre - summed).max() < 1e-11 and np.abs(variance / spread - 1).max() < 1e-10
    assert (found.pull[200:] == known.pull[200:]).any() == (by < 1e-3)


def test_what_is_remembered_of_another_margin_is_nearly_that() -> None:
    """To first order; and it is not used where margins have moved it too far in all."""
    counts, d, v = field()
    here, there = (Points.at(counts, d, np.sqrt(v), margin) for margin in (MARGIN, MARGIN + 1e-5))
    known, *_ = around(here, d, v)
    carried = known.at_margin(1e-5, d, slopes(counts, d, MARGIN))
    found, centre, variance = around(there, d, v, carried)
    _, summed, spread = around(there, d, v)
    assert np.abs(centre - summed).max() < 1e-10 and np.abs(variance / spread - 1).max() < 1e-9
    assert found.carried[200:].max() > 0
    far, *_ = around(there, d, v, carried._replace(carried=carried.carried + 1e-3))
    assert far.carried.max() == 0


def test_third_derivatives_find_the_same_pairings_that_lean() -> None:
    """They spare a look at most, and miss none."""
    counts, d, v = field()
    sigma = np.sqrt(v) * np.linspace(0.5, 8, PAIRINGS)
    looked, told = (Points.at(counts, d, sigma, MARGIN, thirds) for thirds in (None, slopes(counts, d, MARGIN).ddd))
    assert (looked.leans == told.leans).all() and looked.leans.any() and not looked.leans.all()
