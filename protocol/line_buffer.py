"""What an engine has written, as whole lines, each within its cap and all of a turn within theirs.

Owns the caps and the start of a line whose end has not come. Refuses to know where bytes come from and what they mean.
"""

from typing import Final

from protocol.transport import TransportFlooded

LINE_CAP: Final = 64 * 1024
"""Bytes of one line from the engine, its newline not counted."""
TURN_CAP: Final = 16 * 1024 * 1024
"""Bytes that an engine may write on stdout from one `go` to the next: over four hours of info at 1 KiB a second."""


class LineBuffer:
    """Bytes in, lines out. Once a cap is exceeded nothing more comes out."""

    def __init__(self) -> None:
        self.flooded = ""
        """Which cap was exceeded, as a clause for a sentence; empty where none was."""
        self.waiting = b""
        """What has come last, as long as a part of it has not been given out."""
        self._at = 0
        """Where that part begins."""
        self._start = bytearray()
        """Of a line whose end has not come."""
        self._turn_size = 0

    @property
    def unfinished(self) -> bytes:
        """All that has come and was not given out."""
        return bytes(self._start) + self.waiting[self._at :]

    @property
    def idle(self) -> bool:
        """Is it neither in the midst of a line nor flooded?"""
        return not (self._start or self.flooded)

    def begin_turn(self) -> None:
        """Count the bytes of a turn from nothing."""
        self._turn_size = 0

    def add(self, chunk: bytes) -> None:
        """Take what has come."""
        self._turn_size += len(chunk)
        if self.flooded:
            return
        if self._turn_size > TURN_CAP:
            self.drop(f"wrote more than {TURN_CAP} bytes in one turn")
        elif self.waiting:
            self.waiting = self.waiting[self._at :] + chunk
            self._at = 0
        else:
            self.waiting = chunk

    def next(self) -> bytes | None:
        """The next line, without its newline; None where its end has not come. Raises TransportFlooded."""
        waiting, at = self.waiting, self._at
        end = waiting.find(b"\n", at)
        if end < 0:
            self._start += waiting[at:]
            self.waiting = b""
            self._at = 0
            self._cap(len(self._start))
            return None
        line = waiting[at:end]
        if end + 1 == len(waiting):
            self.waiting = b""
            self._at = 0
        else:
            self._at = end + 1
        if self._start:
            line = bytes(self._start) + line
            self._start.clear()
        if len(line) > LINE_CAP:
            self._cap(len(line))
        return line

    def _cap(self, size: int) -> None:
        """Of a line, or what there is of it. Raises TransportFlooded where this or an earlier one is too long."""
        if size > LINE_CAP:
            self.drop(f"wrote a line of more than {LINE_CAP} bytes")
        if self.flooded:
            raise TransportFlooded(self.flooded)

    def drop(self, why: str = "") -> None:
        """Forget what was not given out; `why` is the cap that was exceeded, if one was."""
        self.flooded = why or self.flooded
        self.waiting = b""
        self._at = 0
        self._start.clear()
