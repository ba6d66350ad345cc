"""What an engine writes on stderr: a log, of which the last 64 KiB are kept for its author.

Owns how much is kept. Refuses to know what it says, and does not wait for more.
"""

import os

STDERR_TAIL = 64 * 1024

_CHUNK = 64 * 1024


class StderrLog:
    """The end of what comes from a pipe, which must not block. Closing it is its owner's."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._chunks: list[bytes] = []
        self._size = 0

    def read(self) -> bool:
        """Take what there is. False at the end of the file. Raises OSError where it has been closed."""
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
        """The last 64 KiB that were read."""
        return b"".join(self._chunks)[-STDERR_TAIL:]
