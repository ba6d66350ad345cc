"""Merges results files into a new one."""

import contextlib
from collections.abc import Sequence
from pathlib import Path

from results.store.files import Report, ignore
from results.store.store import Store


def merge(out: Path, sources: Sequence[Path], report: Report = ignore) -> int:
    """Make a new file of all runs, players, withdrawals and games of the sources; returns how many games it has.

    A game that several sources have is taken once. `report` gets a sentence about each source that is migrated. Raises
    StoreError, and makes no file, where `out` exists or two sources differ in a game.
    """
    games = 0
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(Store.open_existing(source, report)) for source in sources]
        into = stack.enter_context(Store.new(out))
        for source in opened:
            with into.transaction():
                for run in source.runs():
                    into.add_run(run, ())
                    into.add_players(run.id, source.players(run.id))
                    into.keep_withdrawn(run.id, source.withdrawn(run.id) | into.withdrawn(run.id))
                games += into.copy_games(source)
    return games
