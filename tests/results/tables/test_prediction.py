"""What a fit says of the next game: against sums over many fields that are drawn from its own posterior."""

import random

import numpy as np
import pytest

from results.ratings import Fit, PairResult, fit
from results.ratings.likelihood import Floats, chances
from results.tables.prediction import predict


def drawn(found: Fit, a: str, b: str) -> tuple[Floats, Floats]:
    """The difference of two and the score on both sides alike, in many fields drawn from the posterior."""
    n, bell = len(found.names), found.posterior.bell
    one, two = found.names.index(a), found.names.index(b)
    fields = np.random.default_rng(1).multivariate_normal(bell.mean, bell.covariance, 40_000)
    ahead, behind = fields[:, one] - fields[:, n + two], fields[:, two] - fields[:, n + one]
    (win, draw, _), (turned, drawn_too, _) = (chances(d, found.posterior.margin) for d in (ahead, -behind))
    return (ahead - behind) / 2, (win + draw / 2 + turned + drawn_too / 2) / 2


def test_the_score_on_both_sides_alike_is_that_of_the_posterior() -> None:
    """Its average, and the averages where the difference has the ends of its interval."""
    games = [PairResult("a", other, 5, 0, 1) for other in "bcd"]
    games += [PairResult(one, two, 2, 1, 3) for one, two in ("ba", "ca", "da", "bc", "cd", "db", "cb")]
    found = fit(games)
    told = predict(found, "a", "b")
    assert told is not None
    difference, score = drawn(found, "a", "b")
    assert told.alike.score == pytest.approx(score.mean(), abs=0.01)
    sigma = told.difference.sigma
    for end, at in ((told.alike.lower, told.difference.lower), (told.alike.upper, told.difference.upper)):
        assert end == pytest.approx(score[abs(difference - at) < 0.1 * sigma].mean(), abs=0.01)
    assert told.as_p1.score > told.alike.score > told.as_p2.score


@pytest.mark.long
def test_an_interval_holds_its_own_score() -> None:
    """Also in odd little fields, where a few results reach far out."""
    chance = random.Random(3)
    lopsided = fit([PairResult("c", "d", 1, 0, 24), PairResult("b", "d", 26, 5, 0)])
    fields = [lopsided]
    for _ in range(25):
        names = "abcdef"[: chance.randint(2, 6)]
        counts = [chance.choice((0, 0, 1, 20)) for _ in range(3)]
        pairs = [chance.sample(names, 2) for _ in range(6)]
        fields.append(fit([PairResult(one, two, *counts) for one, two in pairs], names))
    checked = 0
    for found in fields:
        for a in found.names:
            for b in found.names:
                told = predict(found, a, b) if a != b else None
                for each in () if told is None else (told.as_p1, told.as_p2, told.alike):
                    assert 0 <= each.lower <= each.score <= each.upper <= 1
                    assert each.win + each.draw + each.loss == pytest.approx(1)
                    checked += 1
    assert checked > 300


def test_turned_round_it_is_the_rest() -> None:
    """What one scores as p1, the other lacks as p2; two whom no games connect have no prediction."""
    found = fit([PairResult("a", "b", 9, 4, 2), PairResult("b", "a", 5, 3, 7), PairResult("x", "y", 1, 0, 1)])
    one, two = predict(found, "a", "b"), predict(found, "b", "a")
    assert one is not None and two is not None
    assert one.as_p1.score + two.as_p2.score == pytest.approx(1) == one.as_p1.lower + two.as_p2.upper
    assert one.alike.score + two.alike.score == pytest.approx(1) == one.difference.positive + two.difference.positive
    assert predict(found, "a", "x") is None
    with pytest.raises(KeyError, match="zed"):
        predict(found, "a", "zed")


def test_equals_have_nothing_but_the_side() -> None:
    """Whatever the role of a single engine is."""
    strange = [PairResult("a", name, 95, 0, 5) for name in "bc"] + [PairResult(name, "a", 95, 0, 5) for name in "bc"]
    others = [PairResult(one, two, 500, 0, 500) for one in "bcdefgh" for two in "bcdefgh" if one != two]
    found = fit([*strange, *others])
    assert found.expected("a", "a").score > 0.9 > 0.75 > found.among_equals().score > 0.5
    plain = fit([PairResult("a", "b", 600, 0, 400), PairResult("b", "a", 600, 0, 400)])
    assert plain.among_equals().score == pytest.approx(0.6, abs=0.01)
    assert plain.among_equals().lower < 0.6 < plain.among_equals().upper
