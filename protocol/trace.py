"""The whole dialogue with one engine, written to a file while it happens: a transcript with the time of each line.

    01:02:03.456789 NAME <- go movetime 20
    01:02:03.476991 NAME -> bestmove c4

It is cheap enough to be always on: a line is only put on a list. The list is formatted and written once a second and at
the end of a game; in a slow game each line is written at once.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

from protocol import transcript

_WRITE_NS = 1_000_000_000
_MOST = 4_096
"""The number of lines that are kept at most before they are written."""
_PLAIN = bytes(range(32, 127)) + b"\n"
"""Printable ASCII."""


class Trace:
    """Appends one engine's dialogue to a file. Close it when the engine has ended."""

    def __init__(
        self,
        path: Path,
        name: str,
        now_ns: Callable[[], int] = time.monotonic_ns,
        today_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        """`now_ns` is monotonic; `today_ns` is UTC and read only once, so that stamps never go back. Raises OSError."""
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        self._name = name
        self._now_ns = now_ns
        self._to_today_ns = today_ns() - now_ns()
        self._notes: list[tuple[int, bytes]] = []
        self._written_ns = 0

    def note(self, data: bytes) -> None:
        """Add sent lines, each with its newline, or one received line, without one, with the current time."""
        now_ns = self._now_ns()
        self._notes.append((now_ns, data))
        if now_ns - self._written_ns > _WRITE_NS or len(self._notes) > _MOST:
            self._written_ns = now_ns
            self.flush()

    def remark(self, text: str) -> None:
        """Write a comment of the arena, such as which game starts. Readers of transcripts skip it."""
        self.flush()
        second, us = divmod((self._now_ns() + self._to_today_ns) // 1000, 1_000_000)
        self._write(b"# %b%06d %b\n" % (self._clock(second), us, text.encode("utf-8", "backslashreplace")))

    def flush(self) -> None:
        """Write the kept lines. A full disk loses lines but stops no game."""
        if not self._notes:
            return
        notes, self._notes = self._notes, []
        second, clock = -1, b""
        sent_head, came_head = (f" {self._name} {way} ".encode() for way in ("<-", "->"))
        parts = []
        for at_ns, data in notes:
            sent = data.endswith(b"\n")
            now, us = divmod((at_ns + self._to_today_ns) // 1000, 1_000_000)
            if now != second:
                second, clock = now, self._clock(now)
            head = b"%b%06d%b" % (clock, us, sent_head if sent else came_head)
            # Sent lines have no control characters. The search for them in long position lines took most of the time.
            if data.isascii() and (sent or not data.translate(None, _PLAIN)):
                text = data[:-1] if sent else data
                parts.append(head + (text.replace(b"\n", b"\n" + head) if b"\n" in text else text))
            else:
                parts += [head + line.rstrip().encode() for line in transcript.printable(data)]
        parts.append(b"")
        self._write(b"\n".join(parts))

    def close(self) -> None:
        """Write the rest and close the file."""
        if self._file >= 0:
            self.flush()
            file, self._file = self._file, -1  # first: a worker may be stopped here and call `close` again
            os.close(file)

    @staticmethod
    def _clock(second: int) -> bytes:
        """`01:02:03.`, UTC."""
        return b"%02d:%02d:%02d." % (second // 3600 % 24, second // 60 % 60, second % 60)

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError:
            pass
