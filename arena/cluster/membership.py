"""Knows which machines there are: meets them at the scheduler, admits or refuses each, and sees which have left."""

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator, Collection
from typing import Any

from arena.cluster.access import Access, dask_client
from arena.cluster.agent import MachineAgent
from arena.cluster.carrying import Carrying
from arena.cluster.errors import ClusterLost
from arena.cluster.joined_machine import HEARTBEAT_S, SILENT_S, JoinedMachine, WePaused, awaited, within
from arena.cluster.machine_info import MachineInfo, edition
from arena.cluster.machines import Machines
from arena.cluster.preparation import Preparation

ADMIT_S = 20.0
"""How long a machine may take to say what it is."""
LOSSES = 3
"""A machine that was lost so often gets no more games in this run."""
CLOCKS_APART_S = 60.0


class Membership:
    """This run as a member of the cluster. All methods run in the loop."""

    def __init__(
        self, access: Access, only: Collection[str], machines: Machines, preparation: Preparation, carrying: Carrying
    ) -> None:
        """`only` names the machines that may play; empty: all."""
        self._access = access
        self._only = only
        self._machines = machines
        self._preparation = preparation
        self._carrying = carrying
        self._run = f"run of process {uuid.uuid4().hex[:8]}"
        self._client: Any = None

    @contextlib.asynccontextmanager
    async def joined(self) -> AsyncIterator[None]:
        """Be a member until the block ends. Raises ClusterError where nobody answers."""
        # An actor looks for the default client.
        async with dask_client(self._access, direct_to_workers=True, set_as_default=True) as self._client:
            try:
                yield
            finally:
                await self._leave()

    async def _leave(self) -> None:
        """Leave all machines, without their workers."""
        machines = list(self._machines)
        for machine in machines:
            for task in machine.tasks:
                task.cancel()
        leaving = [asyncio.ensure_future(awaited(machine.agent.release())) for machine in machines if machine.agent]
        if leaving:
            await asyncio.wait(leaving, timeout=SILENT_S / 2)
        for machine in machines:
            for number in list(machine.slots):
                self._machines.end_slot(machine, number, None, lost=True)

    async def watch(self) -> None:
        """See which machines come and go, until this is cancelled."""
        while True:
            if self._machines.failure is None:
                await self._look()
            await asyncio.sleep(HEARTBEAT_S)

    async def _look(self) -> None:
        try:
            addresses = (await within(SILENT_S, self._client.scheduler.identity(n_workers=-1)))["workers"]
        except WePaused:
            return  # it is asked again soon
        except Exception:
            self._machines.failure = ClusterLost(
                f"{self._access.address} is gone: the run is stopped, the games that ended are kept; "
                "start it again with `arena cluster scheduler`; the same command, or --resume, goes on"
            )
            for machine in self._machines:
                self._machines.lose(machine, "")
            self._machines.nudge()
            return
        for address in set(addresses) - {machine.address for machine in self._machines}:
            machine = self._machines.add(address)
            machine.tasks.append(asyncio.create_task(self._admit(machine)))
        for machine in self._machines:
            if machine.address not in addresses:
                self._machines.lose(machine, "it has left")
            elif machine.claimed and not machine.unfit and self._preparation.lacks_introductions(machine):
                machine.tasks.append(asyncio.create_task(self._preparation.prepare(machine)))

    async def _admit(self, machine: JoinedMachine) -> None:
        """Claim a machine that has joined, and let it play if it can."""
        try:
            async with asyncio.timeout(ADMIT_S):
                info = await self._claim(machine)
        except Exception as wrong:
            if str(wrong) and not isinstance(wrong, TimeoutError | OSError):
                self._machines.notify_once(f"{machine.host} cannot take part: {str(wrong).splitlines()[0]}")
            self._machines.forget(machine)
            return
        if refusal := self._refusal(info):
            self._machines.notify_once(f"{info.host} plays nothing of this run: {refusal}")
            if info.playing == self._run:
                await awaited(machine.agent.release())
            machine.unfit = refusal
            if info.playing != self._run:
                self._machines.forget(machine)  # it is asked again
            return
        self._carrying.begin(machine)
        machine.claimed = True
        await self._preparation.prepare(machine)

    async def _claim(self, machine: JoinedMachine) -> MachineInfo:
        """Start an agent on the machine, and take the machine for this run if it is free."""
        machine.future = self._client.submit(
            MachineAgent,
            self._run,
            actor=True,
            workers=[machine.address],
            allow_other_workers=False,
            pure=False,
            key=f"arena-{uuid.uuid4().hex}",
        )
        machine.agent = await machine.future
        began_ns = time.monotonic_ns()
        info: MachineInfo = await machine.agent.claim()
        machine.info = info
        machine.clock_ahead_ns = (began_ns + time.monotonic_ns()) // 2 - info.monotonic_ns
        return info

    def _refusal(self, info: MachineInfo) -> str:
        """Why the machine may not play; empty where it may."""
        if self._only and info.host not in self._only:
            return "--machines does not name it"
        if info.playing != self._run:
            return "it plays for another run; it is taken as soon as it is free"
        if info.edition != edition():
            return f"it has the edition {info.edition} of the arena, and ours is {edition()}; install the same one"
        if abs(info.clock - time.time()) > CLOCKS_APART_S:
            return f"its clock is {abs(info.clock - time.time()):.0f} s wrong; set it"
        if self._machines.losses[info.host] >= LOSSES:
            return f"it was lost {LOSSES} times"
        return ""
