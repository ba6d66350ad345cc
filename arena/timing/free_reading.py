"""The free reading of a position: how long an engine may read one before its clock pays for it (SPEC.md 6.4)."""

from typing import Final

from arena.timing.clock import MS

FREE_READING_MS: Final = 5
"""The default of the free time for a position, without that for its moves."""
FREE_READING_MOVE_NS: Final = 100_000
"""The free time in ns for each move of the position."""
FREE_READING_MOVE_MS: Final = FREE_READING_MOVE_NS / MS


def free_reading_ns(moves: int, reading_ms: float = FREE_READING_MS) -> int:
    """How many ns the reading of a position with so many moves may take before the clock pays for it."""
    return int(reading_ms * MS) + FREE_READING_MOVE_NS * moves
