"""A machine as an arena sees it: its slots, what it is known to have, and questions to its agent.

The bytes of a slot go through a pair of sockets; the thread of the cluster serves the far end.
"""

import asyncio
import contextlib
import pickle
import socket
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import multiprocess
from multiprocess.connection import Connection

from arena.cluster.access import Access, connection
from arena.cluster.machine_info import MachineInfo
from arena.cluster.shipment import Packed
from arena.play.jobs import EngineSpec
from arena.run.slots import ConnectedSlot

PIECE = 1 << 20
"""Engines are shipped in pieces of so many bytes."""


class Gone(Exception):
    """A machine was lost during a call."""


class DaskSlot(ConnectedSlot):
    """A slot on another machine, as the scheduler sees it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        ours, self.theirs = socket.socketpair()
        super().__init__(Connection(ours.detach()))
        self._end, self._alive = multiprocess.Pipe(duplex=False)
        self._loop = loop
        self.words: asyncio.Queue[bytes | str] = asyncio.Queue()
        """What is to be sent to its worker: bytes, or a word that ends it. It belongs to the loop."""
        self.is_told_to_end = self._is_carried = False
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

    def _order(self, word: str) -> None:
        self.is_told_to_end = True
        with contextlib.suppress(RuntimeError):  # the loop has ended, and all workers with it
            self._loop.call_soon_threadsafe(self.words.put_nowait, word)

    def join(self, seconds: float) -> bool:
        return self._ended.wait(seconds)

    def ended(self, exit_code: int | None, *, lost_with_machine: bool = False) -> None:
        """The worker has ended, or is lost. Called once, by the thread that serves the far end."""
        self.exit_code, self.lost_with_machine = exit_code, lost_with_machine
        if not self._is_carried:
            self.theirs.close()
        self._ended.set()
        self._alive.close()

    async def carry(self, comm: Any) -> int | None:
        """Carry bytes between the scheduler and the worker until that has ended. Returns its exit code.

        None: its machine has ended it. Raises OSError if the connection ends.
        """
        self._is_carried = True
        reader, writer = await asyncio.open_connection(sock=self.theirs)
        tasks = asyncio.create_task(self._listen(reader)), asyncio.create_task(self._say(comm))
        try:
            while isinstance(data := await comm.read(), bytes):
                with contextlib.suppress(ConnectionError):  # the scheduler has closed the slot
                    writer.write(data)
                    await writer.drain()
            return None if data is None else int(data)
        finally:
            for task in tasks:
                task.cancel()
            writer.close()

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(PIECE):
                self.words.put_nowait(data)
        self.is_told_to_end = True
        self.words.put_nowait("close")

    async def _say(self, comm: Any) -> None:
        with contextlib.suppress(OSError):
            while True:
                await comm.write(await self.words.get())


class JoinedMachine:
    """A machine as this arena sees it. Its fields belong to the loop's thread, `slots` and `ready` to the lock too."""

    def __init__(self, access: Access, address: str) -> None:
        self._access = access
        self.address = address
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
        """Why it plays nothing of this run; empty if it does or may."""
        self.slots: set[DaskSlot] = set()
        self.gone = asyncio.Event()
        self.clock_ahead_ns = 0
        self.tasks: set[asyncio.Task[None]] = set()
        """What carries bytes of its slots, and prepares it."""
        self.preparing = asyncio.Lock()
        """Held by what ships engines to it and starts them there."""
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

    async def ship(self, engines: Sequence[Packed]) -> str:
        """Send the files that the machine does not have. Returns what is wrong. Raises Gone."""
        by_digest = {each.engine.shipment.digest: each for each in engines if each.engine.shipment.files}
        async with self._shipping:  # two slots may want the same engine
            for digest in await self.call("lacking", [each.engine.shipment for each in by_digest.values()]):
                if wrong := await self._ship(by_digest[digest]):
                    return wrong
        return ""

    async def _ship(self, packed: Packed) -> str:
        shipment = packed.engine.shipment
        for file in shipment.files:
            offset = 0
            with packed.sources[file.name].open("rb") as source:
                while (piece := source.read(PIECE)) or not offset:
                    if wrong := await self.call("write", shipment.digest, file.name, offset, piece):
                        return str(wrong)
                    offset += len(piece) or 1
        return str(await self.call("finish", shipment))
