"""Slots: the places where games are played. Each has one worker, which plays its games one after the other.

The main loop knows workers only through these two interfaces. So it never learns whether a worker is a process of this
machine (`LocalSlots`) or of another one, and it sends no signal to a process id. What is said through a slot are bytes:
`arena.play.worker` and `arena.run.play` know their meaning.
"""

import contextlib
import pickle
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import multiprocess
from multiprocess import resource_tracker

from arena.play import cpu_affinity, worker
from arena.play.jobs import EngineSpec, Know, Meet
from arena.play.trial_start import NOBODY, Introductions
from arena.run.control import Control
from arena.run.run import WorkerLost

CLOSE_S = 2.0
"""How many seconds a worker that plays no game has to end, before it is told again more urgently."""


class NoSlot(RuntimeError):
    """A slot cannot be opened now, for its machine has gone. It is no fault of a game."""


class Slot(Protocol):
    """One worker. Its messages come whole and in their order; nothing comes any more after its end."""

    @property
    def messages(self) -> int:
        """A file descriptor that is readable while a message can be received."""

    @property
    def end(self) -> int:
        """A file descriptor that is readable once the worker has ended or is lost."""

    @property
    def lost_with_machine(self) -> bool:
        """True where the worker is lost because its machine is, and not by what it played."""

    @property
    def exit_code(self) -> int | None:
        """How the worker ended; None while it runs, or where nobody knows."""

    def send(self, message: bytes) -> None:
        """Send a message. To a worker that is gone it does nothing: `end` tells of that."""

    def add(self, engines: Mapping[str, EngineSpec]) -> bool:
        """Let its worker know more engines. False where only a fresh worker can know them."""

    def has_message(self, seconds: float = 0.0) -> bool:
        """Wait so long for a message or the end of messages. True where `receive` would not wait."""

    def receive(self) -> bytes:
        """The next message. Raises EOFError or OSError where the worker died before it had sent all of it."""

    def close(self) -> None:
        """Say that no more jobs come: the worker lets its engines quit, and ends."""

    def terminate(self) -> None:
        """Tell the worker to break off its game, to end its engines and itself."""

    def kill(self) -> None:
        """End the worker at once."""

    def join(self, seconds: float) -> bool:
        """Wait so long for the worker's end. True where it has ended."""


class Slots(Protocol):
    """The slots of a run. All their workers are one implementation's."""

    def capacity(self) -> int:
        """How many slots there may be now, counted from index 0. Asked before games are given: machines come and go."""

    def prepared(self, control: Control) -> contextlib.AbstractContextManager[None]:
        """What slots need during a run. They nudge it when capacity grows."""

    def open(self, engines: Mapping[str, EngineSpec], index: int, snapshot_ms: int) -> Slot:
        """Start a worker that knows these engines and sends a snapshot every so many ms; with 0 it sends none.

        Raises NoSlot.
        """


class ConnectedSlot:
    """What slots have in common that a worker speaks to over a connection."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @property
    def messages(self) -> int:
        return int(self._connection.fileno())

    def send(self, message: bytes) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._connection.send_bytes(message)

    def has_message(self, seconds: float = 0.0) -> bool:
        return bool(self._connection.poll(seconds))

    def receive(self) -> bytes:
        message: bytes = self._connection.recv_bytes()
        return message

    def close(self) -> None:
        self._connection.close()


class LocalSlot(ConnectedSlot):
    """A worker that is a process of this machine."""

    def __init__(self, process: Any, connection: Any) -> None:
        super().__init__(connection)
        self._process = process

    lost_with_machine = False

    def add(self, engines: Mapping[str, EngineSpec]) -> bool:
        self.send(pickle.dumps(Know(dict(engines))))
        return True

    @property
    def end(self) -> int:
        return int(self._process.sentinel)

    @property
    def exit_code(self) -> int | None:
        code: int | None = self._process.exitcode
        return code

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()

    def join(self, seconds: float) -> bool:
        self._process.join(seconds)
        return not self._process.is_alive()


class LocalSlots:
    """Slots whose workers are processes of this machine, each on a CPU of its own if there are enough."""

    def __init__(
        self,
        games_at_once: int,
        *,
        pin: bool = True,
        serve: Callable[..., None] = worker.main,
        meanwhile: Callable[[], object] = lambda: None,
    ) -> None:
        """`serve` is the function that a worker process runs: `worker.main`, or a test's wrapper around it.

        `meanwhile` is called while the workers start engines.
        """
        self._games_at_once = games_at_once
        self._meanwhile = meanwhile
        self._pin = pin
        self._serve = serve
        self._cpus: list[int] = []
        self._reserved = contextlib.ExitStack()
        """The locks of these CPUs."""
        self._met: dict[int, LocalSlot] = {}
        """Slots whose workers have started engines, and have no games yet."""

    def meet(self, specs: Sequence[EngineSpec]) -> Introductions:
        """Start engines in the workers that will play them, and keep them there. Raises WorkerLost."""
        self._reserve()
        count = min(self._games_at_once, -(-len(specs) // 2))
        introductions: Introductions = [(NOBODY, "")] * len(specs)
        try:
            for index in range(count):
                self._met[index] = self._started(index)
                self._met[index].send(pickle.dumps(Meet(tuple(specs[index::count]))))
            self._meanwhile()
            for index in range(count):
                slot = self._met[index]
                try:
                    introductions[index::count] = pickle.loads(slot.receive())
                except (EOFError, OSError):
                    slot.join(CLOSE_S)
                    raise WorkerLost(f"a worker ended while it started engines (exit code {slot.exit_code})") from None
        except BaseException:
            for slot in self._met.values():
                slot.terminate()
            raise
        return introductions

    def close(self) -> None:
        """End the workers that have met engines and play no games, and let the CPUs go."""
        slots = list(self._met.values())
        self._met.clear()
        for slot in slots:
            slot.close()
        for slot in slots:
            for end in (slot.terminate, slot.kill):
                if not slot.join(CLOSE_S):
                    end()
            slot.join(CLOSE_S)
        self._reserved.close()

    def _reserve(self) -> None:
        if not self._cpus and self._pin:
            self._cpus = self._reserved.enter_context(cpu_affinity.reserved(self._games_at_once))

    def capacity(self) -> int:
        return self._games_at_once

    @contextlib.contextmanager
    def prepared(self, control: Control) -> Iterator[None]:
        """Reserve CPUs for the slots. The capacity never changes, so waiting games need not be woken."""
        try:
            self._reserve()
            yield
        finally:
            self.close()

    def open(self, engines: Mapping[str, EngineSpec], index: int, snapshot_ms: int) -> LocalSlot:
        slot = self._met.pop(index, None) or self._started(index)
        slot.send(pickle.dumps(Know(dict(engines), snapshot_ms)))
        return slot

    def _started(self, index: int) -> LocalSlot:
        ours, theirs = multiprocess.Pipe()
        place = (theirs, cpu_affinity.cpu_of_slot(index, self._cpus))
        return LocalSlot(started(self._serve, place, f"worker-{index}"), ours)


def started(serve: Callable[..., None], place: tuple[Any, ...], name: str) -> Any:
    """A new process that runs `serve` with these arguments, of which the first is its end of the pipe."""
    process = multiprocess.get_context("spawn").Process(target=serve, args=place, name=name)
    resource_tracker.ensure_running()  # by itself, for it unblocks Ctrl-C
    # A worker inherits this: Ctrl-C goes to the whole foreground group and is the scheduler's alone to answer. Not
    # ignored, for then one that comes meanwhile would be lost.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    place[0].close()
    return process
