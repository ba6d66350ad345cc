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
    flagged: int
    """Games in which the machine was late, whoever was to move."""
    machine: int
    """Of the forfeits, those that only the machine caused; wall time was asked for."""
    burns_idle: int
    """Games in which this engine burned CPU in its opponent's time."""


def standings(results: Iterable[Result], names: Iterable[str] = ()) -> list[Standing]:
    """Every engine of `results` and `names`, by conservative rating, then score, then name; without a game last."""
    results = list(results)
    unfinished: Counter[str] = Counter()
    forfeits: Counter[str] = Counter()
    flagged: Counter[str] = Counter()
    machine: Counter[str] = Counter()
    burns: Counter[str] = Counter()
    for game in results:
        if game.flagged:
            flagged.update((game.p1, game.p2))
        burns.update(game.p1 if side == "p1" else game.p2 for side in game.burns_idle)
        if game.winner is None:
            unfinished.update((game.p1, game.p2))
        elif game.termination in FORFEITS and game.winner != "draw":
            loser = game.p2 if game.winner == "p1" else game.p1
            forfeits[loser] += 1
            machine[loser] += game.machine
    ratings = sorted(
        rate(results, names).values(), key=lambda r: (r.total.games == 0, -r.conservative, -r.total.score, r.name)
    )
    return [
        Standing(
            rank,
            rating,
            unfinished[rating.name],
            forfeits[rating.name],
            flagged[rating.name],
            machine[rating.name],
            burns[rating.name],
        )
        for rank, rating in enumerate(ratings, 1)
    ]
