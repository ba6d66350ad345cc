"""Observers of a run: what a scheduler reports while games are played, and a snapshot of a running game.

Independent of screens and files. Observers hear of events in the order in which they happen, so no result that has to
be reproducible may be computed from them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.play.jobs import GameJob
from results.record import GameRecord


@dataclass(frozen=True, slots=True)
class Thought:
    """What an engine said of a position in its last info."""

    score: str = ""
    """Such as `cp 31`, from the engine's own side; empty where it said none."""
    depth: int | None = None
    nodes: int | None = None
    line: str = ""
    """The moves that it expects, split by blanks."""


class GameSnapshot(NamedTuple):
    """How a running game stands, and what was played since the last snapshot of it. p1's figures come first."""

    game: str
    """The id of the game."""
    fen: str
    """The start position."""
    opening: tuple[str, ...]
    from_ply: int
    """How many plies of the engines were told before. 0: what was told before no longer holds, the game begins anew."""
    moves: tuple[str, ...]
    """The plies since then."""
    scores: tuple[str, ...]
    """For each of these plies the score that its engine reported, such as `cp 31`; empty where it reported none."""
    left_ms: tuple[int | None, int | None]
    """The ms left on the clocks after the last ply; None without a clock."""
    turn: int
    """The side to move, 0 for p1."""
    thinking_since_ns: int | None
    """When this side began to think, by `time.monotonic_ns`; None where it does not think yet."""
    thoughts: tuple[Thought, Thought]

    @property
    def plies(self) -> int:
        """How many plies the engines have played, without the opening."""
        return self.from_ply + len(self.moves)


class Observer:
    """Hears what happens in a run. This one does nothing: others are derived from it and do what they override."""

    def began(self, slot: int, job: GameJob) -> None:
        """A game was handed to the worker of this slot."""

    def progressed(self, slot: int, snapshot: GameSnapshot) -> None:
        """This is how the game of this slot stands."""

    def ended(self, slot: int, record: GameRecord) -> None:
        """The game of this slot is over. If it counts, it is stored already."""

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        """All engines that are withdrawn by now, each with the reason."""


class GameObserver(Observer):
    """An observer that hands each game that has ended to a function."""

    def __init__(self, seen: Callable[[GameRecord], None]) -> None:
        self._seen = seen

    def ended(self, slot: int, record: GameRecord) -> None:
        self._seen(record)


class Observers(Observer):
    """Several observers as one."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = tuple(observers)

    def began(self, slot: int, job: GameJob) -> None:
        for observer in self._observers:
            observer.began(slot, job)

    def progressed(self, slot: int, snapshot: GameSnapshot) -> None:
        for observer in self._observers:
            observer.progressed(slot, snapshot)

    def ended(self, slot: int, record: GameRecord) -> None:
        for observer in self._observers:
            observer.ended(slot, record)

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        for observer in self._observers:
            observer.withdrew(withdrawn)
