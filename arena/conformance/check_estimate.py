"""How long the rest of the checks will take. The user is told, because a slow engine takes minutes.

Owns how long each check takes with an engine that starts and answers at once. Reads no clock: it is told the time.
"""

from collections.abc import Sequence

from arena.conformance.check import Finding
from arena.conformance.runner import CheckTask

USUAL_MS = 90
_LONGER_MS = {
    "C9": 400, "D3": 500, "D4": 1100, "F2": 400, "G2": 500, "G3": 500, "G4": 400, "G5": 2700, "G8": 2100,
    "G10": 2100, "G13": 700, "G20": 400, "G22": 1600, "G25": 2200,
}  # fmt: skip
"""Checks that wait, measure or play: with an engine that needs no time itself, on a quiet machine."""
_KNOWN_MS = 1_500
"""From this much usual time on, the checks that are done say how slow the engine is."""
NEXT_S, LEAST_S = 30, 10
"""A sentence comes at the start and then at most every NEXT_S seconds, if at least LEAST_S are left."""


def usual_ms(check: str) -> int:
    """How long a check takes with a quick engine."""
    return _LONGER_MS.get(check, USUAL_MS)


class CheckEstimate:
    """The time that is left, from the checks that are done."""

    def __init__(self, tasks: Sequence[CheckTask], at_once: int, start_ms: float) -> None:
        """`start_ms` is how long the engine took to start and to greet; each check starts it at least once."""
        self._tasks = tasks
        self._at_once = at_once
        self._start_ms = start_ms
        self._done = 0
        self._usual_ms = self._took_ms = 0.0
        self._told_s: float | None = None

    def note(self, finding: Finding) -> None:
        """A check is done; the findings come in the order of the tasks."""
        self._done += 1
        self._usual_ms += usual_ms(finding.id) + self._start_ms
        self._took_ms += finding.elapsed_ms

    @property
    def left_s(self) -> float:
        """The seconds until the last check is done."""
        factor = max(1.0, self._took_ms / self._usual_ms) if self._usual_ms >= _KNOWN_MS else 1.0
        waiting = self._tasks[self._done :]
        shared = sum(usual_ms(task.check.id) + self._start_ms for task in waiting if not task.check.alone)
        alone = sum(usual_ms(task.check.id) + self._start_ms for task in waiting if task.check.alone)
        return factor * (shared / self._at_once + alone) / 1_000

    def sentence(self, now_s: float) -> str:
        """What to tell now; empty where the last sentence is too young or nearly nothing is left."""
        if (self._told_s is not None and now_s - self._told_s < NEXT_S) or self.left_s < LEAST_S:
            return ""
        self._told_s = now_s
        done = f"{self._done} of {len(self._tasks)} checks done" if self._done else f"{len(self._tasks)} checks"
        return f"{done}, about {_told(self.left_s)}" + " left" * bool(self._done)


def _told(seconds: float) -> str:
    """A time in words, no finer than it can be known."""
    if seconds < 90:
        return f"{max(10, round(seconds, -1)):.0f} s"
    return f"{seconds / 60:.0f} min"
