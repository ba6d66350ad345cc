"""Plays a plan to its end, or goes on with it, from the command line; then prints what came out."""

import contextlib
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from arena.cli.errors import BadInput
from arena.cli.options import OutputOptions
from arena.cli.output import check_target, over_echo, report, say
from arena.cli.run import event_stream
from arena.cli.run.progress import Progress, show_progress
from arena.cli.run.report import RunOutcome, print_outcome, write_pgn
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from arena.planning.plan import Plan
    from arena.planning.run import PreparedRun, RunOptions

SomePlan = TypeVar("SomePlan", bound="Plan")


def run_plan(
    plan: SomePlan,
    options: "RunOptions",
    output: OutputOptions,
    *,
    pgn: Path | None = None,
    progress: "Callable[[PreparedRun[SomePlan], bool], AbstractContextManager[Progress]]" = show_progress,
    tell: "Callable[[PreparedRun[SomePlan], RunOutcome, bool], None]" = print_outcome,
) -> None:
    """Play what the database does not have of a plan, and print what came out.

    `progress` shows the run while it goes on, unless that is to be quiet; `tell` prints the outcome, as JSON or tables.
    """
    from arena.planning.run import prepared_run
    from arena.play.observers import GameObserver, Observers
    from protocol import run_delay

    if pgn is not None:
        check_target(pgn, "--pgn")
        if options.db is not None and pgn.absolute() == options.db.absolute():
            raise BadInput(f"--pgn {pgn}: that is the database; name another file")
    event_stream.check(output)
    with _answering(prepared_run(plan, options, report)) as run, event_stream.opened(output) as events:
        plan, store, outcome = run.plan, run.store, RunOutcome()
        most = "at most " if plan.may_end_early else ""
        there = f", {run.done} already there" if run.done else ""
        say(f"{plan.name}: {most}{some_games(plan.games - run.done)} to play, seed {plan.seed}{there}")
        if plan.terms.judged_by == "fair" and not run_delay.available():
            say("this system does not report its own delays: moves are judged by wall time")
        events.begin(plan, store)
        try:
            with progress(run, output.quiet) as shown:
                observers = Observers([GameObserver(outcome.add), *events.observers, *shown.observers])
                outcome.not_played = run.play(observers, shown.glimpse_ms, shown.attach).not_played
        except KeyboardInterrupt:
            outcome.interrupted = True
        whole = len(store.done(plan.run_id))
        events.end(whole, interrupted=outcome.interrupted)
        with finishing(outcome.interrupted):
            if pgn is not None:
                write_pgn(run, outcome, pgn)
            if output.events != event_stream.STDOUT:
                tell(run, outcome, output.as_json)
            if outcome.interrupted and options.db is None:
                say(f"interrupted: {whole} of {most}{plan.games} games ended; without --db none is kept")
            elif outcome.interrupted:
                again = "the same command with --resume" if options.resume == "refuse" else "the same command"
                say(f"interrupted: {whole} of {most}{plan.games} games ended and are kept; {again} plays the rest")


@contextlib.contextmanager
def _answering(preparing: "AbstractContextManager[PreparedRun[SomePlan]]") -> "Iterator[PreparedRun[SomePlan]]":
    """The run, once it is prepared. A Ctrl-C before that, as in the smoke checks, is answered with a sentence."""
    with contextlib.ExitStack() as held:
        try:
            run = held.enter_context(preparing)
        except KeyboardInterrupt:
            over_echo()
            say("interrupted before the first game: nothing was played, nothing is kept")
            raise
        yield run


@contextlib.contextmanager
def finishing(interrupted: bool) -> Iterator[None]:
    """The block prints what came out. After an interrupt no second one cuts it short, and KeyboardInterrupt follows."""
    if not interrupted:
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    raise KeyboardInterrupt
