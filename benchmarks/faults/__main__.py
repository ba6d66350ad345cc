"""Plays every fault of the zoo and checks the verdicts: `python -m benchmarks.faults [--only NAME,...] [--json]`.

Plays each fault at each of its moments against a correct engine on a real worker, then one more game on the same
worker, then the accidents of `special`. Prints each row as soon as it was played. Exit status 1 if a row is wrong.
"""

import argparse
import json
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import asdict
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # workers load this module again, so it is light
    from benchmarks.faults.play import Outcome
    from benchmarks.faults.special import Accident

LEVELS = ("none", "basic", "strict")
SIDE_BY_SIDE = 2
HEAD = """\
A row is right if the game ended with the word that SPEC 11 names and the faulty engine lost it (or, for a fault that
costs nothing, if it went move by move as without the fault), the record came in time, the worker did not grow, no
process and no scratch folder was left, a deed against the machine was refused or ended the engine, and the next game by
the same worker went as if nothing had happened.
    s      seconds from the broken deadline or cap, or else from the last line sent, to the record
    MB     what the worker grew by beyond a faultless game
    next   how the next game went if it was not plain
    deed   what became of a deed: refused, done, or ended with the engine"""


def played(names: frozenset[str], level: str) -> "Iterator[Outcome | Accident]":
    """The rows and accidents with these names, or all if `names` is empty, in the order in which they end."""
    from benchmarks.faults import play, special
    from benchmarks.faults.rows import rows

    wanted = list(rows(names))
    with ProcessPoolExecutor(SIDE_BY_SIDE, mp_context=get_context("spawn")) as pool:
        limits = sorted({row.limit for row in wanted})
        plain = dict(zip(limits, pool.map(play.reference, limits, [level] * len(limits)), strict=True))
        accidents = [name for name in special.SCENARIOS if not names or name in names]
        futures: list[Future[Any]] = []
        futures += [pool.submit(play.play, row, level, plain[row.limit]) for row in wanted]
        futures += [pool.submit(special.play, name, level) for name in accidents]
        for future in as_completed(futures):
            yield future.result()


def line(one: "Outcome | Accident") -> str:
    """A row or an accident as a line, with everything that is wrong below it."""
    from benchmarks.faults.play import Outcome

    if isinstance(one, Outcome):
        words = (
            f"{one.name:34} {one.row.phase:9} {one.row.limit:12} {one.row.verdict!s:14} {one.got:14}",
            f"{'' if one.seconds is None else f'{one.seconds:.2f}':>5} {one.memory_mb:3.0f}",
            f"next {one.second}" if one.is_second_odd else "",
            f"deed {one.became}" if one.became else "",
        )
        text = " ".join(word for word in words if word)
    else:
        text = f"{one.name}: {one.story}: {one.expected}.\n    {one.got}"
    return "\n".join([text, *(f"    WRONG: {clause}" for clause in one.wrong)])


def main(arguments: Sequence[str]) -> int:
    """Play and print. 0 if every row is right, 1 if one is not, 2 if a name is unknown."""
    from benchmarks.faults.special import SCENARIOS
    from tests.zoo.catalogue import FAULTS

    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description="Every fault, and its verdict.")
    parser.add_argument("--only", metavar="NAME,...", default="", help="these faults and accidents alone")
    parser.add_argument("--contain", choices=LEVELS, default="basic", help="how engines are contained")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a table")
    options = parser.parse_args(arguments)
    # A shell that starts this in the background has it ignore SIGINT, and so would the commands that must hear it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    names = frozenset(name for name in options.only.split(",") if name)
    if unknown := names - FAULTS.keys() - SCENARIOS.keys():
        parser.error(f"unknown: {', '.join(sorted(unknown))}; the names are {', '.join([*FAULTS, *SCENARIOS])}")
    if not options.json:
        print(f"{HEAD}\n\n{'fault':34} {'at':9} {'limit':12} {'expected':14} {'got':14} {'s':>5} {'MB':>3}", flush=True)
    count, wrong = 0, list[str]()
    for one in played(names, options.contain):
        print(json.dumps(asdict(one)) if options.json else line(one), flush=True)
        count += 1
        wrong += [line(one)] if one.wrong else []
    print(f"\n{count - len(wrong)} right, {len(wrong)} wrong", *wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
