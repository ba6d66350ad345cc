"""Loads, while games are played, what the tables at their end need: numpy alone takes as long as a quick match."""

import threading
from importlib import import_module

from arena.play.jobs import GameJob
from arena.play.observers import NullObserver

TABLES = (
    "results.ratings.one_thread",  # first: it loads numpy
    "results.ratings.posterior",
    "results.diagnostics",
    "results.tables.render",
    "arena.cli.view.rating_list_tables",
    "rich.console",
    "rich.table",
)


class Preload(NullObserver):
    """Begins to load when the first game has been handed to a worker: until the worker is ready, the parent only waits.

    Not for runs whose own process starts engines meanwhile: a fork amid loading copies locks that are never released.
    """

    def __init__(self) -> None:
        self._begun = False

    def began(self, slot: int, job: GameJob) -> None:
        """Load, the first time."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=_load, name="preload").start()


def _load() -> None:
    for name in TABLES:
        import_module(name)
