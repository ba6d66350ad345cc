"""What a check is: an id, the clause that it tests, how much it matters, and a function that looks.

Owns the words of a conformance report and the rule that makes grades of them. Refuses to know engines and games.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from protocol.conformance.bench import Bench


class Severity(StrEnum):
    """How much a broken clause costs."""

    FATAL = "F"
    """Games cannot be refereed."""
    MAJOR = "M"
    """Games will be forfeited or wrong."""
    MINOR = "m"
    """It works, and should be put right."""
    NOTE = "N"
    """Put down, and no more."""


class Verdict(StrEnum):
    """What came of a check."""

    PASS = "pass"
    FAIL = "fail"
    """A clause that matters is broken."""
    WARNING = "warning"
    """A minor clause is broken, or there is something to note."""
    SKIPPED = "skipped"
    """It could not be looked at: never counted as passed."""
    ERROR = "error"
    """The checker itself went wrong."""


class Grade(StrEnum):
    """What a whole report comes to, the best first."""

    CLEAN = "clean"
    """Nothing but notes."""
    CONFORMANT = "conformant"
    """All F and M checks pass."""
    PLAYABLE = "playable"
    """All F checks pass."""
    NOT_PLAYABLE = "not playable"


Look = Callable[["Bench"], str | None]
"""A check's function: the measured figure or nothing. Raises Violation and NotApplicable."""


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the catalogue."""

    id: str
    clause: str
    """The number of the clause in SPEC.md."""
    severity: Severity
    title: str
    """What holds where the check passes."""
    cause: str = ""
    """What is usually behind it where it does not."""
    look: Look | None = None
    """None where the subject is the referee itself."""
    each_variant: bool = False
    """Is it about rules, and so to be done in every variant?"""
    alone: bool = False
    """Does it measure time so closely that nothing may run beside it?"""
    tested_by: str = ""
    """Where the subject is the referee itself: the test that holds it."""


class Group:
    """The checks of one letter, in the order in which they are written down."""

    def __init__(self, letter: str, title: str) -> None:
        self.letter = letter
        self.title = title
        self.checks: list[Check] = []

    def check(
        self,
        number: int,
        clause: str,
        severity: Severity,
        title: str,
        cause: str = "",
        *,
        each_variant: bool = False,
        alone: bool = False,
    ) -> Callable[[Look], Look]:
        """Enter the function as the check of this number."""

        def enter(look: Look) -> Look:
            self.checks.append(
                Check(f"{self.letter}{number}", clause, severity, title, cause, look, each_variant, alone)
            )
            return look

        return enter

    def of_ours(self, number: int, clause: str, severity: Severity, title: str, tested_by: str) -> None:
        """Enter a row whose subject is the referee, which a test of the project holds."""
        self.checks.append(Check(f"{self.letter}{number}", clause, severity, title, tested_by=tested_by))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an author needs to see a failure for himself."""

    seen: str
    sent: tuple[str, ...] = ()
    """The last lines that the engine was sent."""
    came: tuple[str, ...] = ()
    """The last lines that it said."""
    demand: str = ""
    cause: str = ""
    repeat: str = ""
    """The command that does this check again."""
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a report."""

    id: str
    clause: str
    severity: Severity
    title: str
    variant: str | None
    """None where the check is not about one variant."""
    verdict: Verdict
    measured: str = ""
    """The figure that was measured; where it was skipped, why."""
    evidence: Evidence | None = None
    elapsed_ms: int = 0


def grade(findings: Iterable[Finding]) -> Grade:
    """What the findings come to. A check of ours that went wrong counts against nobody's grade but is no pass."""
    broken = {
        finding.severity for finding in findings if finding.verdict in (Verdict.FAIL, Verdict.WARNING, Verdict.ERROR)
    }
    if Severity.FATAL in broken:
        return Grade.NOT_PLAYABLE
    if Severity.MAJOR in broken:
        return Grade.PLAYABLE
    return Grade.CONFORMANT if Severity.MINOR in broken else Grade.CLEAN
