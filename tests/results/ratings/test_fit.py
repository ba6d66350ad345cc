"""The published ratings: what a fit of all games at once promises."""

import itertools
import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from results.ratings import Fit, PairResult, fit
from results.ratings.estimates import Lead

NAMES = ("ann", "bob", "cyd", "dan", "eve")
pairs = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda pair: pair[0] != pair[1])
some_games = st.lists(
    st.builds(
        lambda pair, wins, draws, losses: PairResult(pair[0], pair[1], wins, draws, losses),
        pairs,
        st.integers(0, 9),
        st.integers(0, 3),
        st.integers(0, 9),
    ),
    max_size=12,
)


def figures(found: Fit) -> list[tuple[str, float, float]]:
    """All that is said of skills, by name."""
    return sorted((rating.name, rating.mean, rating.sigma) for rating in found.ratings)


def near(one: Fit, two: Fit, within: float) -> bool:
    """Do two fits say the same?"""
    sides = [[("side", found.side.mean, found.side.sigma)] for found in (one, two)]
    rows = zip(figures(one) + sides[0], figures(two) + sides[1], strict=True)
    return all(a[0] == b[0] and math.dist(a[1:], b[1:]) <= within for a, b in rows)


def plainly_ahead(lead: Lead) -> float:
    """The probability that one is ahead if nothing is known of the field."""
    return 0.5 * math.erfc(-lead.mean / lead.sigma / math.sqrt(2))


def even(names: Sequence[str], wins: int = 6, losses: int = 4) -> list[PairResult]:
    """A round robin in which the earlier name does better by the same score each time."""
    return [
        PairResult(one, two, wins, 0, losses) if k < j else PairResult(one, two, losses, 0, wins)
        for k, one in enumerate(names)
        for j, two in enumerate(names)
        if k != j
    ]


@settings(max_examples=settings().max_examples // 3)
@given(games=some_games, seed=st.integers(0, 99))
@example(games=[PairResult("ann", "bob", 9, 0, 0), PairResult("ann", "bob", 0, 1, 0)], seed=1)
def test_the_order_of_the_games_changes_nothing(games: list[PairResult], seed: int) -> None:
    """Shuffled, played one by one, or counted in another place first: the ratings are the same to 1e-9."""
    chance = random.Random(seed)
    single = [
        PairResult(met.p1, met.p2, *result)
        for met in games
        for result, count in zip(((1, 0, 0), (0, 1, 0), (0, 0, 1)), met[2:], strict=True)
        for _ in range(count)
    ]
    chance.shuffle(single)
    assert near(fit(games, NAMES), fit(single, reversed(NAMES)), 1e-9)


def test_ratings_are_relative_to_the_field_or_an_anchor() -> None:
    """The means add up to 0; an anchor is 0 without doubt; differences are the same."""
    games = even(NAMES)
    free, held = fit(games), fit(games, anchor="cyd")
    assert sum(rating.mean for rating in free.ratings) == pytest.approx(0, abs=1e-9)
    assert (held["cyd"].mean, held["cyd"].sigma) == pytest.approx((0, 0), abs=1e-6)
    assert held["ann"].mean - held["bob"].mean == pytest.approx(free["ann"].mean - free["bob"].mean, abs=1e-9)
    assert held.difference("ann", "bob") == free.difference("ann", "bob")


def test_who_is_out_of_reach_does_not_move_the_others() -> None:
    """The mean is that of the engines whose scores bound them; if these are less than half, of all."""
    games = even(NAMES)
    found = fit([*games, *(PairResult(name, "low", 20, 0, 0) for name in NAMES)])
    assert found.reference == NAMES
    assert sum(found[name].mean for name in NAMES) == pytest.approx(0, abs=1e-9)
    assert found["ann"].sigma == pytest.approx(fit(games)["ann"].sigma, rel=0.2)
    assert found["low"].sigma > 3 * found["ann"].sigma
    assert fit([PairResult("a", "b", 1, 0, 0)]).reference == ("a", "b")


def test_the_list_is_in_order_and_says_how_sure_that_is() -> None:
    """Best first; the chance to be better than the next is that of the difference; ranks hold the place."""
    found = fit(even(NAMES, 14, 6))
    means = [rating.mean for rating in found.ratings]
    assert means == sorted(means, reverse=True)
    assert [rating.name for rating in found.ratings] == list(NAMES)
    for place, (one, two) in enumerate(itertools.pairwise(found.ratings), 1):
        ahead = found.difference(one.name, two.name)
        assert one.better_than_next == pytest.approx(ahead.positive)
        assert ahead.positive == pytest.approx(plainly_ahead(ahead), abs=0.01)  # skills lie far apart in this field
        assert one.ranks[0] <= place <= one.ranks[1]
    for one in found.ratings:
        others = [found.difference(two.name, one.name) for two in found.ratings if two is not one]
        better, worse = sum(other.lower > 0 for other in others), sum(other.upper < 0 for other in others)
        assert one.ranks == (1 + better, len(NAMES) - worse)
    assert found.ratings[-1].better_than_next is None
    assert found.ratings[0].games == 160


def test_a_side_s_advantage_is_found() -> None:
    """Equal engines, and p1 wins 84 of 100: a standard deviation of the noise."""
    found = fit([PairResult(one, two, 8413, 0, 1587) for one in NAMES for two in NAMES if one != two])
    assert found.side.mean == pytest.approx(25 / 6 * math.sqrt(2), abs=0.02)
    assert abs(found.ratings[0].mean) < 1e-6


def test_draws_set_the_margin() -> None:
    """A fifth of draws between equals is foretold of them; without any draw none is."""
    found = fit([PairResult("ann", "bob", 40_000, 20_000, 40_000), PairResult("bob", "ann", 40_000, 20_000, 40_000)])
    assert found.expected("ann", "bob").draw == pytest.approx(0.2, abs=0.001)
    apart = fit([PairResult("ann", "bob", 90_000, 5_000, 5_000), PairResult("bob", "ann", 5_000, 5_000, 90_000)])
    assert apart.expected("ann", "bob").draw == pytest.approx(0.05, abs=0.001)
    assert fit(even(NAMES)).expected("ann", "bob").draw == pytest.approx(0, abs=1e-12)


def test_roles_tell_who_is_better_on_which_side() -> None:
    """Every fit has them. An engine wins as p1 and loses as p2, among others that do not care."""
    games = [PairResult(one, two, 50, 0, 50) for one in NAMES[1:] for two in NAMES[1:] if one != two]
    games += [PairResult("ann", two, 84, 0, 16) for two in NAMES[1:]]
    games += [PairResult(two, "ann", 84, 0, 16) for two in NAMES[1:]]
    found = fit(games)
    ann, bob = found["ann"].role, found["bob"].role
    assert ann.lower > 2 and bob.upper < 0
    assert sum(rating.role.mean for rating in found.ratings) == pytest.approx(0, abs=1e-6)
    for p1, p2 in (("ann", "bob"), ("bob", "ann")):
        assert found.expected(p1, p2).lower < 0.84 < found.expected(p1, p2).upper
    assert found.expected("bob", "cyd").lower < 0.5 < found.expected("bob", "cyd").upper
    more = fit([PairResult(one, two, 4 * wins, 0, 4 * losses) for one, two, wins, _, losses in games])
    assert more["bob"].role.sigma == pytest.approx(bob.sigma / 2, rel=0.1)  # of four times the games
    held = fit(games, anchor="ann")
    assert (held.side, held["bob"].role) == (found.side, bob)


def test_no_rank_is_said_of_engines_that_nothing_connects() -> None:
    """Each group has its own places, the larger group first."""
    apart = [*even(NAMES, 60, 2), *(PairResult(one, two, 60, 0, 60) for one, two in ("xy", "yx"))]
    found = fit(apart)
    n = len(NAMES)
    assert [found[name].ranks for name in (NAMES[0], NAMES[-1])] == [(1, 1), (n, n)]
    assert found["x"].ranks == found["y"].ranks == (n + 1, n + 2)


def test_groups_that_never_met_are_named_and_not_compared() -> None:
    """Each is rated relative to its own mean; how far apart two are is not known."""
    found = fit([*even(NAMES), *even(("x", "y"))], ["idle"])
    assert found.groups == [NAMES, ("x", "y"), ("idle",)]
    assert (found["idle"].games, found["idle"].mean, found["idle"].sigma) == (0, 0.0, 0.0)
    assert found["x"].mean == pytest.approx(-found["y"].mean) and found["x"].sigma < 10
    assert found.difference("ann", "x").sigma > 100 > 10 > found.difference("ann", "bob").sigma
    group = {name: names for names in found.groups for name in names}
    for one, two in itertools.pairwise(found.ratings):
        assert (one.better_than_next is None) == (group[one.name] != group[two.name])
    alone = fit(even(NAMES))
    assert all(found[name].mean == pytest.approx(alone[name].mean, abs=0.2) for name in NAMES)


def test_an_expected_score_has_an_interval() -> None:
    """The three chances add up to 1, the score lies in its interval, and turning the board round turns them round."""
    found = fit([PairResult("ann", "bob", 12, 4, 6), PairResult("bob", "ann", 8, 5, 9)])
    said, back = found.expected("ann", "bob"), found.expected("bob", "ann")
    assert said.win + said.draw + said.loss == pytest.approx(1)
    assert said.score == pytest.approx(said.win + said.draw / 2)
    assert 0 < said.lower < said.score < said.upper < 1
    assert said.score > 1 - back.score or found.side.mean < 0


def test_bad_input_is_refused_in_a_sentence() -> None:
    """Counts below 0, too many games, nobody at all, an anchor who does not play."""
    with pytest.raises(ValueError, match="ann against bob: a count of games is below 0"):
        fit([PairResult("ann", "bob", -1, 0, 0)])
    with pytest.raises(ValueError, match="bob against ann: more than 10000000 games of one result"):
        fit([PairResult("ann", "bob", 1, 0, 0), *[PairResult("bob", "ann", 6_000_000, 0, 0)] * 2])
    with pytest.raises(ValueError, match="no engines to rate"):
        fit([])
    with pytest.raises(ValueError, match="no engine of the field is called 'zed'"):
        fit(even(NAMES), anchor="zed")
    with pytest.raises(KeyError, match="zed"):
        fit(even(NAMES)).difference("ann", "zed")
    with pytest.raises(KeyError, match="no engine of the field is called 'zed'"):
        fit(even(NAMES))["zed"]
