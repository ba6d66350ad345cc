"""The published fit of games as stores and records have them. Knows what counts once; refuses to know the model.

Of identical games of a pairing one is rated: deterministic engines repeat themselves, and a repeated game says nothing
new. A game of an engine against itself says something of the sides alone.
"""

from collections.abc import Iterable

from results.model import Fit, Meeting, fit
from results.record import Counted, Result
from results.tally import counted, meetings


def published(games: Iterable[Result | Counted]) -> Fit | None:
    """The fit of all decided games; None where there is none."""
    met = meetings(counted(games), distinct=True)
    known = [Meeting(p1, p2, each.wins, each.draws, each.losses) for (p1, p2), each in met.items() if each.games]
    return fit(known) if known else None
