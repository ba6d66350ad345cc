"""How ratings that games bound on one side only, or on none, are marked, and what the marks mean.

Their open ends are the prior's alone, so pictures draw none. Refuses to compute ratings.
"""

import math
from collections.abc import Iterable

from results.ratings.fit import Rating
from results.ratings.pair_result import OneSided

_MARKS: dict[OneSided, str] = {"at least": ">=", "at most": "<=", "open": "?"}
_NOTES: dict[OneSided, str] = {
    "at least": ">= at least: alone or with a few equals it gave {} no point: bounded from below only",
    "at most": "<= at most: alone or with a few equals it took no point from {}: bounded from above only",
    "open": "? open: games bound the rating on neither side",
}


def mark(one_sided: OneSided | None) -> str:
    """What stands before such a rating; nothing before one that games bound on both sides."""
    return "" if one_sided is None else _MARKS[one_sided]


def notes(ratings: Iterable[Rating], others: str = "the others") -> list[str]:
    """A line for each mark that these ratings have; with an anchor, that is who the `others` are."""
    there = {rating.one_sided for rating in ratings}
    return [note.format(others) for bound, note in _NOTES.items() if bound in there]


def lower(rating: Rating) -> float:
    """The interval's lower end, which is nowhere if no games bound it."""
    return -math.inf if rating.one_sided in ("at most", "open") else rating.lower


def upper(rating: Rating) -> float:
    """The upper end."""
    return math.inf if rating.one_sided in ("at least", "open") else rating.upper
