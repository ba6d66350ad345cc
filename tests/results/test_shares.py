"""Shares in per cent: those of two sides add up to 100, however they are rounded."""

import itertools
from decimal import Decimal

from results.tally import percent


def test_the_shares_of_two_sides_add_up_to_100() -> None:
    """Whatever the score; half a point of 1000 is not 0.1 % for one side and 100.0 % for the other."""
    scores = [(games, half_points) for games in (3, 16, 1000) for half_points in range(2 * games + 1)]
    for digits, (games, half_points) in itertools.product((0, 1, 2), scores):
        both = [percent(points / 2 / games, digits) for points in (half_points, 2 * games - half_points)]
        assert sum(map(Decimal, both)) == 100, f"{half_points} half points of {games} games: {both}"
