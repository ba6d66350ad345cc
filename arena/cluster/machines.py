"""The machines that have joined, as one run sees them: who is there, who is ready, who is lost.

Membership, preparation and carrying share this value. It knows nothing of Dask, of engines or of what is carried.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator

from arena.cluster.joined_machine import JoinedMachine

NOBODY_PLAYS = "no machine can play now: the run waits for one, Ctrl-C ends it"


class Machines:
    """The machines by their addresses. The loop's thread changes them; `ready` and `capacity` are for any thread."""

    def __init__(self, address: str, notify: Callable[[str], None]) -> None:
        """`address` is that of their meeting point."""
        self.address = address
        self.notify = notify
        self.nudge: Callable[[], None] = lambda: None
        """Lets the run look for slots again."""
        self.is_stopped: Callable[[], bool] = lambda: False
        """Is the run being stopped?"""
        """Is called when slots come or go."""
        self.threads = 1
        """How many threads the engine with the most of them has."""
        self.failure: Exception | None = None
        """Why no machine plays any more."""
        self.losses: Counter[str] = Counter()
        """How often each host was lost."""
        self.loop: asyncio.AbstractEventLoop | None = None
        self.lock = threading.RLock()
        self._by_address: dict[str, JoinedMachine] = {}
        self._notified: set[str] = set()

    def __iter__(self) -> Iterator[JoinedMachine]:
        """All of them. They may come and go meanwhile."""
        return iter(list(self._by_address.values()))

    @property
    def ready(self) -> list[JoinedMachine]:
        """Those that can play."""
        with self.lock:
            return [machine for machine in self._by_address.values() if machine.ready]

    def capacity_of(self, machine: JoinedMachine) -> int:
        """How many games the machine can play at once."""
        assert machine.info is not None
        return max(1, machine.info.slots // max(1, self.threads))

    def capacity(self) -> int:
        """How many games all machines can play at once. Raises ClusterLost."""
        self.require()
        capacity = sum(map(self.capacity_of, self.ready))
        if capacity:
            self._notified.discard(NOBODY_PLAYS)
        else:
            self.notify_once(NOBODY_PLAYS)
        return capacity

    def require(self) -> None:
        """Raise what has failed, if anything has."""
        if self.failure is not None:
            raise self.failure

    def fail(self, failure: Exception) -> None:
        """Let the run fail instead of waiting for ever."""
        self.failure = failure
        self.nudge()

    def notify_once(self, sentence: str) -> None:
        if sentence not in self._notified:
            self._notified.add(sentence)
            self.notify(sentence)

    def add(self, address: str) -> JoinedMachine:
        """A machine that has joined."""
        machine = JoinedMachine(address, self.lose)
        with self.lock:  # the scheduler counts them in its own thread
            self._by_address[address] = machine
        return machine

    def lose(self, machine: JoinedMachine, why: str, *, counts: bool = True) -> None:
        """Give a machine up. Its games are played elsewhere. `counts`: is it one of its losses?"""
        if machine.gone.is_set():
            return
        machine.gone.set()
        was_ready = machine.ready
        self.forget(machine)
        if was_ready and why:
            self.losses[machine.host] += counts
            self.notify(f"{machine.host} is lost: {why}; its games are played again on other machines")
        for number in list(machine.slots):
            self.end_slot(machine, number, None, lost=True)
        self.nudge()

    def forget(self, machine: JoinedMachine) -> None:
        """Let a machine be admitted anew, if it is still there."""
        with self.lock:
            machine.ready = False
            self._by_address.pop(machine.address, None)
        if machine.future is not None:
            machine.future.release()

    def end_slot(self, machine: JoinedMachine, number: int, exit_code: int | None, *, lost: bool = False) -> None:
        """The worker of a slot has ended, or is lost with its machine."""
        with self.lock:
            slot = machine.slots.pop(number, None)
        if (writer := machine.writers.pop(number, None)) is not None:
            writer.close()
        if slot is not None:
            slot.ended(exit_code, lost_with_machine=lost)
            self.nudge()
