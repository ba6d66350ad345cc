"""A machine as an arena sees it: its slots, what it is known to have, and calls to its agent.

The bytes of a slot go through a pair of sockets; the thread of the cluster serves the far end.
"""

import asyncio
import contextlib
import pickle
import socket
import threading
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import multiprocess
from multiprocess.connection import Connection

from arena.cluster.machine_info import MachineInfo
from arena.cluster.shipment import Packed
from arena.play.jobs import EngineSpec
from arena.run.slots import ConnectedSlot

PIECE = 1 << 20
"""Engines are shipped in pieces of so many bytes."""
HEARTBEAT_S = 2.0
SILENT_S = 10.0
LATE_S = 2.0
"""If a wait overruns by this much, our own process was paused."""

Answer = TypeVar("Answer")


class Gone(Exception):
    """A machine was lost during a call."""


class WePaused(Exception):
    """This program was stopped while it waited for an answer, by Ctrl-Z for example."""


class DaskSlot(ConnectedSlot):
    """A slot on another machine, as the scheduler sees it."""

    def __init__(self, order: Callable[[str], None]) -> None:
        """`order` sends its worker a control message, `terminate` or `kill`. It may be called from any thread."""
        ours, self.theirs = socket.socketpair()
        super().__init__(Connection(ours.detach()))
        self._end, self._alive = multiprocess.Pipe(duplex=False)
        self._order = order
        self._ended = threading.Event()
        self.exit_code: int | None = None
        self.lost_with_machine = False
        self.lacks: Collection[str] = ()

    @property
    def end(self) -> int:
        return int(self._end.fileno())

    def add(self, engines: Mapping[str, EngineSpec]) -> bool:
        return False  # they would have to be shipped there first

    def has_message(self, seconds: float = 0.0) -> bool:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            return bool(self._connection.poll(seconds))
        return True

    def terminate(self) -> None:
        self._order("terminate")

    def kill(self) -> None:
        self._order("kill")

    def join(self, seconds: float) -> bool:
        return self._ended.wait(seconds)

    def ended(self, exit_code: int | None, *, lost_with_machine: bool = False) -> None:
        """The worker has ended, or is lost. Called once, by the thread that serves the far end."""
        self.exit_code, self.lost_with_machine = exit_code, lost_with_machine
        self._ended.set()
        self._alive.close()


class JoinedMachine:
    """A machine as this arena sees it. Its fields belong to the loop's thread, `slots` and `ready` to the lock too."""

    def __init__(self, address: str, lose: "Callable[[JoinedMachine, str], None]") -> None:
        """`lose` is called where the machine cannot be reached, with the reason."""
        self.address = address
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
        self.unfit = ""
        """Why it plays nothing of this run; empty where it does or may."""
        self.slots: dict[int, DaskSlot] = {}
        self.writers: dict[int, asyncio.StreamWriter] = {}
        self.gone = asyncio.Event()
        self.outbox: list[tuple[int, bytes | str]] = []
        self.has_post = asyncio.Event()
        self.ordered_to_end: set[int] = set()
        self.clock_ahead_ns = 0
        self.tasks: list[asyncio.Task[None]] = []
        self._shipping = asyncio.Lock()
        self._preparations = 0

    @property
    def host(self) -> str:
        return self.address if self.info is None else self.info.host

    @property
    def is_preparing(self) -> bool:
        """Does any task ship engines to it, or start them there?"""
        return self._preparations > 0

    @contextlib.contextmanager
    def preparing(self) -> Iterator[None]:
        """The machine is preparing until the block ends. Blocks of several tasks may overlap."""
        self._preparations += 1
        try:
            yield
        finally:
            self._preparations -= 1

    def post(self, slot: int, message: bytes | str) -> None:
        """Put a message for a slot's worker into the outbox: bytes of the scheduler, or a word that ends it."""
        if isinstance(message, str):
            self.ordered_to_end.add(slot)
        self.outbox.append((slot, message))
        self.has_post.set()

    async def call(self, answer: Awaitable[bytes]) -> Any:
        """What the machine answers, unpickled. Raises Gone if it is lost meanwhile."""
        answered = asyncio.ensure_future(awaited(answer))
        gone = asyncio.ensure_future(self.gone.wait())
        try:
            await asyncio.wait({answered, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not answered.done():
                raise Gone
            return pickle.loads(answered.result())
        except Exception as wrong:
            if isinstance(wrong, OSError):
                self._lose(self, "it cannot be reached")
            if self.gone.is_set():  # Dask has several errors for an actor that was released
                raise Gone from None
            raise
        finally:
            gone.cancel()
            answered.cancel()

    async def ship(self, engines: Sequence[Packed]) -> str:
        """Send the files that the machine does not have. Returns what is wrong. Raises Gone."""
        by_digest = {each.engine.shipment.digest: each for each in engines if each.engine.shipment.files}
        async with self._shipping:  # two slots may want the same engine
            return await self._ship_lacking(by_digest)

    async def _ship_lacking(self, by_digest: Mapping[str, Packed]) -> str:
        lacking = await self.call(self.agent.lacking([each.engine.shipment for each in by_digest.values()]))
        for digest in lacking:
            packed = by_digest[digest]
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


async def awaited(answer: Awaitable[Answer]) -> Answer:
    return await answer


async def within(seconds: float, answer: Awaitable[Answer]) -> Answer:
    """The answer, if it comes within so many seconds. Raises TimeoutError, and WePaused."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    try:
        return await asyncio.wait_for(awaited(answer), seconds)
    except TimeoutError:
        if loop.time() > deadline + LATE_S:
            raise WePaused from None
        raise
