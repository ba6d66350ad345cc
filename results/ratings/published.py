"""The published fit of games as stores and records have them. Knows what counts once; refuses to know the model.

Of identical games of a pairing one is rated: deterministic engines repeat themselves, and a repeated game says nothing
new. A game of an engine against itself says something of the sides alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from results.ratings.fit import Fit, PairResult, fit
from results.record import Result, ResultCount
from results.tally import Tally, counted, meetings


@dataclass(frozen=True, slots=True)
class RatingOptions:
    """How ratings are to be told."""

    anchor: str | None = None
    """The engine whose rating is 0; None, or without a decided game: the field's mean is."""
    roles: bool = False
    """Has each engine a second number, by which it is better as p1 and worse as p2?"""


PLAIN = RatingOptions()


def published(games: Iterable[Result | ResultCount], by: RatingOptions = PLAIN) -> Fit | None:
    """The fit of all decided games; None where there is none."""
    return of_meetings(meetings(counted(games), distinct=True), by)


def of_meetings(met: Mapping[tuple[str, str], Tally], by: RatingOptions = PLAIN) -> Fit | None:
    """The same of games that are counted by who met whom, identical ones once."""
    known = [PairResult(p1, p2, each.wins, each.draws, each.losses) for (p1, p2), each in met.items() if each.games]
    if not known:
        return None
    played = any(by.anchor in (each.p1, each.p2) for each in known)
    return fit(known, anchor=by.anchor if played else None, roles=by.roles)
