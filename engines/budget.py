"""Time management: a soft and a hard time limit for one move. Pure functions that read no clock."""

from typing import NamedTuple

from protocol.engine import Limits

_LAG_MS = 12
"""Reserve of a clock in ms, for the way of the answer to the referee."""
_LAST_MS = 3
"""Reserve of a fixed move time in ms. It is smaller, since the referee grants a margin there."""
_MOVES_LEFT = 24
"""The assumed number of remaining moves, if the limits do not say."""
_SHARE = 0.4
"""The largest share of the clock for one move."""


class Budget(NamedTuple):
    """Milliseconds since the `go`. None means no limit."""

    soft_ms: float | None
    """The engine starts no new iteration after this."""
    hard_ms: float | None
    """The engine answers by this."""


def budget_of(limits: Limits, lag_ms: float = _LAG_MS) -> Budget:
    """The budget of one move. It is never negative; 0 asks for a move at once. `lag_ms` is the reserve of a clock."""
    if limits.infinite:
        return Budget(None, None)
    if limits.movetime_ms is not None:
        time_ms = max(limits.movetime_ms - _LAST_MS, 0.0)
        return Budget(time_ms, time_ms)
    if limits.time_ms is None:
        return Budget(None, None)
    left_ms = max(limits.time_ms - lag_ms, 0.0)
    share_ms = left_ms / max(limits.moves_to_go or _MOVES_LEFT, 1) + 0.8 * limits.inc_ms
    most_ms = left_ms if limits.moves_to_go == 1 else left_ms * _SHARE
    hard_ms = min(most_ms, 3 * share_ms)
    return Budget(min(0.7 * share_ms, hard_ms), hard_ms)
