"""The last lines of a dialogue, kept as evidence, and an observer that gets each line at once.

Owns how much is kept. Independent of the meaning of a line. `protocol.transcript` owns the written form.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from protocol import transcript

LINES = 60
"""The number of kept entries: as many lines as a record keeps. More would only fill the CPU's cache at each ply."""
LINE_BYTES: Final = 4_096
"""The number of kept bytes of a received line."""


class TranscriptTail:
    """The last lines. A sent one ends in a newline and a received one does not, so no direction is stored."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque(maxlen=LINES)
        self.append: Callable[[bytes], None] = self._lines.append
        """Keep sent lines, each with its newline, or one received line, cut to LINE_BYTES."""

    def set_observer(self, observer: Callable[[bytes], None] | None) -> None:
        """Pass each new line to `observer` too; None removes it, at no cost. Changes `append`, so read it again."""
        notify, keep = observer, self._lines.append
        if notify is None:
            self.append = keep
            return

        def append(data: bytes) -> None:
            keep(data)
            notify(data)

        self.append = append

    @property
    def nothing_received(self) -> bool:
        """True if the engine has not written a line yet."""
        return all(_direction(data) == "<-" for data in self._lines)

    @property
    def data(self) -> list[bytes]:
        """What was kept, as `append` took it. Another thread may ask while lines come."""
        return list(self._lines)

    def lines(self, name: str) -> list[str]:
        """The kept lines as a transcript."""
        return [line for data in self._lines for line in transcript.show(name, _direction(data), data)]


def _direction(data: bytes) -> transcript.Direction:
    return "<-" if data.endswith(b"\n") else "->"
