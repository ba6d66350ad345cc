"""How long two engines judged a game in opposite ways, from their scores.

A game is disputed after a ply if the latest scores of both engines, read from p1's point of view, have different signs
and lie at least APART_CP apart: each engine sees itself ahead, or each sees itself behind.
"""

from collections.abc import Iterable
from functools import lru_cache

APART_CP = 100
"""Two scores that differ by less than this many centipawns make no dispute."""
MATE_CP = 100_000
"""A mate in n plies counts as MATE_CP - n centipawns."""
_LONGEST = 12
"""The number in a score has at most this many characters; a longer one is no number of centipawns."""


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


def longest_dispute(scores: Iterable[str | None]) -> int:
    """The length in plies of the longest dispute, from the scores of all plies in order; 0 where there is none.

    It does not matter which side played the first ply: from p2's point of view all signs are reversed.
    """
    mine = others = None
    longest = length = 0
    for score in scores:
        value = centipawns(score)
        if value is not None:
            mine = value
        # Each score is from its engine's own side, so equal signs are a dispute.
        if mine is not None and others is not None and mine * others > 0 and abs(mine + others) >= APART_CP:
            length += 1
            longest = max(longest, length)
        else:
            length = 0
        mine, others = others, mine
    return longest
