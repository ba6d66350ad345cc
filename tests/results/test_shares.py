"""Shares in per cent: those of two sides add up to 100, however they are rounded."""

from decimal import Decimal

import pytest

from results.shares import percent


@pytest.mark.parametrize("digits", [0, 1, 2])
@pytest.mark.parametrize("games", [3, 16, 40, 1000])
def test_the_shares_of_two_sides_add_up_to_100(games: int, digits: int) -> None:
    """Whatever the score; half a point of 1000 is not 0.1 % for one side and 100.0 % for the other."""
    for half_points in range(2 * games + 1):
        both = [percent(points / 2 / games, digits) for points in (half_points, 2 * games - half_points)]
        assert sum(map(Decimal, both)) == 100, f"{half_points} half points of {games} games: {both}"
