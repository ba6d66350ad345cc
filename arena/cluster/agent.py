"""What a machine does for arenas: plays for one run at a time, starts workers and carries their bytes.

Three kinds of connections come from an arena. `arena` claims the machine for a run as long as it is open: the arena
says something again and again, and after SILENT_S without a word its workers end. `arena_slot` is one worker: bytes in
both directions, a word that ends it, and at last its exit code. `arena_call` is one question. What a worker says goes
to the arena as it is: the agent knows neither games nor engines' words.
"""

import asyncio
import contextlib
import pickle
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import multiprocess

from arena.cluster import machine_info
from arena.cluster.errors import ClusterError
from arena.cluster.machine_info import MachineInfo
from arena.cluster.shipment import EngineCache, PackedEngine, ShippedFile, unpack
from arena.play import cpu_affinity, worker
from arena.play.jobs import EngineSpec, Know
from arena.play.trial_start import NOBODY, Introductions, introduce
from arena.run.slots import started
from protocol.containment.trial import examine, shortfall

SILENT_S = 15.0
"""An arena that says nothing for this long has gone. Longer than an arena waits before it plays the games again."""
END_S = 2.0
"""Workers have so long to end their engines, before they are killed."""
PIECE = 1 << 18
"""How many bytes are read from a worker at once."""
CALLS = frozenset({"info", "lacks", "put", "introduce", "check"})


@dataclass(eq=False)
class Claim:
    """The machine plays for this run."""

    run: str
    comm: Any
    workers: dict[int, Any] = field(default_factory=dict)
    """The worker processes, by the machine's slots that they have."""
    tasks: set["asyncio.Task[Any]"] = field(default_factory=set)
    """What carries their bytes."""
    is_over: bool = False


class Agent:
    """Serves arenas on this machine, in the loop of its Dask worker."""

    def __init__(self, slots: int, cpus: Sequence[int] = ()) -> None:
        """It offers this number of slots. `cpus` are reserved for them; without CPUs the system chooses."""
        self._slots, self._cpus = slots, cpus
        self._cache = EngineCache()
        self._claim: Claim | None = None
        self.handlers = {"arena": self.claim, "arena_slot": self.slot, "arena_call": self.call}

    def info(self) -> MachineInfo:
        """What this machine says of itself."""
        return machine_info.info(self._slots, self._cpus, self._claim.run if self._claim else "")

    async def claim(self, comm: Any, run: str) -> None:
        """Play for this run, if the machine is free, until the arena goes or is silent.

        An earlier claim of the same run was given up by the arena, so its workers end.
        """
        if self._claim is not None and self._claim.run == run:
            await self._release(self._claim)
        if self._claim is not None:
            await comm.write(pickle.dumps(self.info()))
            return
        claim = self._claim = Claim(run, comm)
        try:
            await comm.write(pickle.dumps(self.info()))
            while not claim.is_over:
                async with asyncio.timeout(SILENT_S):
                    await comm.read()
                await comm.write(None)
        except (OSError, TimeoutError):
            pass  # the arena has gone
        finally:
            await self._release(claim)

    async def end(self) -> None:
        """End all workers, whatever run they play for."""
        if self._claim is not None:
            await self._release(self._claim)

    async def _release(self, claim: Claim) -> None:
        """End the workers of a claim; what they say at last still goes to the arena. Then leave the machine to others.

        Its connection ends at last: an arena that was stopped learns so that it must claim the machine again.
        """
        if not claim.is_over:
            claim.is_over = True
            for how in ("terminate", "kill"):
                for process in claim.workers.values():
                    getattr(process, how)()
                if claim.tasks:
                    await asyncio.wait(claim.tasks, timeout=END_S)
            for task in claim.tasks:
                task.cancel()
        if self._claim is claim:
            self._claim = None
        claim.comm.abort()

    # Slots

    async def slot(self, comm: Any, run: str, order: bytes) -> None:
        """Start a worker that knows these engines, and carry its bytes until it has ended.

        The first answer is what is wrong, or empty. The last one is the exit code, or None if the machine ended it.
        """
        claim, task = self._claim, asyncio.current_task()
        if claim is None or claim.run != run or claim.is_over:
            await comm.write("it has left the run")
            return
        engines, snapshot_ms, pin, clock_ahead_ns = pickle.loads(order)
        cpu_slot = next(number for number in range(len(claim.workers) + 1) if number not in claim.workers)
        cpu = cpu_affinity.cpu_of_slot(cpu_slot, self._cpus) if pin else None
        assert task is not None
        claim.tasks.add(task)
        try:
            specs = {name: unpack(engine, self._cache) for name, engine in engines.items()}
            ours, theirs = multiprocess.Pipe()
            # Not in another thread: a worker ends with the thread that started it.
            claim.workers[cpu_slot] = started(worker.main, (theirs, cpu, clock_ahead_ns), f"slot-{cpu_slot}")
            await asyncio.to_thread(ours.send_bytes, pickle.dumps(Know(specs, snapshot_ms)))
            await comm.write("")
            await _carry(comm, claim, claim.workers[cpu_slot], ours)
        except ClusterError as wrong:
            await comm.write(str(wrong))
        except OSError as wrong:
            if cpu_slot not in claim.workers:
                await comm.write(f"no worker can be started: {wrong.strerror}")
        finally:  # the arena ends the connection once it has the last answer
            if (process := claim.workers.pop(cpu_slot, None)) is not None:
                process.kill()
                process.join()
            claim.tasks.discard(task)

    # Questions

    async def call(self, question: bytes) -> bytes:
        """The answer to a pickled question, pickled: Dask drops what it cannot read, and the arena would wait."""
        name, arguments = pickle.loads(question)
        if name not in CALLS:
            raise ClusterError(f"this machine has no answer to {name!r}")
        return pickle.dumps(await asyncio.to_thread(getattr(self, name), *arguments))

    def lacks(self, engine: PackedEngine) -> list[ShippedFile]:
        """The files of an engine that are not here."""
        return self._cache.lacks(engine)

    def put(self, digest: str, file: ShippedFile, data: bytes) -> str:
        """Put a shipped file in its place. Returns what is wrong."""
        try:
            self._cache.put(digest, file, data)
        except ClusterError as wrong:
            return str(wrong)
        except OSError as wrong:
            return f"{wrong.filename or 'its folder for engines'}: {wrong.strerror}"
        return ""

    def introduce(self, engines: Sequence[PackedEngine]) -> tuple[Introductions, list[str]]:
        """Start each engine here to see what it says of itself, or why it cannot be started.

        Also what their levels of containment lack here, one sentence each.
        """
        answers: Introductions = [(NOBODY, "")] * len(engines)
        there: dict[int, EngineSpec] = {}
        for at, engine in enumerate(engines):
            try:
                there[at] = unpack(engine, self._cache)
            except ClusterError as wrong:
                answers[at] = NOBODY, str(wrong)
        for at, result in zip(there, introduce(list(there.values())) if there else [], strict=True):
            answers[at] = result
        levels = sorted({engine.spec.sandbox.level for engine in engines})
        lacks = [sentence for level in levels if (sentence := shortfall(level, examine(level).parts))]
        return answers, lacks

    def check(self, engines: Sequence[PackedEngine], variant: str) -> dict[str, Any]:
        """Run the smoke checks on engines here. Returns each one's fitness by its name."""
        from arena.conformance import smoke

        specs = [unpack(engine, self._cache) for engine in engines]
        return dict(smoke.check_engines(specs, variant, lambda sentence: None))


async def _carry(comm: Any, claim: Claim, process: Any, pipe: Any) -> None:
    """Carry bytes between a worker and its arena until it has ended, and say its exit code."""
    loop, gone = asyncio.get_running_loop(), asyncio.Event()

    def ended() -> None:
        loop.remove_reader(process.sentinel)  # it stays readable, so the loop would never rest again
        gone.set()

    loop.add_reader(process.sentinel, ended)
    with pipe:
        carried = socket.socket(fileno=socket.dup(pipe.fileno()))
    reader, writer = await asyncio.open_connection(sock=carried, limit=PIECE)
    obeying = asyncio.create_task(_obey(comm, writer, process))
    try:
        with contextlib.suppress(ConnectionResetError):
            while data := await reader.read(PIECE):
                await comm.write(data)
        await gone.wait()
        process.join()
        await comm.write(None if claim.is_over else process.exitcode)
        await asyncio.wait({obeying}, timeout=END_S)  # until the arena has heard it, and ends the connection
    finally:
        loop.remove_reader(process.sentinel)
        obeying.cancel()
        writer.close()


async def _obey(comm: Any, writer: asyncio.StreamWriter, process: Any) -> None:
    """Hand bytes to a worker. A word ends it: `close` says that no more jobs come, `terminate`, `kill`."""
    try:
        while True:
            word = await comm.read()
            if isinstance(word, bytes):
                writer.write(word)
                await writer.drain()
            elif word == "close":
                writer.write_eof()
            else:
                (process.terminate if word == "terminate" else process.kill)()
    except OSError:
        process.kill()  # the arena has given it up
