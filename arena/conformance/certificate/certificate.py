"""A certificate as one value: which engine, which checks, on which machine, and what was found.

The run of the checks makes it, and pages read it.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arena.conformance.catalogue import BY_ID, CHECKS, PROFILES
from arena.conformance.certificate.causes import by_cause
from arena.conformance.certificate.identity import CheckMachine, Edition, ProgramFile, fingerprint
from arena.conformance.check import NOT_CHECKED, Area, CheckVerdict, Finding, Grade, grade
from protocol.commands import integer


@dataclass(frozen=True, slots=True)
class Certificate:
    """The report of one run of the checks, with all that says what it is worth."""

    engine: str
    """The engine as its user named it."""
    introduction: Mapping[str, str]
    """What it said of itself: `name`, `author` and `version`, as far as it said them."""
    files: tuple[ProgramFile, ...]
    specification: Edition
    suite: Edition
    date: str
    """When the checks began: UTC, ISO 8601 to the second."""
    machine: CheckMachine
    settings: Mapping[str, Any]
    """What was asked for, such as the level, the containment and the engine's options."""
    variants: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def grade(self) -> str:
        """The grade of the whole."""
        return str(grade(self.findings))

    @property
    def grades(self) -> dict[Area, str]:
        """The grades of rules, protocol and time. The few moves of the level smoke say nothing of rules."""
        area_grades = grades(self.findings)
        if self.settings.get("level") == "smoke" and area_grades[Area.RULES] == Grade.CLEAN:
            area_grades[Area.RULES] = NOT_CHECKED
        return area_grades

    @property
    def left_out(self) -> tuple[str, ...]:
        """The checks of the suite that were not asked for, those of a profile included."""
        chosen = {finding.id for finding in self.findings} - PROFILES.get(self.settings.get("profile") or "", {}).keys()
        return tuple(check.id for check in CHECKS if check.id not in chosen)

    @property
    def full(self) -> bool:
        """True if every check was asked for, but those that a profile leaves out."""
        chosen = {finding.id for finding in self.findings}
        return all(check.id in chosen for check in CHECKS)

    @property
    def complete(self) -> bool:
        """True if every check was asked for, and no deadline was longer than the specification has it."""
        return not self.left_out and self.settings.get("slow", 1) <= 1

    @property
    def name(self) -> str:
        """What to call the engine."""
        return " ".join(filter(None, (self.introduction.get("name") or self.engine, self.introduction.get("version"))))

    @property
    def failed(self) -> bool:
        """Whether any check failed."""
        return any(one.verdict in (CheckVerdict.FAIL, CheckVerdict.ERROR) for one in self.findings)

    @property
    def broken(self) -> tuple[Finding, ...]:
        """What did not pass, in the order of the suite."""
        return tuple(one for one in self.findings if one.broken)


def grades(findings: Sequence[Finding]) -> dict[Area, str]:
    """The grade of each area. If every check was skipped, nothing is known."""
    area_grades = {}
    for area in Area:
        of_area = [one for one in findings if BY_ID[one.id].area is area]
        looked_at = any(one.verdict is not CheckVerdict.SKIPPED for one in of_area)
        area_grades[area] = str(grade(of_area)) if looked_at else NOT_CHECKED
    return area_grades


def clause_totals(findings: Sequence[Finding]) -> dict[str, Counter[CheckVerdict]]:
    """How often each verdict was given for each clause, in the order of the specification."""
    totals: dict[str, Counter[CheckVerdict]] = {}
    for finding in findings:
        totals.setdefault(finding.clause, Counter())[finding.verdict] += 1
    return dict(sorted(totals.items(), key=lambda item: _clause_order(item[0])))


def _clause_order(clause: str) -> tuple[tuple[int, str, int], ...]:
    parts = [(part, integer(part)) for part in clause.split(".")]
    # Chapters have numbers, appendices have letters and come last.
    return tuple((1, part, 0) if number is None else (0, "", number) for part, number in parts)


def as_values(certificate: Certificate) -> dict[str, Any]:
    """The certificate for JSON: all that `arena check --json` prints."""
    return {
        "engine": certificate.engine,
        "grade": certificate.grade,
        "checks": [
            {
                "id": finding.id,
                "clause": finding.clause,
                "severity": str(finding.severity),
                "variant": finding.variant,
                "verdict": str(finding.verdict),
                "measured": finding.measured,
                "evidence": None if finding.evidence is None else asdict(finding.evidence),
                "title": finding.title,
                "area": str(BY_ID[finding.id].area),
                "elapsed_ms": finding.elapsed_ms,
            }
            for finding in certificate.findings
        ],
        "causes": [
            {"begin_with": cause.first.id, "sentence": cause.sentence, "others": [one.id for one in cause.others]}
            for cause in by_cause(certificate.findings)
        ],
        "grades": {str(area): area_grade for area, area_grade in certificate.grades.items()},
        "complete": certificate.complete,
        "left_out": list(certificate.left_out),
        "specification": asdict(certificate.specification),
        "suite": asdict(certificate.suite) | {"checks": len(CHECKS)},
        "says": {key: certificate.introduction.get(key) for key in ("name", "author", "version")},
        "fingerprint": fingerprint(certificate.files),
        "files": [asdict(file) for file in certificate.files],
        "date": certificate.date,
        "machine": asdict(certificate.machine),
        "settings": dict(certificate.settings),
        "variants": list(certificate.variants),
        "clauses": [
            {"clause": clause, **{str(verdict): counts[verdict] for verdict in CheckVerdict}}
            for clause, counts in clause_totals(certificate.findings).items()
        ],
    }


def as_row(certificate: Certificate) -> dict[str, Any]:
    """The certificate as the fields of a `CheckReport`, which a database keeps."""
    return {
        "engine": certificate.engine,
        "name": certificate.name,
        "fingerprint": fingerprint(certificate.files),
        "date": certificate.date,
        "specification": certificate.specification.version,
        "suite": certificate.suite.version,
        "grade": certificate.grade,
        "complete": certificate.complete,
        "report": json.dumps(as_values(certificate)),
    }


def publishable(text: str) -> str:
    """A text without the path of the home folder, which tells the user's name."""
    home = os.path.expanduser("~")
    return text if len(home) < 2 else re.sub(rf"(?<![\w.~/-]){re.escape(home)}(?![\w.-])", "~", text)
