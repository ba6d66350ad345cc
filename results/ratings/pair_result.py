"""The input of ratings: the results of each pair of engines."""

from typing import Literal, NamedTuple

OneSided = Literal["at least", "at most", "open"]
"""How a rating is bounded where scores leave open how much stronger or weaker than the main field an engine is."""


class PairResult(NamedTuple):
    """The games in which `p1` had the first side and `p2` the second, counted from `p1`'s point of view."""

    p1: str
    p2: str
    wins: int
    draws: int
    losses: int
