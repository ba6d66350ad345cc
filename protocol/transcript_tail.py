"""The last lines of a dialogue, kept for evidence, and whoever else is told of them as they are said.

Owns how much is kept. Refuses to know what a line means; how it is written down is `protocol.transcript`'s.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from protocol import transcript

LINES = 120
"""Of a dialogue: twice what a record keeps. More would only be memory that each ply drags through the CPU's cache."""
LINE_BYTES: Final = 4_096


class TranscriptTail:
    """What was sent ends in a newline, what was received has none: no need to keep the direction beside it."""

    def __init__(self) -> None:
        self._kept: deque[bytes] = deque(maxlen=LINES)
        self.remember: Callable[[bytes], None] = self._kept.append
        """Keep lines that were sent, each with its newline, or a line that was received, at most LINE_BYTES of it."""

    def tap(self, hook: Callable[[bytes], None] | None) -> None:
        """From now on tell `hook` too; None: nobody, at no cost. Take `remember` anew afterwards."""
        tell, keep = hook, self._kept.append
        if tell is None:
            self.remember = keep
            return

        def remember(data: bytes) -> None:
            keep(data)
            tell(data)

        self.remember = remember

    @property
    def silent(self) -> bool:
        """Has the other end said nothing?"""
        return all(_direction(data) == "<-" for data in self._kept)

    def lines(self, name: str) -> list[str]:
        """What is kept, in its written form."""
        return [line for data in self._kept for line in transcript.show(name, _direction(data), data)]


def _direction(data: bytes) -> transcript.Direction:
    return "<-" if data.endswith(b"\n") else "->"
