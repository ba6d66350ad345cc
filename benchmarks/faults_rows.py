"""Which faults are played, when they strike, under which limit, and what must come of each: the table before the games.

What to expect comes from the zoo's own list and from the specification; nothing here looks at a game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from engines.zoo.catalogue import FAULTS, GROUPS
from engines.zoo.fault import Verdict
from engines.zoo.settings import Phase

CLOCK = "1+0"
LONG_CLOCK = "10+0"
"""For what takes a while by itself, with long deadlines besides: the question is not whether it is quick."""
NODES = "nodes=50"
MOVETIME = "movetime=200"

WAITING = ("silent", "sigstop", "trickle", "endless")
"""Faults of which the referee learns only by waiting: played without a clock too."""
OVER_TIME = ("overuse", "endless")
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
    "memory-hog": ("--limit", "700"),
    "fills-scratch": ("--limit", "300"),
}
"""Amounts that fit the short games, or that are more than the box allows."""
HEAVY = ("memory-hog", "fork-bomb", "fills-scratch", "stderr-flood", "flood-lines")

NAMED_ONLY = frozenset(name for group, faults in GROUPS.items() if group.startswith("conformance_") for name in faults)
"""Faults against clauses that an ordinary game may never touch, there for the conformance suite."""

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
    """All rows but those of `NAMED_ONLY`, or those of the faults named, in the zoo's order."""
    for name, fault in FAULTS.items():
        if name not in only if only else name in NAMED_ONLY:
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
