"""Plays a ladder from the command line, until it is stopped, and prints the standings."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial

from arena.cli.errors import CannotStartEngine
from arena.cli.options import OutputOptions
from arena.cli.output import say
from arena.cli.run.run_plan import play_prepared, say_books
from arena.ladder.file_watch import LadderFile
from arena.ladder.run import Guests, LadderRun, prepared_ladder
from arena.planning.prepared_run import PreparedRun, RunOptions, RunOutcome
from results.tables.text_width import some_games

Beside = Callable[[PreparedRun], AbstractContextManager[Guests | None]]
"""Runs beside the ladder, such as a server; gives the guests of an open one."""


def play_ladder(
    watched: LadderFile,
    options: RunOptions,
    output: OutputOptions,
    games: int | None,
    hours: float | None,
    beside: Beside,
) -> None:
    """Play until a limit of games or hours, or until Ctrl-C. Raises what ends a run, and KeyboardInterrupt."""
    until = None if hours is None else time.monotonic() + 3600 * hours

    def stop(begun: int) -> bool:
        return (games is not None and begun >= games) or (until is not None and time.monotonic() >= until)

    def stopped(outcome: RunOutcome, whole: int) -> None:
        say(f"stopped: {some_games(whole - run.done)} played, {whole} in all; the same command goes on")

    with prepared_ladder(watched, options) as run, beside(run) as guests:
        again = "Ctrl-C stops it, the same command goes on"
        say(f"ladder {run.plan.name}: {some_games(run.done)} so far, seed {run.plan.seed}; {again}")
        if keys := watched.without_effect:
            say(f"{watched.path} sets keys that a ladder ignores: {', '.join(keys)}")
        say_books(run.plan)
        begin = partial(LadderRun, run, watched, stop, guests)
        climbing = play_prepared(run, begin, output, "ladder", print_ladder, stopped)
        if guests is None and len(climbing.taking_part) < 2:
            raise CannotStartEngine(f"{watched.path}: fewer than two engines are left to play: add one")


def print_ladder(run: PreparedRun, outcome: RunOutcome, as_json: bool) -> None:
    """Print the standings."""
    from arena.cli.view.rating_list_tables import print_run_standings

    print_run_standings(run.store, run.plan.run_id, as_json=as_json)
