"""The standings: one row per engine with its rating, its score and its forfeits, the best first.

Independent of how they are shown.
"""

import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from results.published import published
from results.ratings.estimates import Estimate, Rating
from results.ratings.online import OnlineRating
from results.ratings.sprt import EloEstimate
from results.record import Result, ResultCount, forfeiter
from results.tables.elo import Duel, duels, elos
from results.tally import (
    PairCount,
    PairTally,
    Tally,
    all_pairs,
    counted,
    meetings,
    pairs_by_engine,
    pairs_by_engines,
)

if TYPE_CHECKING:
    from results.diagnostics import Bridge, Misfit


@dataclass(frozen=True, slots=True)
class Standing:
    """One engine in the standings."""

    rank: int
    """Its place in the list, from 1."""
    name: str
    rating: Rating | None
    """The published rating. It is None for an engine without a decided game."""
    elo: EloEstimate | None
    """The rating in Elo points. Of two engines alone it comes from their score, without a prior."""
    group: int | None
    """The number, from 1, of its group in `Standings.groups`. It is None for an engine without a rating."""
    p1: Tally
    p2: Tally
    distinct: int
    """Decided games that the rating counts: identical games count once."""
    unfinished: int
    """Games that were stopped from outside. They count neither in the rating nor in the score."""
    forfeits: int
    """Games lost by a fault of this engine. They are rated like any other loss."""
    flagged: int
    """Games in which the machine was late, whoever was to move."""
    machine: int
    """Forfeits that only the machine caused. Those that a guest's line caused count neither here nor as faults."""
    burns_idle: int
    """Games in which this engine used CPU in its opponent's time."""
    online: OnlineRating | None = None
    """The rating game by game, if it was asked for."""
    pairs: PairTally | None = None
    """Its pairs of games from one opening, if they were counted."""

    @property
    def total(self) -> Tally:
        """The games on both sides."""
        return self.p1 + self.p2


@dataclass(frozen=True, slots=True)
class Standings:
    """All engines in order, and what the ratings say of the field."""

    rows: tuple[Standing, ...]
    games: int
    """The number of decided games."""
    distinct: int
    """How many of these differ from each other."""
    side: Estimate | None
    """The value of playing p1. It is None if nothing is rated."""
    groups: tuple[tuple[str, ...], ...]
    """The rated engines that games connect, the largest group first. Ratings of two groups cannot be compared."""
    anchor: str | None
    """The engine whose rating is 0. It is None if the mean of the reference is 0."""
    reference: tuple[str, ...]
    """The engines whose mean rating is 0."""
    misfit: "Misfit | None"
    """Whether the results fit the model of the ratings. It is None if nothing is rated."""
    bridges: "tuple[Bridge, ...]"
    """The few games that alone connect parts of a group."""
    pairs: PairTally | None = None
    """All pairs of games from one opening, each from the view of one of the two. None if they were not counted."""
    duels: tuple[Duel, ...] = ()
    """The one of a match of two, or in a gauntlet one for each opponent."""

    @property
    def ratings(self) -> list[Rating]:
        """Those of all rated engines, in the order of the rows."""
        return [row.rating for row in self.rows if row.rating is not None]

    @property
    def roles_matter(self) -> bool:
        """Is some engine's role farther from 0 than chance explains, in a field of so many?"""
        roles = [rating.role for rating in self.ratings]
        away = (abs(role.mean) / max(role.sigma, sys.float_info.min) for role in roles)
        return any(math.erfc(each / math.sqrt(2)) / 2 < 0.005 / len(roles) for each in away)


def standings(
    games: Iterable[Result],
    names: Iterable[str] = (),
    online: Mapping[str, OnlineRating] | None = None,
    anchor: str | None = None,
    pairs: Sequence[PairCount] | None = None,
) -> Standings:
    """Every engine of `games` and `names`, by rating, then by name. Engines without a decided game come last."""
    counts = counted(games)
    met, distinct = meetings(counts), meetings(counts, distinct=True)
    p1: dict[str, Tally] = {}
    p2: dict[str, Tally] = {}
    distinct_games: Counter[str] = Counter()
    for (first, second), tally in met.items():
        p1[first] = p1.get(first, Tally()) + tally
        p2[second] = p2.get(second, Tally()) + tally.reversed
        for name in {first, second}:
            distinct_games[name] += distinct[first, second].games
    fit = published(counts, anchor)
    if fit is not None:
        from results import diagnostics  # loads numpy
    paired_with = None if pairs is None else pairs_by_engines(pairs)
    its_duels = () if fit is None else tuple(duels(fit, met, paired_with, met == distinct))
    points = {} if fit is None else elos(fit, its_duels)
    ratings = {} if fit is None else {rating.name: rating for rating in fit.ratings}
    if len(its_duels) == 1 and its_duels[0].alone:
        one, two, los = its_duels[0].one, its_duels[0].two, its_duels[0].los
        ratings = {
            one: replace(ratings[one], better_than_next=los),
            two: replace(ratings[two], better_than_next=None),
        }
    groups = [] if fit is None else fit.groups
    group_of = {name: number for number, group in enumerate(groups, 1) for name in group}
    remarks = _remarks(counts)
    paired = None if pairs is None else pairs_by_engine(pairs)
    everybody = {*names, *(name for each in counts for name in (each.p1, each.p2))}
    rows = tuple(
        Standing(
            rank=rank,
            name=name,
            rating=ratings.get(name),
            elo=points.get(name),
            group=group_of.get(name),
            p1=p1.get(name, Tally()),
            p2=p2.get(name, Tally()),
            distinct=distinct_games[name],
            unfinished=remarks["unfinished", name],
            forfeits=remarks["forfeit", name],
            flagged=remarks["flagged", name],
            machine=remarks["machine", name],
            burns_idle=remarks["burns idle", name],
            online=None if online is None else online.get(name),
            pairs=None if paired is None else paired.get(name, PairTally()),
        )
        for rank, name in enumerate([*ratings, *sorted(everybody - ratings.keys())], 1)
    )
    return Standings(
        rows,
        sum(tally.games for tally in met.values()),
        sum(tally.games for tally in distinct.values()),
        None if fit is None else fit.side,
        tuple(groups),
        None if fit is None else fit.anchor,
        () if fit is None else fit.reference,
        None if fit is None else diagnostics.misfit(fit),
        () if fit is None else tuple(diagnostics.thin_bridges(fit)),
        None if pairs is None else all_pairs(pairs),
        its_duels,
    )


def _remarks(counts: Iterable[ResultCount]) -> Counter[tuple[str, str]]:
    """How many games of an engine have a remark that its score does not tell, by remark and engine."""
    games: Counter[tuple[str, str]] = Counter()
    for each in counts:
        for name in {each.p1, each.p2}:
            games["unfinished", name] += each.games * (each.winner is None)
            games["flagged", name] += each.flagged
        games["burns idle", each.p1] += each.p1_idle
        games["burns idle", each.p2] += each.p2_idle
        if (loser := forfeiter(each)) is not None:
            games["forfeit", loser] += each.games - each.machine
            games["machine", loser] += each.machine
    return games
