"""The test for a trend, and the interval of a share, with invented counts."""

import math

import pytest

from arena.studies.trend import Trend, trend, wilson
from results.tally import Tally


def found(*groups: list[tuple[int, Tally]]) -> Trend:
    told = trend(groups)
    assert told is not None
    return told


def test_a_fall_from_half_to_a_fifth_is_a_trend() -> None:
    """Three levels of 16 games say little; with twice as many the fall is more than chance."""
    few = found([(1_000, Tally(8, 0, 8)), (10_000, Tally(5, 0, 11)), (100_000, Tally(3, 0, 13))])
    many = found([(1_000, Tally(16, 0, 16)), (10_000, Tally(10, 0, 22)), (100_000, Tally(6, 0, 26))])
    assert few.slope == many.slope == pytest.approx(-(8 - 3) / 16 / 2)
    assert few.lower < 0 < few.upper and few.p > 0.05
    assert many.lower < many.upper < 0 and many.p < 0.01


def test_it_is_the_test_of_cochran_and_armitage() -> None:
    """For wins and losses the square of slope / sigma is their statistic, in the form of Mantel with N - 1."""
    wins, games, dose = (10, 20, 35), (50, 50, 50), (1, 2, 3)
    n, mean = sum(games), sum(wins) / sum(games)
    middle = sum(x * m for x, m in zip(dose, games, strict=True)) / n
    top = sum(x * (w - m * mean) for x, w, m in zip(dose, wins, games, strict=True))
    spread = sum(m * (x - middle) ** 2 for x, m in zip(dose, games, strict=True))
    statistic = top**2 / (mean * (1 - mean) * spread) * (n - 1) / n
    told = found([(10**x, Tally(w, 0, m - w)) for x, w, m in zip(dose, wins, games, strict=True)])
    assert (told.slope / told.sigma) ** 2 == pytest.approx(statistic)
    assert told.p == pytest.approx(math.erfc(math.sqrt(statistic / 2)))


def test_equal_levels_show_no_trend() -> None:
    """The slope is nothing, and chance alone would always show as much."""
    flat = found([(10, Tally(5, 2, 5)), (100, Tally(10, 4, 10))])
    assert flat.slope == pytest.approx(0) and flat.p == pytest.approx(1)


def test_a_difference_between_engines_is_no_trend() -> None:
    """One engine wins with p1, the other with p2, on every level; each played another share of its games weakly."""
    one = [(10, Tally(90, 0, 10)), (100, Tally(9, 0, 1))]
    two = [(10, Tally(1, 0, 9)), (100, Tally(10, 0, 90))]
    assert found(one, two).slope == pytest.approx(0)
    pooled = [(nodes, first + second) for (nodes, first), (_, second) in zip(one, two, strict=True)]
    assert found(pooled).p < 0.0001


def test_draws_count_half() -> None:
    """Wins and losses in equal numbers score as draws do, but scatter more."""
    calm = found([(10, Tally(0, 20, 0)), (100, Tally(5, 15, 0))])
    wild = found([(10, Tally(10, 0, 10)), (100, Tally(12, 1, 7))])
    assert calm.slope == pytest.approx(wild.slope) == 0.125
    assert calm.p < 0.05 < wild.p


@pytest.mark.parametrize(
    "levels",
    [
        [],
        [(10, Tally(3, 1, 2))],
        [(10, Tally(4, 0, 0)), (100, Tally(9, 0, 0))],
        [(10, Tally(0, 7, 0)), (100, Tally(0, 3, 0))],
        [(10, Tally(1, 0, 0))],
        [(10, Tally()), (100, Tally(3, 0, 3))],
    ],
)
def test_without_a_second_level_or_a_second_result_there_is_nothing_to_test(levels: list[tuple[int, Tally]]) -> None:
    """No trend is told, rather than one that is certain."""
    assert trend([levels]) is None and trend([]) is None


def test_the_interval_of_a_share_is_wilsons() -> None:
    """Compared with tables for 0 of 10 and 8 of 10."""
    assert wilson(0, 10) == pytest.approx((0, 0, 0.278), abs=5e-4)
    assert wilson(8, 10) == pytest.approx((0.8, 0.490, 0.943), abs=5e-4)
