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
    watcher: Observer,
    *,
    pin: bool = True,
    glimpse_ms: int = 0,
    begun: Callable[[Scheduler], None] = lambda scheduler: None,
) -> Report:
    """Play the games of `plan`, whose run `store` knows, that it does not have; each is stored, then told to `watcher`.

    A game that was stopped from outside is told and not stored, so that it is played when the run goes on. `begun` is
    given the scheduler before the first game, so that it can be paused.
    """

    def keep(record: GameRecord) -> None:
        if is_whole(record):
            store.add_game(record)

    # An engine that brings its own threads is not held on one CPU.
    pin = pin and not any(spec.threads > 1 for spec in plan.engines)
    specs = {spec.name: spec for spec in plan.engines}
    if not plan.is_fixed:
        # Rounds were paired with the games that they missed as lost: who is out stays out.
        absent = {**store.withdrawn(plan.run_id), **absent}

    def withdraw(withdrawn: Mapping[str, str]) -> None:
        store.keep_withdrawn(plan.run_id, withdrawn)

    scheduler = Scheduler(
        specs,
        concurrency,
        keep,
        withdrawn=absent,
        withdraw=withdraw,
        fault_budget=plan.fault_budget,
        pin=pin,
        watcher=watcher,
        glimpse_ms=glimpse_ms,
    )
    begun(scheduler)
    supply = plan.supply(store, scheduler.withdrawn)
    return scheduler.run(LazyIntroduction(plan, store, scheduler, supply) if plan.is_large else supply)
