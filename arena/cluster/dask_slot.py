"""Slots on other machines, as the scheduler sees them.

Bytes go through a pair of sockets; a thread of the cluster serves its far end.
"""

import contextlib
import socket
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Protocol

import multiprocess
from multiprocess.connection import Connection

from arena.play.jobs import EngineSpec
from arena.play.slots import ConnectedSlot, NoSlot, Nudge


class Places(Protocol):
    """What slots need of a cluster: `arena.cluster.cluster.Cluster`."""

    nudge: Nudge

    def capacity(self) -> int:
        """How many slots all machines have together. Raises ClusterLost."""

    def open_slot(
        self,
        make: "Callable[[Far], DaskSlot]",
        engines: Mapping[str, EngineSpec],
        snapshot_ms: int,
        wanted: Collection[str] = (),
    ) -> "DaskSlot":
        """Open a slot on a machine that has one free and can play the engines that are `wanted`.

        Raises NoSlot, and LacksEngine.
        """


class Far(Protocol):
    """Takes what a slot's worker is to be told out of turn. May be called from any thread."""

    def end(self, slot: "DaskSlot", how: str) -> None:
        """`terminate` or `kill` its worker."""


class DaskSlot(ConnectedSlot):
    """A worker on another machine."""

    def __init__(self, far: Far) -> None:
        ours, self.theirs = socket.socketpair()
        super().__init__(Connection(ours.detach()))
        self._end, self._alive = multiprocess.Pipe(duplex=False)
        self._far = far
        self._ended = threading.Event()
        self.exit_code: int | None = None
        self.lost_with_machine = False
        self.lacks: Collection[str] = ()

    @property
    def end(self) -> int:
        return int(self._end.fileno())

    def has_message(self, seconds: float = 0.0) -> bool:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            return bool(self._connection.poll(seconds))
        return True

    def terminate(self) -> None:
        self._far.end(self, "terminate")

    def kill(self) -> None:
        self._far.end(self, "kill")

    def join(self, seconds: float) -> bool:
        return self._ended.wait(seconds)

    def ended(self, exit_code: int | None, *, lost_with_machine: bool = False) -> None:
        """The worker has ended, or is lost. Called once, by the thread that serves the far end."""
        self.exit_code, self.lost_with_machine = exit_code, lost_with_machine
        self._ended.set()
        self._alive.close()


class DaskSlots:
    """The slots of all machines of a cluster, or so many of them."""

    ahead_ms = 1000
    """More than on one machine, since a job has to travel. After a game of a second the travel is a trifle."""

    def __init__(self, places: Places, games_at_once: int | None) -> None:
        self._places = places
        self._most = games_at_once
        self._open: dict[int, DaskSlot] = {}

    def capacity(self) -> int:
        """Enough indices for all open slots and for those that are free now. Raises ClusterLost."""
        capacity = self._places.capacity()
        if self._most is not None:
            capacity = min(capacity, self._most)
        self._open = {index: slot for index, slot in self._open.items() if not slot.join(0)}
        free = capacity - len(self._open)
        index = 0
        while free > 0:
            free -= index not in self._open
            index += 1
        return max(index, 1 + max(self._open, default=-1))

    @contextlib.contextmanager
    def prepared(self, nudge: Nudge) -> Iterator[None]:
        """Nudge the scheduler when machines come and go."""
        self._places.nudge = nudge
        try:
            yield
        finally:
            self._places.nudge = lambda: None

    def open(
        self, engines: Mapping[str, EngineSpec], index: int, snapshot_ms: int, wanted: Collection[str] = ()
    ) -> DaskSlot:
        if self._most is not None and sum(not slot.join(0) for slot in self._open.values()) >= self._most:
            raise NoSlot("so many games as are wanted are being played")
        slot = self._open[index] = self._places.open_slot(DaskSlot, engines, snapshot_ms, wanted)
        return slot
