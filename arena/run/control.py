"""What reaches the main loop of a run from outside: signals, as flags, and nudges of other threads."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a polite end, and a closed terminal."""


class Control:
    """Tells a run to stop or to pause. All its methods may be called from any thread."""

    def __init__(self) -> None:
        self.stopped = self.paused = False
        self._wake: int | None = None
        self._waking = threading.Lock()
        """Held by who writes to `_wake`: once it is closed, its number may belong to another file."""

    def pause(self, paused: bool) -> None:
        """Start no games, or start them again. Running games go on."""
        self.paused = paused
        self.nudge()

    def stop(self) -> None:
        """End the run as Ctrl-C does."""
        self.stopped = True
        self.nudge()

    def nudge(self) -> None:
        """Let the run look at once whether there is something to do."""
        with self._waking, contextlib.suppress(OSError):
            if self._wake is not None:
                os.write(self._wake, b"\0")

    @contextlib.contextmanager
    def listening(self) -> Iterator[int]:
        """A file that is readable when there is something to look at. Signals are flags while the block runs."""
        read, write = os.pipe()
        for end in (read, write):
            os.set_blocking(end, False)
        # Who starts us with nohup wants that we go on when the terminal closes.
        is_deaf = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        heard = [number for number in NUMBERS if not (is_deaf and number == signal.SIGHUP)]
        before = {number: signal.signal(number, self._signalled) for number in heard}
        wakeup = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        self._wake = write
        try:
            yield read
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            with self._waking:
                self._wake = None
            os.close(read)
            os.close(write)

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self.stopped = True
