"""The three areas in which an engine is graded: rules, protocol and time.

Owns which check belongs to which area. A check without a word here is about the protocol.
"""

from collections.abc import Sequence
from enum import StrEnum

from arena.conformance.check import CheckVerdict, Finding, grade

NOT_CHECKED = "not checked"
"""The grade of an area in which nothing was looked at."""


class Area(StrEnum):
    """What a check is about."""

    RULES = "rules"
    """Legal moves, positions and results."""
    PROTOCOL = "protocol"
    """Words, their order, the life of the process."""
    TIME = "time"
    """Clocks, limits of time, and answers that must come soon."""


_LETTERS = {"E": Area.RULES, "F": Area.RULES, "L": Area.RULES}
_SURVIVED = ("E5", "E9", "E10", "E11", "E12", "E14", "E15", "F8", "F9", "F11")
"""Among the checks of positions and queries, these ask about words and not about rules."""
_RULES = ("C9", "C10", "G2", "G16", "G17", "G18")
_TIME = ("A9", "D3", "D6", "G4", "G8", "G9", "G10", "G11", "J7")
_CLAUSES = ("7.3", "7.4", "7.5", "7.6", "7.9")
"""The clauses of clocks and of move times. Whatever checks them is about time."""
_ABOUT_WORDS = ("G12", "G13")
"""These checks send a clock in unusual words; they do not measure."""


def area_of(check: str, clause: str) -> Area:
    """The area of a check, by its id and its clause."""
    if check in _SURVIVED or check in _ABOUT_WORDS:
        return Area.PROTOCOL
    if check in _RULES or clause.startswith("A."):
        return Area.RULES
    if check in _TIME or clause in _CLAUSES:
        return Area.TIME
    return _LETTERS.get(check[0], Area.PROTOCOL)


def grades(findings: Sequence[Finding]) -> dict[Area, str]:
    """The grade of each area. Where every check was skipped, nothing is known."""
    area_grades = {}
    for area in Area:
        of_area = [one for one in findings if area_of(one.id, one.clause) is area]
        looked_at = any(one.verdict is not CheckVerdict.SKIPPED for one in of_area)
        area_grades[area] = str(grade(of_area)) if looked_at else NOT_CHECKED
    return area_grades
