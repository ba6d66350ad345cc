"""Do the intervals hold the truth? The tables of docs/RATINGS.md in small, and how they are written."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.ratings import BEGIN, END, mean, written
from benchmarks.ratings_field import Cell, replicate, round_robin
from benchmarks.ratings_pairing import newcomer, paired
from benchmarks.ratings_speed import sparse, timed
from benchmarks.ratings_truth import nearness
from results.ratings.fit import fit


@pytest.mark.long
@pytest.mark.parametrize("spread", [2.0, 8.0, 20.0])
def test_intervals_hold_the_strength_as_often_as_they_say(spread: float) -> None:
    """Nineteen of twenty times, to the accuracy of 120 fields, wide ones included; the side's as well."""
    found = [replicate(Cell(12, 2_000, spread, 5.0, 0.2), number) for number in range(120)]
    assert 0.92 < mean([one.covered for one in found]) < 0.98
    assert mean([one.side_covered for one in found]) > 0.89


@pytest.mark.long
def test_pairing_by_belief_keeps_the_intervals_and_the_order() -> None:
    """Four fields of 24 engines."""
    found = [paired(number) for number in range(4)]
    assert mean([one.tau for one in found]) > 0.92
    assert mean([one.covered for one in found]) > 0.9


@pytest.mark.long
def test_a_newcomer_is_where_it_will_be() -> None:
    """After 40 games its interval holds its strength, but for one in ten; five tried."""
    assert mean([newcomer(number).truth_within for number in range(5)]) > 0.7


def test_a_fit_is_near_the_posterior_that_it_stands_for() -> None:
    """Ratings and their doubts against sums over drawn skills, advantages and widths; a fit that doubts less is not."""
    cell, rng = Cell(4, 200, 8.0, 5.0, 0.2), np.random.default_rng(2)
    found = fit(round_robin(cell.spread * rng.standard_normal(4), cell, rng))
    near = nearness(found, rng, 20_000)
    assert near.off < 0.05 and 0.95 < near.least <= near.most < 1.1 and near.points > 5_000
    sure = replace(found, covariance=0.5 * found.covariance)
    assert nearness(sure, rng, 20_000).most < 0.8


def test_a_wide_field_is_near_its_posterior_too() -> None:
    """Where the mean lies off the peak by more than half a standard deviation."""
    cell, rng = Cell(12, 2_000, 20.0, 0.0, 0.2), np.random.default_rng([11, 2, 12, 2000, 2000, 0, 20])
    found = fit(round_robin(cell.spread * rng.standard_normal(12), cell, rng))
    near = nearness(found, rng, 20_000)
    assert found.posterior.bell.lean > 0.5 and near.points > 1_000
    assert near.off < 0.3 and 0.84 < near.least <= near.most < 1.1


def test_a_replicate_is_the_same_for_the_same_number() -> None:
    """So the tables can be made again."""
    cell = Cell(6, 300, 8.0, 5.0, 0.2)
    assert replicate(cell, 3) == replicate(cell, 3) != replicate(cell, 4)


def test_tables_go_between_the_markers() -> None:
    """All else on the page stays; a page without markers is refused."""
    assert written(f"a\n{BEGIN}\nold\n{END}\nb", "new") == f"a\n{BEGIN}\n\nnew\n\n{END}\nb"
    with pytest.raises(ValueError, match="lacks the lines"):
        written("a", "new")


def test_a_line_of_the_speed_table_says_what_was_fitted() -> None:
    """So many pairings with the games spread evenly; cold, and again from a fit that is known."""
    cell = Cell(6, 300, 8.0, 5.0, 0.2)
    games = sparse(cell, 20)
    assert [sum(met[2:]) for met in games] == [15] * 20 and len({met[:2] for met in games}) == 20
    cold, again = timed(cell, 20, games, most=2), timed(cell, 20, games, fit(games), most=1)
    assert (cold.field, cold.kind, again.kind) == ("6 | 300 | 20 | 8 | 5 | 20%", "cold", "again")
    assert 0 < cold.seconds < 10 and (cold.runs, again.runs) == (2, 1)
