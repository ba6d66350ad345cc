"""The published ratings: what a fit of all games at once promises."""

import itertools
import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.ratings_field import Cell
from benchmarks.ratings_speed import sparse, strengths
from results.ratings.fit import Estimate, Fit, PairResult, elo, fit

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
    rows = zip([*figures(one), ("side", *one.side)], [*figures(two), ("side", *two.side)], strict=True)
    return all(a[0] == b[0] and math.dist(a[1:], b[1:]) <= within for a, b in rows)


NINE = tuple("abcdefghi")


def same(one: Fit, two: Fit, within: float = 3e-3) -> bool:
    """Do two fits say the same to some thousandths of their doubts?"""
    rows = zip([*figures(one), ("side", *one.side)], [*figures(two), ("side", *two.side)], strict=True)
    return all(a[0] == b[0] and math.dist(a[1:], b[1:]) <= within * a[2] for a, b in rows)


def even(names: Sequence[str], wins: int = 6, losses: int = 4) -> list[PairResult]:
    """A round robin in which the earlier name does better by the same score each time."""
    return [
        PairResult(one, two, wins, 0, losses) if k < j else PairResult(one, two, losses, 0, wins)
        for k, one in enumerate(names)
        for j, two in enumerate(names)
        if k != j
    ]


@settings(max_examples=25)
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


@settings(max_examples=15)
@given(one=some_games, two=some_games)
def test_merged_databases_are_one(one: list[PairResult], two: list[PairResult]) -> None:
    """Which file a game came from does not matter, nor which was read first."""
    assert near(fit([*one, *two], NAMES), fit([*two, *one], NAMES), 1e-9)


@settings(max_examples=15)
@given(games=some_games)
def test_swapped_sides_turn_the_advantage_round(games: list[PairResult]) -> None:
    """Who is called p1 is a name only."""
    swapped = [PairResult(two, one, losses, draws, wins) for one, two, wins, draws, losses in games]
    one, two = fit(games, NAMES), fit(swapped, NAMES)
    assert one.side.mean == pytest.approx(-two.side.mean, abs=1e-6)
    for a, b in zip(figures(one), figures(two), strict=True):
        assert a[1:] == pytest.approx(b[1:], abs=1e-6)


def test_a_fit_from_an_earlier_one_is_the_same() -> None:
    """A start close by saves time only; newcomers may have joined."""
    before = even(NAMES)
    after = [*before, PairResult("ann", "fay", 1, 1, 0)]
    assert same(fit(after, start=fit(before)), fit(after))


def test_one_more_game_of_a_large_field_is_rated_as_if_from_nothing() -> None:
    """Thousands of pairings, another margin and width; a newcomer's game as well."""
    cell = Cell(60, 70_800, 25 / 3, 5.0, 0.2)
    games = sparse(cell, 3_540)
    known = fit(games)
    first, second = (f"e{number:04}" for number in np.argsort(strengths(cell))[30:34:3])
    for more in (PairResult(first, second, 0, 1, 0), PairResult(first, "new", 0, 0, 1)):
        again, anew = fit([*games, more], start=known), fit([*games, more])
        assert same(again, anew)
        assert [rating.name for rating in again.ratings] == [rating.name for rating in anew.ratings]


def test_ratings_are_relative_to_the_field_or_an_anchor() -> None:
    """The means add up to 0; an anchor is 0 without doubt; differences are the same."""
    games = even(NAMES)
    free, held = fit(games), fit(games, anchor="cyd")
    assert sum(rating.mean for rating in free.ratings) == pytest.approx(0, abs=1e-9)
    assert (held["cyd"].mean, held["cyd"].sigma) == pytest.approx((0, 0), abs=1e-6)
    assert held["ann"].mean - held["bob"].mean == pytest.approx(free["ann"].mean - free["bob"].mean, abs=1e-9)
    assert held.difference("ann", "bob") == free.difference("ann", "bob")


def test_who_is_out_of_reach_does_not_move_the_others() -> None:
    """The mean is that of the engines whose scores bound them; where nobody's do, of all."""
    games = even(NAMES)
    found = fit([*games, *(PairResult(name, "low", 20, 0, 0) for name in NAMES)])
    assert found.reference == NAMES
    assert sum(found[name].mean for name in NAMES) == pytest.approx(0, abs=1e-9)
    assert found["ann"].sigma == pytest.approx(fit(games)["ann"].sigma, rel=0.2)
    assert found["low"].sigma > 3 * found["ann"].sigma
    assert fit([PairResult("a", "b", 1, 0, 0)]).reference == ("a", "b")


def test_the_list_is_in_order_and_says_how_sure_that_is() -> None:
    """Best first; the chance to be better than the next agrees with the difference; ranks hold the place."""
    found = fit(even(NAMES, 14, 6))
    means = [rating.mean for rating in found.ratings]
    assert means == sorted(means, reverse=True)
    assert [rating.name for rating in found.ratings] == list(NAMES)
    for place, (one, two) in enumerate(itertools.pairwise(found.ratings), 1):
        ahead = found.difference(one.name, two.name)
        assert one.better_than_next == pytest.approx(0.5 * math.erfc(-ahead.mean / ahead.sigma / math.sqrt(2)))
        assert one.ranks[0] <= place <= one.ranks[1]
    for one in found.ratings:
        others = [found.difference(two.name, one.name) for two in found.ratings if two is not one]
        better, worse = (sum(sign * other.mean > 1.96 * other.sigma for other in others) for sign in (1, -1))
        assert one.ranks == (1 + better, len(NAMES) - worse)
    assert found.ratings[-1].better_than_next is None
    assert found.ratings[0].games == 160


def test_a_side_s_advantage_is_found() -> None:
    """Equal engines, and p1 wins 84 of 100: a standard deviation of the noise."""
    found = fit([PairResult(one, two, 8413, 0, 1587) for one in NAMES for two in NAMES if one != two])
    assert found.side.mean == pytest.approx(25 / 6 * math.sqrt(2), abs=0.02)
    assert abs(found.ratings[0].mean) < 1e-6


def test_draws_set_the_margin() -> None:
    """A fifth of draws between equals; without any the margin is 0."""
    found = fit([PairResult("ann", "bob", 40_000, 20_000, 40_000), PairResult("bob", "ann", 40_000, 20_000, 40_000)])
    assert found.margin.mean == pytest.approx(25 / 6 * math.sqrt(2) * 0.253347, abs=0.001)
    assert found.expected("ann", "bob").draw == pytest.approx(0.2, abs=0.001)
    assert fit(even(NAMES)).margin == Estimate(0.0, 0.0)
    few, many = (fit([PairResult("ann", "bob", 4 * k, 2 * k, 4 * k)]).margin for k in (25, 100))
    assert few.sigma == pytest.approx(2 * many.sigma, rel=0.05) and few.sigma > 0.1


def test_roles_tell_who_is_better_on_which_side() -> None:
    """An engine that wins as p1 and loses as p2, among others that do not care."""
    games = [PairResult(one, two, 50, 0, 50) for one in NAMES[1:] for two in NAMES[1:] if one != two]
    games += [PairResult("ann", two, 84, 0, 16) for two in NAMES[1:]]
    games += [PairResult(two, "ann", 84, 0, 16) for two in NAMES[1:]]
    found = fit(games, roles=True)
    ann, bob = found["ann"].role, found["bob"].role
    assert ann is not None and bob is not None
    assert ann.lower > 0.5 and abs(bob.mean) < 0.5 * ann.mean
    assert found.expected("ann", "bob").score > 0.7 > 0.3 > 1 - found.expected("bob", "ann").score
    assert found.role_width is not None and found.role_width > 3 * found.width
    more = fit([PairResult(one, two, 4 * wins, 0, 4 * losses) for one, two, wins, _, losses in games], roles=True)
    bob, sure = found["bob"].role, more["bob"].role
    assert bob is not None and sure is not None
    assert sure.sigma == pytest.approx(bob.sigma / 2, rel=0.1)  # of four times the games
    assert found.side.mean == pytest.approx(fit(games).side.mean, abs=2 * fit(games).side.sigma)
    assert found.side.sigma < 0.5 * found.covariance[-1, -1] ** 0.5  # told apart from a role that all have
    held = fit(games, roles=True, anchor="ann")
    assert held.side == pytest.approx(found.side) and held["bob"].role == pytest.approx(found["bob"].role)


def test_a_lopsided_score_leaves_open_how_much_better_and_not_whether() -> None:
    """19 to 1: the bell is as wide towards 0 as away from it, and is not asked about that end."""
    found = fit([PairResult("ann", "bob", 10, 0, 0), PairResult("bob", "ann", 1, 0, 9)])
    ahead, behind = found.difference("ann", "bob"), found.difference("bob", "ann")
    assert ahead.mean - 1.96 * ahead.sigma < 0 < ahead.lower < ahead.top < ahead.mean < ahead.upper
    assert behind.upper == -ahead.lower and behind.positive == pytest.approx(1 - ahead.positive)
    assert found.ratings[0].better_than_next == pytest.approx(ahead.positive) and ahead.positive > 0.98
    assert [rating.ranks for rating in found.ratings] == [(1, 1), (2, 2)]
    assert found.expected("ann", "bob").score > 0.9
    plain = fit(even(NAMES, 60, 40)).difference("ann", "bob")
    assert (plain.top, plain.top_sigma) == (plain.mean, plain.sigma)


def test_equals_are_listed_by_name() -> None:
    """However their games are rounded."""
    level = [PairResult(one, two, 3, 1, 3) for one in NINE for two in NINE if one != two]
    assert [rating.name for rating in fit(level[::-1]).ratings] == list(NINE)
    assert [rating.name for rating in fit(level, anchor="e").ratings] == list(NINE)


def test_no_rank_is_said_of_engines_that_nothing_connects() -> None:
    """One of two strong ones may yet be the weakest of all, where the others never met it."""
    apart = [*even(NAMES, 60, 2), *(PairResult(one, two, 60, 0, 60) for one, two in ("xy", "yx"))]
    found = fit(apart)
    n = len(NAMES)
    assert [found[name].ranks for name in (NAMES[0], NAMES[-1])] == [(1, 3), (n, n + 2)]
    assert found["x"].ranks == found["y"].ranks == (1, n + 2)


def test_a_game_against_oneself_is_one_game() -> None:
    """It says something of the sides alone."""
    found = fit([PairResult("ann", "ann", 80, 0, 20), PairResult("ann", "bob", 1, 0, 1)])
    assert (found["ann"].games, found["bob"].games) == (102, 2)
    assert found.side.lower > 0


def test_one_sided_scores_are_flagged() -> None:
    """Who won everything is at least so strong, who lost everything at most, and so for a whole group."""
    found = fit([*even(NAMES), PairResult("top", "ann", 3, 0, 0), PairResult("cyd", "low", 2, 0, 0)])
    flags = {rating.name: rating.one_sided for rating in found.ratings if rating.one_sided}
    assert flags == {"top": "at least", "low": "at most"}
    pair = [PairResult("x", "y", 5, 0, 5), PairResult("x", "ann", 0, 0, 4), PairResult("bob", "y", 4, 0, 0)]
    flags = {rating.name: rating.one_sided for rating in fit([*even(NAMES), *pair]).ratings if rating.one_sided}
    assert flags == {"x": "at most", "y": "at most"}


def test_in_a_ladder_of_foregone_games_the_middle_is_open() -> None:
    """Where no main body exists each is seen against all others; a draw is no foregone game."""
    ladder = [PairResult("a", "b", 5, 0, 0), PairResult("b", "c", 5, 0, 0)]
    assert [rating.one_sided for rating in fit(ladder).ratings] == ["at least", "open", "at most"]
    drawn = [PairResult("a", "b", 5, 1, 0), PairResult("b", "c", 5, 1, 0)]
    assert not any(rating.one_sided for rating in fit(drawn).ratings)
    assert [rating.one_sided for rating in fit(ladder, anchor="b").ratings] == ["at least", None, "at most"]


def test_groups_that_never_met_are_named_and_not_compared() -> None:
    """The larger one is the reference; between the two only the prior speaks."""
    found = fit([*even(NAMES), *even(("x", "y"))], ["idle"])
    assert found.groups == (NAMES, ("x", "y"), ("idle",))
    assert found["idle"].games == 0 and found["idle"].mean == pytest.approx(0, abs=1e-6)
    assert found["idle"].sigma > found.width
    assert found.difference("ann", "x").sigma > found.width > found.difference("ann", "bob").sigma
    following = {one.name: two.name for one, two in itertools.pairwise(found.ratings)}
    group = {name: names for names in found.groups for name in names}
    for one, two in following.items():
        assert (found[one].better_than_next is None) == (group[one] != group[two])


def test_an_expected_score_has_an_interval() -> None:
    """The three chances add up to 1, the score lies in its interval, and turning the board round turns them round."""
    found = fit([PairResult("ann", "bob", 12, 4, 6), PairResult("bob", "ann", 8, 5, 9)])
    said, back = found.expected("ann", "bob"), found.expected("bob", "ann")
    assert said.win + said.draw + said.loss == pytest.approx(1)
    assert said.score == pytest.approx(said.win + said.draw / 2)
    assert 0 < said.lower < said.score < said.upper < 1
    assert said.score > 1 - back.score or found.side.mean < 0


@pytest.mark.parametrize(("score", "points"), [(0.5, 0.0), (0.64, 99.95), (10 / 11, 400.0), (100 / 101, 800.0)])
def test_elo_points_have_the_same_expected_score(score: float, points: float) -> None:
    """As the logistic formula says, both ways round."""
    from statistics import NormalDist

    ahead = 25 / 6 * math.sqrt(2) * NormalDist().inv_cdf(score)
    assert elo(ahead) == pytest.approx(points, abs=0.05)
    assert elo(-ahead) == -elo(ahead)


def test_elo_goes_on_where_probabilities_end() -> None:
    """No jump and no error, however far apart."""
    steps = [elo(at) for at in range(200, 260)]
    rises = [b - a for a, b in itertools.pairwise(steps)]
    assert all(0 < b - a < 10 for a, b in itertools.pairwise(rises))
    assert math.isfinite(elo(1e6))


def test_the_conservative_rating_is_on_trueskill_s_scale() -> None:
    """25 is the field's mean."""
    rating = fit(even(NAMES)).ratings[0]
    assert rating.conservative == pytest.approx(25 + rating.mean - 3 * rating.sigma)
    assert (rating.lower + rating.upper) / 2 == pytest.approx(rating.mean)


def test_bad_input_is_refused_in_a_sentence() -> None:
    """Counts below 0, nobody at all, an anchor who does not play."""
    with pytest.raises(ValueError, match="ann against bob: -1 wins"):
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


@pytest.mark.parametrize("count", [1, 1000, 1_000_000, 10_000_000])
def test_any_number_of_foregone_games_has_a_rating(count: int) -> None:
    """More wins say more, and never infinity."""
    found = fit([PairResult("ann", "bob", count, 0, 0), PairResult("bob", "ann", 0, 0, count)])
    assert 0 < found["ann"].mean < 200
    assert math.isfinite(found["ann"].sigma) and found["ann"].one_sided == "at least"


def test_nothing_but_draws_has_a_rating_too() -> None:
    """All are equal."""
    found = fit([PairResult("ann", "bob", 0, 500, 0), PairResult("bob", "ann", 0, 500, 0)])
    assert [rating.mean for rating in found.ratings] == pytest.approx([0, 0], abs=1e-6)
    assert found.margin.mean > 5


def test_one_surprise_among_thousands_of_foregone_games_has_ratings() -> None:
    """Its pairing leans far from where it stood: a fit that starts there comes to nearly the same."""
    games = [
        PairResult("ann", "bob", 0, 0, 3333),
        PairResult("bob", "cyd", 0, 0, 3333),
        PairResult("ann", "cyd", 0, 0, 3333),
    ]
    games += [PairResult("bob", "ann", 3334, 0, 0), PairResult("cyd", "ann", 3334, 0, 0)]
    surprise = [*games, PairResult("ann", "bob", 1, 0, 0)]
    assert same(fit(surprise, start=fit(games)), fit(surprise), within=0.1)


def test_every_beginning_has_ratings() -> None:
    """From no game on, one after the other, whatever the results: finite numbers, widths within reason."""
    chance = random.Random(3)
    games: list[PairResult] = []
    found = fit(games, NAMES)
    assert all(rating.mean == 0 and rating.one_sided is None for rating in found.ratings)
    for _ in range(60):
        one, two = chance.sample(NAMES, 2)
        games.append(PairResult(one, two, *chance.choice([(1, 0, 0), (0, 0, 1), (0, 1, 0)])))
        found = fit(games, NAMES, start=found)
        assert all(math.isfinite(rating.mean) and 0 < rating.sigma < 200 for rating in found.ratings)
        assert 0.05 < found.width < 500
    assert same(found, fit(games, NAMES))


def test_the_doubt_of_the_width_widens_open_ends() -> None:
    """How far off an engine is that lost every game depends on how wide fields are, and that is hardly known."""
    found = fit([*even(NAMES), *(PairResult(name, "low", 20, 0, 0) for name in NAMES)])
    low = found.names.index("low")
    told = found.posterior.bell.covariance[low, low] ** 0.5
    assert found.covariance[low, low] ** 0.5 > 1.1 * told


def test_the_doubt_of_a_width_is_in_every_rating_and_role() -> None:
    """Also where nothing leans: the ends of a field move with its width, and so do roles with theirs."""
    found = fit(even(NAMES, 14, 6))
    ann, bell = found.names.index("ann"), found.posterior.bell
    assert bell.lean < 0.2
    assert found.covariance[ann, ann] > 1.001 * bell.covariance[ann, ann]
    games = [PairResult("ann", two, 17, 0, 3) for two in NAMES[1:]] + [
        PairResult(two, "ann", 17, 0, 3) for two in NAMES[1:]
    ]
    cast = fit(games, roles=True)
    role = len(NAMES) + ann
    assert cast.covariance[role, role] > 1.0001 * cast.posterior.bell.covariance[role, role]
