"""Learns the weights of stornoway and buckquoy from their own games: `python -m engines.tune STEP ...`.

    python -m engines.tune play brandub data.npz --games 2000 --nodes 800 --seed 1
    python -m engines.tune fit brandub new.txt data.npz
    arena sprt buckquoy:Weights=new.txt buckquoy --variant brandub --nodes 2000 --elo0 0 --elo1 20 --contain none
    python -m engines.tune header buckquoy learned.h brandub=new.txt

docs/project/STUDIES.md tells what the steps found.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from arena.games.rules import RulesError
from engines.native.kernel import KernelError
from engines.tuning.fit import RIDGE, SHARE, fit
from engines.tuning.header import NAMES, header
from engines.tuning.selfplay import play, table_of


def main(words: Sequence[str] | None = None) -> int:
    parser = command_line()
    arguments = parser.parse_args(words)
    for name in ("games", "nodes", "plies"):
        if getattr(arguments, name, 1) < 1:
            parser.error(f"--{name.replace('_', '-')} must be at least 1")
    try:
        _do(arguments)
    except (RulesError, KernelError, OSError) as error:
        parser.error(str(error))
    return 0


def command_line() -> argparse.ArgumentParser:
    """The steps and their options."""
    parser = argparse.ArgumentParser(
        prog="python -m engines.tune", description=(__doc__ or "").split("`")[0].rstrip(": ")
    )
    steps = parser.add_subparsers(dest="step", required=True)
    played = steps.add_parser("play", help="write the positions of games of an engine against itself")
    played.add_argument("variant")
    played.add_argument("target", type=Path)
    played.add_argument("--weights", type=Path, help="a file of `fit`; the weights in use if left out")
    played.add_argument("--games", type=int, default=2500, help="games of self-play")
    played.add_argument("--nodes", type=int, default=800, help="nodes for each move of these games")
    played.add_argument("--plies", type=int, default=9, help="the most random plies of their openings")
    played.add_argument("--seed", type=int, default=1)
    fitted = steps.add_parser("fit", help="fit weights to such positions")
    fitted.add_argument("variant")
    fitted.add_argument("target", type=Path)
    fitted.add_argument("sources", type=Path, nargs="+")
    fitted.add_argument("--start", type=Path, help="weights to begin with; those in use if left out")
    fitted.add_argument("--share", type=float, default=SHARE, help="the share of the result in what is foretold")
    fitted.add_argument("--ridge", type=float, default=RIDGE, help="the pull towards the old weights")
    written = steps.add_parser("header", help="write what an engine is compiled with")
    written.add_argument("engine", choices=NAMES)
    written.add_argument("target", type=Path)
    written.add_argument("learned", nargs="*", metavar="VARIANT=FILE")
    return parser


def _do(arguments: argparse.Namespace) -> None:
    """Do the step that was asked for. Raises RulesError, KernelError and OSError for what was given."""
    if arguments.step == "header":
        learned = {variant: Path(file) for variant, _, file in (entry.partition("=") for entry in arguments.learned)}
        header(arguments.engine, arguments.target, learned)
        return
    table = table_of(arguments.variant)
    if arguments.step == "play":
        count = play(
            table,
            arguments.target,
            arguments.games,
            arguments.nodes,
            arguments.seed,
            arguments.plies,
            arguments.weights,
        )
        print(f"{arguments.target}: {count} positions of {arguments.games} games")
    else:
        fitted = fit(table, arguments.target, arguments.sources, arguments.start, arguments.share, arguments.ridge)
        print(f"{fitted.positions} positions; loss {fitted.before:.4f} before, loss {fitted.after:.4f} after")


if __name__ == "__main__":
    raise SystemExit(main())
