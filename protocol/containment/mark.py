"""The mark of an engine's processes: a number in two resource limits that Linux does not enforce.

Each process inherits the limits of its parent, and a process without capabilities cannot raise a hard limit. The number
is in one limit, and what is missing to a fixed sum is in the other one. So no process can take the mark of another
engine, and none can lose its own by a new session, a new parent, a new program or an empty environment.
"""

import os
import resource

BASE = 1 << 40
"""Far above any value that a program would find too small."""
_BITS = 39
LOCKS = 10
"""RLIMIT_LOCKS, which the resource module does not name. Linux has not enforced it since 2.4, nor RLIMIT_RSS."""

Limits = tuple[tuple[int, int], ...]
"""Resources and their limits for setrlimit."""


def make() -> Limits:
    """The limits of a new mark; none if our own hard limits are too low for it."""
    if not hasattr(resource, "prlimit"):
        return ()
    number = int.from_bytes(os.urandom(8), "little") >> (64 - _BITS)
    limits = ((resource.RLIMIT_RSS, BASE + number), (LOCKS, BASE + (1 << _BITS) - number))
    for what, value in limits:
        hard = resource.prlimit(0, what)[1]
        if hard != resource.RLIM_INFINITY and hard < value:
            return ()
    return limits


def has(pid: int, limits: Limits) -> bool:
    """True if a process, which may be a zombie, has this mark."""
    try:
        return bool(limits) and all(resource.prlimit(pid, what)[1] == value for what, value in limits)
    except (OSError, ValueError):
        return False
