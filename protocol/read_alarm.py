"""Ends a blocking read after some milliseconds, so that the reader can check its deadline.

Owns SIGALRM and the interval timer of the process. So there is one ReadAlarm in a process, made in the main thread.
Independent of what is read and of the handler's action.

Poll with a deadline would cost one more system call, a tenth of a ply's cost for an engine that answers at once. An
exception from the signal handler could come between the read and the storing of its bytes. So the handler only makes
the pipe non-blocking. Python repeats an interrupted read, which then finds no data; a read that has its bytes keeps
them. If the signal comes just before the read blocks, the next one ends it.
"""

import signal
from collections.abc import Callable
from types import FrameType
from typing import Final

INTERVAL_S: Final = 0.01
LONGEST_READ_NS: Final = 30_000_000
"""The longest duration of a read: three intervals. One signal may come before the read, one may belong to another."""


class ReadAlarm:
    """Calls its handler every INTERVAL_S while it is running."""

    def __init__(self) -> None:
        self.running = False
        self.handler: Callable[[], None] = do_nothing
        """The function to call at each signal. The reader sets it."""
        signal.signal(signal.SIGALRM, self._on_signal)
        # A parent that blocks SIGALRM passes the blocking on.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})

    def start(self) -> None:
        """Start the timer."""
        self.running = True
        signal.setitimer(signal.ITIMER_REAL, INTERVAL_S, INTERVAL_S)

    def stop(self) -> None:
        """Stop the timer. A second call does nothing."""
        if self.running:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.running = False

    def _on_signal(self, _signal: int, _frame: FrameType | None) -> None:
        self.handler()


def do_nothing() -> None:
    """The handler while nothing is read."""
