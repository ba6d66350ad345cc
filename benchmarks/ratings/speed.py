"""The time of fits of the published ratings for made-up fields of several sizes, and the memory of the largest one.

Seeds are fixed. The best of some runs counts. Machines differ, so a plain Python loop is timed as a yardstick.
"""

import gc
import itertools
import resource
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.ratings.field import Cell, Floats, Games, Strengths
from results.ratings import PairResult, fit

SMALL = [
    Cell(12, games, spread, side, draws)
    for spread in (2.0, 20.0)
    for games in (2_000, 20_000)
    for side, draws in ((0.0, 0.0), (5.0, 0.2))
]
MIDDLE = Cell(200, 200_000, 25 / 3, 5.0, 0.2)
MIDDLE_PAIRINGS = 10_000
LARGE = Cell(2_000, 1_000_000, 25 / 3, 5.0, 0.2)
LARGE_PAIRINGS = 200_000
LONGEST_S = 2.0
"""The seconds for the runs of a line. The first run may take longer."""
MOST_RUNS = 100


class Line(NamedTuple):
    """One line of the table."""

    cell: Cell
    pairings: int
    seconds: float
    runs: int

    def __str__(self) -> str:
        cell = self.cell
        field = (
            f"{cell.engines} | {cell.games} | {self.pairings} | {cell.spread:.3g} | {cell.side:g} | {cell.draws:.0%}"
        )
        return f"| {field} | {1000 * self.seconds:.3g} | {self.runs} |"


def speed_table() -> list[str]:
    """The table as Markdown, line by line, and the peak memory."""
    timed(SMALL[0], 60, 1)  # modules that the first fit loads are not timed
    return [
        "| engines | games | pairings | spread | side | draws | best, ms | runs |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
        *(str(timed(cell, 132)) for cell in SMALL),
        str(timed(MIDDLE, MIDDLE_PAIRINGS)),
        str(timed(LARGE, LARGE_PAIRINGS)),
        "",
        f"A loop of a million additions takes {1000 * yardstick():.0f} ms here. One thread;",
        f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB of memory.",
    ]


def strengths(cell: Cell) -> Floats:
    """The skills of a cell's engines, the same each time."""
    drawn: Floats = cell.spread * np.random.default_rng([7, *cell.seed]).standard_normal(cell.engines)
    return drawn


def sparse(cell: Cell, pairings: int) -> list[PairResult]:
    """The games of a cell, spread evenly over `pairings` random pairings."""
    rng = np.random.default_rng([8, *cell.seed])
    everybody = [*itertools.permutations(range(cell.engines), 2)]
    chosen = np.sort(rng.choice(len(everybody), pairings, replace=False))
    games = Games(Strengths.of(strengths(cell), cell, rng), rng)
    games.spread([everybody[k] for k in chosen], cell.games)
    return games.results


def timed(cell: Cell, pairings: int, most: int = MOST_RUNS) -> Line:
    """The best of as many runs as fit into the time."""
    results = sparse(cell, pairings)
    return Line(cell, pairings, *best_of(lambda: fit(results).ratings, most))


def yardstick() -> float:
    """The seconds of a loop of a million additions, the best of some runs."""

    def add() -> None:
        total = 0
        for number in range(1_000_000):
            total += number

    return best_of(add, MOST_RUNS)[0]


def best_of(work: Callable[[], object], most: int) -> tuple[float, int]:
    """The seconds of the fastest run and the number of runs. Garbage of the run before is collected untimed."""
    best, spent, runs = float("inf"), 0.0, 0
    while not runs or (spent < LONGEST_S and runs < most):
        gc.collect()
        began = time.perf_counter()
        work()
        took = time.perf_counter() - began
        best, spent, runs = min(best, took), spent + took, runs + 1
    return best, runs
