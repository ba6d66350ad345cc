"""Published ratings over time: refit at checkpoints along the schedule's order, never as games finished.

Quick games finish first and are not like slow ones, so an order of finishing would show what is not there. Refuses to
know display and files.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from results.ratings.fit import Fit, PairResult, Rating, fit
from results.record import GameRecord, Result

CHECKPOINTS = 24
"""A curve on 80 columns shows no more."""
_PLACE: dict[str, int] = {"p1": 0, "draw": 1, "p2": 2}


class Checkpoint(NamedTuple):
    """What was known after so many decided games, of the engines of the largest group that games connected by then."""

    games: int
    ratings: Mapping[str, Rating]


def history(games: Iterable[Result], total: int, checkpoints: int = CHECKPOINTS) -> list[Checkpoint]:
    """The ratings after equal shares of `games`, of which `total` are decided; the last are the published ones.

    Of engines only that games connect with most of the others, in the end: nothing can be compared across groups.
    Ratings tell differences alone, and a field's mean moves whenever somebody joins. So each checkpoint is put on the
    level of the last: those whom it rates have the mean that they have in the end, weighed by their games so far, and a
    newcomer's first games move nobody else. Of identical games of a pairing the first counts, where records say which
    those are; a result without moves counts as distinct.
    """
    ends = {round(total * (number + 1) / checkpoints) for number in range(checkpoints)} - {0}
    found: list[tuple[int, Fit]] = []
    sums: dict[tuple[str, str], list[int]] = {}
    seen: set[tuple[str, str, int]] = set()
    decided = 0
    for game in games:
        if game.winner is None:
            continue
        decided += 1
        line = (game.p1, game.p2, game.line) if isinstance(game, GameRecord) else None
        if line is None or line not in seen:
            sums.setdefault((game.p1, game.p2), [0, 0, 0])[_PLACE[game.winner]] += 1
        if line is not None:
            seen.add(line)
        if decided in ends:
            met = (PairResult(p1, p2, *counts) for (p1, p2), counts in sums.items())
            # The last is to be what is published, to the last digit: from nothing, as that is.
            found.append((decided, fit(met, start=found[-1][1] if found and decided < total else None)))
    return _levelled(found)


def _levelled(fits: list[tuple[int, Fit]]) -> list[Checkpoint]:
    if not fits:
        return []
    last = fits[-1][1]
    final = {rating.name: rating.mean for rating in last.ratings if rating.name in last.groups[0]}
    found = []
    for games, each in fits:
        group = max(each.groups, key=lambda names: len(final.keys() & names))
        connected = [rating for rating in each.ratings if rating.name in group and rating.name in final]
        if not connected:
            continue
        away = sum(rating.games * (final[rating.name] - rating.mean) for rating in connected)
        shift = away / sum(rating.games for rating in connected)
        found.append(Checkpoint(games, {r.name: r._replace(mean=r.mean + shift) for r in connected}))
    return found
