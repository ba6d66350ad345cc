"""The engine's end of the pipes: lines in, bytes out. Independent of the meaning of a line.

It uses raw file descriptors. Faults close, fill and split them, and a buffer would change what the other end sees.
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
        """True after the end of stdin."""
        self._buffer = b""

    def line(self) -> str | None:
        """The next line from the buffer, without its newline; None if no whole line is there."""
        end = self._buffer.find(b"\n")
        if end < 0:
            return None
        line, self._buffer = self._buffer[:end], self._buffer[end + 1 :]
        return line.decode("ascii", "replace")

    def listen(self, timeout_ms: float | None) -> None:
        """Wait for input and read it. `timeout_ms` None waits without a limit."""
        ready, _, _ = select.select([STDIN], [], [], None if timeout_ms is None else timeout_ms / 1000)
        if ready:
            chunk = os.read(STDIN, _CHUNK)
            self.ended = not chunk
            self._buffer += chunk

    def discard(self) -> None:
        """Drop the buffered input."""
        self._buffer = b""

    def write(self, data: bytes) -> None:
        """Write all of `data` to stdout, in one system call if the pipe has room. Raises Gone."""
        write_all(STDOUT, data)


def write_all(fd: int, data: bytes) -> None:
    """Write all of `data` to a pipe. Raises Gone if nobody reads it."""
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(fd, rest) :]
    except BrokenPipeError:
        raise Gone from None


def log(text: str) -> None:
    """Write one line to stderr, for people. Ignore a closed stderr."""
    try:
        write_all(STDERR, f"{text}\n".encode("utf-8", "backslashreplace"))
    except (Gone, OSError):
        return
