"""How long two engines judged a game in opposite ways. Knows scores as engines say them; refuses to know who was right.

A game is disputed after a ply if the latest scores of both engines, read from p1's point of view, have different signs
and lie at least APART_CP apart: each engine sees itself ahead, or each sees itself behind.
"""

from collections.abc import Iterable
from functools import lru_cache

APART_CP = 100
MATE_CP = 100_000
"""A mate in n plies counts as MATE_CP - n."""
_LONGEST = 12
"""Characters of a score that can be one; more would be no number of centipawns."""


@lru_cache(4096)
def centipawns(score: str | None) -> int | None:
    """A score as one number from the mover's side: `cp 31` is 31, `mate -4` is -99 996; None for anything else."""
    kind, _, number = (score or "").partition(" ")
    if len(number) > _LONGEST or not (number.removeprefix("-").isascii() and number.removeprefix("-").isdigit()):
        return None
    value = int(number)
    if kind == "cp":
        return value
    if kind != "mate":
        return None
    # The mated side says `mate 0` or, after the point, nothing: it has lost.
    return MATE_CP - value if value > 0 else -MATE_CP - value


def longest(scores: Iterable[str | None]) -> int:
    """The length in plies of the longest dispute over these scores, one a ply, of either side in turn; 0 without any.

    Who played the first of them does not matter: from p2's point of view all signs are the other ones.
    """
    mine = others = None
    most = lasting = 0
    for score in scores:
        value = centipawns(score)
        if value is not None:
            mine = value
        # Each from its own side: equal signs are a dispute.
        if mine is not None and others is not None and mine * others > 0 and abs(mine + others) >= APART_CP:
            lasting += 1
            if lasting > most:
                most = lasting
        else:
            lasting = 0
        mine, others = others, mine
    return most
