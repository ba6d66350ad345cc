"""The published fit: which games count, and how often. Independent of the model.

Identical games of a pairing count once: deterministic engines repeat themselves, and a repeated game has no new
information. A game of an engine against itself informs only about the sides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from results.ratings.fit import Fit, PairResult, fit
from results.record import Result, ResultCount
from results.tally import Tally, counted, meetings


@dataclass(frozen=True, slots=True)
class RatingOptions:
    """How the ratings of a fit are expressed."""

    anchor: str | None = None
    """The engine whose rating is 0. If None, or without a decided game, the field's mean is 0."""
    roles: bool = False
    """Is each engine also rated for how much better it is as p1, and worse as p2?"""


PLAIN = RatingOptions()


def published(games: Iterable[Result | ResultCount], by: RatingOptions = PLAIN) -> Fit | None:
    """The fit of all decided games; None where there is none."""
    return of_meetings(meetings(counted(games), distinct=True), by)


def of_meetings(met: Mapping[tuple[str, str], Tally], by: RatingOptions = PLAIN) -> Fit | None:
    """The same fit, of games that are counted for each pairing (p1, p2), identical ones once."""
    known = [PairResult(p1, p2, each.wins, each.draws, each.losses) for (p1, p2), each in met.items() if each.games]
    if not known:
        return None
    played = any(by.anchor in (each.p1, each.p2) for each in known)
    return fit(known, anchor=by.anchor if played else None, roles=by.roles)
