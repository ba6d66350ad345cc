"""Notices the CPU time of processes that have ended and whose time nobody tells any more.

The kernel adds the time of a process to its parent when the parent waits for it. A parent that ignores SIGCHLD does
not wait, and the time is lost. An engine could so compute in a chain of short-lived processes. Their time cannot be
measured, but what was seen of them while they lived and did not appear with their parent shows that it is missing.
Owns the comparison of one look at the process tree with the next. Reads nothing itself.
"""

from collections import Counter
from typing import NamedTuple

TICK_NS = 10_000_000
_SMALL_NS = 2 * TICK_NS
"""The kernel tells the time of ended children in ticks, user and system time apart."""
_LEAST_NS = 1_000_000
"""What counts for a process that was seen and has ended, at least: a process that lives shortly is seen early."""
_ALL = 0
"""The number under which the sums over all processes are kept. No process has it."""


class ProcessTimes(NamedTuple):
    """The figures of one process at one look."""

    parent: int
    ran_ns: int
    children_ns: int
    """The time of the children that it waited for."""


class HiddenTime:
    """The processes of one engine over all looks."""

    def __init__(self) -> None:
        self.found = False
        """True from the look that found time missing, for good."""
        self._before: dict[int, ProcessTimes] = {}
        self._departed_ns = 0
        self._missing_ns: Counter[int] = Counter()

    def look(self, now: dict[int, ProcessTimes], departed_ns: int) -> None:
        """Compare with the look before. `departed_ns` is the time of those that we waited for ourselves."""
        before, self._before = self._before, now
        change_ns: Counter[int] = Counter({_ALL: self._departed_ns - departed_ns})
        self._departed_ns = departed_ns
        for pid, was in before.items():
            if pid in now:
                gained_ns = now[pid].children_ns - was.children_ns
                change_ns[pid] -= gained_ns
                change_ns[_ALL] -= gained_ns
            else:
                lost_ns = max(was.ran_ns, _LEAST_NS) + was.children_ns
                change_ns[_ALL] += lost_ns
                if was.parent in now and was.parent in before:
                    change_ns[was.parent] += lost_ns
        for pid, ns in change_ns.items():
            # A surplus is of children that were never seen. It must not hide much of what others lost.
            self._missing_ns[pid] = max(-_SMALL_NS, self._missing_ns[pid] + ns)
            self.found = self.found or self._missing_ns[pid] > 2 * _SMALL_NS
