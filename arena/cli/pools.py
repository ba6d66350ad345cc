"""Standings and crosstables as commands show them: over all games, and beside that for each variant.

Reads no store and computes no rating; it orders what `results` offers, for eyes and as values for JSON.
"""

from collections.abc import Iterable, Mapping
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
    """Some games, summed up. Both tables have the engines in the same order."""

    name: str
    standings: list[Standing]
    crosstable: Crosstable


@dataclass(frozen=True, slots=True)
class Pools:
    """All games together and, where there are several variants, each variant's apart: skill differs by game."""

    overall: Pool
    variants: list[Pool]
    withdrawn: Mapping[str, str]
    """Who was not to play on, and why."""

    @property
    def played(self) -> bool:
        """Is there any game at all?"""
        return any(row.rating.total.games or row.unfinished for row in self.overall.standings)

    @property
    def shown(self) -> list[Pool]:
        """In the order in which people read them: the sum last."""
        return [*self.variants, self.overall]


def pools(results: "Iterable[Result]", names: Iterable[str], withdrawn: Mapping[str, str]) -> Pools:
    """The pools of these games; `names` are listed in each of them, even without a game there."""
    results, names = list(results), list(names)
    found = by_variant(results)
    variants = [_pool(variant, games, names) for variant, games in found.items()] if len(found) > 1 else []
    return Pools(_pool("all variants", results, names), variants, withdrawn)


def _pool(name: str, results: "list[Result]", names: list[str]) -> Pool:
    rows = standings(results, names)
    return Pool(name, rows, crosstable(results, [row.rating.name for row in rows]))


def print_standings(out: "Console", found: Pools) -> None:
    """A table of all games, after one for each variant where there are several."""
    from results.tables import standings_notes, standings_table

    for number, pool in enumerate(found.shown):
        if number:
            out.print()
        out.print(standings_table(pool.standings, pool.name if found.variants else None))
    for note in standings_notes(found.overall.standings):
        out.print(note, markup=False)
    for name, reason in found.withdrawn.items():
        out.print(f"withdrawn: {name}: {reason}", markup=False)


def print_crosstables(out: "Console", found: Pools) -> None:
    """The same for crosstables."""
    from results.tables import crosstable_table

    for number, pool in enumerate(found.shown):
        if number:
            out.print()
        out.print(crosstable_table(pool.crosstable, pool.name if found.variants else None))


def standings_values(found: Pools) -> list[dict[str, object]]:
    """One object an engine, in the order of the table of all games; `variants` has its place in each variant."""
    from results.tables import standings_json

    apart = {pool.name: {row["name"]: row for row in standings_json(pool.standings)} for pool in found.variants}
    return [
        {
            **row,
            "withdrawn": found.withdrawn.get(str(row["name"])),
            "variants": {variant: rows[row["name"]] for variant, rows in apart.items()},
        }
        for row in standings_json(found.overall.standings)
    ]


def crosstable_values(found: Pools) -> dict[str, object]:
    """The table of all games; `variants` has one for each variant where there are several."""
    from results.tables import crosstable_json

    apart = {pool.name: crosstable_json(pool.crosstable) for pool in found.variants}
    return {**crosstable_json(found.overall.crosstable), "variants": apart}
