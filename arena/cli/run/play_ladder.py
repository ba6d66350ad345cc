"""Plays a ladder from the command line, until it is stopped, and prints the standings."""

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from arena.cli.errors import CannotStartEngine
from arena.cli.options import OutputOptions
from arena.cli.output import read_or_not, say
from arena.cli.run.ending import Ending
from arena.cli.run.progress import shown
from arena.cli.run.run_plan import finishing, say_books
from arena.ladder.file_watch import LadderFile
from arena.ladder.plan import prepared_ladder
from arena.ladder.run import Guests, LadderOptions, LadderRun
from arena.live.file import Telling
from arena.live.fold import begin
from arena.planning.plan import Plan
from arena.planning.prepared_run import RunOptions
from arena.run.control import Control
from results.store.store import Store
from results.tables.text_width import some_games


@dataclass(frozen=True, slots=True)
class LadderCommand:
    """What a command asks for."""

    watched: LadderFile
    how: RunOptions
    output: OutputOptions
    games: int | None
    """Stop after so many."""
    hours: float | None


Beside = Callable[[Plan, Store], AbstractContextManager[Guests | None]]
"""Runs beside the ladder, such as a server; gives the guests of an open one."""


def play_ladder(command: LadderCommand, beside: Beside) -> None:
    """Play until told to stop, or Ctrl-C; then print the standings. Raises what ends a run, and KeyboardInterrupt."""
    watched, how, output = command.watched, command.how, command.output
    games, file, db = command.games, watched.path, how.db
    assert db is not None
    until = None if command.hours is None else time.monotonic() + 3600 * command.hours

    def stop(begun: int) -> bool:
        return (games is not None and begun >= games) or (until is not None and time.monotonic() >= until)

    with (
        prepared_ladder(watched, how) as (plan, store),
        beside(plan, store) as guests,
    ):
        done = len(store.done(plan.run_id))
        again = "Ctrl-C stops it, the same command goes on"
        say(f"ladder {plan.name}: {some_games(done)} so far, seed {plan.seed}; {again}")
        if keys := watched.without_effect:
            say(f"a ladder chooses its games itself, so these keys of {file} have no effect: {', '.join(keys)}")
        say_books(plan)
        run, control = None, Control()
        telling = Telling(begin(plan.name, plan.run_id, plan.kind, done, None, False, store))

        def out(withdrawn: Mapping[str, str]) -> None:
            telling.say("out", withdrawn=dict(withdrawn))

        try:
            with shown(telling, control, how, output) as shows:
                climbing = LadderOptions(how, stop, out, shows.snapshot_ms, guests or Guests())
                run = LadderRun(plan, store, watched, climbing)
                for batch in run.play(control):
                    shows.tell(batch)
                telling.say("end", stored=len(store.done(plan.run_id)), interrupted=control.stopped)
            interrupted = control.stopped
        except KeyboardInterrupt:
            interrupted = True
        with finishing(interrupted):
            from arena.cli.view.rating_list_tables import print_run_standings

            with read_or_not():  # and written out: what follows goes to stderr, and both may be one file
                print_run_standings(store, plan.run_id, as_json=output.as_json)
            ending = Ending("ladder", store, plan.run_id, db)
            if not output.quiet:
                ending.print_games()
            now = len(store.done(plan.run_id))
            say(f"stopped: {some_games(now - done)} played, {now} in all; the same command goes on")
            if not (output.quiet or output.as_json):
                ending.print_next_commands()
        if run is not None and guests is None and len(run.taking_part) < 2:
            raise CannotStartEngine(f"{file}: fewer than two engines are left to play: add one")
