"""A slot on another machine, as the scheduler sees it.

Bytes go through a pair of sockets; a thread of the cluster serves its far end.
"""

import contextlib
import socket
import threading
from collections.abc import Callable, Collection

import multiprocess
from multiprocess.connection import Connection

from arena.play.slots import ConnectedSlot


class DaskSlot(ConnectedSlot):
    """A worker on another machine."""

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
