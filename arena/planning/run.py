"""Plays the games of a plan that the store does not have, and stores each."""

from collections.abc import Callable, Mapping

from arena.planning.introductions import LazyIntroduction
from arena.planning.plan import Plan
from arena.play.observers import Observer
from arena.play.scheduler import Report, Scheduler, is_whole
from results.record import GameRecord
from results.store.store import Store


def play(
    plan: Plan,
    store: Store,
    absent: Mapping[str, str],
    concurrency: int,
    observer: Observer,
    *,
    pin: bool = True,
    glimpse_ms: int = 0,
    begun: Callable[[Scheduler], None] = lambda scheduler: None,
) -> Report:
    """Play the games of `plan` that `store`, which knows the run, does not have. Each is stored, then reported.

    `absent` are engines that cannot play, each with the reason. A game that was stopped from outside is reported and
    not stored, so a resumed run plays it. `begun` gets the scheduler before the first game, so that it can be paused.
    """

    def keep(record: GameRecord) -> None:
        if is_whole(record):
            store.add_game(record)

    if not plan.is_fixed:
        # Earlier rounds counted the games of withdrawn engines as lost, so these engines stay withdrawn.
        absent = {**store.withdrawn(plan.run_id), **absent}
    scheduler = Scheduler(
        {spec.name: spec for spec in plan.engines},
        concurrency,
        keep,
        withdrawn=absent,
        withdraw=lambda withdrawn: store.keep_withdrawn(plan.run_id, withdrawn),
        fault_budget=plan.fault_budget,
        # An engine that brings its own threads is not held on one CPU.
        pin=pin and not any(spec.threads > 1 for spec in plan.engines),
        observer=observer,
        glimpse_ms=glimpse_ms,
    )
    begun(scheduler)
    jobs = plan.job_source(store, scheduler.withdrawn)
    return scheduler.run(LazyIntroduction(plan, store, scheduler, jobs) if plan.is_large else jobs)
