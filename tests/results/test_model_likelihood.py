"""The likelihood of results: both tails of the normal distribution, and pairings taken by parts."""

import math

import numpy as np
import pytest

from results.model_likelihood import Counts, Slopes, slopes
from results.model_normal import CHUNK, tails


def counts(*rows: tuple[float, float, float]) -> Counts:
    """Wins, draws and losses of each pairing."""
    return Counts(*np.array(rows, float).T)


def columns(found: Slopes) -> list[list[float]]:
    """All derivatives, pairing by pairing."""
    return [column.tolist() for column in found[1:]]


@pytest.mark.parametrize("x", [-30.0, -7.3, -1.0, -1e-9, 0.0, 0.4, 3.0, 8.0, 35.0])
def test_both_tails_are_those_of_the_error_function(x: float) -> None:
    """The logarithms of Phi(x) and Phi(-x) and their slopes, as far as the standard library's function reaches."""
    found = tails(np.array([x]))
    low, high = 0.5 * math.erfc(-x / math.sqrt(2)), 0.5 * math.erfc(x / math.sqrt(2))
    density = math.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)
    told = [math.log(low) if x < 0 else math.log1p(-high), density / low]
    other = [math.log1p(-low) if x < 0 else math.log(high), density / high]
    assert [float(part[0]) for part in found] == pytest.approx([*told, *other], rel=1e-12)


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
    ends = [slopes(many.part(part), d[part], 1.5) for part in (slice(0, 9), slice(9, rows))]
    assert found.total == pytest.approx(sum(part.total for part in ends), rel=1e-12)
    assert columns(found)[0][:9] == pytest.approx(columns(ends[0])[0])
    assert columns(found)[1][-9:] == pytest.approx(columns(ends[1])[1][-9:])
