"""Carries out a plan from the command line: finds the run, starts it, shows how it goes, prints what came out.

Nothing is written before everything that can be refused has been: the database is made when the run begins.
"""

import contextlib
import os
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import typer

from arena.cli import db_options
from arena.cli.errors import BadInput, CannotStartEngine
from arena.cli.output import check_target
from arena.cli.run import event_stream
from arena.cli.run.order import Order, RunOutcome, say, within_reach
from arena.cli.run.progress import shown
from arena.cli.run.report import _tell
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from arena.planning.introductions import Introduced
    from arena.planning.plan import Plan
    from results.record import GameRecord
    from results.store.store import Store

SomePlan = TypeVar("SomePlan", bound="Plan")


def conduct(plan: "Plan", order: Order) -> None:
    """Play a plan to its end, or go on with it, and print what came out."""
    from protocol import run_delay

    if order.pgn is not None:
        check_target(order.pgn, "--pgn")
        if order.db is not None and order.pgn.absolute() == order.db.absolute():
            raise BadInput(f"--pgn {order.pgn}: that is the database; name another file")
    with prepared_run(plan, order) as run:
        plan, store = run.plan, run.store
        most = "" if plan.is_fixed else "at most "
        say(f"{plan.name}: {most}{some_games(plan.games - run.done)} to play, seed {plan.seed}{run.there}")
        if plan.terms.judged_by == "fair" and not run_delay.available():
            say("this system does not tell how late it is: moves are judged by wall time")
        run.log.begin(plan, store)
        outcome = _play(run, order)
        run.log.end(len(store.done(plan.run_id)), interrupted=outcome.interrupted)
        with telling(outcome.interrupted):
            _tell(plan, store, order, outcome)


@dataclass(frozen=True, slots=True)
class PreparedRun(Generic[SomePlan]):
    """A run that can be played: nothing is left to refuse, and the store knows it."""

    plan: SomePlan
    store: "Store"
    log: event_stream.Stream
    absent: "Mapping[str, str]"
    """Who cannot take part, and why."""
    done: int
    """How many of its games were there already."""

    @property
    def there(self) -> str:
        """That, as the end of a sentence; empty where there was none."""
        return f", {self.done} already there" if self.done else ""


@contextlib.contextmanager
def prepared_run(plan: SomePlan, order: Order) -> Iterator[PreparedRun[SomePlan]]:
    """Find the run that the plan goes on with, see that its engines can play, and store it, in an open database.

    Everything that can be refused is, before anything is written.
    """
    from arena.planning import introductions

    within_reach(order.concurrency)
    plan = traced(plan, order.trace)
    with database(order.db) as opened, event_stream.opened(order) as log:
        plan = resumed(plan, opened.there, order)
        in_force = order.box.proven(plan.engines)
        introduced = introductions.Introduced((), {}) if plan.is_large else introductions.introductions(plan)
        played = opened.there is not None and bool(opened.there.done(plan.run_id))
        if plan.is_large:
            say(f"{len(plan.engines)} engines: each is introduced when it first plays, and not checked before")
        elif order.smoke and not played:  # whoever goes on with a run has been asked
            introduced = _smoked(plan, introduced)
        refuse_absent(plan, introduced, order.everyone)
        store = opened.for_writing()
        store.add_run(plan.run(in_force), introduced.players)
        yield PreparedRun(plan, store, log, introduced.absent, len(store.done(plan.run_id)))


@contextlib.contextmanager
def telling(interrupted: bool) -> Iterator[None]:
    """The end of a command, in which it prints what came out; one that was interrupted ends as such behind it."""
    with calmly() if interrupted else contextlib.nullcontext():
        yield
    if interrupted:
        raise KeyboardInterrupt


class Opened:
    """A database that may be there already, and is made only when it is written to."""

    def __init__(self, db: Path | None) -> None:
        from results.store.store import Store

        self._db = db
        self.there: Store | None = (
            Store.create_or_open(db, report=db_options.tell) if db is not None and db.exists() else None
        )

    def for_writing(self) -> "Store":
        """The store, made if there is none yet."""
        from results.store.store import Store

        if self.there is None:
            self.there = Store.in_memory() if self._db is None else Store.create_or_open(self._db)
        return self.there


@contextlib.contextmanager
def database(db: Path | None) -> "Iterator[Opened]":
    """The database of a command, open while the block runs. Raises BadInput where it cannot be made."""
    if db is not None and not db.absolute().parent.is_dir():
        raise BadInput(f"--db {db}: there is no folder {db.absolute().parent}; make it first")
    opened = Opened(db)
    try:
        yield opened
    finally:
        if opened.there is not None:
            opened.there.close()


def resumed(plan: SomePlan, store: "Store | None", order: Order) -> SomePlan:
    """The plan with the seed of the stored run that it repeats, where no seed was given.

    A tournament is not gone on with unless that was asked for, and not taken for another one.
    """
    from arena.planning import resume

    stored = store.runs() if store is not None else []
    seed = None if order.seed_given else resume.seed_of_same(plan, stored)
    plan = plan if seed is None else replace(plan, seed=seed)
    if order.everyone or store is None:
        return plan
    same = any(run.id == plan.run_id for run in stored)
    done = len(store.done(plan.run_id))
    if done and not order.resume:
        missing = "add --resume to play the missing ones" if done < plan.games else "--resume shows its tables again"
        raise BadInput(
            f"{order.db} already holds {done} of the {plan.games} games of this tournament: "
            f"{missing}, or name another --db or seed"
        )
    namesakes = [run for run in stored if run.name == plan.name]
    if not same and namesakes:
        if order.added:
            say(f"the games of engines that join {plan.name!r} are a run of their own beside it")
            return plan
        nearest = min((resume.differences(plan, run) for run in reversed(namesakes)), key=len)
        holds = f"{order.db} holds {plan.name!r} with other settings ({'; '.join(nearest) or 'another seed'})"
        if order.resume:
            raise BadInput(f"{holds}: put them back, or leave out --resume")
        say(f"{holds}: this is another run beside it")
    return plan


def _smoked(plan: "Plan", introduced: "Introduced") -> "Introduced":
    """Those that fail a fatal smoke check are absent, too; what else was found is said."""
    from arena.verification import smoke

    present = [spec for spec in plan.engines if spec.name not in introduced.absent]
    say(f"checking the engines ({len(present)}), about 2 s each; --no-smoke leaves it out")
    found = smoke.check_engines(present, plan.starts[0].variant)
    for fitness in found.values():
        if fitness.doubt:
            say(f"arena: warning: {fitness.doubt}")
    unfit = {name: fitness.unfit for name, fitness in found.items() if fitness.unfit}
    return replace(introduced, absent={**introduced.absent, **unfit})


def traced(plan: SomePlan, folder: Path | None) -> SomePlan:
    """The plan with everything that is said written down, in a folder that is made where need be."""
    if folder is None:
        return plan
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"--trace {folder}: is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise BadInput(f"--trace {folder}: cannot be written; check its permissions or name another folder")
    return replace(plan, engines=tuple(replace(spec, trace=str(folder.absolute())) for spec in plan.engines))


def refuse_absent(plan: "Plan", introduced: "Introduced", everyone: bool) -> None:
    """Say who cannot take part, and raise CannotStartEngine where so few are left that nothing can be played."""
    for reason in introduced.absent.values():
        typer.echo(f"arena: {reason}", err=True)
    present = len(plan.engines) - len(introduced.absent)
    if introduced.absent and (everyone or present < 2):
        raise CannotStartEngine("" if everyone else f"only {present} of {len(plan.engines)} engines can be started")


def _play(run: PreparedRun["Plan"], order: Order) -> RunOutcome:
    from arena.cli.run.preload import Ahead
    from arena.planning import run as runs
    from arena.play.observers import GameObserver, Observers

    outcome = RunOutcome()

    def seen(record: "GameRecord") -> None:
        if record.winner is None:
            outcome.unfinished.append(record)

    plan = run.plan
    loading = () if plan.is_large else (Ahead(),)  # of many, engines are introduced meanwhile
    try:
        with shown(plan.name, plan.games, run.done, quiet=order.quiet) as show:
            report = runs.play(
                plan,
                run.store,
                run.absent,
                order.concurrency or cores(),
                Observers([GameObserver(seen), *run.log.watchers, *show.watchers, *loading]),
                pin=order.pin,
                glimpse_ms=show.glimpse_ms,
                begun=show.begun,
            )
            outcome.not_played = report.not_played
    except KeyboardInterrupt:
        outcome.interrupted = True
    return outcome


@contextlib.contextmanager
def calmly() -> Iterator[None]:
    """Whoever presses Ctrl-C twice still gets the tables of what was played."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def cores() -> int:
    """Games at once where none were asked for: one core stays free for the referee and the machine."""
    from arena.play import cpu_affinity

    return max(1, cpu_affinity.count() - 1)
