"""A program of others that an adapter starts: its process, and its stdin and stdout as lines."""

import os
import select
import subprocess
import time
from collections import deque
from collections.abc import Sequence

_END_S = 2.0
"""How long a program may take to end by itself after its input was closed."""
_STATUS_S = 1.0
"""How long a program that has closed its output may take to leave an exit status."""
_KEPT = 20
_LONGEST_LINE = 1 << 20
"""Bytes. A program that writes more without a newline has gone wrong."""


class OwnLines:
    """Our own stdin and stdout as lines, towards whoever started the adapter."""

    def __init__(self, in_fd: int = 0, out_fd: int = 1) -> None:
        self.in_fd, self._out = in_fd, out_fd
        self._rest = b""

    def take(self) -> list[str] | None:
        """The lines that have come, without their ends; None at the end of the input. Waits if there is nothing."""
        chunk = os.read(self.in_fd, 65536)
        if not chunk:
            return None
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        return [line.decode("ascii", "replace").strip() for line in whole]

    def say(self, *lines: str) -> None:
        """Send whole lines. Raises BrokenPipeError."""
        _write(self._out, lines)


def _write(descriptor: int, lines: Sequence[str]) -> None:
    """Write all lines at once, if the pipe has room."""
    data = b"".join(line.encode("utf-8", "replace") + b"\n" for line in lines)
    while data:
        data = data[os.write(descriptor, data) :]


class ProgramFailed(Exception):
    """The program of others did not do its part. The message is one sentence."""

    status = 1
    """The exit status of an adapter that ends for it."""

    def __init__(self, message: str, last_lines: Sequence[str] = ()) -> None:
        """`last_lines` are what the program wrote last, if that is not on stderr already."""
        super().__init__(message)
        self.last_lines = last_lines


class CannotStart(ProgramFailed):
    """There is no such program, or it is none that can be run."""

    status = 2


class ProgramEnded(ProgramFailed):
    """The program has closed its output or has ended. The adapter ends with the same status."""

    def __init__(self, message: str, status: int | None, last_lines: Sequence[str] = ()) -> None:
        super().__init__(message, last_lines)
        self.status = 1 if not status else status if status > 0 else 128 - status


class Program:
    """A program that was started. Its stderr is ours."""

    speaks_over = "output"

    def __init__(self, argv: Sequence[str], in_lines: bool = True) -> None:
        """Start it. Without `in_lines` it has no input, a session of its own, and its output is our stderr.

        Raises CannotStart.
        """
        pipes = (subprocess.PIPE, subprocess.PIPE) if in_lines else (subprocess.DEVNULL, 2)
        self.name = argv[0]
        self.last: deque[str] = deque(maxlen=_KEPT)
        """The last lines of its output that we have read."""
        try:
            self.process = subprocess.Popen(
                argv, stdin=pipes[0], stdout=pipes[1], bufsize=0, start_new_session=not in_lines
            )
        except OSError as error:
            raise CannotStart(f"cannot start {self.name}: {error.strerror}") from None

    def ended(self, when: str = "") -> ProgramEnded:
        """What to raise if it has gone."""
        status = self.wait(_STATUS_S)
        what = f"has closed its {self.speaks_over}" if status is None else "has ended"
        return ProgramEnded(f"{self.name} {what} {when}".rstrip(), status, [*self.last])

    def wait(self, timeout_s: float) -> int | None:
        """Its exit status, None if it still runs after this time."""
        try:
            return self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()


class LineProcess(Program):
    """A running program that speaks in lines."""

    def __init__(self, argv: Sequence[str]) -> None:
        """Start it. Raises CannotStart."""
        super().__init__(argv)
        assert self.process.stdin is not None and self.process.stdout is not None
        self._stdin, self._stdout = self.process.stdin, self.process.stdout
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._lines: deque[str] = deque()
        self._rest = b""

    def wait_for(self, other: int) -> bool:
        """Wait until it has written something or `other`, a file descriptor, can be read. True if `other` can."""
        both = select.poll()
        both.register(self._stdout, select.POLLIN)
        both.register(other, select.POLLIN)
        ready = both.poll(0 if self._lines else None)
        return other in (descriptor for descriptor, _ in ready)

    def send(self, line: str) -> None:
        """Send one line, in one write. Raises ProgramEnded."""
        try:
            _write(self._stdin.fileno(), (line,))
        except BrokenPipeError:
            raise self.ended() from None

    def read(self, timeout_s: float) -> str | None:
        """The next line without its end, None if none comes in time. Raises ProgramEnded."""
        deadline = time.monotonic() + timeout_s
        while not self._lines:
            left_ms = max(0.0, deadline - time.monotonic()) * 1000
            if not self._poll.poll(left_ms):
                return None
            self._take()
        return self._lines.popleft()

    def lines(self) -> list[str]:
        """The lines that have come, perhaps none. Raises ProgramEnded if there are none and it has ended."""
        if not self._lines and self._poll.poll(0):
            self._take()
        lines = [*self._lines]
        self._lines.clear()
        return lines

    def close(self) -> None:
        """Close its input, and kill it if it does not end."""
        self._stdin.close()
        if self.wait(_END_S) is None:
            self.kill()
        self._stdout.close()

    def _take(self) -> None:
        chunk = os.read(self._stdout.fileno(), 65536)
        if not chunk or len(self._rest) > _LONGEST_LINE:
            raise self.ended()
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        lines = [line.decode("utf-8", "replace").rstrip("\r") for line in whole]
        self._lines.extend(lines)
        self.last.extend(lines)
