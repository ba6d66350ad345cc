"""The sequential probability ratio test against published figures and its own definition."""

import math
from dataclasses import replace
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.ratings.sprt import BadSprt, Model, NoPair, Sprt, elo, half_points, los, nelo, pair_points
from results.record import GameRecord, Winner
from tests.results.made import GAME

# The cases of fastchess's own unit tests: github.com/Disservin/fastchess, app/tests/sprt_test.cpp, at commit 74deac23.
# Its counts are (wins, losses, draws); ours go from the worst result to the best, and its WL and DD are one count.
FASTCHESS: list[tuple[Model, float, float, tuple[int, ...], float]] = [
    ("normalized", 0, 2, (36027, 68692, 36433), 0.92),
    ("normalized", -1.75, 0.25, (10650, 20431, 10871), 2.30),
    ("normalized", 0, 10, (0, 0, 4250), 120.56),
    ("logistic", 0.5, 2.5, (21184, 40708, 21404), -1.57),
    ("logistic", 0, 2, (57030, 106593, 57433), -2.59),
    ("normalized", 0, 2, (365, 16618, 36029 + 200, 16974, 390), 2.25),
    ("normalized", -1.75, 0.25, (127, 4883, 10311 + 401, 5150, 104), 3.01),
    ("normalized", 0, 5, (0, 0, 0, 0, 5550), 111.82),
    ("logistic", 0.5, 2.5, (223, 9863, 20279 + 1000, 10037, 246), -3.07),
    ("logistic", 0, 2, (871, 26175, 55003 + 980, 26678, 821), -4.98),
]
# What fastchess's functions return for few games, and where a result has not been seen; same commit, run by hand.
RUN: list[tuple[Model, float, float, tuple[int, ...], float]] = [
    ("normalized", 0, 10, (30, 40, 45), 0.487099991),
    ("normalized", -5, 0, (100, 0, 110), 0.165650862),
    ("normalized", 0, 5, (0, 20, 5), 0.158793676),
    ("normalized", 0, 2, (0, 3, 5, 2, 0), -0.0118332663),
    ("normalized", 0, 5, (4, 30, 62, 41, 7), 0.357166097),
    ("normalized", -3, 1, (212, 1840, 4021, 1867, 230), 1.7944922),
    ("normalized", 5, 25, (0, 0, 9, 12, 0), 0.817338766),
    ("normalized", 0, 30, (3, 0, 57, 0, 11), 1.70962789),
    ("logistic", 0, 10, (30, 40, 45), 0.589793254),
    ("logistic", -5, 0, (100, 0, 110), 0.165657772),
    ("logistic", 0, 5, (0, 20, 5), 0.357033118),
    ("logistic", 0, 2, (0, 3, 5, 2, 0), -0.0242827818),
    ("logistic", 0, 5, (4, 30, 62, 41, 7), 0.538765292),
    ("logistic", -3, 1, (212, 1840, 4021, 1867, 230), 3.77999747),
    ("logistic", 5, 25, (0, 0, 9, 12, 0), 1.15636483),
    ("logistic", 0, 30, (3, 0, 57, 0, 11), 2.2915052),
]
# app/tests/elo_test.cpp there: counts, Elo with its error, nElo with its error; None where the case leaves one out.
ELO = [
    ((89, 123, 76), None, (-20.76, 40.13)),
    ((96, 111, 136), (40.70, 30.43), (49.77, 36.77)),
    ((356, 0, 34), None, (-508.44, 34.48)),
    ((34, 54, 63, 64, 75), (55.58, 27.65), (57.94, 28.28)),
    ((332, 433, 498, 333, 334), (-8.64, 10.33), (-9.17, 10.96)),
    ((7895, 8757, 5685, 568, 9999), (-21.04, 2.95), (-19.01, 2.65)),
]
KINDS = st.sampled_from([3, 5])
COUNTS = KINDS.flatmap(lambda kinds: st.lists(st.integers(0, 10_000), min_size=kinds, max_size=kinds)).filter(any)


def test_ratios_are_those_of_fastchess() -> None:
    """Its own cases, to the digits that are published, but where the ratio is a hundred."""
    for model, elo0, elo1, counts, published in FASTCHESS:
        assert Sprt(elo0, elo1, model=model).llr(counts) == pytest.approx(published, abs=0.005, rel=3e-4)


def test_few_games_and_unseen_results_count_as_in_fastchess() -> None:
    """What is regularised, and how, matters most at the beginning of a test."""
    for model, elo0, elo1, counts, returned in RUN:
        assert Sprt(elo0, elo1, model=model).llr(counts) == pytest.approx(returned, abs=0.001)


def test_estimates_are_those_of_fastchess() -> None:
    """Elo and normalized Elo, and half the width of their intervals."""
    for counts, published, normalized in ELO:
        for found, expected in ((elo(counts), published), (nelo(counts), normalized)):
            assert found is not None
            if expected is not None:
                assert (found.value, (found.high - found.low) / 2) == pytest.approx(expected, abs=0.006)


def test_the_likelihood_of_superiority_is_that_of_the_interval_of_elo() -> None:
    """Where the lower end of the 95 % interval is 0, Elo is above 0 with 97.5 %; equal scores make 50 %."""
    assert los((3, 10, 40, 10, 3)) == pytest.approx(0.5)
    for counts in ((3, 10, 40, 22, 5), (30, 40, 45), (34, 54, 63, 64, 75), (332, 433, 498, 333, 334)):
        found = nelo(counts)
        assert found is not None
        deviations = found.value / ((found.high - found.low) / 2 / NormalDist().inv_cdf(0.975))
        assert los(counts) == pytest.approx(NormalDist().cdf(deviations), abs=1e-6)
        assert los(counts) == pytest.approx(1 - (los(counts[::-1]) or 0))
    assert los((0, 0, 9, 0, 0)) == 0.5 and los((0, 0, 0, 9, 0)) is None


@given(COUNTS, st.floats(-200, 199), st.floats(0.01, 400), st.sampled_from(["normalized", "logistic"]))
def test_every_count_has_a_ratio_which_the_other_engine_sees_reversed(
    counts: list[int], elo0: float, width: float, model: Model
) -> None:
    """No counts and no bounds break the arithmetic, and nothing depends on which engine is listed first."""
    test = Sprt(elo0, min(elo0 + width, 200), model=model)
    reversed_ = Sprt(-test.elo1, -test.elo0, model=model)
    llr = test.llr(counts)
    assert math.isfinite(llr)
    # Beyond, the test ended long ago, and one more digit would be noise.
    if abs(llr) < 20:
        assert reversed_.llr(counts[::-1]) == pytest.approx(-llr, abs=1e-3)


def test_bounds_and_states() -> None:
    """Wald's bounds; a ratio on a bound decides."""
    test = Sprt(0, 5, alpha=0.05, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    states = [test.state(llr) for llr in (test.lower, test.lower + 1e-9, 0.0, test.upper - 1e-9, test.upper)]
    assert states == ["H0", "running", "running", "running", "H1"]


def test_settings_that_make_no_test_are_refused() -> None:
    """One sentence that names the setting."""
    for settings, sentence in (
        ((5, 5), "elo0 5 is not below elo1 5: H1 is the stronger engine"),
        ((0, 201), "elo1 201 is out of range: it must be from -200 to 200"),
        ((math.nan, 5), "elo0 nan is out of range: it must be from -200 to 200"),
        ((0, 5, 0), "alpha 0 is out of range: it must be between 0 and 1, such as 0.05"),
        ((0, 5, 0.05, 1), "beta 1 is out of range: it must be between 0 and 1, such as 0.05"),
        ((0, 5, 0.5, 0.5), "alpha 0.5 and beta 0.5 together must be below 1, such as 0.05 each"),
    ):
        with pytest.raises(BadSprt) as refused:
            Sprt(**dict(zip(("elo0", "elo1", "alpha", "beta"), settings, strict=False)))  # type: ignore[arg-type]  # floats
        assert str(refused.value) == sentence


def test_no_estimate_is_made_of_results_that_are_all_alike() -> None:
    """An interval of no width would promise what a single pair cannot; a bound beyond all scores is infinite."""
    assert [make(counts) for make in (elo, nelo) for counts in ((0, 0, 3), (0, 0, 0, 9, 0), (0, 0, 0))] == [None] * 6
    found = elo((0, 0, 0, 1, 3))
    assert found is not None
    assert (found.low < found.value, found.high) == (True, math.inf)


def pair(*winners: str | None) -> tuple[GameRecord, GameRecord]:
    """Two games of one opening, both sides: `ann` and `bob` win, or nobody."""
    sides = (("ann", "bob"), ("bob", "ann"))
    games = []
    for number, ((p1, p2), name) in enumerate(zip(sides, winners, strict=True), 1):
        words: dict[str, Winner] = {p1: "p1", p2: "p2", "draw": "draw"}
        winner = None if name is None else words[name]
        games.append(replace(GAME, id=f"5ca1ab1e-{number}", p1=p1, p2=p2, winner=winner))
    return games[0], games[1]


def test_a_pair_is_counted_by_engine_not_by_side() -> None:
    """A side that always wins makes every pair even, whoever sits there."""
    expected = {
        ("ann", "ann"): 4,
        ("ann", "draw"): 3,
        ("draw", "draw"): 2,
        ("ann", "bob"): 2,
        ("draw", "bob"): 1,
        ("bob", "bob"): 0,
    }
    assert {winners: pair_points(*pair(*winners), "ann") for winners in expected} == expected
    assert {winners: 4 - pair_points(*pair(*winners), "bob") for winners in expected} == expected


def test_what_is_no_pair_is_never_counted_as_one() -> None:
    """Another opening, the same sides twice, somebody else, an unfinished game."""
    first, second = pair("ann", "bob")
    for one, two, engine in (
        (first, replace(second, opening=("b2", "a1")), "ann"),
        (first, first, "ann"),
        (first, second, "cyd"),
        (first, replace(second, winner=None), "ann"),
    ):
        with pytest.raises(NoPair, match="5ca1ab1e"):
            pair_points(one, two, engine)
    assert [half_points(game, "ann") for game in pair("ann", "draw")] == [2, 1]
