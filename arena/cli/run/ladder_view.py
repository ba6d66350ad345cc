"""How a ladder goes on, in a log: a line now and then."""

import time
from collections.abc import Callable

from arena.play.observers import NullObserver
from results.record import GameRecord
from results.tables.text_width import some_games

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
        self._last_line = now()

    def ended(self, slot: int, record: GameRecord) -> None:
        """A game is over."""
        if record.winner is None:
            return
        self._games += 1
        if self._games % EVERY == 0 or self._now() - self._last_line >= EVERY_S:
            self._last_line = self._now()
            self._say(some_games(self._games))
