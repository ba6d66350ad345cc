"""Published ratings over time: a fit at each of some checkpoints, in the schedule's order.

The order of finish would mislead, because quick games finish first and differ from slow ones.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from results.ratings.estimates import PairResult, Rating
from results.ratings.fit import Fit, fit
from results.record import GameRecord, Result, ResultCount
from results.store.filter import Selection
from results.store.reader import Reader

CHECKPOINTS = 24
"""A history has at most this many checkpoints."""
_PLACE: dict[str, int] = {"p1": 0, "draw": 1, "p2": 2}


class Checkpoint(NamedTuple):
    """The ratings after so many decided games, of the engines in the largest connected group at that time."""

    games: int
    ratings: Mapping[str, Rating]


def checkpoints_of(store: Reader, counts: Iterable[ResultCount]) -> list[Checkpoint]:
    """The ratings over time of all games, whose results `counts` has. It reads every game."""
    decided = [each for each in counts if each.winner is not None]
    games: Iterable[Result] = store.results()
    if any(each.distinct < each.games for each in decided):
        games = store.select(Selection())  # only the moves tell identical games
    return history(games, sum(each.games for each in decided))


def history(games: Iterable[Result], total: int, checkpoints: int = CHECKPOINTS) -> list[Checkpoint]:
    """The ratings after equal shares of `games`, of which `total` are decided. The last ones are the published ratings.

    Only engines of the largest connected group at the end are rated: groups cannot be compared. Ratings are relative,
    and a field's mean changes when an engine joins. So each checkpoint is shifted until the engines that it rates have
    the same mean as at the end, weighted by their games so far; then a newcomer's first games move nobody else.
    Identical games of a pairing count once. They are found among records only: a result without moves counts as
    distinct.
    """
    ends = {round(total * (number + 1) / checkpoints) for number in range(checkpoints)} - {0}
    fits: list[tuple[int, Fit]] = []
    sums: dict[tuple[str, str], list[int]] = {}
    seen: set[tuple[object, ...]] = set()
    decided = 0
    for game in games:
        if game.winner is None:
            continue
        decided += 1
        identity = game.identity if isinstance(game, GameRecord) else None
        if identity is None or identity not in seen:
            sums.setdefault((game.p1, game.p2), [0, 0, 0])[_PLACE[game.winner]] += 1
        if identity is not None:
            seen.add(identity)
        if decided in ends:
            met = (PairResult(p1, p2, *counts) for (p1, p2), counts in sums.items())
            fits.append((decided, fit(met)))
    return _aligned(fits)


def _aligned(fits: list[tuple[int, Fit]]) -> list[Checkpoint]:
    if not fits:
        return []
    last = fits[-1][1]
    final = {rating.name: rating.mean for rating in last.ratings if rating.name in last.groups[0]}
    checkpoints = []
    for games, each in fits:
        group = max(each.groups, key=lambda names: len(final.keys() & names))
        connected = [rating for rating in each.ratings if rating.name in group and rating.name in final]
        if not connected:
            continue
        away = sum(rating.games * (final[rating.name] - rating.mean) for rating in connected)
        shift = away / sum(rating.games for rating in connected)
        checkpoints.append(Checkpoint(games, {r.name: replace(r, mean=r.mean + shift) for r in connected}))
    return checkpoints
