"""One-sided marks: they stand before a rating that games bound on one side only.

The other end of such an interval follows from the prior alone, so pictures do not draw it.
"""

import math
from collections.abc import Iterable

from results.ratings.estimates import OneSided, Rating

_MARKS: dict[OneSided, str] = {"at least": ">=", "at most": "<="}
_NOTES: dict[OneSided, str] = {
    "at least": ">= at least: gave {} no point, alone or with a few equals; games bound it from below only",
    "at most": "<= at most: took no point from {}, alone or with a few equals; games bound it from above only",
}


def mark(one_sided: OneSided | None) -> str:
    """The mark before such a rating. It is empty if games bound the rating on both sides."""
    return "" if one_sided is None else _MARKS[one_sided]


def notes(ratings: Iterable[Rating], others: str = "the others") -> list[str]:
    """A line for each mark that these ratings have. With an anchor, `others` is its name."""
    used = {rating.one_sided for rating in ratings}
    return [note.format(others) for one_sided, note in _NOTES.items() if one_sided in used]


def lower(rating: Rating) -> float:
    """The lower end of the interval. It is infinite if no games bound it."""
    return -math.inf if rating.one_sided == "at most" else rating.lower


def upper(rating: Rating) -> float:
    """The upper end of the interval. It is infinite if no games bound it."""
    return math.inf if rating.one_sided == "at least" else rating.upper
