"""Plays a plan to its end, or goes on with it, from the command line; then prints what came out."""

import contextlib
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from arena.cli.errors import BadInput, GamesLeftOut
from arena.cli.options import NOT_KEPT, OutputOptions
from arena.cli.output import STDOUT, check_files, over_echo, program, read_or_not, say, shell_word
from arena.cli.run import event_stream
from arena.cli.run.ending import FEW, Ending
from arena.cli.run.print_outcome import print_outcome, write_pgn
from arena.cli.run.progress import check_serve, preload, served
from arena.cli.run.progress import shown as shown_run
from arena.games.user_file import read_start
from arena.live.file import Telling
from arena.live.state import begin
from arena.planning.engine_files import missing_files
from arena.planning.kept_games import KEPT, kept_games
from arena.planning.plan import Plan
from arena.planning.prepared_run import PreparedRun, RunOptions, RunOutcome, prepared_run
from arena.run.control import Control
from arena.run.events import now, records
from arena.run.run import GamesToPlay
from results.tables.text_width import some_games
from results.variant_name import shown


def run_plan(
    plan: Plan,
    options: RunOptions,
    output: OutputOptions,
    command: str,
    *,
    status: Callable[[GamesToPlay], Mapping[str, object]] | None = None,
    tell: Callable[[PreparedRun, RunOutcome, bool], None] = print_outcome,
    hints: bool = True,
) -> None:
    """Play what the database does not have of a plan, and print what came out.

    Without a database the games go to a file in the user's state folder, whose name begins with `command`. `status`
    gives the fields of the event `status`, for the screen and the log; `tell` prints the outcome, as JSON or tables.
    Without `hints` no commands are named that show more.
    """
    on_stdout = check_files({"--events": output.events, "--pgn": output.pgn}, output.as_json)
    for flag, path in (("--events", output.events), ("--pgn", output.pgn)):
        if path is not None and options.db is not None and path.resolve() == options.db.resolve():
            raise BadInput(f"{flag} {path}: that is the database; name another file")
    if output.events is not None:
        event_stream.check(output.events)
    if output.pgn is not None:
        _check_pgn(output.pgn)
    if output.serve:
        check_serve(output.live, options.db != NOT_KEPT)
    unheard: AbstractContextManager[Sequence[event_stream.Listener]] = contextlib.nullcontext(())
    named = contextlib.nullcontext(None if options.db == NOT_KEPT else options.db)
    with (
        kept_games(command) if options.db is None else named as db,
        _answering(prepared_run(plan, replace(options, db=db))) as run,
        served(db) if output.serve else contextlib.nullcontext(),
        event_stream.opened(output.events, run.plan, run.store) if output.events else unheard as listeners,
    ):
        plan, most = run.plan, "" if run.plan.is_fixed else "at most "
        there = f", {run.done} already there" if run.done else ""
        say(f"{plan.name}: {most}{some_games(plan.games - run.done)} to play, seed {plan.seed}{there}")
        say_books(plan)
        for sentence in missing_files(plan.engines, program()):
            say(sentence)

        def at_the_end(outcome: RunOutcome, whole: int) -> None:
            if options.db is None and db is not None and whole and not output.quiet:
                say("")
                say(f"The games are in {shell_word(db)}")
                say(f"Only the last {KEPT} such files are kept; --db FILE keeps this one.")
            if outcome.interrupted:
                saved = "; none is kept"
                if db is not None and (whole or options.db is not None):
                    again = "the same command" + (f" with --db {shell_word(db)}" if options.db is None else "")
                    saved = " and are kept" + f"; {again} plays the rest" * (whole < plan.games)
                say(f"interrupted: {whole} of {most}{plan.games} games ended{saved}")

        games = play_prepared(
            *(run, run.games_to_play, output, command, tell, at_the_end),
            listeners=listeners,
            status=status,
            hints=hints,
            on_stdout=on_stdout,
        )
        if games.not_played:
            raise GamesLeftOut(f"{some_games(games.not_played)} not played, because an engine was withdrawn")
        if given_up := games.results.given_up:
            raise GamesLeftOut(f"{some_games(len(given_up))} never had a result; the same command tries again")


_TAGS_BYTES = 1 << 16
"""The tags of a game of ours are in so many bytes, also with the longest names and the largest board."""


def _check_pgn(path: Path) -> None:
    """Raise BadInput for a file that is no PGN of ours: it may be the tournament's, a book's or an engine's."""
    if path != STDOUT and path.is_file() and (begin := read_start(path, _TAGS_BYTES)) and b'[GameId "' not in begin:
        raise BadInput(f"--pgn {path}: a file without games of the arena is there; name another, or remove it")


Games = TypeVar("Games", bound=GamesToPlay)


def play_prepared(
    run: PreparedRun,
    begin_games: Callable[[], Games],
    output: OutputOptions,
    command: str,
    tell: Callable[[PreparedRun, RunOutcome, bool], None],
    at_the_end: Callable[[RunOutcome, int], None],
    *,
    listeners: Sequence[event_stream.Listener] = (),
    status: Callable[[GamesToPlay], Mapping[str, object]] | None = None,
    hints: bool = True,
    on_stdout: bool = False,
) -> Games:
    """Play a run until it ends or is stopped, show it meanwhile, and print what came out. Returns its games.

    `at_the_end` speaks after the tables and the endings of games; it is told how many games are stored. With
    `on_stdout` something else has stdout, and no table is printed. Raises KeyboardInterrupt after a stop.
    """
    plan, store, outcome, control = run.plan, run.store, RunOutcome(), Control()
    before = frozenset(store.done(plan.run_id)) if run.done <= FEW else frozenset[int]()
    has_end = plan.kind != "ladder"
    played: Counter[str] = Counter()
    """The games of each machine, where other ones play."""
    most = plan.games if has_end else None
    telling = Telling(begin(plan.name, plan.run_id, plan.kind, run.done, most, has_end and not plan.is_fixed, store))
    telling.listeners += listeners
    last_status: Mapping[str, object] = {}
    try:
        games = begin_games()
        if status is not None:
            telling.say("status", **(last_status := status(games)))
        with shown_run(telling, control, run.options, output) as shows:
            for number, batch in enumerate(run.play(games, control, shows.snapshot_ms)):
                if number == 0 and has_end and not plan.is_large:  # otherwise this process starts engines meanwhile
                    preload()
                outcome.add(batch)
                if status is not None and (new_status := status(games)) != last_status:
                    telling.say("status", **(last_status := new_status))
                shows.tell(batch)
                if run.options.machines is not None:
                    played.update(record.host for record in records(batch))
            outcome.interrupted = control.stopped
            whole = len(store.done(plan.run_id))
            if has_end:
                outcome.not_played, outcome.given_up = games.not_played, games.results.given_up
                # `next` takes a game, which nobody plays any more, and may start its engines: not after a stop.
                is_over = not control.stopped and games.next() is None
                outcome.scheduled = games.source.known
                if is_over and outcome.scheduled != plan.games:
                    # Fewer than there could have been. A test has games beyond its decision, played in vain.
                    store.count_games(plan.run_id, max(outcome.scheduled, whole))
            telling.say("end", time=now(), run=plan.run_id, stored=whole, interrupted=control.stopped)
    except KeyboardInterrupt:
        outcome.interrupted = True
    if played and not output.quiet:
        say("played by " + ", ".join(f"{host}: {some_games(count)}" for host, count in sorted(played.items())))
    with finishing(outcome.interrupted):
        with read_or_not():  # and written out: what follows goes to stderr, and both may be one file
            if output.pgn is not None:
                write_pgn(run, outcome, output.pgn)
            if not on_stdout:
                tell(run, outcome, output.as_json)
        ending = Ending(command, store, plan.run_id, run.options.db, before)
        if not output.quiet:
            ending.print_games()
        at_the_end(outcome, len(store.done(plan.run_id)))
        if hints and not (output.quiet or output.as_json or on_stdout):
            ending.print_next_commands()
    return games


def say_books(plan: Plan) -> None:
    """Say which books of openings the games start from."""
    for start in plan.starts:
        if (book := start.book) is not None:
            whose = "book of the arena" if book.name else "book"
            count = len(book.openings)
            some = "one opening" if count == 1 else f"{count} openings"
            say(f"openings of {shown(start.variant)}: {whose}, {some}, sha256 {book.sha256[:12]}")


@contextlib.contextmanager
def _answering(preparing: AbstractContextManager[PreparedRun]) -> Iterator[PreparedRun]:
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
