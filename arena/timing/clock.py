"""The clock of one side. It is told the time and never reads it. Times are ns here and whole ms in what engines see.

A position may be read for some time before the clock pays for it (SPEC.md 6.4).
"""

from typing import Final

from arena.timing.time_control import Limit

MS: Final = 1_000_000
"""Nanoseconds in a millisecond."""
MARGIN_MS: Final = 50
"""The default of the margin, by which a move may be late (SPEC.md 7.9)."""
FREE_READING_MS: Final = 5
"""The default of the free time for a position, without that for its moves."""
FREE_READING_MOVE_NS: Final = 100_000
"""The free time in ns for each move of the position."""
FREE_READING_MOVE_MS: Final = FREE_READING_MOVE_NS / MS


class Clock:
    """The time that a side has left. `spend` changes it in place: a new value for each move cost 0.1 us more.

    A move may overrun by the margin, but the overrun stays on the clock: `left_ns` may be below zero by at most the
    margin. So the margin is granted once in a game, not with every move.
    """

    __slots__ = ("_increment_ns", "_moves", "_period_ns", "left_ns", "moves_to_go")

    def __init__(self, limit: Limit) -> None:
        """A full clock. `limit` must be of the kind `clock`."""
        self.left_ns = self._period_ns = limit.base_ms * MS
        self._increment_ns = limit.increment_ms * MS
        self._moves = limit.moves
        self.moves_to_go = limit.moves or 0
        """Moves until the next period begins; 0 where one period is the whole game."""

    def charge(self, elapsed_ns: int) -> int:
        """Take time off before the move. The ns left."""
        self.left_ns -= elapsed_ns
        return self.left_ns

    def spend(self, elapsed_ns: int) -> int:
        """Take the time of a move off and add the increment, and a new period where one begins. The ns left."""
        self.left_ns = left_ns = self.left_ns - elapsed_ns + self._increment_ns
        if self._moves is None:
            return left_ns
        self.moves_to_go -= 1
        if self.moves_to_go == 0:
            self.moves_to_go = self._moves
            self.left_ns += self._period_ns
        return self.left_ns


class LagClock(Clock):
    """The clock of a side whose limit has a lag: the first `lag_ms` of each move are free.

    What a move does not need of it is gone, and a reading before the move has none. A class of its own, so that other
    games do not pay for it.
    """

    __slots__ = ("_lag_ns",)

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit)
        self._lag_ns = limit.lag_ms * MS

    def spend(self, elapsed_ns: int) -> int:
        """See `Clock.spend`."""
        return super().spend(max(0, elapsed_ns - self._lag_ns))


def full_clock(limit: Limit) -> Clock:
    """A full clock of this limit, which must be of the kind `clock`."""
    return LagClock(limit) if limit.lag_ms else Clock(limit)


def free_reading_ns(moves: int, reading_ms: float = FREE_READING_MS) -> int:
    """How many ns the reading of a position with so many moves may take before the clock pays for it."""
    return int(reading_ms * MS) + FREE_READING_MOVE_NS * moves
