"""Prepares the run of a plan, and plays the games that the store does not have.

Whatever can be refused is refused before anything is written: a new database is made last. Prints nothing: `report` is
given each sentence that the user should read.
"""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, Literal, TypeVar

from arena.planning import engine_names, introductions, resume, speeds
from arena.planning.containment import Containment
from arena.planning.errors import EngineUnavailable, PlanError, require_range
from arena.planning.introductions import Introduced, LazyIntroduction
from arena.planning.other_machines import OtherMachines
from arena.planning.plan import Plan
from arena.planning.run_lock import run_lock
from arena.play import cpu_affinity
from arena.play.introduce import Introductions, introduce
from arena.play.jobs import EngineSpec
from arena.play.observers import Observer
from arena.play.scheduler import Scheduler, WithdrawalSummary, is_whole
from arena.play.slots import LocalSlots, Slots
from results.record import GameRecord
from results.store.store import Store

MOST_AT_ONCE = 1024

Resume = Literal["refuse", "allow", "always", "add", "demo"]
"""What to do where the database has games of this run: refuse it, go on because the user said so, go on in any case.
`add`: go on, too; the plan has the games of engines that join a tournament, and is a run of its own beside it.
`demo`: go on; the database has no other run."""
SomePlan = TypeVar("SomePlan", bound=Plan)
PlanOf = TypeVar("PlanOf", bound=Plan, covariant=True)
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a plan is to be carried out."""

    containment: Containment
    db: Path | None = None
    """None: the games are kept in memory."""
    concurrency: int | None = None
    """Games at once; None: as `default_concurrency` says."""
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

    def slots(self, plan: Plan) -> Slots:
        """Where the games of the plan are played."""
        if self.elsewhere is None:
            return LocalSlots(self.concurrency or default_concurrency(), pin=may_pin(plan, self.pin))
        return slots_elsewhere(self.elsewhere, plan, self.concurrency, self.pin)

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
    ) -> WithdrawalSummary:
        """Play the games that the store does not have. Each is stored, then shown to `observer`.

        A game that was stopped from outside is shown and not stored: it is played when the run goes on. `attach` is
        given the scheduler before the first game, so that it can be paused.
        """
        plan, store = self.plan, self.store
        # The rounds after were paired as if a withdrawn engine had lost: it stays out.
        stored = {} if plan.is_fixed else store.withdrawn(plan.run_id)
        scheduler = Scheduler(
            {spec.name: spec for spec in plan.engines},
            self.options.slots(plan),
            keep_in(store, speeds.keeper(store, plan.run_id, self.options.elsewhere)),
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


def default_concurrency() -> int:
    """Games at once: one core stays free for the referee and the machine."""
    return max(1, cpu_affinity.count() - 1)


def keep_in(store: Store, keep_machines: Callable[[], None] = lambda: None) -> Callable[[Sequence[GameRecord]], None]:
    """Stores each game that came to its end; games that come together in one transaction."""

    def keep(records: Sequence[GameRecord]) -> None:
        keep_machines()
        whole = [record for record in records if is_whole(record)]
        if whole:
            store.add_games(whole)

    return keep


def slots_elsewhere(elsewhere: OtherMachines, plan: Plan, games_at_once: int | None, pin: bool) -> Slots:
    """The slots of other machines for a plan."""
    threads = max((spec.threads for spec in plan.engines), default=1)
    return elsewhere.slots(games_at_once, pin=may_pin(plan, pin), threads=threads)


def may_pin(plan: Plan, pin: bool) -> bool:
    """An engine with threads of its own is not held on one CPU."""
    return pin and not any(spec.threads > 1 for spec in plan.engines)


@contextlib.contextmanager
def prepared_run(plan: SomePlan, options: RunOptions, report: Notify) -> Iterator[PreparedRun[SomePlan]]:
    """Find the run that the plan goes on with, see that its engines can play, and store it; the database is open.

    Engines without a given name are started first, since their own names are part of what names the run.

    Raises PlanError, ConfigError and StoreError, and EngineUnavailable where too few engines can be started.
    """
    check_concurrency(options.concurrency)
    speeds.check_elsewhere(plan, options.elsewhere)
    plan = _traced(plan, options.trace)
    with contextlib.ExitStack() as held:
        stored = held.enter_context(opened(options.db, report) or contextlib.nullcontext())
        in_force = options.containment.verify(plan.engines, report)
        met: introductions.Met = {}
        if not plan.is_large and not all(spec.named for spec in plan.engines):
            met = introductions.meet(plan.engines, introduce=options.introduce)
            own_names = introductions.own_names(plan.engines, met)
            plan = engine_names.renamed(plan, own_names, (lambda names: ()) if stored is None else stored.commands)
        plan = _with_seed(plan, stored, options)
        # First of all: what the database holds may change until the other one has ended.
        held.enter_context(run_lock(options.db, plan.run_id, plan.name, report))
        if stored is not None:
            _refuse_stored(plan, stored, options, report)
        if options.resume == "allow" and not (stored and stored.done(plan.run_id)):
            report(f"--resume: {options.db} has no games of {plan.name!r} yet, so it begins with the first one")
        introduced = (
            Introduced((), {})
            if plan.is_large
            else introductions.introductions(plan, met=met, introduce=options.introduce)
        )
        if plan.is_large:
            report(f"{len(plan.engines)} engines: each is started when it first plays, and not checked before")
        elif options.smoke and not (stored and stored.done(plan.run_id)):  # a run that goes on was checked before
            introduced = _checked(plan, introduced, options.elsewhere, report)
        _refuse_absent(plan, introduced, options.need_all, report)
        if options.elsewhere is not None:
            before = [] if stored is None else stored.machines(plan.run_id)
            engines = speeds.present(plan, introduced.absent)
            speeds.measure(plan, engines, options.elsewhere, before, may_pin(plan, options.pin), report)
        store = stored or held.enter_context(created(options.db))
        store.add_run(plan.run(in_force), introduced.players)
        speeds.keeper(store, plan.run_id, options.elsewhere)()
        yield PreparedRun(plan, store, options, introduced.absent, len(store.done(plan.run_id)))


def opened(db: Path | None, report: Notify) -> Store | None:
    """The database, None where it is still to be made. Raises PlanError where it cannot be, and StoreError."""
    if db is not None and not db.absolute().parent.is_dir():
        raise PlanError(f"--db {db}: there is no folder {db.absolute().parent}; make it first")
    return Store.create_or_open(db, report=report) if db is not None and db.exists() else None


def created(db: Path | None) -> Store:
    """A new database, in memory where no file is named. Raises StoreError."""
    return Store.in_memory() if db is None else Store.create_or_open(db)


def _traced(plan: SomePlan, folder: Path | None) -> SomePlan:
    """The plan with all that is said with its engines written to this folder, which is made if need be."""
    if folder is None:
        return plan
    if folder.exists() and not folder.is_dir():
        raise PlanError(f"--trace {folder}: is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PlanError(f"--trace {folder}: cannot be written; check its permissions or name another folder")
    return replace(plan, engines=tuple(replace(spec, trace=str(folder.absolute())) for spec in plan.engines))


def _with_seed(plan: SomePlan, store: Store | None, options: RunOptions) -> SomePlan:
    """The plan, with the seed of the stored run that it repeats where no seed was given.

    A run that began before its variant had a book of openings goes on without it.
    """
    if store is None:
        return plan
    stored = store.runs()
    for form in resume.forms(plan, stored):
        if not options.seed_given and (seed := resume.seed_of_same(form, stored)) is not None:
            return replace(form, seed=seed)
        if any(run.id == form.run_id for run in stored):
            return form
    return plan


def _refuse_stored(plan: Plan, store: Store, options: RunOptions, report: Notify) -> None:
    """Report how the plan differs from the stored runs. Raises PlanError where they may not stand side by side."""
    resume.refuse_namesakes(plan, store.words("variant"), str(options.db))
    stored = store.runs()
    done = len(store.done(plan.run_id))
    if done and options.resume == "refuse":
        missing = "add --resume to play the missing ones" if done < plan.games else "--resume shows its tables again"
        raise PlanError(
            f"{options.db} already holds {done} of the {plan.games} games of this tournament: "
            f"{missing}, or name another --db or seed"
        )
    namesakes = [run for run in stored if run.name == plan.name]
    if options.resume == "always" or not namesakes or any(run.id == plan.run_id for run in stored):
        return
    if options.resume == "add":
        report(f"the games of engines that join {plan.name!r} are a run of their own beside it")
        return
    nearest = min((resume.differences(plan, run) for run in reversed(namesakes)), key=len)
    holds = f"{options.db} holds {plan.name!r} with other settings ({'; '.join(nearest) or 'another seed'})"
    if options.resume == "allow":
        raise PlanError(f"{holds}: put them back, leave out --resume, or name another --db")
    if options.resume == "demo":
        raise PlanError(f"{holds}: leave out --seed to see its end, or name another --db to play anew")
    report(f"{holds}: this is another run beside it")


def _checked(plan: Plan, introduced: Introduced, elsewhere: OtherMachines | None, report: Notify) -> Introduced:
    """An engine that fails a fatal smoke check is absent, too; a lesser fault is reported."""
    from arena.verification import smoke

    present = [spec for spec in plan.engines if spec.name not in introduced.absent]
    report(f"checking {len(present)} engines, about 2 s each; --no-smoke skips this")
    check = smoke.check_engines if elsewhere is None else elsewhere.check
    found = check(present, plan.starts[0].variant, report)
    for fitness in found.values():
        if fitness.doubt:
            report(f"warning: {fitness.doubt}")
    unfit = {name: fitness.unfit for name, fitness in found.items() if fitness.unfit}
    return replace(introduced, absent={**introduced.absent, **unfit})


def _refuse_absent(plan: Plan, introduced: Introduced, need_all: bool, report: Notify) -> None:
    """Report who cannot take part. Raises EngineUnavailable where what is left cannot be played."""
    reasons = [*introduced.absent.values()]
    present = len(plan.engines) - len(reasons)
    refused = bool(reasons) and (need_all or present < 2)
    if refused and not need_all:
        reasons.append(f"only {present} of {len(plan.engines)} engines can be started")
    for reason in reasons[: -1 if refused else None]:
        report(reason)
    if refused:
        raise EngineUnavailable(reasons[-1])
