"""Prepares the run of a plan, and plays the games that the store does not have.

Whatever can be refused is refused before anything is written: a new database is made last. What came out is read from
the store: all games, those that are not kept, and the tables.
"""

import contextlib
import logging
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge
from pathlib import Path
from typing import TYPE_CHECKING

from arena import games_at_once
from arena.planning import introductions, stored_runs
from arena.planning.containment import Containment
from arena.planning.engine_files import missing_programs
from arena.planning.errors import PlanError
from arena.planning.introductions import OtherMachines
from arena.planning.plan import Plan
from arena.planning.run_lock import run_lock
from arena.play.jobs import EngineSpec
from arena.play.trial_start import Introductions, introduce
from arena.run.control import Control
from arena.run.events import Events, GameEnded, Withdrawn, records
from arena.run.play import Play
from arena.run.run import GamesToPlay
from arena.run.slots import LocalSlots, Slots
from protocol.containment import group
from protocol.containment.policy import Caps, Level
from results.record import GameRecord
from results.store import make
from results.store.files import refuse_stdout
from results.store.filter import Filter
from results.store.store import Store, StoreError

if TYPE_CHECKING:
    from results.tables.rating_lists import RatingLists  # numpy: it is loaded while games are played

LOG = logging.getLogger("arena")

MOST_AT_ONCE = 1024


class NotKept(StoreError):
    """Results of a run could not be stored. The message is one sentence."""

    exit_code = 5


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a plan is to be carried out."""

    containment: Containment
    db: Path | None = None
    """None: the games are kept in memory."""
    concurrency: int | None = None
    """Games at once; None: see `games_at_once`; on other machines as many as there is room for."""
    seed_given: bool = True
    """False: the plan takes the seed of the stored run that it repeats, if there is one."""
    name_given: bool = False
    """True: refuse a run of this name with other settings. Otherwise a new run begins beside it."""
    need_all: bool = True
    """True: refuse the run if one of its engines cannot be started."""
    pin: bool = True
    smoke: bool = False
    """Are the engines asked the smoke checks before the first game?"""
    trace: Path | None = None
    """The folder for all that is said with the engines."""
    machines: OtherMachines | None = None
    """The machines that play; None: this one."""

    @property
    def games_at_once(self) -> int:
        """As many as the user said, else the default of `arena.games_at_once`."""
        return self.concurrency or games_at_once.in_a_run()

    def slots(self, plan: Plan) -> Slots:
        """Where the games of the plan are played."""
        # An engine with threads of its own is not held on one CPU.
        pin = self.pin and not any(spec.threads > 1 for spec in plan.engines)
        if self.machines is None:
            return LocalSlots(self.games_at_once, pin=pin, meanwhile=make.load)
        threads = max((spec.threads for spec in plan.engines), default=1)
        return self.machines.slots(self.concurrency, pin=pin, threads=threads, freeze=plan.terms.freeze)

    def introduce(self, specs: Sequence[EngineSpec]) -> Introductions:
        """Introduce engines on the machines that will play them."""
        return introduce(specs) if self.machines is None else self.machines.introduce(specs)


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A run that can be played: nothing is left to refuse, and the store knows it."""

    plan: Plan
    store: Store
    options: RunOptions
    slots: Slots
    """Where its games are played. The engines may have been started there."""
    done: int
    """How many of its games were stored before."""
    engines: dict[str, EngineSpec]
    """Those that play, by name. A ladder has more of them later."""
    absent: Mapping[str, str] = field(default_factory=dict)
    """The engines that cannot take part, with the reason."""

    def games_to_play(self) -> GamesToPlay:
        """The games that the store does not have."""
        plan, store = self.plan, self.store
        stored = store.withdrawn(plan.run_id)
        # Where results decide, the rounds after were paired as if it had lost, so it stays out. Else it plays again.
        if stored and plan.is_fixed:
            store.keep_withdrawn(plan.run_id, stored := {})

        def admit(name: str) -> str:
            """Introduce an engine before its first game, so that no game waits for hundreds; why it cannot play."""
            met = introductions.meet([spec := self.engines[name]], self.options.introduce)
            one = introductions.introduced(replace(plan, engines=(spec,)), met)
            store.add_players(plan.run_id, one.players)
            return one.absent.get(name, "")

        return plan.games_to_play(store, {**stored, **self.absent}, admit if plan.is_large else None)

    def play(self, run: GamesToPlay, control: Control, snapshot_ms: int = 0) -> Iterator[Events]:
        """Play these games. What happened is yielded after its games are stored.

        A game that was stopped from outside is told and not stored: it is played when the run goes on. Raises NotKept
        and WorkerLost.
        """
        run.attach(control.nudge)
        play, db = Play(run, self.slots, self.engines, control, snapshot_ms=snapshot_ms), self.options.db
        with contextlib.closing(play.__iter__()) as batches:
            for events in batches:
                games, changed = records(events), any(isinstance(event, Withdrawn) for event in events)
                try:
                    if games or changed:
                        with self.store.transaction():
                            self.store.add_games(games)
                            if changed:
                                self.store.keep_withdrawn(self.plan.run_id, run.withdrawn)
                except StoreError as error:
                    raise NotKept(str(error)) from error
                # SQLite would write on into the file that it opened, wherever that is now.
                if games and db is not None and not self.store.still_there():
                    raise NotKept(
                        f"{db} was removed, moved, replaced or cut short while its run was played, so the run is "
                        "stopped: put it back, with the files whose names begin like its name, then the same command "
                        "goes on"
                    )
                run.hear(events)
                yield events


def refuse_freeze(options: RunOptions) -> None:
    """Raise PlanError if engines cannot be frozen on this machine. Others say so themselves."""
    if options.machines is None and group.groups() is None:
        raise PlanError(
            "freeze: this user has no control groups on this machine, which freeze engines: "
            f"leave it out, or {group.REMEDY}"
        )


def fitted(plan: Plan, options: RunOptions, memory_mb: int | None = None) -> RunOptions:
    """The options with as many games at once as this machine can hold. Raises PlanError where the user said more.

    Only of an engine with a raised cap it is believed that it takes what it may. Without a sandbox the engines that
    speak TCP share the ports of the machine.
    """
    most, why, remedy = MOST_AT_ONCE, "", "or give them less"
    caps = [spec.sandbox.caps.memory_mb or 0 for spec in plan.engines]
    if options.machines is None and max(caps, default=0) > (Caps().memory_mb or 0):
        total_mb = games_at_once.memory_mb() if memory_mb is None else memory_mb
        most = games_at_once.in_memory(caps, total_mb)
        game_mb = sum(sorted(caps)[-2:])
        why = f"two engines may take {game_mb} MB (limits.memory_mb), and this machine has {total_mb} MB"
        if not most:
            LOG.warning(f"{why}: not all of it is there")
            most = 1
    on_ports = [spec.name for spec in plan.engines if spec.sandbox.loopback and spec.sandbox.level is Level.NONE]
    if on_ports:
        most, remedy = 1, "or play with --contain strict"
        why = f"{on_ports[0]} speaks TCP, and without a sandbox all games share the ports of the machine"
    if (options.concurrency or 0) > most:
        games = "1 game" if most == 1 else f"{most} games"
        raise PlanError(f"this machine can hold {games} at once: {why}; write --concurrency {most}, {remedy}")
    if options.machines is None and options.games_at_once > most:
        LOG.info(f"games at once: {most}; {why}")
        return replace(options, concurrency=most)
    return options


@contextlib.contextmanager
def prepared_run(plan: Plan, options: RunOptions) -> Iterator[PreparedRun]:
    """The run of a plan, ready to be played; its database is open while the block runs.

    Each step may change the plan, or refuse it. Raises PlanError, ConfigError and
    StoreError, and EngineUnavailable where too few engines can be started.
    """
    if plan.terms.freeze:
        refuse_freeze(options)
    options = fitted(plan, options)
    if options.trace is not None:
        plan = traced(plan, options.trace)
    with contextlib.ExitStack() as held:
        stored = held.enter_context(opened(options.db))
        in_force = options.containment.verify(plan.engines)
        slots, introduce = options.slots(plan), options.introduce
        met: introductions.Met = {}
        if not plan.is_large:
            if isinstance(slots, LocalSlots):
                introduce = held.enter_context(contextlib.closing(slots)).meet
            met = introductions.meet(plan.engines, introduce)
            # The names of engines are part of what names the run.
            plan = introductions.renamed(plan, met, (lambda names: ()) if stored is None else stored.commands)
        if stored is not None:
            plan = stored_runs.continued(plan, stored, options.seed_given)
        # Before the database is read: what it holds may change until another run of the plan has ended.
        held.enter_context(run_lock(options.db, plan.run_id, plan.name))
        done = 0
        if stored is not None:
            done = len(stored.done(plan.run_id))
            stored_runs.refuse_stored(plan, stored, str(options.db), options.name_given)
        if not done and options.machines is None:
            unknown = [spec for spec in plan.engines if plan.is_large or met[spec.start_key][1]]
            if unknown and (lacking := missing_programs(unknown)):  # in a new run that is a slip of the pen
                raise PlanError("; ".join(lacking))
        introduced = introductions.Introduced()
        if plan.is_large:
            LOG.info(f"{len(plan.engines)} engines: each is started when it first plays, and not checked before")
        else:
            introduced = introductions.introduced(plan, met)
            if options.smoke and not done:  # a run that goes on was checked before
                introduced = introductions.checked(plan, introduced, options.machines)
        if introduced.absent:
            introductions.refuse_absent(plan, introduced.absent.values(), options.need_all and not done)
        store = stored
        if store is None:
            store = held.enter_context(Store.in_memory() if options.db is None else Store.create_or_open(options.db))
        if not store.add_run(plan.run(in_force), introduced.players):
            store.grow_run(plan.run(in_force), introduced.players)
        engines = {spec.name: spec for spec in plan.engines}
        yield PreparedRun(plan, store, options, slots, len(store.done(plan.run_id)), engines, introduced.absent)


def traced(plan: Plan, folder: Path) -> Plan:
    """The plan with all dialogues of its engines written to this folder, which is made if need be."""
    if str(folder) == "-":
        raise PlanError("--trace -: a folder cannot be written to stdout; name a folder")
    if folder.exists() and not folder.is_dir():
        raise PlanError(f"--trace {folder}: is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PlanError(f"--trace {folder}: cannot be written; check its permissions or name another folder")
    return replace(plan, engines=tuple(replace(spec, trace=str(folder.absolute())) for spec in plan.engines))


def opened(db: Path | None) -> contextlib.AbstractContextManager[Store | None]:
    """The database, None where it is still to be made. Raises PlanError where it cannot be made.

    Raises StoreError for a file that is no database.
    """
    if db is not None:
        refuse_stdout(db)
    if db is not None and not db.absolute().parent.is_dir():
        raise PlanError(f"--db {db}: there is no folder {db.absolute().parent}; make it first")
    return contextlib.nullcontext() if db is None or not db.exists() else Store.create_or_open(db)


@dataclass(slots=True)
class RunOutcome:
    """What the store does not have of a run that was played."""

    unfinished: list[GameRecord] = field(default_factory=list)
    interrupted: bool = False
    given_up: dict[int, GameRecord] = field(default_factory=dict)
    """Games that never had a result, however often they were tried, by their numbers."""
    scheduled: int = 0
    """The number of games of the format that are known by now; 0: none is."""
    not_played: int = 0
    """Games that were left out because an engine was withdrawn."""

    def add(self, events: Events) -> None:
        """Games have ended. One that lost its worker before was played again."""
        for record in (event.record for event in events if isinstance(event, GameEnded)):
            self.unfinished = [each for each in self.unfinished if each.id != record.id]
            if record.winner is None:
                self.unfinished.append(record)

    def records(self, run: PreparedRun) -> Iterator[GameRecord]:
        """All games in the schedule's order, read one by one."""
        rest = sorted(self.unfinished, key=lambda record: record.number)
        return merge(run.store.games(run.plan.run_id), rest, key=lambda record: record.number)

    def rating_lists(self, run: PreparedRun) -> "RatingLists":
        """The tables of all games."""
        from results.tables.rating_lists import rating_lists_of_runs

        run_id = run.plan.run_id
        return rating_lists_of_runs(run.store, [run_id], Filter(run=run_id), more=self.unfinished)

    def missing(self, run: PreparedRun) -> int:
        """The number of scheduled games that are missing. If results decide the schedule, only known games count."""
        if run.plan.is_fixed:
            return run.plan.games - len(run.store.done(run.plan.run_id))
        return self.not_played + len(self.unfinished)

    def values(self, run: PreparedRun, games_of: Counter[str]) -> dict[str, object]:
        """All but the games, for JSON. `games_of` counts the decided games of each machine."""
        from results.tables.to_json import rating_lists_json

        plan, lists = run.plan, self.rating_lists(run)
        outcome = plan.outcome(run.store)
        values: dict[str, object] = {
            "standings": rating_lists_json(lists),
            "withdrawn": lists.withdrawn,
            "not_played": self.missing(run),
            "format": {"name": plan.format_config.format, **(outcome.values if outcome is not None else {})},
        }
        if run.options.machines is not None:
            values["machines"] = [{"host": host, "games": games} for host, games in sorted(games_of.items())]
        return values
