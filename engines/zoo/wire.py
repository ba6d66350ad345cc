"""The engine's end of the pipes: lines in, bytes out, on raw file descriptors.

No buffered files: faults close, fill and split these descriptors, and a buffer in between would change what the
other end sees. Refuses to know what a line means.
"""

import os
import select

STDIN, STDOUT, STDERR = 0, 1, 2

_CHUNK = 64 * 1024


class Gone(Exception):
    """Nobody reads our stdout any more."""


class Wire:
    """Whole lines from stdin, whole writes to stdout."""

    def __init__(self) -> None:
        self.ended = False
        """Has stdin come to its end?"""
        self._buffer = b""

    def line(self) -> str | None:
        """The next whole line that has been read, without its newline; None where there is none."""
        end = self._buffer.find(b"\n")
        if end < 0:
            return None
        line, self._buffer = self._buffer[:end], self._buffer[end + 1 :]
        return line.decode("ascii", "replace")

    def listen(self, timeout_ms: float | None) -> None:
        """Wait for input, None for as long as it takes, and read what is there."""
        ready, _, _ = select.select([STDIN], [], [], None if timeout_ms is None else timeout_ms / 1000)
        if ready:
            chunk = os.read(STDIN, _CHUNK)
            self.ended = not chunk
            self._buffer += chunk

    def discard(self) -> None:
        """Forget what has been read and not yet been taken."""
        self._buffer = b""

    def write(self, data: bytes) -> None:
        """All of `data` to stdout, in one write where the pipe takes it. Raises Gone."""
        write_all(STDOUT, data)


def write_all(fd: int, data: bytes) -> None:
    """All of `data` to a pipe. Raises Gone where nobody reads it."""
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(fd, rest) :]
    except BrokenPipeError:
        raise Gone from None


def log(text: str) -> None:
    """One line on stderr, for people; where nobody reads it, nothing."""
    try:
        write_all(STDERR, f"{text}\n".encode("utf-8", "backslashreplace"))
    except (Gone, OSError):
        return
