"""The grades of an engine in the three areas of the checks: rules, protocol and time."""

from collections.abc import Sequence

from arena.conformance.catalogue import BY_ID
from arena.conformance.check import Area, CheckVerdict, Finding, grade

NOT_CHECKED = "not checked"
"""The grade of an area in which nothing was looked at."""


def grades(findings: Sequence[Finding]) -> dict[Area, str]:
    """The grade of each area. If every check was skipped, nothing is known."""
    area_grades = {}
    for area in Area:
        of_area = [one for one in findings if BY_ID[one.id].area is area]
        looked_at = any(one.verdict is not CheckVerdict.SKIPPED for one in of_area)
        area_grades[area] = str(grade(of_area)) if looked_at else NOT_CHECKED
    return area_grades
