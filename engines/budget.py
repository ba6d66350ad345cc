"""How long an engine may think: limits made into one time to stop at and one to start nothing new after.

Pure: told the limits, it reads no clock.
"""

from typing import NamedTuple

from protocol.engine import Limits

_LAG_MS = 12
"""Kept back from a clock for the way of the answer to the referee."""
_LAST_MS = 3
"""Kept back from a fixed time, which the referee takes less exactly than a clock."""
_MOVES_LEFT = 24
"""How many more moves a game is taken to last where nobody says."""
_SHARE = 0.4
"""The most of the clock that one move may take, however hard it is."""


class Budget(NamedTuple):
    """Milliseconds since the `go`; None is no bound."""

    soft_ms: float | None
    """Start nothing large after this."""
    hard_ms: float | None
    """Answer by this."""


def budget_of(limits: Limits) -> Budget:
    """What to spend on one move. Never negative; 0 asks for a move at once."""
    if limits.infinite:
        return Budget(None, None)
    if limits.movetime_ms is not None:
        time_ms = max(limits.movetime_ms - _LAST_MS, 0.0)
        return Budget(time_ms, time_ms)
    if limits.time_ms is None:
        return Budget(None, None)
    left_ms = max(limits.time_ms - _LAG_MS, 0.0)
    share_ms = left_ms / max(limits.moves_to_go or _MOVES_LEFT, 1) + 0.8 * limits.inc_ms
    most_ms = left_ms if limits.moves_to_go == 1 else left_ms * _SHARE
    hard_ms = min(most_ms, 3 * share_ms)
    return Budget(min(0.7 * share_ms, hard_ms), hard_ms)
