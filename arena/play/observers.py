"""Observers of a run: what a scheduler reports while games are played, and a glimpse of a running game.

Independent of screens and files. Observers hear of events in the order in which they happen, so no result that has to
be reproducible may be computed from them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from arena.play.jobs import GameJob
from results.record import GameRecord


class Glimpse(NamedTuple):
    """How a running game stands."""

    plies: int
    """How many plies the engines have played, without the opening."""
    last: str
    """The last of these plies; empty where there is none yet."""
    left_ms: tuple[int | None, int | None]
    """The ms left on p1's and p2's clocks; None without clocks and before the first move."""
    scores: tuple[str, str]
    """The last scores that p1 and p2 reported, such as `cp 31`; empty where they reported none."""


class Observer(Protocol):
    """Hears what happens in a run."""

    def began(self, slot: int, job: GameJob) -> None:
        """A game was handed to the worker of this slot."""

    def glimpsed(self, slot: int, glimpse: Glimpse) -> None:
        """This is how the game of this slot stands."""

    def ended(self, slot: int, record: GameRecord) -> None:
        """The game of this slot is over. If it counts, it is stored already."""

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        """All engines that are withdrawn by now, each with the reason."""


class NullObserver:
    """An observer that does nothing: a base for others."""

    def began(self, slot: int, job: GameJob) -> None: ...
    def glimpsed(self, slot: int, glimpse: Glimpse) -> None: ...
    def ended(self, slot: int, record: GameRecord) -> None: ...
    def withdrew(self, withdrawn: Mapping[str, str]) -> None: ...


class GameObserver(NullObserver):
    """An observer that hands each game that has ended to a function."""

    def __init__(self, seen: Callable[[GameRecord], None]) -> None:
        self._seen = seen

    def ended(self, slot: int, record: GameRecord) -> None:
        self._seen(record)


class Observers:
    """Several observers as one."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = tuple(observers)

    def began(self, slot: int, job: GameJob) -> None:
        for observer in self._observers:
            observer.began(slot, job)

    def glimpsed(self, slot: int, glimpse: Glimpse) -> None:
        for observer in self._observers:
            observer.glimpsed(slot, glimpse)

    def ended(self, slot: int, record: GameRecord) -> None:
        for observer in self._observers:
            observer.ended(slot, record)

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        for observer in self._observers:
            observer.withdrew(withdrawn)
