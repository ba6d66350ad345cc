"""The speeds of other machines in a run: what is measured, whether time limits are evened out, and what is kept."""

from collections.abc import Callable, Container, Sequence

from arena.planning.errors import PlanError
from arena.planning.other_machines import OtherMachines
from arena.planning.plan import Plan
from arena.play.jobs import EngineSpec
from arena.play.speed_measurement import MOST_TRIED, SpeedRequest, SpeedSearch
from results.record import MachineSpeed
from results.store.store import Store

APART = 1.15
"""Machines whose speeds differ by more than this factor are told of where games have time limits."""


def check_elsewhere(plan: Plan, elsewhere: object) -> None:
    """Raise PlanError where the plan evens out machines and this one plays alone."""
    if plan.normalise and elsewhere is None:
        raise PlanError("normalise: only this machine plays: give --cluster ADDRESS, or leave it out")


def measure(
    plan: Plan,
    engines: Sequence[EngineSpec],
    elsewhere: OtherMachines,
    before: Sequence[MachineSpeed],
    pin: bool,
    report: Callable[[str], None],
) -> None:
    """Measure the machines with one of these engines. `before` are the measurements that are stored of the run.

    Raises PlanError where times are to be evened out and no speed is known.
    """
    start = plan.starts[0]
    request = SpeedRequest(
        _tried(engines, before),
        SpeedSearch(start.variant, start.fen),
        max((spec.threads for spec in engines), default=1),
        pin,
        plan.normalise,
        before[-1] if before else None,
    )
    machines = elsewhere.measure(request)
    if plan.normalise and not machines:
        raise PlanError(
            "normalise: no speed is known to even out: leave it out, or let an engine play that tells nodes"
        )
    if before and machines and machines[-1].engine != before[-1].engine:
        engine = machines[-1].engine
        report(f"machines are measured with {engine} from now on, and compared with the median machine anew")


def _tried(engines: Sequence[EngineSpec], before: Sequence[MachineSpeed]) -> tuple[EngineSpec, ...]:
    """The engines that are tried, first of all the one that was measured with before."""
    known = {machine.engine for machine in before[-1:]}
    return tuple(sorted(engines, key=lambda spec: spec.name not in known)[:MOST_TRIED])


def machine_recorder(store: Store, run_id: str, elsewhere: OtherMachines | None) -> Callable[[], None]:
    """A function that stores the machines that were measured since it was called last."""
    stored = 0

    def record_machines() -> None:
        nonlocal stored
        new = elsewhere.machines[stored:] if elsewhere is not None else []
        if new:
            store.add_machines(run_id, new)
            stored += len(new)

    return record_machines


def has_times(plan: Plan) -> bool:
    """Does any engine think by a clock or for a fixed time?"""
    return any((spec.limit or plan.terms.limit).kind in ("clock", "movetime") for spec in plan.engines)


def present(plan: Plan, absent: Container[str]) -> tuple[EngineSpec, ...]:
    """The engines that take part."""
    return tuple(spec for spec in plan.engines if spec.name not in absent)
