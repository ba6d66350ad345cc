"""Ends a read that blocks: rings some milliseconds after it began, and whoever reads then looks at the clock.

Owns SIGALRM and the process's interval timer, so there is one in a process, made in its main thread. Refuses to know
what is read and what is done when it rings.

Why not poll with a deadline: for an engine that answers at once that is a system call more, a tenth of a ply's cost.
Why not an exception out of the signal: it could come between the read and the place where its bytes are kept. So a ring
only makes the pipe non-blocking. A read that waits then comes back empty (Python takes up an interrupted system call
again), one that has its bytes keeps them, and a ring that comes just before the read blocks is followed by another.
"""

import signal
from collections.abc import Callable
from types import FrameType
from typing import Final

RING_S: Final = 0.005
AT_MOST_NS: Final = 15_000_000
"""The longest that a read goes on: three rings, of which one may come before the read and one be somebody else's."""


class ReadAlarm:
    """Rings every 5 ms while it is `on`."""

    def __init__(self) -> None:
        self.on = False
        self.ring: Callable[[], None] = nothing
        """What is called when it rings; whoever reads sets it."""
        signal.signal(signal.SIGALRM, self._rung)
        # A parent that blocks it would have passed that on.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})

    def start(self) -> None:
        """Ring from now on."""
        self.on = True
        signal.setitimer(signal.ITIMER_REAL, RING_S, RING_S)

    def stop(self) -> None:
        """Do not ring any more. Twice is once."""
        if self.on:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.on = False

    def _rung(self, _signal: int, _frame: FrameType | None) -> None:
        self.ring()


def nothing() -> None:
    """Nobody reads."""
