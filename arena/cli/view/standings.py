"""Prints the standings and crosstables of pools, with the notes below them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from results.tables.pools import Pools

_WIDEST = 10_000
"""Terminal columns. No table is wider than this."""
MOST_TIME_CONTROLS = 6
"""If there are more time controls than this, they have no tables on a screen."""


def print_standings(out: "Console", pools: "Pools", wide: bool = False) -> None:
    """Print the table of each pool with its notes, the table of all games last."""
    from results.tables.render import standings_notes, standings_table

    for number, pool in enumerate(pools.tables):
        if number:
            out.print()
        _print_whole(out, standings_table(pool.standings, pool.name if len(pools.tables) > 1 else None, wide))
        notes = standings_notes(pool.standings)
        if pools.options.anchor != pool.standings.anchor:
            notes.append(f"not relative to {pools.options.anchor}, which has no decided game here")
        for note in notes:
            out.print(note, markup=False, soft_wrap=True)
    for name, reason in pools.withdrawn.items():
        out.print(f"withdrawn: {name}: {reason}", markup=False)
    if pools.hidden_time_controls:
        out.print(f"{pools.hidden_time_controls} time controls together: --tc TC shows one of them", markup=False)


def print_crosstables(out: "Console", pools: "Pools") -> None:
    """Print the crosstable of each pool, that of all games last."""
    from results.tables.render import crosstable_table

    for number, pool in enumerate(pools.tables):
        if number:
            out.print()
        _print_whole(out, crosstable_table(pool.crosstable, pool.name if len(pools.tables) > 1 else None))


def _print_whole(out: "Console", table: "Table") -> None:
    """Print a table in its natural width. A narrow terminal then breaks lines, where rich would leave figures out."""
    width = out.width
    out.width = _WIDEST
    try:
        out.print(table, crop=False)
    finally:
        out.width = width
