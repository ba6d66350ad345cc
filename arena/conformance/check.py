"""A check: an id, the clause that it tests, how much it matters, and the function that does it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.conformance.context import CheckContext


class Severity(StrEnum):
    """How much harm a broken clause does."""

    FATAL = "F"
    """A MUST without which games cannot be refereed."""
    MAJOR = "M"
    """A MUST: games will be forfeited or wrong."""
    MINOR = "m"
    """A SHOULD: the engine works; its author should fix this."""
    NOTE = "N"
    """No clause demands it. Only mentioned."""


F, M, m, N = Severity.FATAL, Severity.MAJOR, Severity.MINOR, Severity.NOTE


class CheckVerdict(StrEnum):
    """The result of a check."""

    PASS = "pass"
    FAIL = "fail"
    """A MUST is broken."""
    WARNING = "warning"
    """A SHOULD is broken, or there is something to note."""
    SKIPPED = "skipped"
    """The check does not apply. Never counted as passed."""
    ERROR = "error"
    """The checker itself failed."""


BROKEN = (CheckVerdict.FAIL, CheckVerdict.WARNING, CheckVerdict.ERROR)


class Grade(StrEnum):
    """The grade of a whole report, the best first."""

    CLEAN = "clean"
    """Nothing but notes, and every check came to its end."""
    CONFORMANT = "conformant"
    """All F and M checks pass."""
    PLAYABLE = "playable"
    """All F checks pass."""
    NOT_PLAYABLE = "not playable"


NOT_CHECKED = "not checked"
"""The grade of an area in which nothing was looked at."""


class Area(StrEnum):
    """What a check is about. Engines are graded in each area."""

    RULES = "rules"
    """Legal moves, positions and results."""
    PROTOCOL = "protocol"
    """Words, their order, the life of the process."""
    TIME = "time"
    """Clocks, limits of time, and answers that must come soon."""


PLAIN = ("E1",)
"""What most checks need: a plain session that gets as far as a move."""

CheckFunction = Callable[["CheckContext"], str | None]
"""A check's function. It returns the measured figure or nothing, and raises Violation and NotApplicable."""


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the catalogue."""

    id: str
    clause: str
    """The number of the clause in SPEC.md."""
    severity: Severity
    title: str
    """The statement that holds if the check passes."""
    cause: str
    """The usual cause of a failure; may be empty."""
    function: CheckFunction
    each_variant: bool = False
    """True for a check of rules, which runs in every variant."""
    alone: bool = False
    """True where the check measures time so closely that nothing may run beside it."""
    needs: tuple[str, ...] = PLAIN
    """The checks without which this one tells nothing new. If one of them failed, a failure of this one follows."""
    area: Area = Area.PROTOCOL
    smoke: bool = False
    """True if it is one of the quick checks that a tournament begins with."""


_AREAS = {"E": Area.RULES, "F": Area.RULES}
_CLOCKS = ("7.3", "7.4", "7.5", "7.6", "7.9")
"""The clauses of clocks and of move times. Whatever checks them is about time, if it does not say otherwise."""
CATALOGUE: list[Check] = []
"""The checks as their modules define them. `arena.conformance.catalogue` has all of them, in order."""


def check(
    id_: str,
    clause: str,
    severity: Severity,
    title: str,
    cause: str = "",
    *,
    each_variant: bool = False,
    alone: bool = False,
    needs: tuple[str, ...] = PLAIN,
    area: Area | None = None,
    smoke: bool = False,
) -> Callable[[CheckFunction], CheckFunction]:
    """Put the function into the catalogue as the check of this id."""

    about = area or (Area.TIME if clause in _CLOCKS else _AREAS.get(id_[0], Area.PROTOCOL))

    def enter(function: CheckFunction) -> CheckFunction:
        CATALOGUE.append(
            Check(
                id_, clause, severity, title, cause, function, each_variant, alone,
                needs=needs, area=about, smoke=smoke,
            )
        )  # fmt: skip
        return function

    return enter


@dataclass(frozen=True, slots=True)
class CheckEvidence:
    """What an author needs to understand a failure."""

    seen: str
    sent: tuple[str, ...] = ()
    """The last lines that the engine was sent."""
    came: tuple[str, ...] = ()
    """The last lines that the engine wrote."""
    demand: str = ""
    cause: str = ""
    repeat: str = ""
    """The command that repeats this check."""
    stderr: tuple[str, ...] = ()


PARTS = {
    "seen": "seen",
    "sent": "sent",
    "came": "came",
    "stderr": "stderr",
    "demand": "demand",
    "cause": "likely",
    "repeat": "again",
}
"""What every report says of a failure, in this order: the field of its evidence, and the word for people."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a report."""

    id: str
    clause: str
    severity: Severity
    title: str
    variant: str | None
    """None where the check is not about one variant."""
    verdict: CheckVerdict
    measured: str = ""
    """The figure that was measured, or the reason why the check was skipped."""
    evidence: CheckEvidence | None = None
    elapsed_ms: int = 0
    matter: str = ""
    """The check that is about what this one met, if that is another check: see `Violation`."""

    @property
    def broken(self) -> bool:
        """Whether it did not pass. A check that ended in an error of ours counts as broken."""
        return self.verdict in BROKEN


def grade(findings: Collection[Finding]) -> Grade:
    """The grade of the findings. None is clean that has an error of ours, whatever the check is worth."""
    broken = {finding.severity for finding in findings if finding.broken}
    if Severity.FATAL in broken:
        return Grade.NOT_PLAYABLE
    if Severity.MAJOR in broken:
        return Grade.PLAYABLE
    is_unknown = any(finding.verdict is CheckVerdict.ERROR for finding in findings)
    return Grade.CONFORMANT if Severity.MINOR in broken or is_unknown else Grade.CLEAN
