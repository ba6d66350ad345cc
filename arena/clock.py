"""One side's clock, told the time and never reading it. ns inside, whole ms at the border to the engine."""

from typing import NamedTuple

from arena.limits import Limit

MS = 1_000_000
"""Nanoseconds in a millisecond."""


class Clock(NamedTuple):
    """What a side has left.

    A move may overrun by the margin, but the overrun stays on the clock: `left_ns` may be below zero by at most the
    margin, so the margin is granted once, not with every move.
    """

    left_ns: int
    increment_ns: int
    period_ns: int
    moves: int | None
    """Moves in a period, None for one period over the whole game."""
    moves_to_go: int

    @classmethod
    def start(cls, limit: Limit) -> "Clock":
        """A full clock; `limit` must be of the kind `clock`."""
        return cls(
            limit.base_ms * MS,
            limit.increment_ms * MS,
            limit.base_ms * MS,
            limit.moves,
            limit.moves if limit.moves else 0,
        )

    def after(self, elapsed_ns: int) -> "Clock":
        """The clock after a move that took `elapsed_ns`: increment added, and a new period where one begins."""
        left_ns = self.left_ns - elapsed_ns + self.increment_ns
        if self.moves is None:
            return Clock(left_ns, self.increment_ns, self.period_ns, None, 0)
        if self.moves_to_go > 1:
            return self._replace(left_ns=left_ns, moves_to_go=self.moves_to_go - 1)
        return self._replace(left_ns=left_ns + self.period_ns, moves_to_go=self.moves)
