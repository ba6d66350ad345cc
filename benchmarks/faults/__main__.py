"""Plays every fault of the zoo and checks the verdicts: `python -m benchmarks.faults [--only NAME,...] [--json]`.

Plays each fault at each of its moments against a correct engine on a real worker, then one more game on the same
worker, then the accidents of `special`. Exit status 1 where a row is wrong.
"""

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # workers load this module again, so it is light
    from benchmarks.faults.play import Outcome
    from benchmarks.faults.special import Accident

LEVELS = ("none", "basic", "strict")
SIDE_BY_SIDE = 2


def outcomes(names: frozenset[str], level: str) -> "tuple[list[Outcome], list[Accident]]":
    """Play the rows and accidents with these names, or all where `names` is empty, `SIDE_BY_SIDE` at a time."""
    from benchmarks.faults import play, special
    from benchmarks.faults.rows import rows

    wanted = list(rows(names))
    with ProcessPoolExecutor(SIDE_BY_SIDE, mp_context=get_context("spawn")) as pool:
        limits = sorted({row.limit for row in wanted})
        plain = dict(zip(limits, pool.map(play.reference, limits, [level] * len(limits)), strict=True))
        played = [pool.submit(play.play, row, level, plain[row.limit]) for row in wanted]
        accidents = [pool.submit(special.play, name, level) for name in special.SCENARIOS if not names or name in names]
        _show_progress([*played, *accidents])
        return [one.result() for one in played], [one.result() for one in accidents]


def _show_progress(futures: "Sequence[Future[Outcome] | Future[Accident]]") -> None:
    """Print the progress where stderr is a terminal."""
    if sys.stderr.isatty():
        for count, _ in enumerate(as_completed(futures), 1):
            print(f"\r{count} of {len(futures)} played", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)


def main(arguments: Sequence[str]) -> int:
    """Play, print, write. 0 where every row is right, 1 where one is not, 2 where a name is unknown."""
    from benchmarks.faults import page
    from benchmarks.faults.special import SCENARIOS
    from tests.zoo.catalogue import FAULTS

    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description="Every fault, and its verdict.")
    parser.add_argument("--only", metavar="NAME,...", default="", help="these faults and accidents alone")
    parser.add_argument("--contain", choices=LEVELS, default="basic", help="how engines are contained")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a table")
    parser.add_argument("--write", metavar="FILE", type=Path, help="write the page that has the table")
    options = parser.parse_args(arguments)
    # A shell that starts this in the background has it ignore SIGINT, and so would the commands that must hear it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    names = frozenset(name for name in options.only.split(",") if name)
    if unknown := names - FAULTS.keys() - SCENARIOS.keys():
        parser.error(f"unknown: {', '.join(sorted(unknown))}; the names are {', '.join([*FAULTS, *SCENARIOS])}")
    if options.write and names:
        parser.error("--write writes all rows: leave out --only")
    played, special = outcomes(names, options.contain)
    if options.json:
        for outcome in played:
            print(outcome.as_json())
        for one in special:
            print(json.dumps(asdict(one)))
    else:
        print("\n".join((*page.faults_table(played), "", *page.special_table(special))))
    if options.write:
        options.write.write_text(page.page(played, special, options.contain), encoding="utf-8")
    wrong = list(page.complaints(played, special))
    print(f"{len(played) + len(special) - len(wrong)} right, {len(wrong)} wrong", *wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
