"""The cells of the table. All values of two factors occur together in some cell: `missing_pairs` checks that."""

import itertools
from collections.abc import Hashable, Sequence

from benchmarks.ratings.field import Cell, Schedule

SIDE, DRAWS = 2.0, 0.2

_SHAPES: list[tuple[int, int, float, Schedule, float, int]] = [
    # engines, games, spread, schedule, step, leagues
    (10, 900, 0.0, "chain", 1.0, 1),
    (20, 1_900, 0.0, "chain", 1.0, 1),
    (40, 3_900, 0.0, "chain", 1.0, 1),
    (100, 3_960, 0.0, "chain", 3.0, 1),
    (30, 3_360, 0.0, "last three", 1.0, 1),
    (24, 1_760, 3.0, "leagues", 8.0, 3),
    (30, 1_660, 3.0, "leagues", 8.0, 5),
    (12, 1_100, 8.0, "gauntlet", 0.0, 1),
    (16, 1_440, 4.0, "Swiss", 0.0, 1),
    (16, 800, 8.0, "ladder", 0.0, 1),
]
SCHEDULES = [
    Cell(engines, games, spread, SIDE, DRAWS, roles, schedule, step, leagues)
    for engines, games, spread, schedule, step, leagues in _SHAPES
    for roles in (0.0, 4.0)
]
"""Every schedule without roles and with large ones."""

ROUND_ROBINS = [
    Cell(12, 2_000, 0.5, 5.0, 0.0, 1.0),
    Cell(12, 2_000, 2.0, 0.0, 0.2, 1.0),
    Cell(12, 264, 8.0, 0.0, 0.2, 4.0),
    Cell(12, 264, 20.0, 5.0, 0.2, 0.0),
    Cell(24, 4_000, 0.5, 0.0, 0.2, 4.0),
    Cell(24, 4_000, 2.0, 5.0, 0.2, 0.0),
    Cell(24, 2_000, 8.0, 5.0, 0.0, 1.0),
    Cell(24, 4_000, 20.0, 0.0, 0.2, 4.0),
    Cell(60, 20_000, 0.5, 0.0, 0.0, 0.0),
    Cell(60, 20_000, 2.0, 5.0, 0.0, 4.0),
    Cell(60, 20_000, 8.0, 5.0, 0.2, 0.0),
    Cell(60, 20_000, 20.0, 0.0, 0.0, 1.0),
]
"""Every pair of values of engines, spread, side, draws and roles. There are no fewer such cells: 4 spreads, 3 roles."""

FEW = [
    Cell(2, 200, 8.0, SIDE, DRAWS),
    Cell(4, 20, 0.5, SIDE, DRAWS),
    Cell(4, 20, 3.0, SIDE, DRAWS),
    Cell(12, 60, 8.0, SIDE, DRAWS, 1.0),
]
"""2 to 4 engines, or at most 10 games an engine."""

OTHER_DRAWS = [
    Cell(12, 2_000, 4.0, SIDE, DRAWS, law="Davidson's draws"),
    Cell(12, 2_000, 4.0, SIDE, DRAWS, law="margins by engine"),
]
"""Draws that follow another model than that of the ratings."""

CELLS = [*SCHEDULES, *ROUND_ROBINS, *FEW, *OTHER_DRAWS]


def missing_pairs(rows: Sequence[Sequence[Hashable]]) -> set[tuple[int, int, Hashable, Hashable]]:
    """The pairs of values that no row holds: two columns, and a value of each."""
    factors = [set(column) for column in zip(*rows, strict=True)]
    columns = [*itertools.combinations(range(len(factors)), 2)]
    every = {(i, j, one, two) for i, j in columns for one in factors[i] for two in factors[j]}
    return every - {(i, j, row[i], row[j]) for row in rows for i, j in columns}


def uncovered() -> set[tuple[int, int, Hashable, Hashable]]:
    """The pairs of values that the cells do not hold, and should."""
    schedules = [((cell.schedule, cell.engines), cell.roles) for cell in SCHEDULES]
    robins = [(cell.engines, cell.spread, cell.side, cell.draws, cell.roles) for cell in ROUND_ROBINS]
    return missing_pairs(schedules) | missing_pairs(robins)
