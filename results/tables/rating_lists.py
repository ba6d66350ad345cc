"""Rating lists: of games that are rated together, such as all games, or those of a variant or a time control.

Ratings of different variants or time controls are different skills, so each has standings of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from results.ratings.online import rate
from results.record import Result, ResultCount
from results.store.filter import EVERYTHING, Filter
from results.store.reader import Reader
from results.tables.crosstable import Crosstable, crosstable
from results.tables.standings import Standings, standings
from results.tally import PairCount, Part, by_time_control, by_variant, counted, time_control_name
from results.variant_name import shown

MOST_PAIRED = 50_000
"""Pairs are counted in at most so many games, since that reads each of them."""


@dataclass(frozen=True, slots=True)
class RatingList:
    """Games that are rated together."""

    name: str
    standings: Standings
    counts: list[ResultCount]
    pairs: list[PairCount] | None = None
    """The pairs of games from one opening; None if there are too many games to read."""

    @property
    def crosstable(self) -> Crosstable:
        """Its engines are in the order of the standings. It is made on demand, because it is large for many engines."""
        rows = self.standings.rows
        elos = {row.name: row.elo for row in rows if row.elo is not None}
        return crosstable(self.counts, [row.name for row in rows], self.pairs or (), elos)


@dataclass(frozen=True, slots=True)
class RatingLists:
    """All games together, the games of each variant, and, if asked for, those of each time control."""

    overall: RatingList
    variants: list[RatingList]
    time_controls: list[RatingList]
    """These have only the engines that played at the time control."""
    hidden_time_controls: int
    """The number of time controls, if they are too many to have rating lists, and else 0."""
    anchor: str | None
    """The engine that ratings should be relative to. Where it has no decided game, they are not."""
    withdrawn: Mapping[str, str]
    """The engines that do not play on, and why."""

    @property
    def have_games(self) -> bool:
        """Whether there is any game, finished or not."""
        return any(row.total.games or row.unfinished for row in self.overall.standings.rows)

    @property
    def tables(self) -> list[RatingList]:
        """The rating lists that people read, all games first. A single variant or time control has none of its own."""
        return [self.overall, *self.parts("variant"), *self.parts("tc")]

    def parts(self, by: Part) -> list[RatingList]:
        """Those of the variants or of the time controls, if there are several, under the names for people."""
        rating_lists = self.variants if by == "variant" else self.time_controls
        if len(rating_lists) < 2:
            return []
        if by == "variant":
            return [replace(rating_list, name=shown(rating_list.name)) for rating_list in rating_lists]
        return [replace(rating_list, name=f"time control {rating_list.name}") for rating_list in rating_lists]


def rating_lists_of_runs(
    store: Reader,
    run_ids: Iterable[str],
    which: Filter = EVERYTHING,
    *,
    more: Iterable[Result] = (),
    online: bool = False,
    anchor: str | None = None,
    most_time_controls: int = 0,
) -> RatingLists:
    """The rating lists of these games and of `more`, which are not stored. All engines of the runs are in each variant.

    `which.run` is None if the runs are all runs of the store. With `online`, the stored games are also rated game by
    game, but not for each time control. If there are more than `most_time_controls`, time controls have none.
    """
    names: dict[str, None] = {}
    withdrawn: dict[str, str] = {}
    for run_id in run_ids:
        names |= dict.fromkeys(player.name for player in store.players(run_id))
        withdrawn |= store.withdrawn(run_id)
    counts = counted([*store.counts(which), *more])
    variants, clocks = by_variant(counts), by_time_control(counts) if most_time_controls else {}
    several = [word for word, parts in (("variants", variants), ("time controls", clocks)) if len(parts) > 1]
    hidden = len(clocks) if len(clocks) > most_time_controls else 0
    if hidden:
        clocks = {}
    results = list(store.results(which)) if online else None

    few = sum(each.games for each in counts) <= MOST_PAIRED
    pairs = store.pairs(which) if few else None

    def rating_list(
        name: str,
        part: list[ResultCount],
        names: Iterable[str],
        results: list[ResultCount] | None = None,
        pairs: list[PairCount] | None = pairs,
    ) -> RatingList:
        ratings = None if results is None else rate(results, names)
        return RatingList(name, standings(part, names, ratings, anchor, pairs), part, pairs)

    overall = rating_list(f"all {several[0]}" if len(several) == 1 else "all games", counts, names, results)
    of_variants = [
        rating_list(
            name,
            part,
            names,
            results and [game for game in results if game.variant == name],
            pairs and [each for each in pairs if each.variant == name],
        )
        if len(variants) > 1
        else replace(overall, name=name)
        for name, part in variants.items()
    ]
    of_clocks = [
        rating_list(name, part, (), None, pairs and [each for each in pairs if time_control_name(each.tc) == name])
        if len(clocks) > 1
        else replace(overall, name=name)
        for name, part in clocks.items()
    ]
    return RatingLists(overall, of_variants, of_clocks, hidden, anchor, withdrawn)
