"""Carries bytes between the scheduler and workers on other machines: opens their slots, sends and listens."""

import asyncio
import contextlib
import functools
import pickle
from collections.abc import Collection, Iterator, Mapping

from arena.cluster.agent import PIECE
from arena.cluster.joined_machine import HEARTBEAT_S, SILENT_S, DaskSlot, Gone, JoinedMachine, WePaused, within
from arena.cluster.machines import Machines
from arena.cluster.preparation import Preparation
from arena.play.jobs import EngineSpec
from arena.run.control import Control
from arena.run.slots import LacksEngine, NoSlot


class Carrying:
    """Opens slots on the machines that are ready. `open` is for the scheduler's thread, the rest for the loop."""

    def __init__(self, machines: Machines, preparation: Preparation) -> None:
        self.machines = machines
        self._preparation = preparation
        self.pin = True
        self._slot_numbers = 0

    def open(self, engines: Mapping[str, EngineSpec], snapshot_ms: int, wanted: Collection[str]) -> DaskSlot:
        """Open a slot on a machine that has one free and can play the engines that are `wanted`.

        Raises NoSlot, and LacksEngine.
        """
        keys = {engines[name].start_key for name in wanted}
        with self.machines.lock:
            ready = self.machines.ready
            free = {machine: self.machines.capacity_of(machine) - len(machine.slots) for machine in ready}
            able = [machine for machine in ready if keys.isdisjoint(machine.lacks)]
            machine = max(able, key=lambda each: free[each], default=None)
            if machine is not None and free[machine] > 0:
                self._slot_numbers += 1
                number = self._slot_numbers
                slot = machine.slots[number] = DaskSlot(functools.partial(self._order, machine, number))
        if machine is None and ready:
            self.machines.notify_once(
                f"no machine can play {' against '.join(wanted)} now: the run waits for one, Ctrl-C ends it"
            )
        if machine is None or free[machine] <= 0:
            raise LacksEngine if any(slots > 0 for slots in free.values()) else NoSlot
        slot.lacks = {name for name, spec in engines.items() if machine.lacks and spec.start_key in machine.lacks}
        there = {name: self._preparation.engine(spec) for name, spec in engines.items() if name not in slot.lacks}
        assert self.machines.loop is not None
        asyncio.run_coroutine_threadsafe(
            self._serve(machine, number, slot, pickle.dumps(there), snapshot_ms), self.machines.loop
        )
        return slot

    def _order(self, machine: JoinedMachine, number: int, how: str) -> None:
        """Send a control message to a slot's worker, from any thread."""
        assert self.machines.loop is not None
        with contextlib.suppress(RuntimeError):  # the loop has ended, and all workers with it
            self.machines.loop.call_soon_threadsafe(machine.post, number, how)

    async def _serve(
        self, machine: JoinedMachine, number: int, slot: DaskSlot, engines: bytes, snapshot_ms: int
    ) -> None:
        """Open a slot, and carry what the scheduler says to it."""
        reader, writer = await asyncio.open_connection(sock=slot.theirs)
        machine.writers[number] = writer
        if machine.gone.is_set():
            self.machines.end_slot(machine, number, None, lost=True)
            return
        try:
            refusal = await self._preparation.ship_unknown(machine)
            refusal = refusal or await machine.call(
                machine.agent.open(number, engines, snapshot_ms, self.pin, machine.clock_ahead_ns)
            )
            if refusal:
                self.machines.lose(machine, refusal)
                return
            while data := await reader.read(PIECE):
                machine.post(number, data)
            machine.post(number, "close")
        except (Gone, OSError):
            pass
        except Exception as bug:  # the scheduler would wait for this slot for ever
            self.machines.fail(bug)

    def begin(self, machine: JoinedMachine) -> None:
        """Carry to and from a machine until it is lost."""
        machine.tasks.append(asyncio.create_task(self._listen(machine)))
        machine.tasks.append(asyncio.create_task(self._send(machine)))

    async def _send(self, machine: JoinedMachine) -> None:
        """Send what is in the machine's outbox, all at once."""
        with contextlib.suppress(Gone):
            while True:
                await machine.has_post.wait()
                machine.has_post.clear()
                post, machine.outbox = machine.outbox, []
                await machine.call(machine.agent.send(post))

    async def _listen(self, machine: JoinedMachine) -> None:
        """Ask a machine for the output of its workers until it is lost."""
        while not machine.gone.is_set():
            try:
                outputs = await within(SILENT_S, machine.agent.hear(HEARTBEAT_S))
            except WePaused:
                # Its answer is lost, and it may have given us up.
                self.machines.lose(machine, "this program was stopped meanwhile", counts=False)
                return
            except TimeoutError:
                self.machines.lose(machine, f"it has not answered for {SILENT_S:.0f} s")
                return
            except Exception:  # Dask has an error of its own for each way in which a connection ends
                self.machines.lose(machine, "its connection has ended")
                return
            for output in outputs:
                if output.ended:
                    if output.slot not in machine.ordered_to_end:
                        self.machines.notify(
                            f"{machine.host}: a worker has ended (exit code {output.exit_code}); "
                            "its games are played again"
                        )
                    machine.ordered_to_end.discard(output.slot)
                    self.machines.end_slot(machine, output.slot, output.exit_code)
                elif (writer := machine.writers.get(output.slot)) is not None:
                    writer.write(output.data)


class DaskSlots:
    """The slots of all machines of a cluster, or so many of them."""

    def __init__(self, carrying: Carrying, games_at_once: int | None) -> None:
        self._carrying = carrying
        self._most = games_at_once
        self._open: dict[int, DaskSlot] = {}

    def capacity(self) -> int:
        """Enough indices for all open slots and for those that are free now. Raises ClusterLost."""
        capacity = self._carrying.machines.capacity()
        if self._most is not None:
            capacity = min(capacity, self._most)
        self._open = {index: slot for index, slot in self._open.items() if not slot.join(0)}
        free = capacity - len(self._open)
        index = 0
        while free > 0:
            free -= index not in self._open
            index += 1
        return max(index, 1 + max(self._open, default=-1))

    @contextlib.contextmanager
    def prepared(self, control: Control) -> Iterator[None]:
        """Nudge the run when machines come and go."""
        machines = self._carrying.machines
        machines.nudge, machines.is_stopped = control.nudge, lambda: control.stopped
        try:
            yield
        finally:
            machines.nudge, machines.is_stopped = lambda: None, lambda: False

    def open(
        self, engines: Mapping[str, EngineSpec], index: int, snapshot_ms: int, wanted: Collection[str] = ()
    ) -> DaskSlot:
        if self._most is not None and sum(not slot.join(0) for slot in self._open.values()) >= self._most:
            raise NoSlot("so many games as are wanted are being played")
        slot = self._open[index] = self._carrying.open(engines, snapshot_ms, wanted)
        return slot
