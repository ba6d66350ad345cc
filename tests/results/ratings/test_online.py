"""Skills from games."""

import math

import pytest

from results.ratings import online
from results.ratings.online import OnlineRating, rate
from results.record import Winner
from tests.results.made import result

NINE_DECIDED_AND_A_DRAW = [
    result("alice", "bob", "p1"),
    result("eve", "fred", "draw"),
    *(result(f"x{n}", f"y{n}", "p1") for n in range(8)),
]


def test_a_first_win_gives_the_published_numbers() -> None:
    """With a tenth of draws, as the package documents: 25 +- 8.333 each become 29.396 and 20.604 +- 7.171."""
    found = rate(NINE_DECIDED_AND_A_DRAW)
    assert (found["alice"].mu, found["alice"].sigma) == pytest.approx((29.396, 7.171), abs=0.001)
    assert (found["bob"].mu, found["bob"].sigma) == pytest.approx((20.604, 7.171), abs=0.001)


def test_a_first_draw_gives_the_published_numbers() -> None:
    """With a tenth of draws, as the package documents: both stay at 25, with sigma 6.458."""
    found = rate(NINE_DECIDED_AND_A_DRAW)
    for name in ("eve", "fred"):
        assert (found[name].mu, found[name].sigma) == pytest.approx((25.0, 6.458), abs=0.001)


def test_unfinished_games_are_not_rated() -> None:
    """They neither move a rating nor dilute the share of draws."""
    finished = [result("a", "b", "p1"), result("a", "b", "draw")]
    unfinished = [result("a", "b", None)] * 7
    assert rate(unfinished + finished) == rate(finished)


def test_an_engine_without_games_has_the_prior() -> None:
    """Engines that are listed are there, even in an empty rating list."""
    (rating,) = rate([], ["idle"]).values()
    assert (rating.mu, rating.sigma) == (25.0, 25 / 3)


def test_nothing_but_draws_leaves_engines_equal() -> None:
    """A share of draws of 1 would need an infinite margin: it is taken for a little less."""
    for count in (1, 2, 100):
        found = rate([result("a", "b", "draw")] * count)
        assert found["a"].mu == pytest.approx(25) == found["b"].mu
        assert 0 < found["a"].sigma < 25 / 3


def test_a_draw_brings_two_of_different_strength_together() -> None:
    """The stronger one stays ahead."""
    strong, weak = online._updated(
        online.environment(0.1), OnlineRating(30.0, 5.0), OnlineRating(20.0, 5.0), drawn=True
    )
    assert 20 < weak.mu < strong.mu < 30


@pytest.mark.parametrize("winner", ["p1", "p2", "draw"])
@pytest.mark.parametrize("distance", [-5000.0, -400.0, -230.0, -200.0, 200.0, 230.0, 400.0, 5000.0])
def test_no_surprise_is_too_big(distance: float, winner: Winner) -> None:
    """Where the package gives up, some 38 standard units out, skills still move the right way and certainty grows."""
    env = online.environment(0.1)
    before = (OnlineRating(25 + distance, 1.0), OnlineRating(25.0, 1.0))
    first, second = before if winner != "p2" else before[::-1]
    after = online._updated(env, first, second, drawn=winner == "draw")
    for (mu, sigma), (_, was) in zip(after, (first, second), strict=True):
        assert math.isfinite(mu)
        assert 0 < sigma <= was
    closer = abs(after[0][0] - after[1][0]) < abs(distance)
    foregone = (distance > 0) == (winner == "p1")
    assert closer == (winner == "draw" or not foregone)
