"""Standings and crosstables as commands show them: over all games, for each variant, for each time control.

Computes no rating; it orders what `results` offers, for eyes and as values for JSON. A run of any length is shown from
the store's counts (`of_runs`), a few games from their records (`pools`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from results.ratings.published import PLAIN, RatingOptions
from results.store.filter import EVERYTHING, Filter
from results.tables.crosstable import Crosstable, crosstable
from results.tables.standings import Standings, standings
from results.tally import clocks as by_clock
from results.tally import counted
from results.tally import pools as by_variant

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from results.record import GameResult, Result, ResultCount, Run
    from results.store.store import Store

_WIDEST = 10_000
"""Columns; more than any table has."""
MANY_CLOCKS = 6
"""More time controls than this have no tables of their own on a screen."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Some games, summed up. Both tables have the engines in the same order."""

    name: str
    standings: Standings
    counts: "list[ResultCount]"

    @property
    def crosstable(self) -> Crosstable:
        """Made when it is asked for: of many engines it is large, and most commands show none."""
        return crosstable(self.counts, [row.name for row in self.standings.rows])


@dataclass(frozen=True, slots=True)
class Pools:
    """All games together, and apart those of each variant and, if asked for, of each time control."""

    overall: Pool
    variants: list[Pool]
    clocks: list[Pool]
    """Of those who played at it."""
    more_clocks: int
    """How many time controls there are that have no pool, being too many."""
    by: RatingOptions
    withdrawn: Mapping[str, str]
    """Who was not to play on, and why."""

    @property
    def played(self) -> bool:
        """Is there any game at all?"""
        return any(row.total.games or row.unfinished for row in self.overall.standings.rows)

    @property
    def shown(self) -> list[Pool]:
        """What people read, in their order: the sum last, and nothing twice."""
        variants = self.variants if len(self.variants) > 1 else []
        clocks = self.clocks if len(self.clocks) > 1 else []
        return [*variants, *(replace(pool, name=f"time control {pool.name}") for pool in clocks), self.overall]


def pools(
    games: "Iterable[Result | ResultCount]",
    names: Iterable[str],
    withdrawn: Mapping[str, str],
    online: "Iterable[GameResult] | None" = None,
    by: RatingOptions = PLAIN,
    times: "Mapping[str, list[ResultCount]] | None" = None,
    most_times: int = 0,
) -> Pools:
    """The pools of these games; `names` are listed in those of variants, even without a game there.

    `online` has the same games one by one, in the schedule's order, where they are to be rated so too, but not by time
    control. `times` are the same games by time control, each counted by itself; more than so many have no pools.
    """
    counts, names, times = counted(games), list(names), times or {}
    variants = by_variant(counts)
    singly = None if online is None else list(online)
    several = [word for word, parts in (("variants", variants), ("time controls", times)) if len(parts) > 1]
    overall = _pool(f"all {several[0]}" if len(several) == 1 else "all games", counts, names, singly, by)
    too_many = len(times) if len(times) > most_times else 0

    def apart(
        parts: "Mapping[str, list[ResultCount]]", listed: list[str], singly: "list[GameResult] | None"
    ) -> list[Pool]:
        if len(parts) == 1:  # that is all games
            return [replace(overall, name=name) for name in parts]
        return [_pool(name, each, listed, _only(singly, name), by) for name, each in parts.items()]

    return Pools(
        overall, apart(variants, names, singly), [] if too_many else apart(times, [], None), too_many, by, withdrawn
    )


def of_runs(
    store: "Store",
    runs: "Iterable[Run]",
    which: Filter = EVERYTHING,
    online: bool = False,
    by: RatingOptions = PLAIN,
    most_times: int = 0,
) -> Pools:
    """The pools of stored runs, from the store's counts: a million games are some thousand counts.

    `which.run` is None where `runs` are all of them. Up to so many time controls have pools of their own.
    """
    names: dict[str, None] = {}
    withdrawn: dict[str, str] = {}
    for run in runs:
        names |= dict.fromkeys(player.name for player in store.players(run.id))
        withdrawn |= store.withdrawn(run.id)
    counts = store.counts(which)
    times = by_clock(counts) if most_times else {}
    if 1 < len(times) <= most_times and any(each.distinct < each.games for each in counts):
        # What was played at one time control before is none the less new at another.
        times = {name: store.counts(replace(which, tc=name)) for name in times}
    return pools(counts, names, withdrawn, store.results(which) if online else None, by, times, most_times)


def _only(games: "list[GameResult] | None", variant: str) -> "list[GameResult] | None":
    return None if games is None else [game for game in games if game.variant == variant]


def _pool(
    name: str, counts: "list[ResultCount]", names: list[str], singly: "list[GameResult] | None", by: RatingOptions
) -> Pool:
    from results.ratings.online import rate

    found = standings(counts, names, None if singly is None else rate(singly, names), by)
    return Pool(name, found, counts)


def print_standings(out: "Console", found: Pools, wide: bool = False) -> None:
    """A table of all games, after those of the pools where there are several, and notes on each."""
    from results.tables.render import standings_notes, standings_table

    for number, pool in enumerate(found.shown):
        if number:
            out.print()
        table = standings_table(pool.standings, pool.name if len(found.shown) > 1 else None, wide)
        _print_whole(out, table)
        notes = standings_notes(pool.standings)
        if found.by.anchor != pool.standings.anchor:
            notes.append(f"not relative to {found.by.anchor}, which has no decided game here")
        for note in notes:
            out.print(note, markup=False, soft_wrap=True)
    for name, reason in found.withdrawn.items():
        out.print(f"withdrawn: {name}: {reason}", markup=False)
    if found.more_clocks:
        out.print(f"{found.more_clocks} time controls together: --tc TC shows one of them", markup=False)


def print_crosstables(out: "Console", found: Pools) -> None:
    """The same for crosstables."""
    from results.tables.render import crosstable_table

    for number, pool in enumerate(found.shown):
        if number:
            out.print()
        _print_whole(out, crosstable_table(pool.crosstable, pool.name if len(found.shown) > 1 else None))


def _print_whole(out: "Console", table: "Table") -> None:
    """Print a table in its natural width: a narrower terminal breaks lines, where cutting them would lose figures."""
    width = out.width
    out.width = _WIDEST
    try:
        out.print(table, crop=False)
    finally:
        out.width = width


def standings_values(found: Pools, *, clocks: bool = False) -> dict[str, object]:
    """What the tables say of all games, with who is withdrawn and why, of each variant and, if asked for, clock."""
    from results.tables.to_json import standings_json

    return {
        **standings_json(found.overall.standings),
        "withdrawn": dict(found.withdrawn),
        "variants": {pool.name: standings_json(pool.standings) for pool in found.variants},
        **({"time_controls": {pool.name: standings_json(pool.standings) for pool in found.clocks}} if clocks else {}),
    }


def crosstable_values(found: Pools) -> dict[str, object]:
    """The table of all games, and one for each variant and time control."""
    from results.tables.to_json import crosstable_json

    return {
        **crosstable_json(found.overall.crosstable),
        "variants": {pool.name: crosstable_json(pool.crosstable) for pool in found.variants},
        "time_controls": {pool.name: crosstable_json(pool.crosstable) for pool in found.clocks},
    }
