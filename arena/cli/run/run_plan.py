"""Plays a plan to its end, or goes on with it, from the command line; then prints what came out."""

import contextlib
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from arena.cli.errors import BadInput
from arena.cli.options import OutputOptions
from arena.cli.output import notify, over_echo, say
from arena.cli.run import event_stream, serving
from arena.cli.run.ending import Ending
from arena.cli.run.log_lines import FaultLines
from arena.cli.run.machines import say_machines
from arena.cli.run.print_outcome import print_outcome, write_pgn
from arena.cli.run.progress import Progress, show_progress
from arena.cli.shell import shell_word
from arena.whole_file import check_target
from results.tables.text_width import some_games
from results.variant_name import shown

if TYPE_CHECKING:
    from arena.live.observer import LiveObserver
    from arena.planning.other_machines import OtherMachines
    from arena.planning.outcome import RunOutcome
    from arena.planning.plan import Plan
    from arena.planning.prepared_run import PreparedRun, RunOptions
    from results.record import MachineSpeed

SomePlan = TypeVar("SomePlan", bound="Plan")
NOT_KEPT = Path("none")
"""What `--db` says where no game is to be kept."""


def run_plan(
    plan: SomePlan,
    options: "RunOptions",
    output: OutputOptions,
    command: str,
    *,
    pgn: Path | None = None,
    progress: "Callable[[PreparedRun[SomePlan], LiveObserver, bool], AbstractContextManager[Progress]]" = show_progress,
    tell: "Callable[[PreparedRun[SomePlan], RunOutcome, bool], None]" = print_outcome,
    hints: bool = True,
) -> None:
    """Play what the database does not have of a plan, and print what came out.

    Without a database the games go to a file in the user's state folder, whose name begins with `command`. `progress`
    shows the run while it goes on, unless that is to be quiet; `tell` prints the outcome, as JSON or tables. Without
    `hints` no commands are named that show more.
    """
    from arena.live.file import live_file
    from arena.live.observer import beginning, following, snapshot_ms
    from arena.planning.kept_games import KEPT
    from arena.planning.missing_files import missing_files
    from arena.planning.outcome import RunOutcome
    from arena.planning.prepared_run import default_concurrency, prepared_run
    from arena.planning.speeds import has_times
    from arena.play.observers import GameObserver, Observers
    from protocol import run_delay

    if pgn is not None:
        check_target(pgn, "--pgn")
        if options.db is not None and pgn.absolute() == options.db.absolute():
            raise BadInput(f"--pgn {pgn}: that is the database; name another file")
    event_stream.check(output)
    serving.check(output.serve, output.live, options.db != NOT_KEPT)
    with (
        _database(options, command) as db,
        _answering(prepared_run(plan, replace(options, db=db), notify)) as run,
        event_stream.opened(output) as events,
        serving.served(output.serve, db, notify),
    ):
        plan, store, outcome = run.plan, run.store, RunOutcome()
        played: Counter[str] = Counter()
        """The games of each machine, where other ones play."""
        most = "at most " if plan.may_end_early else ""
        there = f", {run.done} already there" if run.done else ""
        say(f"{plan.name}: {most}{some_games(plan.games - run.done)} to play, seed {plan.seed}{there}")
        say_books(plan)
        if options.elsewhere is not None:
            say_machines(options.elsewhere.machines, normalised=plan.normalise, has_times=has_times(plan))
        for sentence in missing_files(plan.engines):
            say(sentence)
        if plan.terms.judged_by == "fair" and not run_delay.available():
            say("this system does not report its own delays: moves are judged by wall time")
        events.begin(plan, store)
        try:
            head = beginning(plan.name, plan.run_id, plan.kind, run.done, plan.games, plan.may_end_early)
            watched = following(head, store, measured(options.elsewhere))
            live_db = db if output.live else None
            with progress(run, watched, output.quiet) as shown, live_file(live_db, watched, shown.notify):
                faults = [] if output.quiet else [FaultLines(shown.notify)]
                hearers = [*events.observers, watched, *faults, *shown.observers]
                if options.elsewhere is not None:
                    options.elsewhere.notify = shown.notify
                    hearers.append(GameObserver(lambda record: played.update([record.host] * record.has_ended)))
                observers = Observers([GameObserver(outcome.add), *hearers])
                seen = shown.is_screen or live_db is not None
                every_ms = snapshot_ms(options.concurrency or default_concurrency()) if seen else 0
                outcome.not_played = run.play(observers, every_ms, shown.attach)
        except KeyboardInterrupt:
            outcome.interrupted = True
        if played and not output.quiet:
            say("played by " + ", ".join(f"{host}: {some_games(games)}" for host, games in sorted(played.items())))
        whole = len(store.done(plan.run_id))
        events.end(whole, interrupted=outcome.interrupted)
        with finishing(outcome.interrupted):
            if pgn is not None:
                write_pgn(run, outcome, pgn)
            if output.events != event_stream.STDOUT:
                tell(run, outcome, output.as_json)
            sys.stdout.flush()  # what follows goes to stderr, and both may be one file
            ending = Ending(command, store, plan.run_id, db)
            if not output.quiet:
                ending.print_games()
                if options.db is None and db is not None and whole:
                    say("")
                    say(f"The games are in {shell_word(db)}")
                    say(f"The last {KEPT} files there stay; --db FILE names one of your own.")
            if outcome.interrupted:
                saved = "; none is kept"
                if db is not None and (whole or options.db is not None):
                    saved = f" and are kept; {_again(options, db)} plays the rest"
                say(f"interrupted: {whole} of {most}{plan.games} games ended{saved}")
            if hints and not (output.quiet or output.as_json or output.events == event_stream.STDOUT):
                ending.print_next_commands()


def say_books(plan: "Plan") -> None:
    """Say which books of openings the games start from."""
    for start in plan.starts:
        if (book := start.book) is not None:
            whose = "book of the arena" if book.name else "book"
            count = len(book.openings)
            some = "one opening" if count == 1 else f"{count} openings"
            say(f"openings of {shown(start.variant)}: {whose}, {some}, sha256 {book.sha256[:12]}")


def _again(options: "RunOptions", db: Path) -> str:
    """What plays the rest of a run that was interrupted."""
    if options.db is None:
        return f"the same command with --db {shell_word(db)}"
    return "the same command with --resume" if options.resume == "refuse" else "the same command"


@contextlib.contextmanager
def _database(options: "RunOptions", command: str) -> Iterator[Path | None]:
    """The database of a run; None where its games are kept in memory."""
    from arena.planning.kept_games import kept_games

    if options.db == NOT_KEPT:
        yield None
    elif options.db is not None:
        yield options.db
    else:
        with kept_games(command, notify) as db:
            yield db


def measured(elsewhere: "OtherMachines | None") -> "Callable[[], Sequence[MachineSpeed]]":
    """Which machines of a cluster were measured so far."""
    return lambda: elsewhere.machines if elsewhere is not None else ()


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
