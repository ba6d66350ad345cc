"""Ratings at checkpoints along the schedule's order."""

import random

import pytest

from results.plots.history import history
from results.published import published
from results.record import Winner
from tests.results.made import GAME, result


def games(names: str, count: int, seed: int = 1) -> list[tuple[str, str, Winner]]:
    """So many games of random pairs, of whom the one earlier in the list wins three of four."""
    chance = random.Random(seed)
    found: list[tuple[str, str, Winner]] = []
    for _ in range(count):
        one, two = chance.sample(names.split(), 2)
        better: Winner = "p1" if one < two else "p2"
        worse: Winner = "p2" if one < two else "p1"
        found.append((one, two, better if chance.random() < 0.75 else worse))
    return found


def test_the_last_checkpoint_has_the_published_ratings() -> None:
    """Mean and interval, to the last digit, whatever was fitted on the way."""
    played = [result(*game) for game in games("ann bob cyd", 60)]
    last = history(played, 60, 6)[-1]
    fit = published(played)
    assert fit is not None and last.games == 60
    for rating in fit.ratings:
        drawn = last.ratings[rating.name]
        assert (drawn.mean, drawn.sigma) == pytest.approx((rating.mean, rating.sigma), abs=1e-9)
        assert (drawn.lower, drawn.upper) == pytest.approx((rating.lower, rating.upper), abs=1e-9)


def test_a_weak_newcomer_does_not_lift_the_others() -> None:
    """The level of a curve is that of the end, though the field's mean falls when somebody weak joins."""
    old = [result(*game) for game in games("ann bob cyd", 300)]
    new = [result(name, "zed", "p1") for name in ("ann", "bob", "cyd") for _ in range(12)]
    new += [result("zed", "cyd", "p1")]
    before, after = history([*old, *new], len(old) + len(new), 2)[0], history([*old, *new], len(old) + len(new), 1)[0]
    assert "zed" not in before.ratings and after.ratings["zed"].mean < -5
    for name in ("ann", "bob", "cyd"):
        assert before.ratings[name].mean == pytest.approx(after.ratings[name].mean, abs=1.5)


def test_only_those_are_followed_who_can_be_compared() -> None:
    """Two who played first and never met the others have no curve; those others have one from their first game on."""
    first = [result(*game) for game in games("xen yve", 30)]
    then = [result(*game) for game in games("ann bob cyd", 60)]
    found = history([*first, *then], 90, 3)
    assert [checkpoint.games for checkpoint in found] == [60, 90]
    assert all(set(checkpoint.ratings) == {"ann", "bob", "cyd"} for checkpoint in found)
    alone = history(then, 60, 1)
    assert found[-1].ratings["ann"].mean == pytest.approx(alone[-1].ratings["ann"].mean, abs=0.1)


def test_games_without_a_result_and_repeated_games_change_nothing() -> None:
    """A stopped game is no game; of identical ones the first counts, as in the published ratings."""
    one = history([GAME], 1)[-1]
    again = history([GAME, result("ann", "bob", None), GAME, GAME], 3)[-1]
    assert again.games == 3
    assert again.ratings["ann"] == one.ratings["ann"]
