"""Machines of different speed: how they are compared, which of them may play, and how long their games are."""

import asyncio
import sys
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.cluster.joined_machine import JoinedMachine
from arena.cluster.shipment import PackedEngine, Shipment
from arena.cluster.speed_comparison import Speeds
from arena.formats.registry import FormatConfig
from arena.planning import build_plan
from arena.planning.containment import Containment
from arena.planning.prepared_run import RunOptions, prepared_run
from arena.play import speed_measurement
from arena.play.jobs import EngineSpec, Terms
from arena.play.speed_measurement import SpeedRequest, SpeedSearch
from arena.run.schedule import Start
from arena.timing.time_control import parse
from protocol.containment.policy import Level
from results.record import MachineSpeed, Player
from results.store.store import Store
from tests.arena.play.paced_engine import PACED
from tests.arena.run.playing import play_out

SEARCH = SpeedSearch("callanish-5", None)


class Agent:
    """Answers as a machine of this speed does; an engine that is not named here cannot be measured with."""

    def __init__(self, nps: Mapping[str, float]) -> None:
        self._nps = nps

    async def choose_nodes(self, engine: PackedEngine, search: SpeedSearch) -> int | str:
        return 1000 if engine.spec.name in self._nps else "it reports no nodes"

    async def measure(
        self, engine: PackedEngine, search: SpeedSearch, nodes: int, slots: int, pin: bool
    ) -> float | str:
        return self._nps.get(engine.spec.name, "it reports no nodes")


class Box(JoinedMachine):
    """A machine that answers without a network."""

    def __init__(self, host: str, nps: Mapping[str, float]) -> None:
        super().__init__(host, lambda *_: None)
        self.agent = Agent(nps)

    async def call(self, answer: Awaitable[Any]) -> Any:
        return await answer


def machine(host: str, **nps: float) -> Box:
    return Box(host, nps)


def packed(*names: str) -> list[PackedEngine]:
    return [PackedEngine(EngineSpec(name, (name,)), Shipment(())) for name in names]


def measured(
    boxes: Sequence[Box],
    engines: Sequence[PackedEngine],
    *,
    normalise: bool = False,
    before: MachineSpeed | None = None,
    late: Sequence[Box] = (),
) -> tuple[Speeds, dict[str, str]]:
    """The speeds of these machines, and why engines could not be measured with."""
    speeds = Speeds()
    request = SpeedRequest((), SEARCH, 1, True, normalise, before)

    async def measure() -> dict[str, str]:
        reasons = await speeds.choose(boxes[0], request, engines)
        for box in boxes if speeds.test is not None else ():
            await speeds.measure(box, 2)
        speeds.set_reference()
        for box in late:
            assert speeds.needs(box)
            await speeds.measure(box, 2)
        return reasons

    return speeds, asyncio.run(measure())


def test_the_median_machine_is_the_reference_and_later_ones_change_nothing() -> None:
    """Of an even number it is the slower one of the two in the middle, so that some machine has the factor 1."""
    boxes = [machine("m1", fox=40_000), machine("m2", fox=20_000), machine("m3", fox=80_000), machine("m4", fox=30_000)]
    speeds, _ = measured(boxes, packed("fox"), normalise=True, late=[machine("m5", fox=10_000)])
    assert [(each.host, each.factor) for each in speeds.machines] == [
        ("m1", 0.75),
        ("m2", 1.5),
        ("m3", 0.375),
        ("m4", 1.0),
        ("m5", 3.0),
    ]
    assert {each.reference_nps for each in speeds.machines} == {30_000}
    assert speeds.time_factor(boxes[1]) == 1.5
    assert speeds.text(boxes[1]) == "20,000 nodes/s of fox on each slot, factor 1.50"


def test_without_normalise_speeds_are_told_and_times_are_not_multiplied() -> None:
    """Nor is a machine refused, however slow it is."""
    boxes = [machine("m1", fox=40_000), machine("m2", fox=100), machine("m3")]
    speeds, _ = measured(boxes, packed("fox"))
    assert [speeds.time_factor(box) for box in boxes] == [None, None, None]
    assert [speeds.refusal(box) for box in boxes] == ["", "", ""]
    assert speeds.doubt(boxes[2]) == "its speed cannot be measured: it reports no nodes"


def test_with_normalise_a_machine_that_cannot_be_evened_out_plays_nothing() -> None:
    """Its clocks would be eleven times as long, or an eleventh; or nobody knows how long they should be."""
    boxes = [machine("m1", fox=11_000), machine("m2", fox=1_000), machine("m3", fox=121_000), machine("m4")]
    speeds, _ = measured(boxes, packed("fox"), normalise=True)
    assert [speeds.refusal(box) for box in boxes] == [
        "",
        "it is 11 times as slow as the reference, too much to even out",
        "it is 11 times as fast as the reference, too much to even out",
        "its speed cannot be measured: it reports no nodes",
    ]


def test_the_first_engine_that_tells_its_nodes_is_measured_with() -> None:
    """The others are told with their reasons; where there is none, nothing is measured."""
    speeds, reasons = measured([machine("m1", owl=5)], packed("elk", "fox", "owl", "yak"))
    assert speeds.machines[0].engine == "owl"
    assert reasons == {"elk": "it reports no nodes", "fox": "it reports no nodes"}
    speeds, reasons = measured([machine("m1")], packed("elk"))
    assert not speeds.machines and reasons == {"elk": "it reports no nodes"}


def test_a_run_that_goes_on_keeps_its_engine_its_nodes_and_its_reference() -> None:
    """Also where none of the machines of then is there. Where the engine has gone, the median holds again."""
    before = MachineSpeed("old", 4, "owl", 7000, 90_000.0, 60_000.0, 2 / 3, "")
    box = machine("m1", elk=1.0, owl=30_000.0)
    speeds, _ = measured([box], packed("elk", "owl"), normalise=True, before=before)
    (found,) = speeds.machines
    assert (found.engine, found.nodes, found.reference_nps, found.factor) == ("owl", 7000, 60_000, 2)
    speeds, _ = measured([box], packed("elk"), normalise=True, before=before)
    assert [(each.engine, each.nodes, each.factor) for each in speeds.machines] == [("elk", 1000, 1)]


def test_games_on_a_slow_machine_are_longer_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference of the stored run is twice as fast as this machine: its clocks are doubled, by its own figures."""
    pytest.importorskip("distributed", reason="needs the extra `cluster`")
    from tests.arena.cluster.machines import one_machine

    monkeypatch.setattr(speed_measurement, "SECONDS", 0.3)
    program = tmp_path / "paced.py"
    program.write_text(PACED)
    command = (sys.executable, str(program), "40000", "1000000000", "nodes")
    terms = Terms(parse("5+0.5"), max_plies=2)
    box = Containment(Level.NONE, {}, ())
    plan = build_plan.plan(
        "match",
        "fox against owl",
        box.apply([EngineSpec(name, command) for name in ("fox", "owl")]),
        (Start("callanish-5"),),
        0,
        1,
        terms,
        FormatConfig(rounds=1),
        print,
        normalise=True,
    )
    db = tmp_path / "x.db"
    run = plan.run({})
    with Store.create_or_open(db) as store:
        store.add_run(run, [Player(name, "", "", command, "") for name in ("fox", "owl")])
        store.add_machines(run.id, [MachineSpeed("old", 4, "owl", 4000, 80_000.0, 80_000.0, 1.0, "then")])
    said: list[str] = []
    with one_machine(2, said.append) as cluster:
        options = RunOptions(box, db, None, elsewhere=cluster)
        with prepared_run(plan, options, said.append) as prepared:
            play_out(prepared)
            old, here = prepared.store.machines(run.id)
            games = list(prepared.store.games(run.id))
    assert old.host == "old" and here.nodes == 4000
    # A loaded machine makes it slower. Once, at load 10, it looked 7 % faster than it is; the cause is not known.
    assert here.slots == 2 and 20_000 < here.nps <= 50_000 and here.factor == 80_000 / here.nps
    assert [(game.tc, game.time_factor) for game in games] == [("5+0.5", here.factor)] * 2
    left = [ply.left_ms or 0 for game in games for ply in game.plies]
    assert len(left) == 4 and all(6_000 < each <= 5_500 * here.factor for each in left)
