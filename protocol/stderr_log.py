"""The end of an engine's stderr, kept for its author. Never waits."""

import os

STDERR_TAIL = 64 * 1024
"""The number of kept bytes."""

_CHUNK = 64 * 1024


class StderrLog:
    """Keeps the end of a non-blocking pipe's output. The owner closes the pipe."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._chunks: list[bytes] = []
        self._size = 0

    def read(self) -> bool:
        """Read the available output. False at the end of the file. Raises OSError if the pipe is closed."""
        try:
            chunk = os.read(self._fd, _CHUNK)
        except BlockingIOError:
            return True
        self._chunks.append(chunk)
        self._size += len(chunk)
        if self._size > 4 * STDERR_TAIL or len(self._chunks) > 1_000:
            self._chunks = [self.tail()]
            self._size = len(self._chunks[0])
        return chunk != b""

    def tail(self) -> bytes:
        """The last STDERR_TAIL bytes that were read."""
        return b"".join(self._chunks)[-STDERR_TAIL:]
