"""The published fit: which games count, and how often. Independent of the model.

Identical games of a pairing count once: deterministic engines repeat themselves, and a repeated game has no new
information. A game of an engine against itself informs only about the sides.
"""

from collections.abc import Iterable, Mapping

from results.ratings import Fit, PairResult, fit
from results.record import Result, ResultCount
from results.tally import Tally, counted, meetings


def published(games: Iterable[Result | ResultCount]) -> Fit | None:
    """The fit of all decided games; None where there is none."""
    return of_meetings(meetings(counted(games), distinct=True))


def of_meetings(met: Mapping[tuple[str, str], Tally], anchor: str | None = None) -> Fit | None:
    """The same fit, of games that are counted for each pairing (p1, p2), identical ones once.

    An anchor without a decided game is left out.
    """
    known = [PairResult(p1, p2, each.wins, each.draws, each.losses) for (p1, p2), each in met.items() if each.games]
    if not known:
        return None
    played = any(anchor in (each.p1, each.p2) for each in known)
    return fit(known, anchor=anchor if played else None)
