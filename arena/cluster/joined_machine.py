"""A machine as an arena sees it: its slots, what it is known to have, and questions to its agent."""

import asyncio
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.cluster.access import Access, connection
from arena.cluster.dask_slot import DaskSlot
from arena.cluster.machine_info import MachineInfo
from arena.cluster.shipment import PackedEngine


class Gone(Exception):
    """A machine was lost during a call."""


class JoinedMachine:
    """A machine as this arena sees it. Its fields belong to the loop's thread, `slots` and `ready` to the lock too."""

    def __init__(self, access: Access, address: str) -> None:
        self._access = access
        self.address = address
        self.info: MachineInfo | None = None
        self.claimed = False
        """Whether it plays for us."""
        self.ready = False
        """Whether it can play games of the run."""
        self.knows: set[str] = set()
        """The engines that were introduced there."""
        self.unfit = ""
        """Why it plays nothing of this run; empty if it does or may."""
        self.slots: set[DaskSlot] = set()
        self.gone = asyncio.Event()
        self.clock_ahead_ns = 0
        self.tasks: set[asyncio.Task[None]] = set()
        """What carries bytes of its slots, and prepares it."""
        self.preparing = asyncio.Lock()
        """Held by what ships engines to it and starts them there."""
        self._shipped: set[str] = set()
        self._shipping = asyncio.Lock()

    @property
    def host(self) -> str:
        return self.address if self.info is None else self.info.host

    async def connect(self) -> Any:
        """A connection to it. Raises OSError."""
        return await connection(self._access, self.address)

    def begin(self, coroutine: Any) -> None:
        """Let this run until the machine is lost."""
        task = asyncio.create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def call(self, question: str, *arguments: Any) -> Any:
        """What its agent answers. Raises Gone if the machine is lost meanwhile, or cannot be reached."""
        answered = asyncio.create_task(self._answer(question, arguments))
        gone = asyncio.create_task(self.gone.wait())
        try:
            await asyncio.wait({answered, gone}, return_when=asyncio.FIRST_COMPLETED)
            if self.gone.is_set():
                raise Gone
            return answered.result()
        except OSError:
            raise Gone from None
        finally:
            gone.cancel()
            answered.cancel()

    async def _answer(self, question: str, arguments: Sequence[Any]) -> Any:
        from distributed.core import send_recv

        comm = await self.connect()
        try:
            return pickle.loads(await send_recv(comm, op="arena_call", question=pickle.dumps((question, arguments))))
        finally:
            comm.abort()

    async def ship(self, engines: Sequence[PackedEngine]) -> str:
        """Send the files that the machine does not have. Returns what is wrong. Raises Gone."""
        async with self._shipping:  # two slots may want the same engine
            for engine in engines:
                if not engine.files or engine.digest in self._shipped:
                    continue
                for file in await self.call("lacks", engine):
                    data = await asyncio.to_thread(Path(file.path).read_bytes)
                    if wrong := await self.call("put", engine.digest, file, data):
                        return str(wrong)
                self._shipped.add(engine.digest)
        return ""
