"""Elo without the bias of stopping: its arithmetic against counting, and the estimate on tests of all kinds."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.sprt import SHAPES, qualities, simulate, tilted
from results.ratings.sprt import Model, Sprt, elo
from results.ratings.stopped_estimate import end_below, unbiased_elo

RUNS = 400
"""Of so many estimates three deviations of the share above the truth are 7.5 %, of the intervals that hold it 3.3 %."""


def counted(lower: int, upper: int, up: float, steps: int, at: int) -> float:
    """The same for a walk that goes one up or one down at each step: every way is counted. Half of `at` is below."""
    there, below = {0: 1.0}, 0.0
    for _ in range(steps):
        after: dict[int, float] = {}
        for place, share in there.items():
            for next_, part in ((place + 1, up), (place - 1, 1 - up)):
                if next_ == lower:
                    below += share * part
                elif next_ != upper:
                    after[next_] = after.get(next_, 0.0) + share * part
        there = after
    return below + sum(share * (1.0 if place < at else 0.5 * (place == at)) for place, share in there.items())


@pytest.mark.parametrize("up", [0.46, 0.52])
@pytest.mark.parametrize(("lower", "upper"), [(-30, 30), (-20, 45)])
@pytest.mark.parametrize("steps", [150, pytest.param(3000, marks=pytest.mark.long)])
def test_the_chances_of_a_motion_between_bounds_are_those_of_a_walk_in_small_steps(
    up: float, lower: int, upper: int, steps: int
) -> None:
    """For an end on either bound, and for one between them."""
    for at in (lower, 4, upper):
        found = end_below(lower, upper, 2 * up - 1, 4 * up * (1 - up), steps, at)
        assert found == pytest.approx(counted(lower, upper, up, steps, at), abs=0.005)


def test_a_test_that_stopped_early_is_not_believed_and_one_without_a_decision_is() -> None:
    """H1 after few pairs was luck in part, so the estimate goes back; within the bounds there is little to correct."""
    test = Sprt(0, 40)
    for counts in ((4, 8, 45, 32, 15), (15, 32, 45, 8, 4)):
        plain, found = elo(counts), unbiased_elo(test, counts)
        assert plain is not None and found is not None and test.state(test.llr(counts)) != "running"
        assert 0 < found.value / plain.value < 0.97
        assert found.low < found.value < found.high
    counts = (3, 10, 40, 22, 5)
    plain, found = elo(counts), unbiased_elo(test, counts)
    assert plain is not None and found is not None and test.state(test.llr(counts)) == "running"
    assert tuple(found) == pytest.approx(tuple(plain), abs=3)


COUNTS = st.lists(st.integers(0, 300), min_size=5, max_size=5).filter(lambda counts: sum(map(bool, counts)) > 1)


@settings(max_examples=settings().max_examples // 3)
@given(COUNTS, st.floats(-60, 60), st.floats(5, 100), st.sampled_from(["normalized", "logistic"]))
def test_every_count_has_an_ordered_estimate_which_the_other_engine_sees_reversed(
    counts: list[int], elo0: float, width: float, model: Model
) -> None:
    """No counts break the arithmetic, also of tests that went far beyond a bound."""
    test, reversed_ = (Sprt(low, low + width, model=model) for low in (elo0, -elo0 - width))
    found, other = unbiased_elo(test, counts), unbiased_elo(reversed_, counts[::-1])
    assert found is not None and other is not None
    assert found.low <= found.value <= found.high
    assert not any(map(math.isnan, found))
    if all(map(math.isfinite, (*found, *other))):
        assert (-other.value, -other.high, -other.low) == pytest.approx(tuple(found), abs=2)


def test_no_estimate_is_made_of_results_that_are_all_alike() -> None:
    """As for the plain Elo."""
    assert [unbiased_elo(Sprt(0, 40), counts) for counts in ((0, 0, 0, 9, 0), (0, 0, 0, 0, 0))] == [None, None]


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("model", ["normalized", "logistic"])
@pytest.mark.parametrize("strength", [0.0, 40.0])
def test_of_stopped_tests_half_are_estimated_too_high_and_95_percent_of_the_intervals_are_right(
    model: Model, strength: float
) -> None:
    """At H0 and at H1, where most plain estimates are too far out."""
    test = Sprt(0, 40, model=model)
    shares = tilted(SHAPES["pairs"], model, strength)
    done = simulate(test, shares, RUNS, f"test/{model}/{strength}")
    _, plain, unbiased = qualities(test, shares, done)
    assert unbiased.above == pytest.approx(0.5, abs=0.075)
    assert 0.95 - 0.033 <= unbiased.covered < 1
    assert plain.above > 0.575 if strength else plain.above < 0.425
