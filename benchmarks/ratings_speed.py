"""How long the published ratings take: made-up fields of some sizes, the best of some runs. Asks for no truth.

Seeds are fixed. `again` is a fit of one game more that starts from the fit before that game, and `newcomer` the same
where that game is somebody's first. `peak` is the part of a fit that finds the most probable strengths, advantage,
margin and widths, with their curvature; the bell and what the doubt of the width adds come after it. Machines differ:
a loop of Python's own is timed as a yardstick.
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
"""A line takes no longer than this, but for its first run."""
MOST_RUNS = 400


class Line(NamedTuple):
    """One line of the table: a field as its first columns, how it was fitted, the best time and of how many runs."""

    field: str
    kind: str
    seconds: float
    runs: int
    peak_seconds: float | None = None


def lines() -> Iterator[Line]:
    """The lines as they are timed."""
    fit(sparse(Cell(12, 200, 8.0, 0.0, 0.2), 60))  # what is loaded with the first fit is not timed
    gc.freeze()  # nor is fetching into the caches again what a search for garbage through all that would drive out
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
    """The table as Markdown, and the most memory that there was."""
    yield "| engines | games | pairings | spread | side | draws | fit | best, ms | of it the peak | runs |"
    yield "|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|"
    for line in lines():
        peak = "" if line.peak_seconds is None else f"{1000 * line.peak_seconds:.2f}"
        yield f"| {line.field} | {line.kind} | {1000 * line.seconds:.2f} | {peak} | {line.runs} |"
    yield ""
    yield f"A loop of a million additions takes {1000 * yardstick():.0f} ms here."
    yield f"At most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB of memory, one thread."


def rng(cell: Cell) -> np.random.Generator:
    """The chance of a cell, the same each time."""
    return np.random.default_rng([7, cell.engines, cell.games, *(int(100 * figure) for figure in cell[2:])])


def strengths(cell: Cell) -> Floats:
    """The strengths of a cell's engines."""
    drawn: Floats = cell.spread * rng(cell).standard_normal(cell.engines)
    return drawn


def sparse(cell: Cell, pairings: int) -> list[PairResult]:
    """The games of a cell spread evenly over so many pairings, drawn by lot."""
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
    """The best of as many runs as go into the time, and from nothing its first part, the peak."""
    best, runs = best_of(lambda: fit(games, start=start), most)
    peak = best_of(lambda: most_probable(Design.of(field(games), roles=False)), most)[0] if start is None else None
    told = f"{cell.engines} | {cell.games} | {pairings} | {cell.spread:.3g} | {cell.side:g} | {cell.draws:.0%}"
    return Line(told, "cold" if start is None else kind, best, runs, peak)


def yardstick() -> float:
    """Seconds that a million additions take in a loop, the best of some runs."""

    def add() -> None:
        total = 0
        for number in range(1_000_000):
            total += number

    return best_of(add, MOST_RUNS)[0]


def best_of(work: Callable[[], object], most: int) -> tuple[float, int]:
    """Seconds of the quickest run, and how many there were; garbage of the run before is not on the bill."""
    best, spent, runs = float("inf"), 0.0, 0
    while not runs or (spent < LONGEST_S and runs < most):
        gc.collect()
        began = time.perf_counter()
        work()
        took = time.perf_counter() - began
        best, spent, runs = min(best, took), spent + took, runs + 1
    return best, runs
