"""The likelihood of results: the normal distribution's logarithm with its slopes, and pairings taken by parts."""

import math

import numpy as np
import pytest

from results.ratings.likelihood import Counts, Slopes, slopes
from results.ratings.normal import CHUNK, FAR, NODES, log_phi


def counts(*rows: tuple[float, float, float]) -> Counts:
    """Wins, draws and losses of each pairing."""
    return Counts.of(np.array(rows, float).T)


def columns(found: Slopes) -> list[list[float]]:
    """All derivatives, pairing by pairing."""
    return [column.tolist() for column in found[1:]]


@pytest.mark.parametrize("x", [-37.0, -FAR, -7.3, -1.0, -1e-9, 0.0, 0.4, 3.0, 8.0, FAR, 35.0])
def test_the_logarithm_is_that_of_the_error_function(x: float) -> None:
    """As far as the standard library's function reaches, and so is its slope."""
    low, high = 0.5 * math.erfc(-x / math.sqrt(2)), 0.5 * math.erfc(x / math.sqrt(2))
    slope = math.exp(-0.5 * x * x) / math.sqrt(2 * math.pi) / low
    found = log_phi(np.array([x]))[:2, 0].tolist()
    assert found == pytest.approx([math.log(low) if x < 0 else math.log1p(-high), slope], rel=1e-11, abs=1e-11)


def test_each_derivative_is_the_slope_of_the_one_before() -> None:
    """Everywhere, across nodes and where the tail's own series begins, against steps that are long for rounding."""
    ends = [-FAR, -FAR + 0.3 / NODES, FAR, 0.0, 1 / NODES, -60.0]
    at, by = np.sort([*np.linspace(-30, 30, 977), *ends, *(end + 1e-4 for end in ends)]), 3e-3
    up, middle, down = log_phi(at + by), log_phi(at), log_phi(at - by)
    for order, within in enumerate([1e-5, 1e-5, 1e-5, 2e-4]):
        assert middle[order + 1] == pytest.approx((up[order] - down[order]) / (2 * by), abs=within)


def test_far_tails_are_those_of_mills() -> None:
    """Where no error function reaches: Phi(-x) lies between phi(x) / x and phi(x) x / (x^2 + 1)."""
    x = np.array([-40.0, -1e3, -1e8])
    above = -0.5 * x * x - np.log(-x) - 0.5 * math.log(2 * math.pi)
    found = log_phi(x)
    assert (found[0] <= above).all() and (found[0] >= above - np.log1p(x**-2) - 1e-15 * x * x).all()
    assert found[1] == pytest.approx(-x, rel=1e-3) and (log_phi(-x) == 0).all()


def test_slopes_are_those_of_the_likelihood() -> None:
    """First and second derivatives by difference and margin, third and fourth by difference, against small steps."""
    met, margin, by = counts((3, 2, 1), (0, 1, 4), (5, 0, 0)), 2.5, 1e-5
    d = np.array([1.5, -9.0, 20.0])
    found = slopes(met, d, margin)

    def total(d: float, e: float) -> float:
        return slopes(met, np.array([1.5 + d, -9.0 + d, 20.0 + d]), margin + e).total

    def first(d: float, e: float) -> tuple[float, float]:
        at = slopes(met, np.array([1.5 + d, -9.0 + d, 20.0 + d]), margin + e)
        return float(at.d.sum()), float(at.e.sum())

    assert float(found.d.sum()) == pytest.approx((total(by, 0) - total(-by, 0)) / (2 * by), rel=1e-6)
    assert float(found.e.sum()) == pytest.approx((total(0, by) - total(0, -by)) / (2 * by), rel=1e-6)
    (d_up, e_up), (d_down, e_down) = first(by, 0), first(-by, 0)
    assert -float(found.dd.sum()) == pytest.approx((d_up - d_down) / (2 * by), rel=1e-6)
    assert -float(found.de.sum()) == pytest.approx((e_up - e_down) / (2 * by), rel=1e-6)
    up, down = slopes(met, d, margin + by), slopes(met, d, margin - by)
    assert found.dde.tolist() == pytest.approx(((down.dd - up.dd) / (2 * by)).tolist(), rel=1e-5)
    assert found.dee.tolist() == pytest.approx(((down.de - up.de) / (2 * by)).tolist(), rel=1e-5)
    assert found.eee.tolist() == pytest.approx(((down.ee - up.ee) / (2 * by)).tolist(), rel=1e-5)
    bends = [slopes(met, d + up, margin).dd for up in (by, -by)]
    assert (-found.ddd).tolist() == pytest.approx(((bends[0] - bends[1]) / (2 * by)).tolist(), rel=1e-6)
    turns = [slopes(met, d + up, margin).ddd for up in (by, -by)]
    assert found.dddd.tolist() == pytest.approx(((turns[0] - turns[1]) / (2 * by)).tolist(), rel=1e-6)
    assert -float(found.ee.sum()) == pytest.approx((first(0, by)[1] - first(0, -by)[1]) / (2 * by), rel=1e-6)


def test_pairings_without_draws_keep_the_margin_of_the_field() -> None:
    """A win is a difference beyond the margin, whether or not these two ever drew."""
    both, alone, margin = counts((3, 0, 1), (2, 2, 2)), counts((3, 0, 1)), 2.0
    for at in ((-4.0, 1.0), (0.0, 2.0), (4.0, 3.0)):
        d = np.array(at)
        of_both, of_one = columns(slopes(both, d, margin)), columns(slopes(alone, d[:1], margin))
        assert [column[0] for column in of_both] == pytest.approx([column[0] for column in of_one])


def test_many_pairings_are_the_same_as_few() -> None:
    """Taken by parts or at once: the same sum and the same slopes, with draws in some parts only."""
    rows = CHUNK + 5
    many = counts(*((k % 3, k < 9, k % 2) for k in range(rows)))
    d = np.linspace(-20, 20, rows)
    found = slopes(many, d, 1.5)
    table = np.array([many.wins, many.draws, many.losses])
    ends = [slopes(Counts.of(table[:, part]), d[part], 1.5) for part in (slice(0, 9), slice(9, rows))]
    assert found.total == pytest.approx(sum(part.total for part in ends), rel=1e-12)
    assert columns(found)[0][:9] == pytest.approx(columns(ends[0])[0])
    assert columns(found)[1][-9:] == pytest.approx(columns(ends[1])[1][-9:])
