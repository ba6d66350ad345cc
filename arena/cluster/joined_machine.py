"""A machine as an arena sees it: what it is known to have, its slots, and questions to its agent."""

import asyncio
import contextlib
import pickle
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from arena.cluster.dask_slot import DaskSlot
from arena.cluster.machine_info import MachineInfo
from arena.cluster.shipment import Packed

PIECE = 1 << 20
"""Engines are shipped in pieces of so many bytes."""

Answer = TypeVar("Answer")


class Gone(Exception):
    """A machine is lost while it was asked something."""


class JoinedMachine:
    """A machine as this arena sees it. Its fields belong to the loop's thread, `slots` and `ready` to the lock too."""

    def __init__(
        self, address: str, loop: asyncio.AbstractEventLoop, lose: "Callable[[JoinedMachine, str], None]"
    ) -> None:
        """`lose` is called where the machine cannot be reached, with the reason."""
        self.address = address
        self._loop = loop
        self._lose = lose
        self.agent: Any = None
        self.future: Any = None
        self.info: MachineInfo | None = None
        self.claimed = False
        """Does it play for us?"""
        self.ready = False
        """Can it play games of the run?"""
        self.knows: set[str] = set()
        """The engines that were introduced there."""
        self.lacks: dict[str, str] = {}
        """Those of them that it cannot start although another machine can, each with the reason."""
        self.is_preparing = False
        self.unfit = ""
        """Why it plays nothing of this run; empty where it does or may."""
        self.slots: dict[int, DaskSlot] = {}
        self.writers: dict[int, asyncio.StreamWriter] = {}
        self.gone = asyncio.Event()
        self.shipping = asyncio.Lock()
        self.outbox: list[tuple[int, bytes | str]] = []
        self.has_post = asyncio.Event()
        self.told_to_end: set[int] = set()
        self.clock_ahead_ns = 0
        self.tasks: list[asyncio.Task[None]] = []

    @property
    def host(self) -> str:
        return self.address if self.info is None else self.info.host

    def post(self, slot: int, data: bytes | str) -> None:
        if isinstance(data, str):
            self.told_to_end.add(slot)
        self.outbox.append((slot, data))
        self.has_post.set()

    def end(self, slot: DaskSlot, how: str) -> None:
        """See `Far`."""
        for number, each in list(self.slots.items()):
            if each is slot:
                with contextlib.suppress(RuntimeError):  # the loop has ended, and all workers with it
                    self._loop.call_soon_threadsafe(self.post, number, how)

    async def call(self, asked: Awaitable[bytes]) -> Any:
        """What the machine answers, unpickled. Raises Gone if it is lost meanwhile."""
        answer = asyncio.ensure_future(awaited(asked))
        gone = asyncio.ensure_future(self.gone.wait())
        try:
            await asyncio.wait({answer, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise Gone
            return pickle.loads(answer.result())
        except Exception as wrong:
            if isinstance(wrong, OSError):
                self._lose(self, "it cannot be reached")
            if self.gone.is_set():  # Dask has several errors for an actor that was released
                raise Gone from None
            raise
        finally:
            gone.cancel()
            answer.cancel()

    async def ship(self, engines: Sequence[Packed]) -> str:
        """Send the files that the machine does not have. Returns what is wrong. Raises Gone."""
        shipped = {each.engine.shipment.digest: each for each in engines if each.engine.shipment.files}
        async with self.shipping:  # two slots may want the same engine
            return await self._ship_lacking(shipped)

    async def _ship_lacking(self, shipped: Mapping[str, Packed]) -> str:
        lacking = await self.call(self.agent.lacking([each.engine.shipment for each in shipped.values()]))
        for digest in lacking:
            packed = shipped[digest]
            for file in packed.engine.shipment.files:
                offset = 0
                with packed.sources[file.name].open("rb") as source:
                    while (piece := source.read(PIECE)) or not offset:
                        if wrong := await self.call(self.agent.write(digest, file.name, offset, piece)):
                            return str(wrong)
                        offset += len(piece) or 1
            if wrong := await self.call(self.agent.finish(packed.engine.shipment)):
                return str(wrong)
        return ""


async def awaited(what: Awaitable[Answer]) -> Answer:
    return await what
