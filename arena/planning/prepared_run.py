"""Prepares the run of a plan, and plays the games that the store does not have.

Whatever can be refused is refused before anything is written: a new database is made last. Prints nothing: `notify` is
given each sentence that the user should read.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, Literal, TypeVar

from arena.planning import engine_names, introductions, speeds, stored_runs
from arena.planning.containment import Containment
from arena.planning.errors import EngineUnavailable, PlanError, require_range
from arena.planning.introductions import Introduced, LazyIntroduction
from arena.planning.other_machines import OtherMachines
from arena.planning.plan import Plan, SomePlan
from arena.planning.run_lock import run_lock
from arena.play import cpu_affinity
from arena.play.introduce import Introductions, introduce
from arena.play.jobs import EngineSpec
from arena.play.observers import Observer
from arena.play.scheduler import Scheduler
from arena.play.slots import LocalSlots, Slots
from results.record import GameRecord, Run
from results.store.files import refuse_stdout
from results.store.store import Store

MOST_AT_ONCE = 1024

Resume = Literal["refuse", "allow", "always", "add", "demo"]
"""What to do where the database has games of this run: refuse it, go on because the user said so, go on in any case.
`add`: go on, too; the plan has the games of engines that join a tournament, and is a run of its own beside it.
`demo`: go on; the database has no other run."""
PlanOf = TypeVar("PlanOf", bound=Plan, covariant=True)
Notify = Callable[[str], None]


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
    resume: Resume = "always"
    need_all: bool = True
    """Is the run refused where one of its engines cannot be started?"""
    pin: bool = True
    smoke: bool = False
    """Are the engines asked the smoke checks before the first game?"""
    trace: Path | None = None
    """The folder for all that is said with the engines."""
    elsewhere: OtherMachines | None = None
    """The machines that play; None: this one."""

    @property
    def games_at_once(self) -> int:
        """As many as the user said. If nothing was said, one core stays free for the referee and the machine."""
        return self.concurrency or max(1, cpu_affinity.count() - 1)

    def slots(self, plan: Plan) -> Slots:
        """Where the games of the plan are played."""
        pin = may_pin(plan, self.pin)
        if self.elsewhere is None:
            return LocalSlots(self.games_at_once, pin=pin)
        threads = max((spec.threads for spec in plan.engines), default=1)
        return self.elsewhere.slots(self.concurrency, pin=pin, threads=threads)

    def introduce(self, specs: Sequence[EngineSpec]) -> Introductions:
        """Introduce engines on the machines that will play them."""
        return introduce(specs) if self.elsewhere is None else self.elsewhere.introduce(specs)


@dataclass(frozen=True, slots=True)
class PreparedRun(Generic[PlanOf]):
    """A run that can be played: nothing is left to refuse, and the store knows it."""

    plan: PlanOf
    store: Store
    options: RunOptions
    absent: Mapping[str, str]
    """The engines that cannot take part, with the reason."""
    done: int
    """How many of its games were stored before."""

    def play(
        self, observer: Observer, snapshot_ms: int = 0, attach: Callable[[Scheduler], None] = lambda scheduler: None
    ) -> int:
        """Play the games that the store does not have. Each is stored, then shown to `observer`.

        A game that was stopped from outside is shown and not stored: it is played when the run goes on. `attach` is
        given the scheduler before the first game, so that it can be paused. Returns how many games were not played,
        because an engine of theirs was withdrawn.
        """
        plan, store = self.plan, self.store
        # The rounds after were paired as if a withdrawn engine had lost: it stays out.
        stored = {} if plan.is_fixed else store.withdrawn(plan.run_id)
        scheduler = Scheduler(
            {spec.name: spec for spec in plan.engines},
            self.options.slots(plan),
            game_recorder(store, plan.run_id, self.options.elsewhere),
            withdrawn={**stored, **self.absent},
            withdraw=lambda withdrawn: store.keep_withdrawn(plan.run_id, withdrawn),
            fault_budget=plan.fault_budget if plan.is_fixed else 0,  # otherwise the job source counts faults
            observer=observer,
            snapshot_ms=snapshot_ms,
        )
        attach(scheduler)
        jobs = plan.job_source(store, scheduler.withdrawn, scheduler.withdraw)
        if plan.is_large:
            jobs = LazyIntroduction(plan, store, scheduler, jobs, self.options.introduce)
        return scheduler.run(jobs)


def check_concurrency(games: int | None) -> None:
    """Raise PlanError for a number of games at once that no machine has."""
    if games is not None:
        require_range("--concurrency", games, 1, MOST_AT_ONCE)


def game_recorder(store: Store, run_id: str, elsewhere: OtherMachines | None) -> Callable[[Sequence[GameRecord]], None]:
    """A function that stores games which came together, and before them the machines that were measured meanwhile."""
    record_machines = speeds.machine_recorder(store, run_id, elsewhere)

    def record_games(records: Sequence[GameRecord]) -> None:
        record_machines()
        store.add_ended_games(records)

    return record_games


def may_pin(plan: Plan, pin: bool) -> bool:
    """An engine with threads of its own is not held on one CPU."""
    return pin and not any(spec.threads > 1 for spec in plan.engines)


@contextlib.contextmanager
def prepared_run(plan: SomePlan, options: RunOptions, notify: Notify) -> Iterator[PreparedRun[SomePlan]]:
    """The run of a plan, ready to be played; its database is open while the block runs.

    The steps stand below in this order. Each may change the plan, and refuse it. Raises PlanError, ConfigError and
    StoreError, and EngineUnavailable where too few engines can be started.
    """
    check_concurrency(options.concurrency)
    speeds.check_elsewhere(plan, options.elsewhere)
    plan = traced(plan, options.trace)
    with contextlib.ExitStack() as held:
        stored = held.enter_context(opened(options.db, notify) or contextlib.nullcontext())
        in_force = options.containment.verify(plan.engines, notify)
        plan, met = named(plan, stored, options)
        plan = seeded(plan, stored, options)
        # Before the database is read: what it holds may change until another run of the plan has ended.
        held.enter_context(run_lock(options.db, plan.run_id, plan.name, notify))
        refuse_stored(plan, stored, options, notify)
        introduced = introduce_engines(plan, met, stored, options, notify)
        refuse_absent(plan, introduced, options.need_all, notify)
        measure_machines(plan, introduced, stored, options, notify)
        store = stored or held.enter_context(created(options.db))
        store.add_run(plan.run(in_force), introduced.players)
        speeds.machine_recorder(store, plan.run_id, options.elsewhere)()
        yield PreparedRun(plan, store, options, introduced.absent, len(store.done(plan.run_id)))


def traced(plan: SomePlan, folder: Path | None) -> SomePlan:
    """The plan with all dialogues of its engines written to this folder, which is made if need be."""
    if folder is None:
        return plan
    if str(folder) == "-":
        raise PlanError("--trace -: a folder cannot be written to stdout; name a folder")
    if folder.exists() and not folder.is_dir():
        raise PlanError(f"--trace {folder}: is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PlanError(f"--trace {folder}: cannot be written; check its permissions or name another folder")
    return replace(plan, engines=tuple(replace(spec, trace=str(folder.absolute())) for spec in plan.engines))


def opened(db: Path | None, notify: Notify) -> Store | None:
    """The database, None where it is still to be made. Raises PlanError where it cannot be, and StoreError."""
    if db is not None:
        refuse_stdout(db)
    if db is not None and not db.absolute().parent.is_dir():
        raise PlanError(f"--db {db}: there is no folder {db.absolute().parent}; make it first")
    return Store.create_or_open(db, notify=notify) if db is not None and db.exists() else None


def named(plan: SomePlan, stored: Store | None, options: RunOptions) -> tuple[SomePlan, introductions.Met]:
    """The plan with engines that have names, and what those said that were started for it.

    An engine without a given name is called as it calls itself, and its name is part of what names the run.
    """
    if plan.is_large or all(spec.named for spec in plan.engines):
        return plan, {}
    met = introductions.meet(plan.engines, introduce=options.introduce)
    own_names = introductions.own_names(plan.engines, met)
    return engine_names.renamed(plan, own_names, (lambda names: ()) if stored is None else stored.commands), met


def seeded(plan: SomePlan, stored: Store | None, options: RunOptions) -> SomePlan:
    """The plan with the seed of the stored run that it repeats, where no seed was given.

    A run that began before its variant had a book of openings goes on without it.
    """
    if stored is None:
        return plan
    runs = stored.runs()
    for form in stored_runs.forms(plan, runs):
        if not options.seed_given and (seed := stored_runs.seed_of_same(form, runs)) is not None:
            return replace(form, seed=seed)
        if any(run.id == form.run_id for run in runs):
            return form
    return plan


def refuse_stored(plan: Plan, stored: Store | None, options: RunOptions, notify: Notify) -> None:
    """Notify how the plan differs from the stored runs. Raises PlanError where they may not stand side by side."""
    done = _done(plan, stored)
    if stored is not None:
        stored_runs.refuse_namesakes(plan, stored.words("variant"), str(options.db))
        if done and options.resume == "refuse":
            missing = (
                "add --resume to play the missing ones" if done < plan.games else "--resume shows its tables again"
            )
            raise PlanError(
                f"{options.db} already holds {done} of the {plan.games} games of this tournament: "
                f"{missing}, or name another --db or seed"
            )
        _refuse_other_settings(plan, stored.runs(), options, notify)
    if options.resume == "allow" and not done:
        notify(f"--resume: {options.db} has no games of {plan.name!r} yet, so it begins with the first one")


def _refuse_other_settings(plan: Plan, runs: Sequence[Run], options: RunOptions, notify: Notify) -> None:
    """Raise PlanError where a stored run of this name has other settings and the plan may not be another run."""
    namesakes = [run for run in runs if run.name == plan.name]
    if options.resume == "always" or not namesakes or any(run.id == plan.run_id for run in runs):
        return
    if options.resume == "add":
        notify(f"the games of engines that join {plan.name!r} are a run of their own beside it")
        return
    nearest = min((stored_runs.differences(plan, run) for run in reversed(namesakes)), key=len)
    holds = f"{options.db} holds {plan.name!r} with other settings ({'; '.join(nearest) or 'another seed'})"
    if options.resume == "allow":
        raise PlanError(f"{holds}: put them back, leave out --resume, or name another --db")
    if options.resume == "demo":
        raise PlanError(f"{holds}: leave out --seed to see its end, or name another --db to play anew")
    notify(f"{holds}: this is another run beside it")


def _done(plan: Plan, stored: Store | None) -> int:
    """How many games of the plan are stored."""
    return 0 if stored is None else len(stored.done(plan.run_id))


def introduce_engines(
    plan: Plan, met: introductions.Met, stored: Store | None, options: RunOptions, notify: Notify
) -> Introduced:
    """Start the engines that were not met yet, and run the smoke checks if they are asked for."""
    if plan.is_large:
        notify(f"{len(plan.engines)} engines: each is started when it first plays, and not checked before")
        return Introduced((), {})
    introduced = introductions.introductions(plan, met=met, introduce=options.introduce)
    if not options.smoke or _done(plan, stored):  # a run that goes on was checked before
        return introduced
    return _checked(plan, introduced, options.elsewhere, notify)


def _checked(plan: Plan, introduced: Introduced, elsewhere: OtherMachines | None, notify: Notify) -> Introduced:
    """An engine that fails a fatal smoke check is absent, too; the user is notified of a lesser fault."""
    from arena.conformance import smoke

    present = speeds.present(plan, introduced.absent)
    notify(f"checking {len(present)} engines, about 2 s each; --no-smoke skips this")
    check = smoke.check_engines if elsewhere is None else elsewhere.check
    fitness = check(present, plan.starts[0].variant, notify)
    for each in fitness.values():
        if each.doubt:
            notify(f"warning: {each.doubt}")
    unfit = {name: each.unfit for name, each in fitness.items() if each.unfit}
    return replace(introduced, absent={**introduced.absent, **unfit})


def refuse_absent(plan: Plan, introduced: Introduced, need_all: bool, notify: Notify) -> None:
    """Notify who cannot take part. Raises EngineUnavailable where what is left cannot be played."""
    reasons = [*introduced.absent.values()]
    present = len(plan.engines) - len(reasons)
    refused = bool(reasons) and (need_all or present < 2)
    if refused and not need_all:
        reasons.append(f"only {present} of {len(plan.engines)} engines can be started")
    for reason in reasons[: -1 if refused else None]:
        notify(reason)
    if refused:
        raise EngineUnavailable(reasons[-1])


def measure_machines(
    plan: Plan, introduced: Introduced, stored: Store | None, options: RunOptions, notify: Notify
) -> None:
    """Measure the other machines that play, with an engine that takes part."""
    if options.elsewhere is not None:
        before = [] if stored is None else stored.machines(plan.run_id)
        engines = speeds.present(plan, introduced.absent)
        speeds.measure(plan, engines, options.elsewhere, before, may_pin(plan, options.pin), notify)


def created(db: Path | None) -> Store:
    """A new database, in memory where no file is named. Raises StoreError."""
    return Store.in_memory() if db is None else Store.create_or_open(db)
