"""What a rating is made from: how often who won against whom."""

from typing import Literal, NamedTuple

OneSided = Literal["at least", "at most", "open"]
"""What the scores leave open: how much stronger, how much weaker than the main body of the field, or both."""


class PairResult(NamedTuple):
    """The games in which `p1` had the first side and `p2` the second, counted from the viewpoint of `p1`."""

    p1: str
    p2: str
    wins: int
    draws: int
    losses: int
