"""Which plans can be evened out between machines, and which stored runs they go on with."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.formats.registry import FormatConfig
from arena.planning import build_plan, stored_runs
from arena.planning.containment import Containment
from arena.planning.errors import PlanError
from arena.planning.measured_machines import machine_recorder, measure
from arena.planning.plan import Plan
from arena.planning.prepared_run import RunOptions, prepared_run
from arena.play.jobs import EngineSpec, Terms
from arena.play.speed_measurement import SpeedRequest
from arena.run.schedule import Start
from arena.timing.time_control import parse
from protocol.containment.policy import Level
from results.record import MachineSpeed
from results.store.store import Store
from tests.results.made import MACHINE, RUN

Make = Callable[..., Plan]


@pytest.fixture
def make() -> Make:
    """A match of two engines with this limit, and perhaps limits of their own."""

    def made(limit: str, *own: str, normalise: bool = False) -> Plan:
        limits = [*(parse(each) for each in own), None, None]
        specs = [
            EngineSpec(name, ("/bin/true",), limit=each) for name, each in zip(("fox", "owl"), limits, strict=False)
        ]
        setting = specs, (Start("callanish-7"),), 0, 1, Terms(parse(limit)), FormatConfig(rounds=1), print
        return build_plan.plan("match", "m", *setting, normalise=normalise)

    return made


class Cluster:
    """Machines with these measurements."""

    def __init__(self, *machines: MachineSpeed) -> None:
        self.machines = list(machines)
        self.request: SpeedRequest | None = None

    def measure(self, request: SpeedRequest) -> list[MachineSpeed]:
        self.request = request
        return self.machines


def cluster_of(*machines: MachineSpeed) -> Any:
    """A cluster that can do no more than measure."""
    return Cluster(*machines)


def test_times_of_any_engine_can_be_evened_out_and_nodes_cannot(make: Make) -> None:
    """One engine with a clock is enough; depth and nodes alone are refused with the remedy."""
    timed: list[tuple[str, ...]] = [("1+0.1",), ("movetime=20",), ("nodes=9", "1+0"), ("1+0", "nodes=9")]
    for limits in timed:
        assert make(*limits, normalise=True).normalise
    refused: list[tuple[str, ...]] = [("nodes=9",), ("depth=2",), ("1+0", "nodes=9", "depth=2")]
    for limits in refused:
        assert not make(*limits).normalise
        with pytest.raises(PlanError, match=r"multiplies times, and .* is none: leave it out, or limit the time"):
            make(*limits, normalise=True)


def test_a_run_is_another_one_if_it_evens_machines_out(make: Make) -> None:
    """Its id says so, and so does the sentence about the difference. A run without it has the id that it always had."""
    plain = make("1+0.1")
    even = make("1+0.1", normalise=True)
    assert "normalise" not in plain.config and even.config["normalise"] is True
    assert plain.run_id != even.run_id
    assert stored_runs.differences(even, plain.run({})) == ["normalise was not given, is True"]
    assert stored_runs.differences(plain, even.run({})) == ["normalise was True, is not given"]


def test_nothing_is_evened_out_where_this_machine_plays_alone(make: Make, tmp_path: Path) -> None:
    """The sentence comes before a database is made."""
    options = RunOptions(Containment(Level.NONE, {}, ()), tmp_path / "x.db")
    plan = make("1+0.1", normalise=True)
    with pytest.raises(PlanError, match="normalise: only this machine plays: give --cluster ADDRESS, or leave it out"):
        with prepared_run(plan, options, print):
            pass
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_is_evened_out_needs_a_speed(make: Make) -> None:
    """Without one it would be played as if all machines were alike."""
    plan = make("1+0.1")
    measure(plan, plan.engines, cluster_of(), [], True, print)
    with pytest.raises(PlanError, match="no speed is known to even out"):
        measure(replace(plan, normalise=True), plan.engines, cluster_of(), [], True, print)


def test_the_engine_of_the_last_measurement_is_asked_first(make: Make) -> None:
    """Where another one had to be taken, a sentence says that the reference is a new one."""
    plan, said, cluster = make("1+0.1"), list[str](), cluster_of(replace(MACHINE, engine="fox"))
    before = replace(MACHINE, engine="owl")
    measure(plan, plan.engines, cluster, [MACHINE, before], True, said.append)
    assert cluster.request.before == before
    assert [spec.name for spec in cluster.request.engines] == ["owl", "fox"]
    assert said == ["machines are measured with fox from now on, and compared with the median machine anew"]


def test_machines_are_stored_once_each_time_they_are_measured() -> None:
    """Also those that come later."""
    cluster = cluster_of(MACHINE)
    late = replace(MACHINE, host="late")
    with Store.in_memory() as store:
        store.add_run(RUN, ())
        keep = machine_recorder(store, RUN.id, cluster)
        keep()
        cluster.machines.append(late)
        keep()
        keep()
        assert store.machines(RUN.id) == [MACHINE, late]
        machine_recorder(store, RUN.id, None)()
