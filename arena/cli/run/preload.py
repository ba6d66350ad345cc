"""Loads, while games are played, what the tables at their end need: numpy alone takes as long as a quick match.

Knows which modules those are, and nothing of what they do.
"""

import threading
from importlib import import_module

from arena.play.jobs import GameJob
from arena.play.observers import NullObserver

TABLES = (
    "results.ratings.prior_width",
    "results.tables.render",
    "arena.cli.view.standings",
    "rich.console",
    "rich.table",
)


class Ahead(NullObserver):
    """A watcher who begins to load when the first game has been handed over: while a worker gets ready we only wait.

    Not for runs whose own process starts engines meanwhile: a fork amid loading copies locks that nobody gives back.
    """

    def __init__(self) -> None:
        self._begun = False

    def began(self, slot: int, job: GameJob) -> None:
        """Load, the first time."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=_load, name="ahead").start()


def _load() -> None:
    for name in TABLES:
        import_module(name)
