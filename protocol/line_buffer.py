"""Splits an engine's output into lines, with caps on a line and on a turn.

Owns the caps and the incomplete last line. Independent of the source and the meaning of the bytes.
"""

from typing import Final

from protocol.transport import TransportFlooded

LINE_CAP: Final = 64 * 1024
"""The cap of one line, in bytes without its newline."""
TURN_CAP: Final = 16 * 1024 * 1024
"""The cap of stdout from one `go` to the next, in bytes. It allows 1 KiB of info a second for over four hours."""


class LineBuffer:
    """Bytes in, lines out. After a cap is exceeded, no more lines come out."""

    def __init__(self) -> None:
        self.overflow = ""
        """The exceeded cap as a clause for a sentence, empty if there is none."""
        self.pending = b""
        """The last chunk, until all of it has been returned."""
        self._offset = 0
        """The start of the part of `pending` that has not been returned."""
        self._partial = bytearray()
        """The start of a line whose newline has not come yet."""
        self._turn_size = 0

    @property
    def unfinished(self) -> bytes:
        """The bytes that have come and were not returned."""
        return bytes(self._partial) + self.pending[self._offset :]

    @property
    def between_lines(self) -> bool:
        """True if there is no incomplete line and no exceeded cap."""
        return not (self._partial or self.overflow)

    def begin_turn(self) -> None:
        """Start a new count of the bytes of a turn."""
        self._turn_size = 0

    def add(self, chunk: bytes) -> None:
        """Add a chunk of output."""
        self._turn_size += len(chunk)
        if self.overflow:
            return
        if self._turn_size > TURN_CAP:
            self.discard(f"wrote more than {TURN_CAP} bytes in one turn")
        elif self.pending:
            self.pending = self.pending[self._offset :] + chunk
            self._offset = 0
        else:
            self.pending = chunk

    def next(self) -> bytes | None:
        """The next line without its newline, None if it is incomplete. Raises TransportFlooded."""
        waiting, at = self.pending, self._offset
        if not waiting and not self.overflow:
            return None
        end = waiting.find(b"\n", at)
        if end < 0:
            self._partial += waiting[at:]
            self.pending = b""
            self._offset = 0
            self._check_cap(len(self._partial))
            return None
        line = waiting[at:end]
        if end + 1 == len(waiting):
            self.pending = b""
            self._offset = 0
        else:
            self._offset = end + 1
        if self._partial:
            line = bytes(self._partial) + line
            self._partial.clear()
        if len(line) > LINE_CAP:
            self._check_cap(len(line))
        return line

    def _check_cap(self, size: int) -> None:
        """Check the size of a line or its part. Raises TransportFlooded if it, or an earlier one, is too long."""
        if size > LINE_CAP:
            self.discard(f"wrote a line of more than {LINE_CAP} bytes")
        if self.overflow:
            raise TransportFlooded(self.overflow)

    def discard(self, why: str = "") -> None:
        """Drop the bytes that were not returned. `why` is the exceeded cap, if any."""
        self.overflow = why or self.overflow
        self.pending = b""
        self._offset = 0
        self._partial.clear()
