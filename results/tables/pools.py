"""Pools: games that are rated together. All games are one pool, and so are those of a variant or a time control.

Ratings of different variants or time controls are different skills, so each has standings of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from results.ratings.online import rate
from results.ratings.published import PLAIN, RatingOptions
from results.store.filter import EVERYTHING, Filter
from results.tables.crosstable import Crosstable, crosstable
from results.tables.standings import Standings, standings
from results.tally import by_time_control, by_variant, counted

if TYPE_CHECKING:
    from results.record import GameResult, Result, ResultCount, Run
    from results.store.reader import Reader


@dataclass(frozen=True, slots=True)
class Pool:
    """Games that are rated together."""

    name: str
    standings: Standings
    counts: "list[ResultCount]"

    @property
    def crosstable(self) -> Crosstable:
        """Its engines are in the order of the standings. It is made on demand, because it is large for many engines."""
        return crosstable(self.counts, [row.name for row in self.standings.rows])


@dataclass(frozen=True, slots=True)
class Pools:
    """All games together, the games of each variant, and, if asked for, those of each time control."""

    overall: Pool
    variants: list[Pool]
    time_controls: list[Pool]
    """These have only the engines that played at the time control."""
    hidden_time_controls: int
    """The number of time controls, if they are too many to have pools, and else 0."""
    options: RatingOptions
    withdrawn: Mapping[str, str]
    """The engines that do not play on, and why."""

    @property
    def have_games(self) -> bool:
        """Is there any game, finished or not?"""
        return any(row.total.games or row.unfinished for row in self.overall.standings.rows)

    @property
    def tables(self) -> list[Pool]:
        """The pools that people read, all games last. A single variant or time control is no pool of its own."""
        variants = self.variants if len(self.variants) > 1 else []
        clocks = self.time_controls if len(self.time_controls) > 1 else []
        return [*variants, *(replace(pool, name=f"time control {pool.name}") for pool in clocks), self.overall]


def pools_of_games(
    games: "Iterable[Result | ResultCount]",
    names: Iterable[str],
    withdrawn: Mapping[str, str],
    online: "Iterable[GameResult] | None" = None,
    options: RatingOptions = PLAIN,
    time_controls: "Mapping[str, list[ResultCount]] | None" = None,
    most_time_controls: int = 0,
) -> Pools:
    """The pools of these games. The engines in `names` stand in the pool of each variant, even without a game there.

    `online` has the same games one by one, in the order of the schedule: then they are also rated game by game, except
    by time control. `time_controls` has the same games counted for each time control. If there are more than
    `most_time_controls`, they have no pools.
    """
    counts, names, clocks = counted(games), list(names), time_controls or {}
    results = None if online is None else list(online)
    variants = by_variant(counts)
    several = [word for word, parts in (("variants", variants), ("time controls", clocks)) if len(parts) > 1]

    def pool(
        name: str, counts: "list[ResultCount]", names: list[str], results: "list[GameResult] | None" = None
    ) -> Pool:
        ratings = None if results is None else rate(results, names)
        return Pool(name, standings(counts, names, ratings, options), counts)

    overall = pool(f"all {several[0]}" if len(several) == 1 else "all games", counts, names, results)
    too_many = len(clocks) > most_time_controls
    return Pools(
        overall,
        [
            replace(overall, name=name)
            if len(variants) == 1
            else pool(name, part, names, results and [game for game in results if game.variant == name])
            for name, part in variants.items()
        ],
        [
            replace(overall, name=name) if len(clocks) == 1 else pool(name, part, [])
            for name, part in ({} if too_many else clocks).items()
        ],
        len(clocks) if too_many else 0,
        options,
        withdrawn,
    )


def pools_of_runs(
    store: "Reader",
    runs: "Iterable[Run]",
    which: Filter = EVERYTHING,
    online: bool = False,
    options: RatingOptions = PLAIN,
    most_time_controls: int = 0,
) -> Pools:
    """The pools of stored runs, from the counts of the store. `which.run` is None if `runs` are all of them."""
    names: dict[str, None] = {}
    withdrawn: dict[str, str] = {}
    for run in runs:
        names |= dict.fromkeys(player.name for player in store.players(run.id))
        withdrawn |= store.withdrawn(run.id)
    counts = store.counts(which)
    clocks = by_time_control(counts) if most_time_controls else {}
    if 1 < len(clocks) <= most_time_controls and any(each.distinct < each.games for each in counts):
        # A game that repeats one of another time control is still the first of its kind at this one.
        clocks = {name: store.counts(replace(which, tc=name)) for name in clocks}
    results = store.results(which) if online else None
    return pools_of_games(counts, names, withdrawn, results, options, clocks, most_time_controls)
