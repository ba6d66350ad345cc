"""How long the rest of the checks will take. The user is told, because a slow engine takes minutes.

Owns what each check asks of an engine, and how long it takes where that answers at once. Reads no clock: it is told the
time, and the pace of the engine.
"""

from collections.abc import Sequence
from typing import NamedTuple

from arena.conformance.check import Finding
from arena.conformance.runner import CheckTask

_USUAL_MS = 15
_LONGER_MS = {
    "B3": 150, "B4": 260, "B7": 100, "B8": 100, "B10": 110, "B15": 300, "D1": 160, "D3": 1600, "D4": 1000, "D6": 400,
    "F10": 1700, "G1": 200, "G3": 450, "G4": 300, "G5": 2500, "G7": 500, "G8": 500, "G9": 250, "G10": 1700, "G12": 630,
    "G13": 650, "G16": 300, "G19": 1100, "G20": 1100, "G21": 110, "G22": 1800, "G25": 2100, "G26": 2800, "G27": 300,
    "G28": 350, "H8": 1150,
}  # fmt: skip
"""Checks that wait, measure or play: with an engine that needs no time itself, on a quiet machine."""
_STARTS = dict.fromkeys(
    "A1 A2 A3 A4 A5 A6 A7 A9 B11 B12 B14 C1 C2 C3 C12 C13 G24 H1 H2 H7 H9 H11 I2 I3 I5 K8 K9".split(), 0
) | {"C9": 2, "D3": 2, "G27": 2, "J2": 2, "J5": 2, "K3": 2, "G5": 3, "G26": 3}
"""How often a check starts the engine; once, where it is not here."""
_SEARCHES = {
    "C6": 42, "C9": 47, "C11": 16, "E2": 20, "E3": 12, "E4": 15, "E6": 36, "E7": 10, "E15": 7, "F8": 9, "F10": 180,
    "G2": 160, "G6": 10, "G12": 10, "G18": 8, "G23": 30, "H3": 6, "H4": 37, "H6": 32, "I1": 60, "J1": 80, "J2": 12,
    "J4": 24, "J6": 80, "K7": 19,
}  # fmt: skip
"""How many searches of few nodes a check asks for; two, where it is not here."""
_TIMED = {"B15": 1, "E12": 1, "G1": 2, "G3": 1, "G6": 3, "G8": 2, "G16": 2, "G20": 4, "H8": 1}
"""How many searches with a move time a check waits for."""
_LONGEST_MS = 15_000
"""No check goes on for longer because searches are slow."""
_KNOWN_MS = 1_500
"""From this much usual time on, the checks that are done say how slow the engine is."""
_LEAST_FACTOR = 0.4
NEXT_S, LEAST_S = 30, 10
"""The second sentence comes NEXT_S seconds after the first, each further one after twice as long, if at least LEAST_S
are left."""


class Pace(NamedTuple):
    """How long an engine takes, in ms."""

    start_ms: float = 0.0
    """From the start of its process to the first new game."""
    search_ms: float = 0.0
    """A search of few nodes."""
    late_ms: float = 0.0
    """How much later than a move time its move comes."""


_AT_ONCE = Pace()


def usual_ms(check: str, pace: Pace = _AT_ONCE) -> float:
    """How long a check takes with an engine of this pace."""
    searches = _SEARCHES.get(check, 2) if _STARTS.get(check, 1) else 0
    searching = min(_LONGEST_MS, searches * pace.search_ms + _TIMED.get(check, 0) * pace.late_ms)
    return _LONGER_MS.get(check, _USUAL_MS) + _STARTS.get(check, 1) * pace.start_ms + searching


class CheckEstimate:
    """The time that is left, from the checks that are done."""

    def __init__(self, tasks: Sequence[CheckTask], at_once: int, pace: Pace) -> None:
        self._tasks = tasks
        self._at_once = at_once
        self._pace = pace
        self._done = 0
        self._are_alone = False
        self._usual_ms = self._took_ms = 0.0
        self._next_s = 0.0
        self._pause_s = float(NEXT_S)

    def note(self, finding: Finding) -> None:
        """A check is done; the findings come in the order of the tasks."""
        # Those that may have company are all done before the first that runs alone.
        self._are_alone = self._are_alone or self._tasks[self._done].check.alone
        self._done += 1
        self._usual_ms += usual_ms(finding.id, self._pace)
        self._took_ms += finding.elapsed_ms

    @property
    def left_s(self) -> float:
        """The seconds until the last check is done."""
        factor = max(_LEAST_FACTOR, self._took_ms / self._usual_ms) if self._usual_ms >= _KNOWN_MS else 1.0
        waiting = self._tasks[self._done :]
        shared = sum(usual_ms(task.check.id, self._pace) for task in waiting if not task.check.alone)
        alone = sum(usual_ms(task.check.id, self._pace) for task in waiting if task.check.alone)
        return factor * (alone if self._are_alone else shared / self._at_once + alone) / 1_000

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
