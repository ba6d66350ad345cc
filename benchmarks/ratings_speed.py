"""The time of fits of the published ratings, for simulated fields of several sizes. The best of some runs counts.

Seeds are fixed. `again` is a fit of one more game that starts from the fit before it; in `newcomer` that game is an
engine's first. `peak` is the part of a fit that finds the most probable strengths, advantage, margin and widths, with
their curvature; the Gaussian approximation and the uncertainty of the width come after it. Machines differ, so a plain
Python loop is timed as a yardstick.
"""

import gc
import resource
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.ratings_field import Cell, Floats, meeting, names, round_robin
from results.ratings.design import Design
from results.ratings.fit import Fit, PairResult, fit
from results.ratings.pairings import field
from results.ratings.prior_width import most_probable

SMALL = [
    Cell(12, games, spread, side, draws)
    for spread in (2.0, 8.0, 20.0)
    for games in (2_000, 20_000)
    for side, draws in ((0.0, 0.0), (5.0, 0.2))
]
MIDDLE = Cell(200, 199_000, 25 / 3, 5.0, 0.2)
LARGE = Cell(2_000, 1_000_000, 25 / 3, 5.0, 0.2)
LARGE_PAIRINGS = 200_000
SPARSE_PAIRINGS = 10_000
LONGEST_S = 2.0
"""The seconds for the runs of a line. The first run may take longer."""
MOST_RUNS = 400


class Line(NamedTuple):
    """One line of the table: the field as its first columns, the kind of fit, the best time and the number of runs."""

    field: str
    kind: str
    seconds: float
    runs: int
    peak_seconds: float | None = None


def lines() -> Iterator[Line]:
    """The lines, each after it was timed."""
    fit(sparse(Cell(12, 200, 8.0, 0.0, 0.2), 60))  # modules that the first fit loads are not timed
    gc.freeze()  # so no garbage collection empties the caches
    for cell in SMALL:
        yield timed(cell, 132, round_robin(strengths(cell), cell, rng(cell)))
    for pairings in (SPARSE_PAIRINGS, MIDDLE.engines * (MIDDLE.engines - 1)):
        games = sparse(MIDDLE, pairings)
        yield timed(MIDDLE, pairings, games)
        one, two = names(MIDDLE.engines)[3:5]
        known = fit(games)
        yield timed(MIDDLE, pairings, [*games, PairResult(one, two, 1, 0, 0)], known)
        yield timed(MIDDLE, pairings, [*games, PairResult("new", two, 1, 0, 0)], known, "newcomer")
    yield timed(LARGE, LARGE_PAIRINGS, sparse(LARGE, LARGE_PAIRINGS))


def times() -> Iterator[str]:
    """The table as Markdown, and the peak memory."""
    yield "| engines | games | pairings | spread | side | draws | fit | best, ms | of it the peak | runs |"
    yield "|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|"
    for line in lines():
        peak = "" if line.peak_seconds is None else f"{1000 * line.peak_seconds:.2f}"
        yield f"| {line.field} | {line.kind} | {1000 * line.seconds:.2f} | {peak} | {line.runs} |"
    yield ""
    yield f"A loop of a million additions takes {1000 * yardstick():.0f} ms here."
    yield f"At most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB of memory, one thread."


def rng(cell: Cell) -> np.random.Generator:
    """The random generator of a cell, the same each time."""
    return np.random.default_rng([7, cell.engines, cell.games, *(int(100 * figure) for figure in cell[2:])])


def strengths(cell: Cell) -> Floats:
    """The strengths of a cell's engines."""
    drawn: Floats = cell.spread * rng(cell).standard_normal(cell.engines)
    return drawn


def sparse(cell: Cell, pairings: int) -> list[PairResult]:
    """The games of a cell, spread evenly over `pairings` random pairings."""
    chance, strong = rng(cell), strengths(cell)
    n = cell.engines
    which = np.sort(chance.choice(n * (n - 1), pairings, replace=False))
    found = []
    for code in which.tolist():
        one, two = divmod(code, n - 1)
        found.append(meeting(one, two + (two >= one), cell.games // pairings, strong, cell, chance))
    return found


def timed(
    cell: Cell,
    pairings: int,
    games: list[PairResult],
    start: Fit | None = None,
    kind: str = "again",
    most: int = MOST_RUNS,
) -> Line:
    """The best of as many runs as fit into the time. A cold fit also has the time of its peak."""
    best, runs = best_of(lambda: fit(games, start=start), most)
    peak = best_of(lambda: most_probable(Design.of(field(games), roles=False)), most)[0] if start is None else None
    columns = f"{cell.engines} | {cell.games} | {pairings} | {cell.spread:.3g} | {cell.side:g} | {cell.draws:.0%}"
    return Line(columns, "cold" if start is None else kind, best, runs, peak)


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
