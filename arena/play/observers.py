"""What may be seen of a run while it goes on: the moments that a scheduler tells, and a glimpse of a running game.

Knows no screen and no file. Whoever watches is told in the order in which things happen, so nothing may be computed
from it that has to be the same every time.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from arena.play.jobs import GameJob
from results.record import GameRecord


class Glimpse(NamedTuple):
    """How a running game stands."""

    plies: int
    """Played by the engines."""
    last: str
    """The last of them, empty where there is none yet."""
    left_ms: tuple[int | None, int | None]
    """On p1's and p2's clock; None without clocks, and before the first move."""
    scores: tuple[str, str]
    """What p1 and p2 last said of their chances, such as `cp 31`; empty where they said nothing."""


class Observer(Protocol):
    """Is told what happens in a run."""

    def began(self, slot: int, job: GameJob) -> None:
        """A game was handed to the worker of this slot."""

    def glimpsed(self, slot: int, glimpse: Glimpse) -> None:
        """So the game of this slot stands."""

    def ended(self, slot: int, record: GameRecord) -> None:
        """The game of this slot is over and, where it counts, stored."""

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        """Who is withdrawn by now, each with the reason."""


class NullObserver:
    """A watcher who does not care; others are made of it."""

    def began(self, slot: int, job: GameJob) -> None:
        """Nothing."""

    def glimpsed(self, slot: int, glimpse: Glimpse) -> None:
        """Nothing."""

    def ended(self, slot: int, record: GameRecord) -> None:
        """Nothing."""

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        """Nothing."""


class GameObserver(NullObserver):
    """A watcher who only wants to know which games have ended."""

    def __init__(self, seen: Callable[[GameRecord], None]) -> None:
        self._seen = seen

    def ended(self, slot: int, record: GameRecord) -> None:
        """A game has ended."""
        self._seen(record)


class Observers:
    """Several watchers as one."""

    def __init__(self, watchers: Sequence[Observer]) -> None:
        self._watchers = tuple(watchers)

    def began(self, slot: int, job: GameJob) -> None:
        """See `Observer`."""
        for watcher in self._watchers:
            watcher.began(slot, job)

    def glimpsed(self, slot: int, glimpse: Glimpse) -> None:
        """See `Observer`."""
        for watcher in self._watchers:
            watcher.glimpsed(slot, glimpse)

    def ended(self, slot: int, record: GameRecord) -> None:
        """See `Observer`."""
        for watcher in self._watchers:
            watcher.ended(slot, record)

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        """See `Observer`."""
        for watcher in self._watchers:
            watcher.withdrew(withdrawn)
