"""Standings and crosstables as commands show them: over all games, and beside that for each variant.

Computes no rating; it orders what `results` offers, for eyes and as values for JSON. A run of any length is shown from
the store's counts (`of_runs`), a few games from their records (`pools`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from results.crosstable import Crosstable, crosstable
from results.filter import EVERYTHING, Filter
from results.standings import Standings, standings
from results.tally import counted
from results.tally import pools as by_variant

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from results.record import Counted, GameResult, Result, Run
    from results.store import Store

_WIDEST = 10_000
"""Columns; more than any table has."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Some games, summed up. Both tables have the engines in the same order."""

    name: str
    standings: Standings
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
        return any(row.total.games or row.unfinished for row in self.overall.standings.rows)

    @property
    def shown(self) -> list[Pool]:
        """In the order in which people read them: the sum last."""
        return [*self.variants, self.overall]


def pools(
    games: "Iterable[Result | Counted]",
    names: Iterable[str],
    withdrawn: Mapping[str, str],
    online: "Iterable[GameResult] | None" = None,
) -> Pools:
    """The pools of these games; `names` are listed in each of them, even without a game there.

    `online` has the same games one by one, in the schedule's order, where they are to be rated so too.
    """
    counts, names = counted(games), list(names)
    found = by_variant(counts)
    singly = None if online is None else list(online)
    variants = [_pool(variant, each, names, _only(singly, variant)) for variant, each in found.items()]
    return Pools(_pool("all variants", counts, names, singly), variants if len(found) > 1 else [], withdrawn)


def of_runs(store: "Store", runs: "Iterable[Run]", which: Filter = EVERYTHING, online: bool = False) -> Pools:
    """The pools of stored runs, from the store's counts: a million games are some thousand counts.

    `which.run` is None where `runs` are all of them.
    """
    names: dict[str, None] = {}
    withdrawn: dict[str, str] = {}
    for run in runs:
        names |= dict.fromkeys(player.name for player in store.players(run.id))
        withdrawn |= store.withdrawn(run.id)
    return pools(store.counts(which), names, withdrawn, store.results(which) if online else None)


def _only(games: "list[GameResult] | None", variant: str) -> "list[GameResult] | None":
    return None if games is None else [game for game in games if game.variant == variant]


def _pool(name: str, counts: "list[Counted]", names: list[str], singly: "list[GameResult] | None") -> Pool:
    from results.ratings import rate

    found = standings(counts, names, None if singly is None else rate(singly, names))
    return Pool(name, found, crosstable(counts, [row.name for row in found.rows]))


def print_standings(out: "Console", found: Pools, wide: bool = False) -> None:
    """A table of all games, after one for each variant where there are several, and notes on each."""
    from results.tables import standings_notes, standings_table

    for number, pool in enumerate(found.shown):
        if number:
            out.print()
        table = standings_table(pool.standings, pool.name if found.variants else None, wide)
        _print_whole(out, table)
        for note in standings_notes(pool.standings):
            out.print(note, markup=False, soft_wrap=True)
    for name, reason in found.withdrawn.items():
        out.print(f"withdrawn: {name}: {reason}", markup=False)


def print_crosstables(out: "Console", found: Pools) -> None:
    """The same for crosstables."""
    from results.tables import crosstable_table

    for number, pool in enumerate(found.shown):
        if number:
            out.print()
        _print_whole(out, crosstable_table(pool.crosstable, pool.name if found.variants else None))


def _print_whole(out: "Console", table: "Table") -> None:
    """Print a table in its natural width: a narrower terminal breaks lines, where cutting them would lose figures."""
    width = out.width
    out.width = _WIDEST
    try:
        out.print(table, crop=False)
    finally:
        out.width = width


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
