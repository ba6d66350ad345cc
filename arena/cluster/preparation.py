"""Prepares machines for a run: ships engines, starts and checks them there, and settles who can play."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena.cluster.joined_machine import Gone, JoinedMachine
from arena.cluster.machine_info import interpreter
from arena.cluster.machines import Machines
from arena.cluster.shipment import Packed, PackedEngine, pack
from arena.play.jobs import EngineSpec
from arena.play.trial_start import Introductions
from protocol.session import Identity

WAIT_S = 0.1
"""So long until machines are looked at again where none can do what is asked for."""


class Preparation:
    """Knows the engines of the run, and which of them each machine can start. Coroutines belong to the loop."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self._packed: dict[str, Packed] = {}
        """The engines by the way in which they are started. Any thread may add some."""
        self._required: dict[str, Packed] = {}
        """Those that machines must be able to play."""

    def packed(self, spec: EngineSpec) -> Packed:
        """The engine, ready to travel. Raises ClusterError."""
        key = spec.start_key
        packed = self._packed[key] = self._packed.get(key) or pack(spec)
        return packed

    def engine(self, spec: EngineSpec) -> PackedEngine:
        """The engine as it travels, with the name and limits of this specification. Raises ClusterError."""
        packed = self.packed(spec).engine
        spec = replace(
            spec, command=packed.spec.command, options=packed.spec.options, files=(), sandbox=packed.spec.sandbox
        )
        return PackedEngine(spec, packed.shipment)

    async def introduce(self, specs: Sequence[EngineSpec]) -> Introductions:
        """Start packed engines on all machines. An engine that no machine can start has the reason of one of them."""
        keys = [spec.start_key for spec in specs]
        new = list(dict.fromkeys(keys))
        while True:
            self._machines.require()
            fit = [machine for machine in self._machines if not machine.unfit]
            claimed = [machine for machine in fit if machine.claimed]
            if len(claimed) < len(fit):  # one that is still admitted may be the only one that has an engine
                await asyncio.sleep(WAIT_S / 2)
                continue
            results = await asyncio.gather(*(self._introduce_on(machine, new) for machine in claimed))
            answers = [(each, answer) for each, answer in zip(claimed, results, strict=True) if answer is not None]
            if answers:
                break
            self._machines.notify_once(
                f"no machine has joined {self._machines.address} yet: waiting for one, Ctrl-C ends it"
            )
            await asyncio.sleep(WAIT_S)
        best: dict[str, tuple[Identity, str]] = {}
        for _, answer in answers:
            for key, result in zip(new, answer, strict=True):
                if key not in best or (best[key][1] and not result[1]):
                    best[key] = result
        self._required |= {key: self._packed[key] for key in new if not best[key][1]}
        for machine, answer in answers:
            self._settle(machine, new, answer)
        return [best[key] for key in keys]

    async def _introduce_on(self, machine: JoinedMachine, keys: Sequence[str]) -> Introductions | None:
        """What the machine says of these engines, after they were shipped to it; None where it is lost."""
        engines = [self._packed[key] for key in keys]
        with machine.preparing(), contextlib.suppress(Gone):
            if refusal := await machine.ship(engines):
                return [(Identity("", "", "", {}), refusal)] * len(engines)
            levels = sorted({packed.engine.spec.sandbox.level for packed in engines})
            for sentence in await machine.call(machine.agent.shortfall(levels)):
                self._machines.notify_once(f"warning: {machine.host}: {sentence}")
            answer: Introductions = await machine.call(machine.agent.introduce([each.engine for each in engines]))
            return answer
        return None

    def lacks_introductions(self, machine: JoinedMachine) -> bool:
        """Is the machine to be prepared for engines that were not introduced there?"""
        return not machine.is_preparing and not machine.knows.issuperset(self._required)

    async def prepare(self, machine: JoinedMachine) -> None:
        """Introduce the engines of the run that the machine does not know, and let it play if it can."""
        keys = [key for key in self._required if key not in machine.knows]
        with machine.preparing():
            answer = await self._introduce_on(machine, keys) if keys else None
            if answer is None:
                return
            self._settle(machine, keys, answer)

    async def ship_unknown(self, machine: JoinedMachine) -> str:
        """Ship the engines that were not introduced there. Returns what is wrong. Raises Gone."""
        packed = list(self._packed.items())  # the scheduler's thread adds some meanwhile
        unknown = [each for key, each in packed if key not in machine.knows]
        return await machine.ship(unknown) if unknown else ""

    def _settle(self, machine: JoinedMachine, keys: Sequence[str], answer: Introductions) -> None:
        """Let the machine play if it can start engines that are required; say which ones it cannot start."""
        if machine.gone.is_set():
            return
        lacks = {key: reason for key, (_, reason) in zip(keys, answer, strict=True) if reason and key in self._required}
        was_ready = machine.ready
        machine.knows |= set(keys)
        with self._machines.lock:
            machine.lacks |= lacks
            can_play = not self._required or any(key not in machine.lacks for key in self._required)
            machine.ready = can_play and machine.knows.issuperset(self._required)
        for reason in lacks.values():
            what = "no game of an engine that it cannot start" if can_play else "nothing of this run"
            self._machines.notify_once(f"{machine.host} plays {what}: {reason}")
        if machine.ready and not was_ready:
            self._greet(machine)
        self._machines.nudge()

    def _greet(self, machine: JoinedMachine) -> None:
        """Notify that the machine plays from now on."""
        assert machine.info is not None
        slots = self._machines.capacity_of(machine)
        self._machines.notify(f"{machine.host} plays, {slots} game{'s' * (slots != 1)} at once")
        in_python = any("{python}" in packed.engine.spec.command[0] for packed in self._required.values())
        if in_python and machine.info.interpreter != interpreter():
            self._machines.notify_once(
                f"{machine.host} runs engines in Python with another interpreter than ours: {machine.info.python}"
            )

    async def check(self, engines: Sequence[tuple[str, PackedEngine]], variant: str) -> dict[str, Any]:
        """Run the smoke checks of each engine, given with its key, on one of the machines that can start it."""
        fitness: dict[str, Any] = {}
        while True:
            self._machines.require()
            for machine in self._machines.ready:
                left = [each for key, each in engines if each.spec.name not in fitness and key not in machine.lacks]
                if left:
                    with contextlib.suppress(Gone):
                        fitness |= await machine.call(machine.agent.check(left, variant))
            if len(fitness) == len(engines):
                return fitness
            await asyncio.sleep(WAIT_S)
