"""A slot on another machine, as the main loop of a run sees it.

The bytes of a slot go through a pair of sockets; the thread of the cluster serves the far end.
"""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Mapping
from typing import Any

import multiprocess
from multiprocess.connection import Connection

from arena.play.jobs import EngineSpec
from arena.run.slots import ConnectedSlot

PIECE = 1 << 20
"""How many bytes of a slot are read at once."""


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
