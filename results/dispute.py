"""How long two engines judged a game in opposite ways. Knows scores as engines say them; refuses to know who was right.

A game is disputed after a ply if the latest scores of both engines, read from p1's point of view, have different signs
and lie at least APART_CP apart: each engine sees itself ahead, or each sees itself behind.
"""

from collections.abc import Iterable
from functools import lru_cache

from results.record import GameRecord, Side

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


def disputed(record: GameRecord) -> int:
    """The length in plies of the game's longest dispute; 0 where the engines agreed, or did not tell."""
    first = record.fen.split()[-2:-1] == ["p1"]
    mover: Side = "p1" if first == (len(record.opening) % 2 == 0) else "p2"
    return longest(mover, (ply.score for ply in record.plies))


def longest(mover: str, scores: Iterable[str | None]) -> int:
    """The longest dispute over these scores, one a ply; `mover` played the first of them."""
    one = two = None
    most = lasting = 0
    p1_moves = mover == "p1"
    for score in scores:
        value = centipawns(score)
        if value is not None:
            if p1_moves:
                one = value
            else:
                two = -value
        p1_moves = not p1_moves
        if one is not None and two is not None and one * two < 0 and abs(one - two) >= APART_CP:
            lasting += 1
            if lasting > most:
                most = lasting
        else:
            lasting = 0
    return most
