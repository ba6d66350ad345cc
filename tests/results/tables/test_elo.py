"""Elo points of ratings, and how far games bound them."""

import itertools
import math
from statistics import NormalDist

import pytest

from results.ratings import PairResult, fit
from results.ratings.estimates import Estimate, OneSided, Rating
from results.ratings.scale import NOISE
from results.tables.elo import MOST, elo, elo_estimate, error_text, points_text, with_error


def rating(mean: float, sigma: float = 1.0, one_sided: OneSided | None = None) -> Rating:
    """The rating of an engine."""
    return Rating(mean, sigma, 0.0, 0.0, "ann", 10, one_sided, None, (1, 1), Estimate(0.0, 1.0))


def test_elo_points_have_the_same_expected_score() -> None:
    """As the logistic formula says, both ways round."""
    for score, points in ((0.5, 0.0), (0.64, 99.95), (10 / 11, 400.0), (100 / 101, 800.0)):
        ahead = NOISE * NormalDist().inv_cdf(score)
        assert elo(ahead) == pytest.approx(points, abs=0.05)
        assert elo(-ahead) == -elo(ahead)


def test_elo_goes_on_where_probabilities_end() -> None:
    """No jump and no error, however far apart."""
    steps = [elo(at) for at in range(200, 260)]
    rises = [b - a for a, b in itertools.pairwise(steps)]
    assert all(0 < b - a < 10 for a, b in itertools.pairwise(rises))
    assert math.isfinite(elo(1e6))


def test_a_rating_that_games_bound_on_one_side_has_the_error_that_they_tell() -> None:
    """The other end is open, and no figure is farther than a score of 99.9 %."""
    for sign in (1, -1):
        open_end: OneSided = "at least" if sign > 0 else "at most"
        found = elo_estimate(rating(sign * 6.0), open_end)
        assert points_text(found) == f"{sign * 296:+d}" and error_text(found) == "101"
        assert (found.high if sign > 0 else found.low) == sign * math.inf
        far = elo_estimate(rating(sign * 60.0), None)
        assert far.value == sign * MOST and with_error(far) == f"{sign * MOST:+.0f} +- 0"


def test_the_error_is_half_of_the_interval_or_both_halves_if_they_differ() -> None:
    """Elo of a far rating reach farther away from 0 than towards it. Small errors have a decimal."""
    for found, text in (
        (rating(0.0), "+0 +- 93"),
        (rating(0.1, 0.1), "+4.7 +- 9.2"),
        (rating(2.0), "+95 +- 96"),
        (rating(8.1, 2.03), "+414 -215+261"),
        (rating(-8.1, 2.03), "-414 -261+215"),
        (rating(0.0, 0.0), "+0 +- 0"),
        (rating(6.0, 1.0, "at least"), "+296 +- 101"),
    ):
        assert with_error(elo_estimate(found, found.one_sided)) == text


def test_who_won_all_has_a_lower_bound_that_more_wins_raise() -> None:
    """From the games to the text."""
    bounds = []
    for count in (5, 50, 5000):
        even = [PairResult("bob", "cyd", 50, 0, 50), PairResult("cyd", "bob", 50, 0, 50)]
        sweep = [PairResult("ann", name, count, 0, 0) for name in ("bob", "cyd")]
        found = fit([*even, *sweep, PairResult("bob", "ann", 0, 0, count)])
        bounds.append(elo_estimate(found["ann"], found["ann"].one_sided).low)
    assert 0 < bounds[0] < bounds[1] < bounds[2] <= MOST
