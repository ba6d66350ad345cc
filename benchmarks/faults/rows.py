"""The rows to play: which fault at which moment under which limit, and the expected verdict.

Verdicts come from the zoo's own list and from the specification. Independent of games.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.zoo.catalogue import FAULTS
from tests.zoo.faults.fault import Verdict
from tests.zoo.settings import Phase

CLOCK = "1+0"
LONG_CLOCK = "10+0"
"""The clock for faults that need some time by themselves. Their deadlines are long too: speed is not tested."""
NODES = "nodes=50"
MOVETIME = "movetime=200"

WAITING = ("silent", "sigstop", "trickle", "endless")
"""Faults that the referee can see only by waiting. They are played without a clock too."""
OVER_TIME = ("overuse", "endless", "thinks-in-position", "answers-before-go")
AS_P2 = (
    ("silent", "first"),
    ("exit-1", "handshake"),
    ("exit-1", "position"),
    ("exit-1", "first"),
    ("never-reads", "idle"),
    ("trickle", "mid"),
    ("flood-line", "idle"),
    ("illegal-move", "first"),
    ("two-bestmoves", "mid"),
)

ARGUMENTS = {
    "sleeps": ("--think", "50"),
    "burns-cpu": ("--cpu", "20"),
    "starves-opponent": ("--limit", "3"),
    "fork-bomb": ("--limit", "700"),
    "memory-hog": ("--limit", "700"),
    "fills-scratch": ("--limit", "300"),
}
"""Amounts that fit short games, or that are more than the containment allows."""
HEAVY = (
    "memory-hog",
    "fork-bomb",
    "fills-scratch",
    "stderr-flood",
    "flood-lines",
    "starves-opponent",
)

SECOND_GAME = ("late-bestmove", "first")
"""This fault repeats a move of the game before, so it can strike in the second game only."""


@dataclass(frozen=True, slots=True)
class Row:
    """One fault at one moment under one limit, by the engine of one side."""

    fault: str
    phase: Phase
    limit: str = CLOCK
    side: str = "p1"
    arguments: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """The termination that the record must have; `harmless` and `contained` do not appear in records."""
        found = dict(FAULTS[self.fault].verdicts)[self.phase]
        # SPEC.md 11.3: without a clock no game is lost on time.
        return Verdict.STALL if found is Verdict.TIME and self.limit == NODES else found

    @property
    def strikes_in(self) -> int:
        """The number of the game in which the fault shows."""
        return 2 if (self.fault, self.phase) == SECOND_GAME else 1


def rows(only: frozenset[str] = frozenset()) -> Iterator[Row]:
    """The rows of the faults in `only`, or all rows, in the zoo's order."""
    for name, fault in FAULTS.items():
        if only and name not in only:
            continue
        for phase, verdict in fault.verdicts:
            arguments = ARGUMENTS.get(name, ())
            limit = LONG_CLOCK if name in HEAVY else CLOCK
            yield Row(name, phase, limit, "p1", arguments)
            if name in WAITING and verdict is Verdict.TIME:
                yield Row(name, phase, NODES, "p1", arguments)
            if name in OVER_TIME and verdict is Verdict.TIME:
                yield Row(name, phase, MOVETIME, "p1", arguments)
            if (name, phase) in AS_P2:
                yield Row(name, phase, limit, "p2", arguments)
        if name == "kills-parent":
            yield Row(name, "first", CLOCK, "p1", ("--really",))
