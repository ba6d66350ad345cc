"""How a ladder is shown while it goes on: as a tournament is, but without a number of games to reach."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from arena.cli.run.live_view import View
from arena.play.observers import NullObserver
from results.record import GameRecord
from results.tables.text_width import some_games

if TYPE_CHECKING:
    from rich.table import Table

EVERY = 100
"""Games between two lines in a log."""
EVERY_S = 60.0
"""Seconds after which the next game that ends has a line in any case."""


class LadderLines(NullObserver):
    """An observer for logs: says now and then how many games there are."""

    def __init__(self, stored: int, say: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        self._games = stored
        self._say = say
        self._now = now
        self._said = now()

    def ended(self, slot: int, record: GameRecord) -> None:
        """A game is over."""
        if record.winner is None:
            return
        self._games += 1
        if self._games % EVERY == 0 or self._now() - self._said >= EVERY_S:
            self._said = self._now()
            self._say(some_games(self._games))


class LadderView(View):
    """How many games there are and how quickly they end, then what `View` shows."""

    def __init__(self, name: str, stored: int, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(name, 0, stored, now)

    def head(self) -> str:
        """`steps: 120 games, 40 now, 3.1 a second`."""
        passed = self.passed
        told = [f"{self.name}: {some_games(self.stored + self.done)}", f"{self.done} now"]
        if self.done and passed > 0:
            rate = self.done / passed
            told.append(f"{rate:.1f} a second" if rate >= 1 else f"{rate * 60:.1f} a minute")
        return ", ".join([*told, *["paused, p goes on"] * self.paused])

    def _bar(self) -> "Table":
        from rich.table import Table

        return Table.grid()
