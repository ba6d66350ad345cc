"""The published fit: which games count, and how often.

Identical games of a pairing count once: deterministic engines repeat themselves, and a repeated game has no new
information. A game of an engine against itself informs only about the sides.
"""

from collections.abc import Iterable

from results.ratings import Fit, PairResult, fit
from results.record import Result
from results.tally import counted, meetings


def published(games: Iterable[Result], anchor: str | None = None) -> Fit | None:
    """The fit of all decided games; None where there is none. An anchor without one is left out."""
    met = meetings(counted(games), distinct=True)
    known = [PairResult(p1, p2, each.wins, each.draws, each.losses) for (p1, p2), each in met.items() if each.games]
    if not known:
        return None
    played = any(anchor in (each.p1, each.p2) for each in known)
    return fit(known, anchor=anchor if played else None)
