"""Learns the weights of stornoway and buckquoy from their own games: `python -m engines.tune STEP ...`.

    python -m engines.tune all brandub callanish-7 --work tuning --seed 1

does everything for some variants: rounds of `play`, `fit` and `sprt`, and at last the headers. The steps alone are

    python -m engines.tune play brandub data.npz --games 2000 --nodes 800 --seed 1
    python -m engines.tune fit brandub new.txt data.npz
    python -m engines.tune sprt brandub new.txt
    python -m engines.tune header buckquoy learned.h brandub=new.txt

docs/project/STUDIES.md tells what they found.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from arena.games.rules import RulesError
from engines.native import weights
from engines.native.kernel import KernelError
from engines.tuning import rounds, trial
from engines.tuning.fit import RIDGE, SHARE, fit
from engines.tuning.header import NAMES, header
from engines.tuning.selfplay import Table, play, table_of


def main(words: Sequence[str] | None = None) -> int:
    parser = command_line()
    arguments = parser.parse_args(words)
    for name in ("games", "nodes", "plies", "rounds", "trial_games", "trial_nodes", "trial_plies"):
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
    whole = steps.add_parser("all", help="rounds of play, fit and sprt for some variants, and the headers at last")
    whole.add_argument("variants", nargs="+", metavar="VARIANT")
    whole.add_argument("--work", type=Path, required=True, help="a folder for all files; the same command goes on")
    whole.add_argument(
        "--start",
        choices=("plain", "used"),
        default="plain",
        help="begin with the weights by hand, or with those in use",
    )
    whole.add_argument("--rounds", type=int, default=3, help="the most rounds; two without a gain end it sooner")
    played = steps.add_parser("play", help="write the positions of games of an engine against itself")
    played.add_argument("variant")
    played.add_argument("target", type=Path)
    played.add_argument("--weights", type=Path, help="a file of `fit`; the weights in use if left out")
    fitted = steps.add_parser("fit", help="fit weights to such positions")
    fitted.add_argument("variant")
    fitted.add_argument("target", type=Path)
    fitted.add_argument("sources", type=Path, nargs="+")
    fitted.add_argument("--start", type=Path, help="weights to begin with; those in use if left out")
    fitted.add_argument("--share", type=float, default=SHARE, help="the share of the result in what is foretold")
    fitted.add_argument("--ridge", type=float, default=RIDGE, help="the pull towards the old weights")
    tested = steps.add_parser("sprt", help="test whether weights are stronger than others, by arena sprt")
    tested.add_argument("variant")
    tested.add_argument("ours", type=Path)
    tested.add_argument("theirs", type=Path, nargs="?", help="the weights in use if left out")
    for step in (whole, played):
        step.add_argument("--games", type=int, default=2500, help="games of self-play")
        step.add_argument("--nodes", type=int, default=800, help="nodes for each move of these games")
        step.add_argument("--plies", type=int, default=9, help="the most random plies of their openings")
    for step in (whole, tested):
        step.add_argument("--trial-games", type=int, default=800, help="the most games of a test")
        step.add_argument("--trial-nodes", type=int, default=2000, help="nodes for each move of these games")
        step.add_argument("--trial-plies", type=int, default=6, help="the random plies of their openings")
        step.add_argument("--elo1", type=float, default=20, help="the gain in normalized Elo that a test looks for")
    for step in (whole, played, tested):
        step.add_argument("--seed", type=int, default=1)
    written = steps.add_parser("header", help="write what an engine is compiled with")
    written.add_argument("engine", choices=NAMES)
    written.add_argument("target", type=Path)
    written.add_argument("learned", nargs="*", metavar="VARIANT=FILE")
    table = steps.add_parser("table", help="print the results of `all` as a table of a page")
    table.add_argument("results", type=Path)
    return parser


def _do(arguments: argparse.Namespace) -> None:
    """Do the step that was asked for. Raises RulesError, KernelError and OSError for what was given."""
    if arguments.step == "header":
        learned = {variant: Path(file) for variant, _, file in (entry.partition("=") for entry in arguments.learned)}
        header(arguments.engine, arguments.target, learned)
    elif arguments.step == "table":
        print(rounds.markdown(arguments.results))
    elif arguments.step == "all":
        plan = rounds.TuningPlan(
            arguments.start, arguments.rounds, arguments.games, arguments.nodes, arguments.plies, _rules(arguments)
        )
        rounds.run([table_of(variant) for variant in arguments.variants], arguments.work, plan)
    else:
        _step(arguments, table_of(arguments.variant))


def _step(arguments: argparse.Namespace, table: Table) -> None:
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
    elif arguments.step == "fit":
        fitted = fit(table, arguments.target, arguments.sources, arguments.start, arguments.share, arguments.ridge)
        print(f"{fitted.positions} positions; loss {fitted.before:.4f} before, loss {fitted.after:.4f} after")
    else:
        table.kernel(arguments.ours)
        book, theirs = arguments.ours.with_suffix(".book"), arguments.theirs
        if theirs is None:
            theirs = arguments.ours.with_suffix(".used")
            weights.write(theirs, table.kernel().weights(), f"weights of {table.engine} in use for {table.variant}")
        trial.openings(table, book, theirs, _rules(arguments))
        print(rounds.sentence(trial.sprt(table, arguments.ours, theirs, book, _rules(arguments))))


def _rules(arguments: argparse.Namespace) -> trial.TrialRules:
    return trial.TrialRules(
        arguments.trial_games, arguments.trial_nodes, arguments.trial_plies, arguments.elo1, arguments.seed
    )


if __name__ == "__main__":
    raise SystemExit(main())
