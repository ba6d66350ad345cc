"""Which faults are played, when they strike, under which limit, and what must come of each: the table before the games.

What to expect comes from the zoo's own list and from the specification; nothing here looks at a game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from engines.zoo.catalogue import FAULTS
from engines.zoo.fault import Verdict
from engines.zoo.settings import Phase

CLOCK = "1+0"
LONG_CLOCK = "10+0"
"""For deeds that take a while by themselves: the question is what the box does, not whether they are quick."""
NODES = "nodes=50"
MOVETIME = "movetime=200"

WAITING = ("silent", "sigstop", "trickle", "endless")
"""Faults of which the referee learns only by waiting: played without a clock too."""
OVER_TIME = ("overuse", "endless")
AS_P2 = (("silent", "first"), ("exit-1", "first"), ("exit-1", "position"), ("exit-1", "handshake"), ("trickle", "mid"))
AS_P2 += (("illegal-move", "first"), ("flood-line", "idle"), ("never-reads", "idle"), ("two-bestmoves", "mid"))

ARGUMENTS = {
    "sleeps": ("--think", "50"),
    "burns-cpu": ("--cpu", "20"),
    "memory-hog": ("--limit", "2300"),
    "fills-scratch": ("--limit", "300"),
}
"""Amounts that fit the short games, or that are more than a box allows an engine by default."""
HEAVY = ("memory-hog", "fork-bomb", "fills-scratch", "stderr-flood")

SECOND_GAME = ("late-bestmove", "first")
"""Repeats a move of the game before, so that it has something to say only from the second game on."""


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
        """The word that must stand in the record; `harmless` and `contained` are no words of a record."""
        found = dict(FAULTS[self.fault].verdicts)[self.phase]
        # SPEC.md 11.3: without a clock there is no time to lose on.
        return Verdict.STALL if found is Verdict.TIME and self.limit == NODES else found

    @property
    def strikes_in(self) -> int:
        """The number of the game in which the fault shows."""
        return 2 if (self.fault, self.phase) == SECOND_GAME else 1


def rows(only: frozenset[str] = frozenset()) -> Iterator[Row]:
    """All rows, or those of the faults named, in the zoo's order."""
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
