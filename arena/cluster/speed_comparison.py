"""The speeds of the machines of a run: what all of them are measured with, and how they compare.

One engine of the run searches the same on every machine. The reference is that of the run if it was measured before,
and else the median machine of those that are there first. It stays the same while machines come and go.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median_low

from arena.cluster.joined_machine import JoinedMachine
from arena.cluster.shipment import PackedEngine
from arena.play.speed_measurement import MOST_FACTOR, SpeedRequest, SpeedSearch
from results.record import MachineSpeed


@dataclass(frozen=True, slots=True)
class SpeedTest:
    """What each machine is measured with."""

    engine: PackedEngine
    search: SpeedSearch
    nodes: int


class Speeds:
    """Measures machines and remembers them. `machines` and `time_factor` may be asked from any thread."""

    def __init__(self) -> None:
        self.test: SpeedTest | None = None
        self._request: SpeedRequest | None = None
        self._nps: dict[str, float] = {}
        """By the addresses of machines."""
        self._failed: dict[str, str] = {}
        self._reference: float | None = None
        self._measured: list[tuple[JoinedMachine, int, float, str]] = []

    @property
    def machines(self) -> list[MachineSpeed]:
        """All measurements, in their order; none before there is a reference."""
        test, reference = self.test, self._reference
        if test is None or reference is None:
            return []
        return [
            MachineSpeed(each.host, slots, test.engine.spec.name, test.nodes, nps, reference, reference / nps, when)
            for each, slots, nps, when in self._measured
        ]

    def needs(self, machine: JoinedMachine) -> bool:
        """Is this machine to be measured still?"""
        return self.test is not None and machine.address not in self._nps and machine.address not in self._failed

    def time_factor(self, machine: JoinedMachine) -> float | None:
        """What time limits are multiplied by on this machine; None: nothing."""
        if not self._normalises or self._reference is None:
            return None
        return self._reference / self._nps[machine.address]

    async def choose(
        self, machine: JoinedMachine, request: SpeedRequest, engines: Sequence[PackedEngine]
    ) -> dict[str, str]:
        """Find on this machine the first engine that can be measured with, and its nodes.

        Returns why others cannot, by their names.
        """
        self._request, before = request, request.before
        reasons: dict[str, str] = {}
        for engine in sorted(engines, key=lambda each: before is None or each.spec.name != before.engine):
            nodes: int | str = 0
            if before is not None and engine.spec.name == before.engine:
                nodes, self._reference = before.nodes, before.reference_nps
            else:
                nodes = await machine.call(machine.agent.choose_nodes(engine, request.search))
                self._reference = None
            if isinstance(nodes, int):
                self.test = SpeedTest(engine, request.search, nodes)
                break
            reasons[engine.spec.name] = nodes
        return reasons

    async def measure(self, machine: JoinedMachine, slots: int) -> None:
        """Measure a machine with all its slots busy."""
        assert self.test is not None and self._request is not None
        test = self.test
        nps: float | str = await machine.call(
            machine.agent.measure(test.engine, test.search, test.nodes, slots, self._request.pin)
        )
        if isinstance(nps, str):
            self._failed[machine.address] = nps
        else:
            self._nps[machine.address] = nps
            self._measured.append((machine, slots, nps, datetime.now(UTC).isoformat(timespec="milliseconds")))

    def set_reference(self) -> None:
        """From now on machines are compared with the median of those that were measured, if with nothing else yet."""
        if self._reference is None and self._nps:
            self._reference = median_low(self._nps.values())

    def doubt(self, machine: JoinedMachine) -> str:
        """What is wrong with the speed of this machine; empty where nothing is."""
        if why := self._failed.get(machine.address):
            return f"its speed cannot be measured: {why}"
        nps, reference = self._nps.get(machine.address), self._reference
        if not self._normalises or nps is None or reference is None:
            return ""
        times, how = (nps / reference, "fast") if nps > reference else (reference / nps, "slow")
        return (
            "" if times <= MOST_FACTOR else f"it is {times:.0f} times as {how} as the reference, too much to even out"
        )

    @property
    def _normalises(self) -> bool:
        return self._request is not None and self._request.normalise

    def refusal(self, machine: JoinedMachine) -> str:
        """Why this machine may not play: without its speed nothing can be evened out. Empty where it may."""
        return self.doubt(machine) if self._normalises else ""

    def text(self, machine: JoinedMachine) -> str:
        """Its speed, or why there is none, in words; empty where it was not measured."""
        nps = self._nps.get(machine.address)
        if self.test is None or self._reference is None or nps is None:
            return self.doubt(machine)
        engine = self.test.engine.spec.name
        return f"{nps:,.0f} nodes/s of {engine} on each slot, factor {self._reference / nps:.2f}"
