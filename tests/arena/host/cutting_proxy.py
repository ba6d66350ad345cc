"""A TCP proxy that cuts its connections at moments that are handed in, for as long as is said.

A cut that is not silent resets all connections and refuses new ones until it ends. A silent one carries nothing, and
nobody is told; what was sent meanwhile arrives when it ends.
"""

import asyncio
import contextlib
import random
import socket
import struct
import threading
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass

_AT_ONCE = 65_536


@dataclass(frozen=True, slots=True)
class Cut:
    """When it begins, in seconds after the proxy's start, and how long it lasts."""

    at_s: float
    for_s: float
    silent: bool = False


def random_cuts(
    chance: random.Random, count: int, within_s: float, least_s: float, most_s: float, silent: float = 0.5
) -> list[Cut]:
    """So many cuts at random moments, `silent` the share of silent ones. Short ones are as frequent as long ones."""
    moments = sorted(chance.uniform(0, within_s) for _ in range(count))
    return [Cut(at_s, least_s * (most_s / least_s) ** chance.random(), chance.random() < silent) for at_s in moments]


class CuttingProxy:
    """One port in front of a target. Use it by `cutting_proxies`."""

    def __init__(self, target: tuple[str, int], loop: asyncio.AbstractEventLoop) -> None:
        self._target = target
        self._loop = loop
        self._listener = self._listen(0)
        self.port: int = self._listener.getsockname()[1]
        self._open = asyncio.Event()
        self._open.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._is_over = False
        self.cuts = 0
        """How many were made."""
        self.connections = 0

    def cut(self, for_s: float, silent: bool = False) -> None:
        """Cut it from any thread, and come back when it is cut."""

        async def begin() -> None:
            self._begin(for_s, silent)

        asyncio.run_coroutine_threadsafe(begin(), self._loop).result(10)

    async def run(self, cuts: Sequence[Cut]) -> None:
        self._server = await asyncio.start_server(self._carry, sock=self._listener)
        for each in cuts:
            self._loop.call_later(each.at_s, self._begin, each.for_s, each.silent)

    async def close(self) -> None:
        self._is_over = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._server is not None:
            self._server.close()

    def _listen(self, port: int) -> socket.socket:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        return listener

    def _begin(self, for_s: float, silent: bool) -> None:
        self.cuts += 1
        if silent:
            self._open.clear()
            self._loop.call_later(for_s, self._open.set)
            return
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in list(self._writers):
            # Nothing lingers, so the other side is told by a reset.
            plug = writer.get_extra_info("socket")
            with contextlib.suppress(OSError):
                plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        self._loop.call_later(for_s, self._come_back)

    def _come_back(self) -> None:
        if not self._is_over:  # else its end may come while the loop is stopped
            self._keep(self._again())

    async def _again(self) -> None:
        if self._server is None:
            self._server = await asyncio.start_server(self._carry, sock=self._listen(self.port))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        try:
            await self._open.wait()
            other_reader, other_writer = await asyncio.open_connection(*self._target)
            self._writers.add(other_writer)
            try:
                await asyncio.gather(self._pump(reader, other_writer), self._pump(other_reader, writer))
            finally:
                self._writers.discard(other_writer)
                other_writer.transport.abort()
        except (OSError, asyncio.CancelledError):
            pass  # the target is not there, one side is gone, or all is over
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(_AT_ONCE):
            await self._open.wait()
            writer.write(data)
            await writer.drain()
        with contextlib.suppress(OSError):
            writer.write_eof()

    def _keep(self, work: Coroutine[None, None, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


@contextlib.contextmanager
def cutting_proxies(target: tuple[str, int], plans: Sequence[Sequence[Cut]]) -> Iterator[list[CuttingProxy]]:
    """A proxy for each plan of cuts, in a thread of their own, until the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    made: list[CuttingProxy] = []

    async def begin() -> None:
        for cuts in plans:
            proxy = CuttingProxy(target, loop)
            await proxy.run(cuts)
            made.append(proxy)

    async def end() -> None:
        for proxy in made:
            await proxy.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    try:
        asyncio.run_coroutine_threadsafe(begin(), loop).result(20)
        yield made
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result(20)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(20)
        loop.close()
