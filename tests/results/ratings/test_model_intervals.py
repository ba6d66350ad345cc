"""Do the intervals hold the truth? The tables of docs/organisers/RATINGS.md in small, and how they are written."""

import numpy as np
import pytest

from benchmarks.ratings.__main__ import BEGIN, END, written
from benchmarks.ratings.coverage import mean, replicate
from benchmarks.ratings.field import Cell, Schedule, names
from benchmarks.ratings.schedules import field
from benchmarks.ratings.truth import nearness
from results.ratings import fit


@pytest.mark.long
@pytest.mark.parametrize(
    ("engines", "games", "spread", "roles", "schedule", "step"),
    [
        (12, 2_000, 2.0, 4.0, "round robin", 0.0),
        (12, 264, 20.0, 0.0, "round robin", 0.0),
        (20, 1_900, 0.0, 0.0, "chain", 1.0),
        (12, 1_100, 8.0, 4.0, "gauntlet", 0.0),
    ],
)
def test_intervals_hold_the_truth_as_often_as_they_say(
    engines: int, games: int, spread: float, roles: float, schedule: Schedule, step: float
) -> None:
    """Nineteen of twenty times, to the accuracy of 60 fields: ratings, differences and predictions, on any schedule."""
    cell = Cell(engines, games, spread, 2.0, 0.2, roles, schedule, step)
    found = [replicate(cell, number, online=False).published for number in range(60)]
    for figures in ([one.ratings for one in found], [one.differences for one in found]):
        assert 0.91 < mean(figures) < 0.985
    assert mean([one.predictions for one in found]) > 0.91


def test_a_fit_is_near_the_posterior_that_it_stands_for() -> None:
    """Ratings and their standard deviations against sums over drawn strengths, at the widths of the fit."""
    cell = Cell(4, 240, 4.0, 2.0, 0.2)
    games = field(cell, 2)
    near = nearness(games, fit(games.results, names(4)), np.random.default_rng(2), points=20_000)
    assert near.mean < 0.1 and 0.93 < near.least <= near.most < 1.1 and near.points > 3_000


def test_tables_go_between_the_markers() -> None:
    """All else on the page stays; a page without markers is refused."""
    assert written(f"a\n{BEGIN}\nold\n{END}\nb", "new") == f"a\n{BEGIN}\n\nnew\n\n{END}\nb"
    with pytest.raises(ValueError, match="lacks the lines"):
        written("a", "new")
