"""The line of a running test."""

from arena.planning.sprt_summary import ENOUGH_PAIRS, games_to_go, status
from arena.run.sprt import SprtSource
from results.ratings.sprt import Sprt
from tests.arena.run.test_sprt import Trial, played

PAIRS = {0: ("bob", "bob"), 1: ("bob", "draw"), 2: ("ann", "bob"), 3: ("ann", "draw"), 4: ("ann", "ann")}
"""Who wins both games of a pair that gives ann so many half points."""


def after(counts: tuple[int, ...], games: int = 2000) -> SprtSource:
    """A test of at most so many games after these pairs, which are mixed as well as they can be."""
    test = Trial(games, test=Sprt(0, 40))
    order = sorted((turn / count, points) for points, count in enumerate(counts) for turn in range(1, count + 1))
    for _, points in order:
        for winner in PAIRS[points]:
            job = test.give()
            assert job is not None
            test.record(played(job, winner))
    assert test.standing.pairs == counts
    return test.test


def line_of(test: SprtSource) -> str:
    """All figures in one line, as a log has them."""
    return " | ".join(part for line in status(test) for part in line)


def test_all_figures_are_told() -> None:
    """The ratio and its bounds, the pairs, the strength, how sure it is above 0, and what was played and is to come."""
    assert line_of(after((1, 5, 20, 11, 4))) == (
        "LLR 1.55 (-2.94, 2.94) | Ptnml(0-2) 1 5 20 11 4 | Elo +51.2 +- 48.7 | LOS 98.2 % | 82 games | about 74 to go"
    )


def test_while_all_results_are_alike_no_strength_is_told() -> None:
    """Nobody knows how much results vary. If all pairs are even, so are the engines as far as anybody knows."""
    assert line_of(after((0, 0, 0, 3, 0))).endswith("| Ptnml(0-2) 0 0 0 3 0 | 6 games")
    assert line_of(after((0, 0, 3, 0, 0))).endswith("| Elo +0.0 +- 186.2 | LOS 50.0 % | 6 games")


def test_games_to_go_are_those_to_the_bound_that_the_ratio_goes_to() -> None:
    """A third of the way after n games leaves twice as many, up or down; two digits are told."""
    for counts in ((1, 5, 20, 11, 4), (4, 9, 24, 8, 2)):
        test = after(counts)
        found, standing = games_to_go(test), test.standing
        bound = test.test.upper if standing.llr > 0 else test.test.lower
        assert found is not None
        exactly = 2 * standing.played * (bound / standing.llr - 1)
        assert exactly <= found <= 1.1 * exactly + 1
        assert len(str(found).rstrip("0")) <= 2
        assert line_of(test).endswith(f" | about {found} to go")


def test_games_to_go_are_never_more_than_are_left() -> None:
    """And none are told where none are left."""
    counts = (1, 5, 20, 11, 4)
    there = games_to_go(after(counts))
    assert there is not None and there > 10
    assert games_to_go(after(counts, 2 * sum(counts) + 10)) == 10
    assert games_to_go(after(counts, 2 * sum(counts))) is None


def test_nobody_guesses_games_to_go_from_few_pairs_or_a_ratio_near_0() -> None:
    """Both would give absurd figures."""
    few = after((0, 1, 4, 5, 3))
    assert few.standing.played < ENOUGH_PAIRS and few.standing.llr > 0.2 * few.test.upper
    assert games_to_go(few) is None
    level = after((3, 7, 10, 11, 3))
    assert abs(level.standing.llr) < 0.2 * level.test.upper
    assert games_to_go(level) is None


def test_a_decided_test_says_what_was_accepted_and_of_nothing_to_go() -> None:
    """In the same place."""
    test = Trial()
    test.play(lambda job: "ann" if job.number % 3 else "bob")
    assert test.standing.state == "H1"
    assert line_of(test.test).endswith(" games | H1 accepted")
