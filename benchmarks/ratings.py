"""Checks how often intervals of ratings cover the truth: `python -m benchmarks.ratings [--replicates N] [--write]`.

Simulates fields of known strengths on all CPUs, with fixed seeds. Prints the tables; --write puts them into
docs/RATINGS.md. Exit status 1 where a bar is missed. With --speed it prints the times of fits instead, with --truth
the distance of each fit from its exact posterior.
"""

import os

# The processes use all CPUs, so threads within each would only compete. numpy's libraries read this when they load.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import itertools
import math
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from benchmarks.ratings_field import Cell, Replicate, replicate
from benchmarks.ratings_pairing import FIELD, Newcomer, newcomer, paired
from benchmarks.ratings_speed import times
from benchmarks.ratings_truth import lines as truth

PAGE = Path(__file__).parent.parent / "docs" / "RATINGS.md"
BEGIN, END = "<!-- made by benchmarks.ratings -->", "<!-- end -->"
CELLS = [
    Cell(12, games, spread, side, draws)
    for spread, games, side, draws in itertools.product((2.0, 8.0, 20.0), (2_000, 20_000), (0.0, 5.0), (0.0, 0.2))
]
FEWER = 4
"""The divisor for fields that are paired by rating: each of them is fitted fifty times."""
LOWEST, HIGHEST = 0.93, 0.97
TAU = 0.95
PAIRED_TAU, PAIRED_COVER = 0.935, 0.93
NEW_COVER = 0.9


def mean(figures: Sequence[float]) -> float:
    """The mean of the figures; nan where there are none."""
    return sum(figures) / len(figures) if figures else math.nan


def cells(pool: ProcessPoolExecutor, count: int) -> tuple[list[str], list[str]]:
    """The table of coverage, and the lines that missed a bar."""
    lines = [
        "| spread | games | side | draws | fields tested | coverage | side's coverage | tau | all fields | one-sided |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    misses = []
    for cell in CELLS:
        found: list[Replicate] = list(pool.map(partial(replicate, cell), range(count), chunksize=10))
        tested = [one for one in found if one.tested]
        covered, side = mean([one.covered for one in tested]), mean([one.side_covered for one in tested])
        tau = mean([one.tau for one in found])
        line = (
            f"| {cell.spread:g} | {cell.games} | {cell.side:g} | {cell.draws:.0%} | {len(tested)} | {covered:.3f} "
            f"| {side:.3f} | {tau:.3f} | {mean([one.covered for one in found]):.3f} "
            f"| {mean([one.flagged for one in found]):.1f} |"
        )
        lines.append(line)
        print(line, flush=True)
        if not (LOWEST <= covered <= HIGHEST and LOWEST <= side <= HIGHEST):
            misses.append(f"coverage: {line}")
        if (cell.spread, cell.games) == (8.0, 2_000) and tau < TAU:
            misses.append(f"tau: {line}")
    return lines, misses


def pairings(pool: ProcessPoolExecutor, count: int) -> tuple[list[str], list[str]]:
    """The tables of pairing and of newcomers, and the figures that missed a bar."""
    fields: list[Replicate] = list(pool.map(paired, range(count), chunksize=2))
    robins: list[Replicate] = list(pool.map(partial(replicate, FIELD), range(count), chunksize=2))
    lines = ["| 24 engines, 1200 games | tau | coverage |", "|---|---:|---:|"]
    for name, found in (("paired by information", fields), ("round robin", robins)):
        lines.append(
            f"| {name} | {mean([one.tau for one in found]):.3f} | {mean([one.covered for one in found]):.3f} |"
        )
    new: list[Newcomer] = list(pool.map(newcomer, range(count), chunksize=2))
    truth, final = mean([one.truth_within for one in new]), mean([one.final_within for one in new])
    lines += [
        "",
        "| a newcomer among 50, after 40 games | |",
        "|---|---:|",
        f"| interval holds its strength | {truth:.3f} |",
        f"| interval holds its rating after 400 games | {final:.3f} |",
        f"| sigma after 40 games | {mean([one.sigma for one in new]):.2f} |",
        f"| sigma after 400 games | {mean([one.final_sigma for one in new]):.2f} |",
    ]
    print("\n".join(lines), flush=True)
    misses = []
    tau, covered = mean([one.tau for one in fields]), mean([one.covered for one in fields])
    if tau < PAIRED_TAU or covered < PAIRED_COVER:
        misses.append(f"pairing: tau {tau:.3f}, coverage {covered:.3f}")
    if min(truth, final) < NEW_COVER:
        misses.append(f"newcomer: {truth:.3f} and {final:.3f}")
    return lines, misses


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
    parser.add_argument("--replicates", type=int, default=800, metavar="N", help="fields in each cell")
    parser.add_argument("--write", action="store_true", help=f"put the tables into docs/{PAGE.name}")
    parser.add_argument("--speed", action="store_true", help="print how long fits take, alone")
    parser.add_argument(
        "--truth", action="store_true", help="print how near bells come to posteriors, and nothing else"
    )
    options = parser.parse_args(arguments)
    if options.speed or options.truth:
        for line in times() if options.speed else truth():
            print(line, flush=True)
        return 0
    fewer = max(2, options.replicates // FEWER)
    began = time.monotonic()
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        table, misses = cells(pool, options.replicates)
        more, other_misses = pairings(pool, fewer)
    misses += other_misses
    verdict = ["Missed:", "", *(f"* `{miss}`" for miss in misses)] if misses else ["Every bar is met."]
    counted = f"{options.replicates} fields in each line; {fewer} in the two tables below it."
    text = "\n".join([counted, "", *table, "", *more, "", *verdict])
    print("\n".join(["", *verdict, f"{time.monotonic() - began:.0f} s"]))
    if options.write:
        PAGE.write_text(written(PAGE.read_text(), text))
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
