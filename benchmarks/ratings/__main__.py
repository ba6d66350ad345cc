"""Checks how often intervals of ratings cover the truth: `python -m benchmarks.ratings [--replicates N] [--write]`.

Simulates fields of known strengths on all CPUs, with fixed seeds. Prints the tables; --write puts them into
RATINGS.md. Exit status 1 where a bar is missed. --cell NAME plays only the cells whose name contains NAME, --speed
only times fits, and --truth only compares fits with their exact posteriors.
"""

import os

# The processes use all CPUs, so threads within each would only compete. numpy's libraries read this when they load.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import math
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from benchmarks.ratings.cells import CELLS, uncovered
from benchmarks.ratings.coverage import Covered, Replicate, mean, misses, replicate
from benchmarks.ratings.field import Cell
from benchmarks.ratings.pairing import LADDER, ROBIN, Newcomer, Paired, newcomer, paired
from benchmarks.ratings.speed import speed_table
from benchmarks.ratings.truth import truth_table

PAGE = Path(__file__).parents[2] / "docs" / "organisers" / "RATINGS.md"
BEGIN, END = "<!-- made by benchmarks.ratings -->", "<!-- end -->"
MANY, FEWER = 30, 3
"""From so many engines on a cell has a third of the fields."""
ONLINE = 10
"""One field in so many is rated by online TrueSkill as well."""
PAIRED = 4
"""Ladders and newcomers have a quarter of the fields: each of them is fitted many times."""
NEW_COVER = 0.9
"""The bar for intervals of newcomers."""

LEGEND = """\
Each figure is the share of 95 % intervals that cover the truth: ratings/differences/first-to-last/predictions.
Ratings are those of all engines, differences those of all pairs or 100 random ones (versions at most 10 apart),
first-to-last is that of engine 0 and the last engine, and predictions are expected scores as p1. In a cell's name,
`12/2000` is 12 engines and 2000 games. `Elo` is the share of engines whose Elo covers that of their true skill, as
tables print both with its error; an end that games leave open covers all on its side. `P>next` is the mean probability
that an engine is stronger than the next in the list, as it is said and as it is true. `misfit told` is the share of
fields in which a misfit is told. Maximum likelihood has a prior of standard deviation 60 on skills, which pulls at the
chain of 100 because that is wider.
Cells of 30 engines and more have a third of the fields; online TrueSkill has a tenth."""

TABLE = [
    "| cell | fields | published | Elo | maximum likelihood | online TrueSkill | P>next: said, true | misfit told |",
    "|---|---:|---|---|---|---|---|---:|",
]

Lines = tuple[list[str], list[str]]
"""A table, and the bars that it misses."""


class Clock:
    """Tells how long the run has taken."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def __str__(self) -> str:
        return f"{time.monotonic() - self._began:.0f} s"


def new_pool(processes: int | None = None) -> ProcessPoolExecutor:
    """Fresh processes, one for each CPU that this one may use."""
    return ProcessPoolExecutor(processes or len(os.sched_getaffinity(0)), mp_context=get_context("spawn"))


def coverage_table(pool: ProcessPoolExecutor, cells: Sequence[Cell], count: int, clock: Clock) -> Lines:
    """The table of coverage. Tells each line at once, too."""
    lines, missed = [*TABLE], list[str]()
    for cell in cells:
        fields = count if cell.engines < MANY else max(2, count // FEWER)
        rated = [number < max(2, count // ONLINE) for number in range(fields)]
        chunk = max(1, min(10, fields // 8))
        found = list(pool.map(replicate, [cell] * fields, range(fields), rated, chunksize=chunk))
        lines.append(_line(cell, found))
        missed += misses(cell, found)
        print(f"{clock}: {lines[-1]}", flush=True)
    return lines, missed


def _line(cell: Cell, found: Sequence[Replicate]) -> str:
    online = [one.online for one in found if one.online is not None]
    elo = f"{mean([one.elo for one in found]):.3f}".removeprefix("0")
    shares = " | ".join(
        [_shares([one.published for one in found]), elo, _shares([one.plain for one in found]), _shares(online)]
    )
    # A fit of two engines alone may be unable to say who is next.
    known = [one for one in found if one.said == one.said]
    next_one = f"{mean([one.said for one in known]):.3f}, {mean([one.true for one in known]):.3f}"
    return f"| {cell} | {len(found)} | {shares} | {next_one} | {mean([one.misfit for one in found]):.2f} |"


def _shares(found: Sequence[Covered]) -> str:
    """The mean of each figure, as in .950/.948/.953/.961."""
    return "/".join(f"{mean(column):.3f}".removeprefix("0") for column in zip(*found, strict=True))


def pairing_tables(pool: ProcessPoolExecutor, count: int) -> Lines:
    """The tables of pairing and of newcomers."""
    lines, missed = ["| 24 engines, 1200 games | tau | coverage |", "|---|---:|---|"], []
    for name, cell in (("paired by the ladder", LADDER), ("round robin", ROBIN)):
        found: list[Paired] = list(pool.map(paired, [cell] * count, range(count), chunksize=2))
        lines.append(f"| {name} | {mean([one.tau for one in found]):.3f} | {_shares([one.covered for one in found])} |")
    new: list[Newcomer] = list(pool.map(newcomer, range(count), chunksize=2))
    truth, final = mean([one.truth_within for one in new]), mean([one.final_within for one in new])
    lines += [
        "",
        "| a newcomer among 50, after 40 games | |",
        "|---|---:|",
        f"| interval covers its skill | {truth:.3f} |",
        f"| interval covers its rating after 400 games | {final:.3f} |",
        f"| sigma after 40 games | {mean([one.sigma for one in new]):.2f} |",
        f"| sigma after 400 games | {mean([one.final_sigma for one in new]):.2f} |",
    ]
    for what, share in (("skill", truth), ("later rating", final)):
        if share < NEW_COVER - 2 * math.sqrt(NEW_COVER * (1 - NEW_COVER) / count):
            missed.append(f"newcomer: {what} {share:.3f}, not {NEW_COVER:g}")
    return lines, missed


def written(page: str, text: str) -> str:
    """The page with the part between the markers replaced. Raises ValueError where it has none."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE} lacks the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"


def main(arguments: Sequence[str]) -> int:
    """Play, print, write. 0 where every bar is met, 1 where one is not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratings", description="Do the intervals hold?")
    parser.add_argument("--replicates", type=int, default=300, metavar="N", help="fields in each cell")
    parser.add_argument("--write", action="store_true", help=f"put the tables into docs/{PAGE.name}")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--cell", metavar="NAME", help="play only the cells whose name contains this")
    only.add_argument("--speed", action="store_true", help="only print how long fits take")
    only.add_argument("--truth", action="store_true", help="only compare fits with their exact posteriors")
    options = parser.parse_args(arguments)
    if options.write and (options.cell or options.speed or options.truth):
        parser.error("--write needs the whole run")
    if options.replicates < 2:
        parser.error("--replicates needs 2 or more: one field has no simulation error")
    if uncovered():
        parser.error(f"no cell holds these pairs of values: {uncovered()}")
    cells = [cell for cell in CELLS if (options.cell or "") in str(cell)]
    if not cells:
        parser.error(f"no cell's name contains {options.cell!r}")
    whole, clock = not (options.cell or options.speed or options.truth), Clock()
    missed: list[str] = []
    parts = [LEGEND]

    def add(table: Lines) -> None:
        lines, bars = table
        missed.extend(bars)
        parts.append("\n".join(lines))
        print("\n".join(["", *lines, "", f"({clock})"]), flush=True)

    with new_pool() as pool:
        if whole or options.cell:
            add(coverage_table(pool, cells, options.replicates, clock))
        if whole:
            add(pairing_tables(pool, max(2, options.replicates // PAIRED)))
        if whole or options.truth:
            add(truth_table(pool))
    if whole or options.speed:
        with new_pool(1) as alone:  # in a process of its own, whose memory nothing else has used
            add((alone.submit(speed_table).result(), []))
    verdict = ["Missed:", "", *(f"* {miss}" for miss in missed)] if missed else ["Every bar is met."]
    print("\n".join(["", *verdict, f"{clock} in all"]))
    if options.write:
        PAGE.write_text(written(PAGE.read_text(), "\n\n".join([*parts, "\n".join(verdict)])))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
