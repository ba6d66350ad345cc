"""Reads an engine's output as lines, with caps on a line and on a turn. Never waits."""

import os
from collections import deque
from typing import Final

LINE_CAP: Final = 64 * 1024
"""The cap of one line, in bytes without its newline."""
TURN_CAP: Final = 16 * 1024 * 1024
"""The cap of stdout from one `go` to the next, in bytes. It allows 1 KiB of info a second for over four hours."""


_CHUNK: Final = 8 * 1024
PIPE_CHUNKS: Final = 1024 * 1024 // _CHUNK
"""As many reads empty a pipe, which holds 1 MiB at most unless root has raised that."""

_read: Final = os.read


class LineBuffer:
    """The lines from a non-blocking pipe. After a cap is exceeded, no more come. The owner closes the pipe."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self.whole: deque[bytes] = deque()
        """The lines that have come and were not taken yet, without their newlines."""
        self.unfinished = b""
        """The start of a line whose newline has not come yet."""
        self.overflow = ""
        """The exceeded cap as a clause for a sentence, empty if there is none."""
        self.has_ended = False
        """True if the end of the file was read."""
        self._turn_size = 0

    def begin_turn(self) -> None:
        """Start a new count of the bytes of a turn."""
        self._turn_size = 0

    def read(self) -> bool:
        """Read a part of what has come. False if nothing has."""
        try:
            chunk = _read(self._fd, _CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            self.has_ended = True
            return False
        self._turn_size += len(chunk)
        if self.overflow:
            return True
        lines = (self.unfinished + chunk).split(b"\n")
        if self._turn_size > TURN_CAP:
            self.overflow = f"wrote more than {TURN_CAP} bytes in one turn"
        elif len(lines[0]) > LINE_CAP:  # no other can be: a chunk is shorter
            self.overflow = f"wrote a line of more than {LINE_CAP} bytes"
        else:
            self.unfinished = lines.pop()
            self.whole += lines
        return True

    def discard(self) -> None:
        """Drop what was not taken."""
        self.whole.clear()
        self.unfinished = b""
