"""One side's clock, told the time and never reading it. ns inside, whole ms at the border to the engine."""

from typing import Final

from arena.play.time_control import Limit

MS: Final = 1_000_000
"""Nanoseconds in a millisecond."""


class Clock:
    """What a side has left. It changes with every `spend`: a new clock for each move was a tenth of a microsecond.

    A move may overrun by the margin, but the overrun stays on the clock: `left_ns` may be below zero by at most the
    margin, so the margin is granted once, not with every move.
    """

    __slots__ = ("_increment_ns", "_moves", "_period_ns", "left_ns", "moves_to_go")

    def __init__(self, limit: Limit) -> None:
        """A full clock; `limit` must be of the kind `clock`."""
        self.left_ns = self._period_ns = limit.base_ms * MS
        self._increment_ns = limit.increment_ms * MS
        self._moves = limit.moves
        self.moves_to_go = limit.moves or 0
        """Until the next period begins; 0 where one period is the whole game."""

    def spend(self, elapsed_ns: int) -> int:
        """A move took `elapsed_ns`: add the increment, and a new period where one begins. What is left, in ns."""
        self.left_ns = left_ns = self.left_ns - elapsed_ns + self._increment_ns
        if self._moves is None:
            return left_ns
        self.moves_to_go -= 1
        if self.moves_to_go == 0:
            self.moves_to_go = self._moves
            self.left_ns += self._period_ns
        return self.left_ns
