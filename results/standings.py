"""Who is ahead: one line per engine, in order. Knows ratings and forfeits; refuses to know display."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from results.ratings import Rating, rate
from results.record import Result, Termination

FORFEITS = frozenset(
    {
        Termination.TIME,
        Termination.ILLEGAL_MOVE,
        Termination.MALFORMED_MOVE,
        Termination.CRASH,
        Termination.STALL,
    }
)
"""Endings by a fault of the loser."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An engine's place, from 1, and what its rating does not say."""

    rank: int
    rating: Rating
    unfinished: int
    """Games that were stopped from outside; they are neither rated nor counted in the score."""
    forfeits: int
    """Games lost by a fault of this engine; they are rated as any loss."""


def standings(results: Iterable[Result], names: Iterable[str] = ()) -> list[Standing]:
    """Every engine of `results` and `names`, by conservative rating, then score, then name."""
    results = list(results)
    unfinished: Counter[str] = Counter()
    forfeits: Counter[str] = Counter()
    for game in results:
        if game.winner is None:
            unfinished.update((game.p1, game.p2))
        elif game.termination in FORFEITS and game.winner != "draw":
            forfeits[game.p2 if game.winner == "p1" else game.p1] += 1
    ratings = sorted(rate(results, names).values(), key=lambda r: (-r.conservative, -r.total.score, r.name))
    return [
        Standing(rank, rating, unfinished[rating.name], forfeits[rating.name]) for rank, rating in enumerate(ratings, 1)
    ]
