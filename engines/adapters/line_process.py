"""A program that speaks lines over its stdin and stdout, such as an engine of another protocol.

Owns the process, the pipes, the deadlines, and the lines of our own side. Independent of what the lines say.
"""

import os
import select
import subprocess
import time
from collections import deque
from collections.abc import Sequence

_END_S = 2.0
"""How long a program may take to end by itself after its input was closed."""
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

    def say(self, line: str) -> None:
        """Send one line. Raises BrokenPipeError."""
        data = line.encode("ascii", "replace") + b"\n"
        while data:
            data = data[os.write(self._out, data) :]


class ProgramFailed(Exception):
    """The program of others did not do its part. The message is one sentence."""


class CannotStart(ProgramFailed):
    """There is no such program, or it is none that can be run."""


class ProgramEnded(ProgramFailed):
    """The program has closed its output or has ended."""


class LineProcess:
    """A running program. Its stderr is ours."""

    def __init__(self, argv: Sequence[str], directory: str | None = None) -> None:
        """Start it. Raises CannotStart."""
        self._argv = tuple(argv)
        try:
            self._process = subprocess.Popen(
                self._argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=directory, bufsize=0
            )
        except OSError as error:
            raise CannotStart(f"cannot start {self._argv[0]}: {error.strerror}") from None
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._lines: deque[str] = deque()
        self._rest = b""
        self.last: deque[str] = deque(maxlen=_KEPT)
        """The last lines of its output, for whoever tells how it ended."""

    def wait(self, other: int) -> bool:
        """Wait until it has written something or `other`, a file descriptor, can be read. True if `other` can."""
        both = select.poll()
        both.register(self._out, select.POLLIN)
        both.register(other, select.POLLIN)
        ready = both.poll(0 if self._lines else None)
        return other in (descriptor for descriptor, _ in ready)

    def send(self, line: str) -> None:
        """Send one line, in one write. Raises ProgramEnded."""
        data = line.encode() + b"\n"
        try:
            written = os.write(self._in, data)
            while written < len(data):
                written += os.write(self._in, data[written:])
        except BrokenPipeError:
            raise self._ended() from None

    def read(self, timeout_s: float) -> str | None:
        """The next line without its end, None if none comes in time. Raises ProgramEnded."""
        deadline = time.monotonic() + timeout_s
        while not self._lines:
            left_ms = max(0.0, deadline - time.monotonic()) * 1000
            if not self._poll.poll(left_ms):
                return None
            self._take()
        return self._lines.popleft()

    def close(self) -> None:
        """Close its input, and kill it if it does not end."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process.stdout.close()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()

    def _take(self) -> None:
        chunk = os.read(self._out, 65536)
        if not chunk or len(self._rest) > _LONGEST_LINE:
            raise self._ended()
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        lines = [line.decode("utf-8", "replace").rstrip("\r") for line in whole]
        self._lines.extend(lines)
        self.last.extend(lines)

    def _ended(self) -> ProgramEnded:
        return ProgramEnded(f"{self._argv[0]} has ended or has closed its output")
