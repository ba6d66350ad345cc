"""Plays the games of a job source on worker processes. It alone owns workers.

It is independent of the engines' protocol and of the store. It has slots of its own instead of a process pool: it sees
at once that a worker died, knows which game that worker played and has it played again. A fault on our side is never
charged to an engine.
"""

import contextlib
import os
import pickle
import select
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import multiprocess
from multiprocess import resource_tracker

from arena.play import cpu_affinity, worker
from arena.play.fault_budget import FaultBudget, Faults
from arena.play.job_source import JobSource
from arena.play.jobs import EngineSpec, GameJob
from arena.play.observers import Glimpse, Observer, Observers
from results.record import GameRecord, Termination

ATTEMPTS = 3
"""How many workers one game may lose before the run stops. A higher limit would only repeat a bug of ours."""
STOP_S = 2.0
"""How many seconds workers have to end their engines after a stop, before they are killed."""


class WorkerLost(RuntimeError):
    """One game lost its worker several times. That is a bug of ours or a machine in trouble, not an engine's fault."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did: which engines were withdrawn, each with the reason, and how many games were not played for it."""

    withdrawn: Mapping[str, str]
    not_played: int


@dataclass(slots=True)
class Slot:
    """A place where one game at a time is played."""

    index: int
    process: Any
    pipe: Any
    known_engines: int
    """How many engines there were when the worker was started. It knows those and no others."""
    job: GameJob | None = None


class Scheduler:
    """Plays jobs on `concurrency` workers and hands each record to `keep` as it arrives.

    `withdraw` gets the withdrawn engines with their reasons, at the start and after each change. `observer` hears of
    everything that happens, and every `glimpse_ms` how each running game stands; with 0 it gets no glimpses.
    """

    def __init__(
        self,
        specs: Mapping[str, EngineSpec],
        concurrency: int,
        keep: Callable[[GameRecord], None],
        *,
        withdrawn: Mapping[str, str] | None = None,
        withdraw: Callable[[Mapping[str, str]], None] = lambda withdrawn: None,
        fault_budget: int = 5,
        pin: bool = True,
        observer: Observer | None = None,
        glimpse_ms: int = 0,
        serve: Callable[..., None] = worker.main,
    ) -> None:
        """`serve` is the function that a worker process runs: `worker.main`, or a test's wrapper around it."""
        self._specs = dict(specs)
        self._places = {name: place for place, name in enumerate(self._specs)}
        self._concurrency = concurrency
        self._keep = keep
        self._faults = Faults(FaultBudget(fault_budget), dict(withdrawn or {}))
        self._withdraw = withdraw
        self._pin = pin
        self._observer = observer or Observers(())
        self._glimpse_ms = glimpse_ms
        self._paused = False
        self._nudge: int | None = None
        self._cpus: list[int] = []
        self._context = multiprocess.get_context("spawn")
        self._slots: list[Slot] = []
        self._retired: list[Slot] = []
        self._attempts: dict[str, int] = {}
        self._not_played = 0
        self._serve = serve

    @property
    def withdrawn(self) -> Mapping[str, str]:
        """The engines that take part no more, each with the reason. It grows during a run."""
        return self._faults.withdrawn

    def withdraw(self, name: str, reason: str) -> None:
        """Give an engine no more games. May be called during a run."""
        self._faults.withdrawn.setdefault(name, reason)
        self._tell_withdrawn()

    def pause(self, paused: bool) -> None:
        """Stop starting games, or start them again. Running games go on. May be called from any thread."""
        self._paused = paused
        if self._nudge is not None:
            with contextlib.suppress(OSError):
                os.write(self._nudge, b"\0")

    def add(self, spec: EngineSpec) -> None:
        """Add an engine, also during a run. From now on the job source may give games with it.

        A worker that was started earlier is replaced by a fresh one before its first game with this engine.
        """
        assert spec.name not in self._specs, f"there is an engine {spec.name!r} already"
        self._places[spec.name] = len(self._specs)
        self._specs[spec.name] = spec

    def run(self, jobs: JobSource) -> Report:
        """Play until `jobs` has no game and none is played. At any exception, also Ctrl-C, workers and engines end."""
        again: list[GameJob] = []
        with (
            _interrupts() as (asked, self._nudge),
            cpu_affinity.reserved(self._concurrency if self._pin else 0) as self._cpus,
        ):
            try:
                self._tell_withdrawn()
                goes_on = self._fill(jobs, again)
                while goes_on:
                    goes_on = self._turn(jobs, again, asked)
                self._close()
            except BaseException:
                self._stop()
                raise
            finally:
                self._nudge = None
        return Report(dict(self._faults.withdrawn), self._not_played)

    def _tell_withdrawn(self) -> None:
        self._withdraw(self._faults.withdrawn)
        self._observer.withdrew(self._faults.withdrawn)

    def _fill(self, jobs: JobSource, again: list[GameJob]) -> bool:
        """Give each idle slot a game, if there is one; make slots as needed. True where there is more to wait for."""
        paused = self._paused  # once, for another thread may change it
        for index in range(0 if paused else self._concurrency):
            if index < len(self._slots) and self._slots[index].job is not None:
                continue
            job = self._next(jobs, again)
            if job is None:
                break
            if index == len(self._slots):
                self._slots.append(self._spawn(index))
            elif max(self._places[job.p1], self._places[job.p2]) >= self._slots[index].known_engines:
                self._renew(index)
            self._send(self._slots[index], job)
        return paused or any(slot.job for slot in self._slots)

    def _next(self, jobs: JobSource, again: list[GameJob]) -> GameJob | None:
        """The next game of which both engines still take part."""
        while (job := again.pop() if again else jobs.next()) is not None:
            if job.p1 in self._faults.withdrawn or job.p2 in self._faults.withdrawn:
                self._not_played += 1
                jobs.forfeit(job)
            else:
                return job
        return None

    def _spawn(self, index: int) -> Slot:
        ours, theirs = self._context.Pipe()
        # In bytes: multiprocess takes half a second over two thousand engines, pickle a twentieth of that.
        place = (
            theirs,
            pickle.dumps(self._specs),
            cpu_affinity.cpu_of_slot(index, self._cpus),
            *([self._glimpse_ms] if self._glimpse_ms else []),
        )
        process = self._context.Process(target=self._serve, args=place, name=f"worker-{index}")
        resource_tracker.ensure_running()  # by itself, for it unblocks Ctrl-C
        # A worker inherits this: Ctrl-C goes to the whole foreground group and is the scheduler's alone to answer. Not
        # ignored, for then one that comes meanwhile would be lost.
        with _held(signal.SIGINT):
            process.start()
        theirs.close()
        return Slot(index, process, ours, len(self._specs))

    def _send(self, slot: Slot, job: GameJob) -> None:
        slot.job = job
        self._faults.begin(job.number, (job.p1, job.p2))
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # a dead worker shows by its sentinel
            slot.pipe.send_bytes(pickle.dumps(job))
        self._observer.began(slot.index, job)

    def _turn(self, jobs: JobSource, again: list[GameJob], asked: int) -> bool:
        """Wait for something, which games' deadlines bring, and answer it. True where there is more to wait for."""
        busy = [slot for slot in self._slots if slot.job is not None]
        # multiprocess's own wait takes ten times as long, between any two games.
        waiting = select.poll()
        for handle in (asked, *(slot.pipe.fileno() for slot in busy), *(slot.process.sentinel for slot in busy)):
            waiting.register(handle, select.POLLIN)
        ready = {handle for handle, _ in waiting.poll()}
        if asked in ready and any(os.read(asked, 512)):  # the numbers of signals; a nudge is 0
            raise KeyboardInterrupt
        over = []
        for slot in busy:
            if slot.pipe.fileno() in ready:
                said = self._receive(slot)
            elif slot.process.sentinel in ready:
                # Its last words may have come after we looked.
                said = self._receive(slot) if slot.pipe.poll() else None
            else:
                continue
            if isinstance(said, Glimpse):
                self._observer.glimpsed(slot.index, said)
            elif said is None or said.stopped:
                # We did not stop this worker. Somebody else did, so its game is played again.
                self._replace(slot, again)
            else:
                slot.job = None
                over.append((slot.index, said.record))
                jobs.record(said.record)
                if self._faults.end(said.record, said.faulty):
                    self._tell_withdrawn()
        try:
            # First the next games: a worker should not wait for the disk.
            return self._fill(jobs, again)
        finally:
            for index, record in over:
                self._keep(record)
                self._observer.ended(index, record)

    def _receive(self, slot: Slot) -> worker.Finished | Glimpse | None:
        """The message of the slot's worker; None where the worker died before it had sent all of it."""
        try:
            said = pickle.loads(slot.pipe.recv_bytes())
        except (EOFError, OSError):
            return None
        return said if isinstance(said, worker.Finished | Glimpse) else None

    def _replace(self, slot: Slot, again: list[GameJob]) -> None:
        """Put a fresh worker in the place of a dead one, and its game back in the queue."""
        assert slot.job is not None
        tries = self._attempts[slot.job.id] = self._attempts.get(slot.job.id, 0) + 1
        self._join([slot], STOP_S)
        if tries >= ATTEMPTS:
            raise WorkerLost(
                f"game {slot.job.number} lost its worker {tries} times (exit code {slot.process.exitcode}): "
                "the run is stopped, the games that ended are kept"
            )
        again.append(slot.job)
        slot.pipe.close()
        self._slots[slot.index] = self._spawn(slot.index)

    def _renew(self, index: int) -> None:
        """Let an idle worker end, and put a fresh one in its place that knows all engines."""
        self._slots[index].pipe.close()
        self._retired.append(self._slots[index])
        self._slots[index] = self._spawn(index)

    def _close(self) -> None:
        """End idle workers; each quits its engines by the protocol."""
        for slot in self._slots:
            slot.pipe.close()
        self._join(
            [*self._slots, *self._retired],
            max((spec.deadlines.quit_ms for spec in self._specs.values()), default=0) / 1000 + 2 * STOP_S,
        )

    def _stop(self) -> None:
        """End everything now. Records on their way are kept; unfinished games are handed over as unfinished."""
        for slot in self._slots:
            slot.process.terminate()
        deadline = time.monotonic() + STOP_S
        for slot in self._slots:
            with contextlib.suppress(EOFError, OSError):
                while slot.pipe.poll(max(0.0, deadline - time.monotonic())):
                    said = pickle.loads(slot.pipe.recv_bytes())
                    if isinstance(said, worker.Finished):
                        self._keep(said.record)
                        self._observer.ended(slot.index, said.record)
        self._join([*self._slots, *self._retired], max(0.0, deadline - time.monotonic()))

    def _join(self, slots: Sequence[Slot], seconds: float) -> None:
        """Wait for workers to end. A late worker is told to kill its engines; then it is killed itself."""
        deadline = time.monotonic() + seconds
        for number in (signal.SIGTERM, signal.SIGKILL):
            for slot in slots:
                slot.process.join(max(0.0, deadline - time.monotonic()))
                if slot.process.is_alive():
                    os.kill(slot.process.pid, number)
            deadline = time.monotonic() + STOP_S
        for slot in slots:
            slot.process.join(max(0.0, deadline - time.monotonic()))


@contextlib.contextmanager
def _interrupts() -> Iterator[tuple[int, int]]:
    """A pipe's two ends, of which the first becomes readable when Ctrl-C, SIGTERM or SIGHUP (a closed terminal) comes.

    So the scheduler meets an interrupt only where it waits, never between receiving a record and keeping it.
    """
    read, write = os.pipe()
    os.set_blocking(write, False)
    before = {
        number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    }
    wakeup = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    try:
        yield read, write
    finally:
        signal.set_wakeup_fd(wakeup)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(read)
        os.close(write)


@contextlib.contextmanager
def _held(number: int) -> Iterator[None]:
    """A signal that comes meanwhile comes afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def is_whole(record: GameRecord) -> bool:
    """Did this game come to an end, so that it counts and is stored?"""
    return record.termination is not Termination.UNFINISHED
