"""Do the intervals hold the truth? `python -m benchmarks.coverage` in small."""

import pytest

from benchmarks.coverage import Cell, Schedule, mean, replicate


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
    found = [replicate(cell, number).covered for number in range(60)]
    for figures in ([one.ratings for one in found], [one.differences for one in found]):
        assert 0.91 < mean(figures) < 0.985
    assert mean([one.predictions for one in found]) > 0.91
