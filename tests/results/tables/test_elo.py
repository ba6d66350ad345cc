"""Elo points of ratings, and how far games bound them."""

import itertools
import math
from statistics import NormalDist

import pytest

from results.ratings import PairResult, fit
from results.ratings.estimates import Estimate, OneSided, Rating
from results.ratings.scale import NOISE
from results.tables.elo import elo, elo_text


def rating(mean: float, sigma: float = 1.0, one_sided: OneSided | None = None) -> Rating:
    """The rating of an engine."""
    return Rating(mean, sigma, 0.0, 0.0, "ann", 10, one_sided, None, (1, 1), Estimate(0.0, 1.0))


@pytest.mark.parametrize(("score", "points"), [(0.5, 0.0), (0.64, 99.95), (10 / 11, 400.0), (100 / 101, 800.0)])
def test_elo_points_have_the_same_expected_score(score: float, points: float) -> None:
    """As the logistic formula says, both ways round."""
    ahead = NOISE * NormalDist().inv_cdf(score)
    assert elo(ahead) == pytest.approx(points, abs=0.05)
    assert elo(-ahead) == -elo(ahead)


def test_elo_goes_on_where_probabilities_end() -> None:
    """No jump and no error, however far apart."""
    steps = [elo(at) for at in range(200, 260)]
    rises = [b - a for a, b in itertools.pairwise(steps)]
    assert all(0 < b - a < 10 for a, b in itertools.pairwise(rises))
    assert math.isfinite(elo(1e6))


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (rating(2.0), "+95"),
        (rating(-2.0), "-95"),
        (rating(-0.001), "+0"),
        (rating(6.0, 1.0, "at least"), "> +194"),
        (rating(-6.0, 1.0, "at most"), "< -194"),
        (rating(6.0, 4.0, "at least"), "-"),
        (rating(25.0, 10.0), "> +264"),
        (rating(60.0), "> +800"),
        (rating(-60.0), "< -800"),
        (rating(60.0, 2.0, "at least"), "> +800"),
        (rating(-60.0, 2.0, "at most"), "< -800"),
        (rating(0.0, 40.0, "at most"), "-"),
        (rating(0.0, 40.0, "at least"), "-"),
    ],
)
def test_a_rating_that_games_bound_on_one_side_is_a_bound(found: Rating, text: str) -> None:
    """It is the end of the interval towards 0, at most 800. If that end lies beyond 0 there is no bound."""
    assert elo_text(found) == text


def test_who_won_all_has_a_lower_bound_that_more_wins_raise() -> None:
    """From the games to the text."""
    bounds = []
    for count in (5, 50, 5000):
        even = [PairResult("bob", "cyd", 50, 0, 50), PairResult("cyd", "bob", 50, 0, 50)]
        sweep = [PairResult("ann", name, count, 0, 0) for name in ("bob", "cyd")]
        sign, points = elo_text(fit([*even, *sweep, PairResult("bob", "ann", 0, 0, count)])["ann"]).split()
        assert sign == ">"
        bounds.append(int(points))
    assert 0 < bounds[0] < bounds[1] < bounds[2] <= 800
