"""What a fit says of the next game: against sums over its own bell, sides and roles in."""

import random

import numpy as np
import pytest

from results.ratings.fit import Fit, PairResult, fit
from results.ratings.normal import Floats
from results.ratings.prediction import among_equals, predict


def drawn(found: Fit, a: str, b: str) -> tuple[Floats, Floats]:
    """The difference of two and the score on both sides alike, in many fields drawn from the bell."""
    n = len(found.names)
    one, two = found.names.index(a), found.names.index(b)
    skills = np.random.default_rng(1).multivariate_normal(found.unknowns, found.covariance, 100_000)
    difference, side = skills[:, one] - skills[:, two], skills[:, -1]
    if found.role_width is not None:
        side = side + skills[:, n + one] + skills[:, n + two]
    scores = np.vectorize(found.score)
    return difference, (scores(difference + side) + scores(difference - side)) / 2


@pytest.mark.parametrize("roles", [False, True])
def test_the_score_on_both_sides_alike_is_that_of_the_bell(roles: bool) -> None:
    """Its average, and the averages where the difference has the ends of its interval."""
    games = [PairResult("a", other, 5, 0, 1) for other in "bcd"]
    games += [PairResult(one, two, 2, 1, 3) for one, two in ("ba", "ca", "da", "bc", "cd", "db", "cb")]
    found = fit(games, roles=roles)
    told = predict(found, "a", "b")
    assert told is not None
    difference, score = drawn(found, "a", "b")
    assert told.alike.score == pytest.approx(score.mean(), abs=0.003)
    sigma = told.difference.sigma
    for end, at in ((told.alike.lower, told.difference.lower), (told.alike.upper, told.difference.upper)):
        assert end == pytest.approx(score[abs(difference - at) < 0.1 * sigma].mean(), abs=0.005)
    assert told.as_p1.score > told.alike.score > told.as_p2.score


def test_an_interval_holds_its_own_score() -> None:
    """Also in odd little fields, where the average is drawn below all that is likely by what is not."""
    chance = random.Random(3)
    lopsided = fit([PairResult("c", "d", 1, 0, 24), PairResult("b", "d", 26, 5, 0)])
    fields = [lopsided]
    for _ in range(60):
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
                    checked += 1
    assert checked > 500


def test_equals_have_nothing_but_the_side() -> None:
    """Whatever the first engine's role is."""
    strange = [PairResult("a", name, 95, 0, 5) for name in "bc"] + [PairResult(name, "a", 95, 0, 5) for name in "bc"]
    others = [PairResult(one, two, 500, 0, 500) for one in "bcdefgh" for two in "bcdefgh" if one != two]
    found = fit([*strange, *others], roles=True)
    assert found.expected("a", "a").score > 0.9 > 0.7 > among_equals(found).score > 0.5
    plain = fit([PairResult("a", "b", 60, 0, 40), PairResult("b", "a", 60, 0, 40)])
    assert among_equals(plain) == plain.expected("a", "a")
    assert among_equals(plain).score == pytest.approx(0.6, abs=0.01)
