"""Standings and crosstables as commands show them: one of each for every variant, since skill differs by game.

Reads no store and computes no rating; it orders what `results` offers, for eyes and as values for JSON.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from results.crosstable import Crosstable, crosstable
from results.ratings import pools as by_variant
from results.standings import Standing, standings

if TYPE_CHECKING:
    from rich.console import Console

    from results.record import Result


@dataclass(frozen=True, slots=True)
class Pool:
    """The games of one variant, summed up. Both tables have the engines in the same order."""

    variant: str
    standings: list[Standing]
    crosstable: Crosstable


def pools(results: "Iterable[Result]", names: Mapping[str, Iterable[str]] | None = None) -> list[Pool]:
    """One pool a variant, by name. `names` lists engines of a variant that may have no game there."""
    found = []
    for variant, games in by_variant(results).items():
        rows = standings(games, (names or {}).get(variant, ()))
        found.append(Pool(variant, rows, crosstable(games, [row.rating.name for row in rows])))
    return found


def print_standings(out: "Console", shown: Sequence[Pool]) -> None:
    """A table for each variant, named where there are several."""
    from results.tables import standings_table

    for number, pool in enumerate(shown):
        if number:
            out.print()
        out.print(standings_table(pool.standings, pool.variant if len(shown) > 1 else None))


def print_crosstables(out: "Console", shown: Sequence[Pool]) -> None:
    """The same for crosstables."""
    from results.tables import crosstable_table

    for number, pool in enumerate(shown):
        if number:
            out.print()
        out.print(crosstable_table(pool.crosstable, pool.variant if len(shown) > 1 else None))


def standings_values(shown: Sequence[Pool]) -> list[dict[str, object]]:
    """One object for each engine and variant, in the order of the tables."""
    from results.tables import standings_json

    return [{"variant": pool.variant, **row} for pool in shown for row in standings_json(pool.standings)]


def crosstable_values(shown: Sequence[Pool]) -> list[dict[str, object]]:
    """One object for each variant."""
    from results.tables import crosstable_json

    return [{"variant": pool.variant, **crosstable_json(pool.crosstable)} for pool in shown]
