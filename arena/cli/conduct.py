"""Carries out a plan from the command line: finds the run, starts it, shows how it goes, prints what came out.

Nothing is written before everything that can be refused has been: the database is made when the run begins.
"""

import contextlib
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from heapq import merge
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import typer

from arena.cli import databases, events, final
from arena.cli.containment import Containment
from arena.cli.errors import BadInput, CannotStartEngine
from arena.cli.output import check_target, console, write_whole
from arena.cli.show import shown
from results.columns import some_games

if TYPE_CHECKING:
    from arena.cli.pools import Pools
    from arena.runs import Introduced, Plan
    from results.record import Counted, GameRecord
    from results.store import Store

SomePlan = TypeVar("SomePlan", bound="Plan")

MOST_AT_ONCE = 1024
CROSSTABLE = 64
"""More engines than this make a table that no screen shows."""


@dataclass(frozen=True, slots=True)
class Order:
    """How a plan is to be carried out."""

    box: Containment
    db: Path | None
    """None: the games are kept in memory, until they are printed."""
    concurrency: int | None
    pgn: Path | None
    as_json: bool
    seed_given: bool
    everyone: bool
    """A match: no game without both engines; and a repeated command goes on by itself."""
    resume: bool = False
    added: bool = False
    """The plan has the games of engines that join a tournament."""
    pin: bool = True
    smoke: bool = False
    """Are the engines asked the smoke checks before the first game?"""
    events: Path | None = None
    """Where what happens is written as JSON lines; `-` is stdout, which then has nothing else."""
    quiet: bool = False
    """No progress on stderr."""
    trace: Path | None = None
    """The folder for all that is said with the engines."""


def at_least(option: str, value: float, least: int) -> None:
    """Raise BadInput where a number is too small."""
    if value < least:
        raise BadInput(f"{option} {value} is out of range: it must be at least {least}")


def conduct(plan: "Plan", order: Order) -> None:
    """Play a plan to its end, or go on with it, and print what came out."""
    from protocol import rundelay

    if order.pgn is not None:
        check_target(order.pgn, "--pgn")
        if order.db is not None and order.pgn.absolute() == order.db.absolute():
            raise BadInput(f"--pgn {order.pgn}: that is the database; name another file")
    with begun(plan, order) as run:
        plan, store = run.plan, run.store
        most = "" if plan.is_fixed else "at most "
        say(f"{plan.name}: {most}{some_games(plan.games - run.done)} to play, seed {plan.seed}{run.there}")
        if plan.terms.judged_by == "fair" and not rundelay.available():
            say("this system does not tell how late it is: moves are judged by wall time")
        run.log.begin(plan, store)
        outcome = _play(run, order)
        run.log.end(len(store.done(plan.run_id)), interrupted=outcome.interrupted)
        with telling(outcome.interrupted):
            _tell(plan, store, order, outcome)


@dataclass(frozen=True, slots=True)
class Begun(Generic[SomePlan]):
    """A run that can be played: nothing is left to refuse, and the store knows it."""

    plan: SomePlan
    store: "Store"
    log: events.Stream
    absent: "Mapping[str, str]"
    """Who cannot take part, and why."""
    done: int
    """How many of its games were there already."""

    @property
    def there(self) -> str:
        """That, as the end of a sentence; empty where there was none."""
        return f", {self.done} already there" if self.done else ""


@contextlib.contextmanager
def begun(plan: SomePlan, order: Order) -> Iterator[Begun[SomePlan]]:
    """Find the run that the plan goes on with, see that its engines can play, and store it, in an open database.

    Everything that can be refused is, before anything is written.
    """
    from arena import runs

    within_reach(order.concurrency)
    plan = traced(plan, order.trace)
    with database(order.db) as opened, events.opened(order) as log:
        plan = resumed(plan, opened.there, order)
        in_force = order.box.proven(plan.engines)
        introduced = runs.Introduced((), {}) if plan.is_large else runs.introductions(plan)
        played = opened.there is not None and bool(opened.there.done(plan.run_id))
        if plan.is_large:
            say(f"{len(plan.engines)} engines: each is introduced when it first plays, and not checked before")
        elif order.smoke and not played:  # whoever goes on with a run has been asked
            introduced = _smoked(plan, introduced)
        refuse_absent(plan, introduced, order.everyone)
        store = opened.for_writing()
        store.add_run(plan.run(in_force), introduced.players)
        yield Begun(plan, store, log, introduced.absent, len(store.done(plan.run_id)))


@contextlib.contextmanager
def telling(interrupted: bool) -> Iterator[None]:
    """The end of a command, in which it prints what came out; one that was interrupted ends as such behind it."""
    with calmly() if interrupted else contextlib.nullcontext():
        yield
    if interrupted:
        raise KeyboardInterrupt


def within_reach(concurrency: int | None) -> None:
    """Raise BadInput for a number of games at once that no machine has."""
    if concurrency is not None and not 1 <= concurrency <= MOST_AT_ONCE:
        raise BadInput(f"--concurrency {concurrency} is out of range: it must be from 1 to {MOST_AT_ONCE}")


@dataclass(slots=True)
class Outcome:
    """What came of a run beside what the store has."""

    unfinished: "list[GameRecord]" = field(default_factory=list)
    interrupted: bool = False
    not_played: int = 0
    """Because engines were withdrawn."""


class Opened:
    """A database that may be there already, and is made only when it is written to."""

    def __init__(self, db: Path | None) -> None:
        from results.store import Store

        self._db = db
        self.there: Store | None = (
            Store.create_or_open(db, told=databases.tell) if db is not None and db.exists() else None
        )

    def for_writing(self) -> "Store":
        """The store, made if there is none yet."""
        from results.store import Store

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
    from arena import runs

    stored = store.runs() if store is not None else []
    seed = None if order.seed_given else runs.seed_of_same(plan, stored)
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
        nearest = min((runs.differences(plan, run) for run in reversed(namesakes)), key=len)
        holds = f"{order.db} holds {plan.name!r} with other settings ({'; '.join(nearest) or 'another seed'})"
        if order.resume:
            raise BadInput(f"{holds}: put them back, or leave out --resume")
        say(f"{holds}: this is another run beside it")
    return plan


def _smoked(plan: "Plan", introduced: "Introduced") -> "Introduced":
    """Those that fail a fatal smoke check are absent, too; what else was found is said."""
    from arena import smoke

    present = [spec for spec in plan.engines if spec.name not in introduced.absent]
    say(f"checking the engines ({len(present)}), about 2 s each; --no-smoke leaves it out")
    found = smoke.look(present, plan.starts[0].variant)
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


def _play(run: Begun["Plan"], order: Order) -> Outcome:
    from arena import runs
    from arena.cli.ahead import Ahead
    from arena.watch import Seen, Watchers

    outcome = Outcome()

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
                Watchers([Seen(seen), *run.log.watchers, *show.watchers, *loading]),
                pin=order.pin,
                glimpse_ms=show.glimpse_ms,
                begun=show.begun,
            )
            outcome.not_played = report.not_played
    except KeyboardInterrupt:
        outcome.interrupted = True
    return outcome


def _tell(plan: "Plan", store: "Store", order: Order, outcome: Outcome) -> None:
    """Print and write what came out, all of it read from the store, a game at a time."""
    unfinished = outcome.unfinished
    if order.pgn is not None:
        from results.export import pgn

        write_whole(order.pgn, (pgn(record, plan.name) for record in _records(plan, store, unfinished)))
    if order.as_json:
        _print_json(plan, store, outcome)
    elif order.events != events.STDOUT:
        _print_tables(plan, store, outcome)
    whole = len(store.done(plan.run_id))
    if outcome.interrupted:
        if order.db is None:
            say(f"interrupted: {whole} of {plan.games} games ended; without --db none is kept")
            return
        again = "the same command" if order.everyone or order.resume else "the same command with --resume"
        say(f"interrupted: {whole} of {plan.games} games ended and are kept; {again} plays the rest")
        return
    for record in unfinished:
        say(f"game {record.number} is not kept: {record.detail}; going on with the run plays it again")


def _records(plan: "Plan", store: "Store", unfinished: "list[GameRecord]") -> "Iterator[GameRecord]":
    """All games in the schedule's order, read as asked for."""
    rest = sorted(unfinished, key=lambda record: record.number)
    return merge(store.games(plan.run_id), rest, key=lambda record: record.number)


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
    from arena import cpus

    return max(1, cpus.count() - 1)


def _print_json(plan: "Plan", store: "Store", outcome: Outcome) -> None:
    """One object on one line, written game by game: a run may have more games than the memory."""
    from arena.cli import pools
    from results.export import jsonl

    head = {"run": plan.run_id, "name": plan.name, "seed": plan.seed}
    sys.stdout.write(json.dumps(head)[:-1] + ', "games": [')
    for number, record in enumerate(_records(plan, store, outcome.unfinished)):
        sys.stdout.write((", " if number else "") + json.dumps(jsonl(record)))
    found = _pools(plan, store, outcome)
    tail = {
        "standings": pools.standings_values(found),
        "withdrawn": found.withdrawn,
        "not_played": _not_played(plan, store, outcome),
        "format": final.values(plan, store),
    }
    sys.stdout.write("], " + json.dumps(tail)[1:] + "\n")


def _print_tables(plan: "Plan", store: "Store", outcome: Outcome) -> None:
    from arena.cli import pools

    out = console()
    found = _pools(plan, store, outcome)
    final.print_table(out, plan, store)
    pools.print_standings(out, found)
    if missing := _not_played(plan, store, outcome):
        out.print(f"{missing} of {plan.games} scheduled games were not played")
    out.print()
    if len(found.overall.standings.rows) > CROSSTABLE:
        out.print(f"no crosstable of more than {CROSSTABLE} engines is shown here: see arena crosstable", markup=False)
    else:
        pools.print_crosstables(out, found)


def _pools(plan: "Plan", store: "Store", outcome: Outcome) -> "Pools":
    from arena.cli import pools
    from results.filter import Filter

    counts: list[Counted | GameRecord] = [*store.counts(Filter(run=plan.run_id)), *outcome.unfinished]
    names = [player.name for player in store.players(plan.run_id)]  # of many engines those that have been introduced
    return pools.pools(counts, names, store.withdrawn(plan.run_id))


def _not_played(plan: "Plan", store: "Store", outcome: Outcome) -> int:
    """How many scheduled games are missing; where results decide what is scheduled, as far as that is known."""
    if plan.is_fixed:
        return plan.games - len(store.done(plan.run_id))
    return outcome.not_played + len(outcome.unfinished)


def say(text: str) -> None:
    """A line for people, beside whatever stdout has."""
    print(text, file=sys.stderr)
