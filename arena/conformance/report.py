"""A report of findings: as lines for people and as JUnit XML for programs. Prints nothing itself."""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence

from arena.conformance.check import Check, CheckEvidence, CheckVerdict, Finding, grade
from arena.conformance.checked_engine import CheckedEngine
from protocol import transcript

TITLE_AT = 20
"""The column of a line at which the title begins."""


def line(finding: Finding) -> str:
    """One line: id, severity, clause, verdict, title, measured figure."""
    variant = f" [{finding.variant}]" if finding.variant else ""
    measured = f": {finding.measured}" if finding.measured else ""
    verdict = finding.verdict.upper() if finding.verdict in (CheckVerdict.FAIL, CheckVerdict.ERROR) else finding.verdict
    return f"{finding.id:3} {finding.severity}  {finding.clause:5} {verdict:7} {finding.title}{variant}{measured}"


def details(evidence: CheckEvidence) -> list[str]:
    """The evidence of a failure as indented lines."""
    parts = {
        "seen": [evidence.seen.rstrip()],
        "sent": evidence.sent,
        "came": evidence.came or (["nothing"] if evidence.sent else []),
        "stderr": evidence.stderr,
        "demand": [evidence.demand],
        "likely": [evidence.cause],
        "again": [evidence.repeat],
    }
    rows = []
    for name, texts in parts.items():
        for number, text in enumerate(texts):
            lines = enumerate(text.splitlines())
            rows += [f"      {'' if number or place else name:7} {line}".rstrip() for place, line in lines]
    return rows


def summary(findings: Sequence[Finding]) -> str:
    """The number of each verdict, and the grade."""
    counts = Counter(finding.verdict for finding in findings)
    numbers = ", ".join(f"{counts[verdict]} {verdict}" for verdict in CheckVerdict if counts[verdict])
    return f"{len(findings)} check{'s' * (len(findings) != 1)}: {numbers}; grade: {grade(findings)}"


def as_junit(engine: str, findings: Sequence[Finding]) -> str:
    """The report as JUnit XML, for build servers. A warning is a passed case with the warning in its output."""
    counts = Counter(finding.verdict for finding in findings)
    suite = ET.Element(
        "testsuite",
        name=_xml(f"arena check {engine}"),
        tests=str(len(findings)),
        failures=str(counts[CheckVerdict.FAIL]),
        errors=str(counts[CheckVerdict.ERROR]),
        skipped=str(counts[CheckVerdict.SKIPPED]),
    )
    for finding in findings:
        case = ET.SubElement(
            suite,
            "testcase",
            classname=_xml(finding.variant or "engine"),
            name=_xml(f"{finding.id} {finding.title}"),
            time=f"{finding.elapsed_ms / 1000:.3f}",
        )
        text = _xml("\n".join(details(finding.evidence))) if finding.evidence else _xml(finding.measured)
        message = _xml(finding.evidence.seen if finding.evidence else finding.measured)
        if finding.verdict is CheckVerdict.WARNING:
            ET.SubElement(case, "system-out").text = f"warning\n{text}"
        elif finding.verdict is not CheckVerdict.PASS:
            tag = "failure" if finding.verdict is CheckVerdict.FAIL else str(finding.verdict)
            ET.SubElement(case, tag, message=message).text = None if finding.verdict is CheckVerdict.SKIPPED else text
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _xml(text: str) -> str:
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)


def written(engines: Sequence[CheckedEngine]) -> str:
    """The transcript of the dialogues behind a finding."""
    entries = sorted(
        (entry.at_ns, number, row)
        for engine in engines
        for number, entry in enumerate(engine.record)
        for row in ["\n".join(transcript.show(engine.name, entry.direction, entry.data))]
    )
    return "".join(f"{row}\n" for _, _, row in entries)


def listed(checks: Sequence[Check]) -> list[str]:
    """The catalogue, one line for each check."""
    rows = []
    for check in checks:
        ours = f" (of the referee: {check.tested_by})" if check.function is None else ""
        variant = " [each variant]" if check.each_variant else ""
        rows.append(f"{check.id:3} {check.severity}  {check.clause:5} {check.title}{variant}{ours}")
    return rows
