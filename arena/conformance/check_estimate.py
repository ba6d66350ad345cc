"""How long the rest of the checks will take. The user is told, because a slow engine takes minutes.

Each check declares what it asks of an engine. Reads no clock: it is told the time, and the pace of the engine.
"""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from arena.conformance.check import RECORDED, Check, Finding
from arena.conformance.runner import CheckTask

_LONGEST_MS = 15_000
"""No check goes on for longer because searches are slow."""
_KNOWN = 5
"""From so many checks on, those that are done say how much longer than expected each of the others takes."""
_LEAST_FACTOR = 0.4
NEXT_S, LEAST_S = 30, 10
"""The second sentence comes NEXT_S seconds after the first, each further one after twice as long, if at least LEAST_S
are left."""


class Pace(NamedTuple):
    """How long an engine takes, in ms."""

    start_ms: float = 0.0
    """From the start of its process to the first new game."""
    search_ms: float = 0.0
    """To read a position, to search it with few nodes, and for us to judge the move."""
    share: float = 1.0
    """The part of a move time that it uses."""
    stop_ms: float = 0.0
    """How long after a `stop` its move comes; the whole deadline if none comes."""


_AT_ONCE = Pace()


def usual_ms(check: Check, pace: Pace = _AT_ONCE) -> float:
    """How long a check takes with an engine of this pace."""
    cost = check.cost
    searching = min(_LONGEST_MS, cost.searches * pace.search_ms) + cost.think_ms * pace.share
    return cost.ms + cost.starts * pace.start_ms + searching + cost.stops * pace.stop_ms


class CheckEstimate:
    """The time that is left, from the checks that are done."""

    def __init__(self, tasks: Sequence[CheckTask], at_once: int, pace: Pace) -> None:
        self._tasks = tasks
        self._at_once = at_once
        self._pace = pace
        self._done = 0
        self._are_alone = False
        self._late_ms: list[float] = []
        self._next_s = 0.0
        self._pause_s = float(NEXT_S)

    def note(self, finding: Finding) -> None:
        """A check is done; the findings come in the order of the tasks."""
        # Those that may have company are all done before the first that runs alone.
        self._are_alone = self._are_alone or self._tasks[self._done].check.alone
        check = self._tasks[self._done].check
        self._done += 1
        # Those that read a recording wait until it is made, and that says nothing about the others.
        if check.cost is not RECORDED:
            self._late_ms.append(finding.elapsed_ms - usual_ms(check, self._pace))

    @property
    def left_s(self) -> float:
        """The seconds until the last check is done."""
        waiting = self._tasks[self._done :]
        shared = sum(self._expected_ms(task.check) for task in waiting if not task.check.alone)
        alone = sum(self._expected_ms(task.check) for task in waiting if task.check.alone)
        return (alone if self._are_alone else shared / self._at_once + alone) / 1_000

    def _expected_ms(self, check: Check) -> float:
        usual = usual_ms(check, self._pace)
        late = median(self._late_ms) if len(self._late_ms) >= _KNOWN and check.cost is not RECORDED else 0
        return max(_LEAST_FACTOR * usual, usual + late)

    def sentence(self, now_s: float) -> str:
        """What to tell now; empty where the last sentence is too young or nearly nothing is left."""
        if now_s < self._next_s or self.left_s < LEAST_S:
            return ""
        self._next_s, self._pause_s = now_s + self._pause_s, 2 * self._pause_s
        done = f"{self._done} of {len(self._tasks)} checks done" if self._done else f"{len(self._tasks)} checks"
        return f"{done}, about {_told(self.left_s)}" + " left" * bool(self._done)


def _told(seconds: float) -> str:
    """A time in words, no finer than it can be known."""
    if seconds < 90:
        return f"{max(10, round(seconds, -1)):.0f} s"
    return f"{seconds / 60:.0f} min"
