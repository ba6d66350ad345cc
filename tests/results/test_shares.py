"""Shares in per cent: parts of a whole add up to 100, however they are rounded."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.shares import percent, percents


@pytest.mark.parametrize("digits", [0, 1, 2])
@pytest.mark.parametrize("games", [3, 16, 40, 1000])
def test_the_shares_of_two_sides_add_up_to_100(games: int, digits: int) -> None:
    """Whatever the score; half a point of 1000 is not 0.1 % for one side and 100.0 % for the other."""
    for half_points in range(2 * games + 1):
        both = [percent(points / 2 / games, digits) for points in (half_points, 2 * games - half_points)]
        assert sum(map(Decimal, both)) == 100, f"{half_points} half points of {games} games: {both}"


def test_a_share_has_the_digits_that_are_asked_for() -> None:
    """Also where the last one is 0, so that columns of a table stay in line."""
    assert [percent(0.575), percent(0.425), percent(0.5), percent(1.0, 0)] == ["57.5", "42.5", "50.0", "100"]


def test_three_equal_parts_add_up_to_100() -> None:
    """One of them is shown a tenth larger: the first, since all lost as much."""
    assert percents([1 / 3, 1 / 3, 1 / 3]) == ["33.4", "33.3", "33.3"]
    assert percents([]) == []


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=8).filter(any), st.integers(0, 2))
def test_parts_of_a_whole_add_up_to_100_and_stay_near_their_shares(counts: list[int], digits: int) -> None:
    """No part is off by a whole last digit."""
    shares = [count / sum(counts) for count in counts]
    shown = percents(shares, digits)
    assert sum(map(Decimal, shown)) == 100
    assert all(abs(float(text) - 100 * share) < 1.001 / 10**digits for text, share in zip(shown, shares, strict=True))
