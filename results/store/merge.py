"""Merges results files into a new one. Games of one id are one game if they were played alike: `Store.copy_games`."""

import contextlib
from collections.abc import Sequence
from pathlib import Path

from results.store.files import Notify, ignore
from results.store.store import Store, StoreError
from results.variant_name import namesake, shown


def merge(out: Path, sources: Sequence[Path], notify: Notify = ignore) -> int:
    """Make a new file of all runs, with what belongs to them, and reports of checks; returns how many games it has.

    A game that several sources have is taken once. `notify` gets a sentence about each source that is upgraded. Raises
    StoreError, and makes no file, where `out` exists, or two sources differ in a game or in a user's own variant.
    """
    games = 0
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(Store.open_existing(source, notify)) for source in sources]
        _refuse_namesakes(opened)
        into = stack.enter_context(Store.new(out))
        for source in opened:
            with into.transaction():
                for run in source.runs():
                    into.add_run(run, ())
                    into.add_players(run.id, source.players(run.id))
                    into.keep_withdrawn(run.id, source.withdrawn(run.id) | into.withdrawn(run.id))
                for report in source.check_reports():
                    into.add_check_report(report)
                games += into.copy_games(source)
    return games


def _refuse_namesakes(sources: Sequence[Store]) -> None:
    """Raise StoreError where two sources have different variants of one short name."""
    seen: dict[str, str] = {}
    for source in sources:
        for variant in source.words("variant"):
            if (other := namesake(variant, seen)) is not None:
                raise StoreError(
                    f"{source.name} and {seen[other]} have games of different variants that are called "
                    f"{shown(variant)!r}: merge them into two databases"
                )
            seen.setdefault(variant, str(source.name))
