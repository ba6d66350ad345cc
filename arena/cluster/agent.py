"""The agent of an arena on a machine: an actor that opens slots there and carries bytes to and from their workers.

It knows neither games nor engines' words: what a worker says goes to the arena as it is. Its calls are the only sign of
life that it has of the arena: after SILENT_S without one it ends its workers.
"""

import asyncio
import contextlib
import functools
import pickle
import socket
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple

import multiprocess

from arena.cluster import machine_info
from arena.cluster.engine_cache import EngineCache
from arena.cluster.errors import ClusterError
from arena.cluster.machine_info import MachineInfo
from arena.cluster.shipment import PackedEngine, Shipment, unpack
from arena.play import cpu_affinity, worker
from arena.play.jobs import EngineSpec
from arena.play.trial_start import introduce
from arena.run.slots import started
from protocol.containment.policy import Level
from protocol.containment.trial import examine, shortfall
from protocol.session import Identity

SILENT_S = 15.0
"""After so many seconds without a call the arena has gone. Longer than the arena waits: it plays the games again."""
PIECE = 1 << 18
"""How many bytes are read from a worker at once."""


class WorkerOutput(NamedTuple):
    """What came from a worker: bytes, or its end with its exit code."""

    slot: int
    data: bytes
    ended: bool = False
    exit_code: int | None = None


def in_bytes(method: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Coroutine[Any, Any, bytes]]:
    """The method as a call of the arena, which waits for the answer meanwhile: its silence means nothing.

    The answer is pickled: Dask drops one that it cannot read, and the arena would wait for ever.
    """

    @functools.wraps(method)
    async def answer(agent: "MachineAgent", *arguments: Any) -> bytes:
        agent.hear_arena()
        agent.calls += 1
        try:
            return pickle.dumps(await method(agent, *arguments))
        finally:
            agent.calls -= 1
            agent.heard = asyncio.get_running_loop().time()

    return answer


class MachineAgent:
    """Serves one run on this machine. All methods but `__init__` run in the loop of the machine's process."""

    def __init__(self, run: str) -> None:
        self.run = run
        self._cache = EngineCache()
        self._workers: dict[int, SlotProcess] = {}
        self._cpu_slots: set[int] = set()
        """Which of the machine's slots are taken."""
        self._outputs: list[WorkerOutput] = []
        self._news = asyncio.Event()
        self.heard = 0.0
        self.calls = 0
        """How many calls of the arena are being answered."""
        self._watch: asyncio.Task[None] | None = None
        self._leaves = False
        """True from `release` on: the machine may play for another run soon."""

    async def claim(self) -> MachineInfo:
        """Take the machine for this run, if it is free. Tells what it is, and which run it plays for.

        An earlier agent of the same run was given up by the arena, so its workers end.
        """
        global _holder
        self.hear_arena()
        before = _holder
        if before is None or (before is not self and before.run == self.run):
            _holder = self
            self._watch = asyncio.create_task(self._end_when_silent())
            if before is not None:
                await before.release()
        self.hear_arena()
        assert _holder is not None
        return machine_info.info(_holder.run)

    async def release(self) -> None:
        """End all workers at once and leave the machine to others.

        Once the arena has heard all that they said, its calls raise ConnectionAbortedError. So an arena that was
        stopped, and did not speak for SILENT_S, learns that it must claim the machine again.
        """
        global _holder
        self._leaves = True
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        await self.end_workers()
        await asyncio.to_thread(self._cache.drop_parts)
        if _holder is self:
            _holder = None

    # Engines

    @in_bytes
    async def lacking(self, shipments: Sequence[Shipment]) -> list[str]:
        """The digests of the shipments that are not here."""
        there = await asyncio.to_thread(lambda: [self._cache.has(shipment) for shipment in shipments])
        return [shipment.digest for shipment, has in zip(shipments, there, strict=True) if not has]

    @in_bytes
    async def write(self, digest: str, name: str, offset: int, data: bytes) -> str:
        """Write a piece of a shipped file. Returns what is wrong."""
        return await self._tried(self._cache.write, digest, name, offset, data)

    @in_bytes
    async def finish(self, shipment: Shipment) -> str:
        """Put a shipment in its place. Returns what is wrong."""
        return await self._tried(self._cache.finish, shipment)

    async def _tried(self, do: Any, *arguments: Any) -> str:
        try:
            await asyncio.to_thread(do, *arguments)
        except ClusterError as wrong:
            return str(wrong)
        except OSError as wrong:
            return f"{wrong.filename or 'its folder for engines'}: {wrong.strerror}"
        return ""

    @in_bytes
    async def introduce(self, engines: Sequence[PackedEngine]) -> list[tuple[Identity, str]]:
        """Start each engine here to see what it says of itself, or why it cannot be started."""
        return await asyncio.to_thread(self._introduce, engines)

    def _introduce(self, engines: Sequence[PackedEngine]) -> list[tuple[Identity, str]]:
        answers: list[tuple[Identity, str]] = [(Identity("", "", "", {}), "")] * len(engines)
        there: dict[int, EngineSpec] = {}
        for at, engine in enumerate(engines):
            try:
                there[at] = unpack(engine, self._cache.path)
            except ClusterError as wrong:
                answers[at] = Identity("", "", "", {}), str(wrong)
        for at, result in zip(there, introduce(list(there.values())) if there else [], strict=True):
            answers[at] = result
        return answers

    @in_bytes
    async def shortfall(self, levels: Sequence[Level]) -> list[str]:
        """What these levels of containment lack here, one sentence each."""
        sentences = [shortfall(level, (await asyncio.to_thread(examine, level)).parts) for level in levels]
        return [sentence for sentence in sentences if sentence]

    @in_bytes
    async def check(self, engines: Sequence[PackedEngine], variant: str) -> dict[str, Any]:
        """Run the smoke checks on engines here. Returns each one's fitness by its name."""
        from arena.conformance import smoke

        specs = [unpack(engine, self._cache.path) for engine in engines]
        return dict(await asyncio.to_thread(smoke.check_engines, specs, variant, lambda sentence: None))

    # Slots

    @in_bytes
    async def open(
        self,
        slot: int,
        engines: bytes,
        snapshot_ms: int,
        pin: bool,
        clock_ahead_ns: int,
    ) -> str:
        """Start a worker that knows these engines, a pickled dictionary of PackedEngine. Returns what is wrong."""
        packed: dict[str, PackedEngine] = pickle.loads(engines)
        cpu_slot = next(number for number in range(len(self._cpu_slots) + 1) if number not in self._cpu_slots)
        self._cpu_slots.add(cpu_slot)  # now, for another slot may be opened while this one is
        cpu = cpu_affinity.cpu_of_slot(cpu_slot, machine_info.offer.cpus) if pin else None
        try:
            specs = {name: unpack(engine, self._cache.path) for name, engine in packed.items()}
            place = (pickle.dumps(specs), cpu, snapshot_ms, clock_ahead_ns)
            process = self._workers[slot] = await SlotProcess.start(self, slot, cpu_slot, place)
        except ClusterError as wrong:
            self._cpu_slots.discard(cpu_slot)
            return str(wrong)
        except OSError as wrong:
            self._cpu_slots.discard(cpu_slot)
            return f"no worker can be started: {wrong.strerror}"
        if self._leaves:  # since it was begun
            process.end("kill")
        return ""

    @in_bytes
    async def send(self, messages: Sequence[tuple[int, bytes | str]]) -> None:
        """Hand bytes to workers. A word ends a worker: `close` says that no more jobs come, `terminate`, `kill`."""
        for slot, data in messages:
            if (process := self._workers.get(slot)) is None:
                continue
            if isinstance(data, bytes):
                process.write(data)
            else:
                process.end(data)

    async def hear(self, seconds: float) -> list[WorkerOutput]:
        """What workers said since the last call; waits so long for something."""
        self.hear_arena()
        if not self._outputs:
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), seconds)
        self.hear_arena()
        outputs, self._outputs = self._outputs, []
        return outputs

    def add(self, output: WorkerOutput) -> None:
        """Keep what a worker said until the arena asks for it."""
        if output.ended and (process := self._workers.pop(output.slot, None)) is not None:
            self._cpu_slots.discard(process.cpu_slot)
        self._outputs.append(output)
        self._news.set()

    def hear_arena(self) -> None:
        """The arena is there. Raises ConnectionAbortedError where it must claim the machine again."""
        if self._leaves and not (self._workers or self._outputs):
            raise ConnectionAbortedError("this machine has left the run")
        self.heard = asyncio.get_running_loop().time()

    async def _end_when_silent(self) -> None:
        loop = asyncio.get_running_loop()
        while (left := self.heard + SILENT_S - loop.time()) > 0 or self.calls:
            await asyncio.sleep(max(left, SILENT_S / 100))
        self._watch = None
        await self.release()

    async def end_workers(self) -> None:
        """Let all workers end their engines; after two seconds kill them."""
        for how in ("terminate", "kill"):
            for process in list(self._workers.values()):
                process.end(how)
            deadline = asyncio.get_running_loop().time() + 2
            while self._workers and asyncio.get_running_loop().time() < deadline:
                await asyncio.sleep(0.02)


_holder: MachineAgent | None = None
"""The agent that this machine plays for."""


async def end_all() -> None:
    """End the workers of this machine, whatever run they play for."""
    if _holder is not None:
        await _holder.release()


class SlotProcess:
    """A worker process, and the pipe to it."""

    def __init__(self, agent: MachineAgent, slot: int, cpu_slot: int, process: Any, streams: Any) -> None:
        self._agent = agent
        self._slot = slot
        self.cpu_slot = cpu_slot
        """Which of the machine's slots it has."""
        self._process = process
        self._reader: asyncio.StreamReader = streams[0]
        self._writer: asyncio.StreamWriter = streams[1]
        self._gone = asyncio.Event()
        asyncio.get_running_loop().add_reader(process.sentinel, self._gone.set)
        self._task = asyncio.create_task(self._carry())

    @classmethod
    async def start(cls, agent: MachineAgent, slot: int, cpu_slot: int, settings: tuple[Any, ...]) -> "SlotProcess":
        """Start a worker. Raises OSError."""
        ours, theirs = multiprocess.Pipe()
        # Not in another thread: a worker ends with the thread that started it.
        process = started(worker.main, (theirs, *settings), f"slot-{cpu_slot}")
        with ours:
            carried = socket.socket(fileno=socket.dup(ours.fileno()))
        return cls(agent, slot, cpu_slot, process, await asyncio.open_connection(sock=carried, limit=PIECE))

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    def end(self, how: str) -> None:
        """See MachineAgent.send."""
        if how == "close":
            with contextlib.suppress(OSError):
                self._writer.write_eof()
        else:
            (self._process.terminate if how == "terminate" else self._process.kill)()

    async def _carry(self) -> None:
        """Carry what the worker says until it has ended."""
        with contextlib.suppress(OSError):
            while data := await self._reader.read(PIECE):
                self._agent.add(WorkerOutput(self._slot, data))
        await self._gone.wait()
        asyncio.get_running_loop().remove_reader(self._process.sentinel)
        self._process.join()
        self._writer.close()
        self._agent.add(WorkerOutput(self._slot, b"", True, self._process.exitcode))


def tell_info() -> MachineInfo:
    """What this machine says of itself, for `arena cluster status`."""
    return machine_info.info("" if _holder is None else _holder.run)
