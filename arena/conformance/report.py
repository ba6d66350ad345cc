"""A report of findings: as lines for people and as JUnit XML for programs. Prints nothing itself."""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.conformance.certificate.causes import by_cause
from arena.conformance.certificate.certificate import Certificate
from arena.conformance.check import NOT_CHECKED, PARTS, Area, Check, CheckEvidence, CheckVerdict, Finding
from arena.conformance.checked_engine import CheckedEngine
from protocol import transcript

TITLE_AT = 20
"""The column of a line at which the title begins."""
MOST_LINES, _CLOSING_LINES = 25, 5
"""The lines of a report that is not verbose, and how many of them its end may take."""
_FEW = 18
"""If nothing failed, and there are at most so many checks (those of the level smoke), each has a line."""
_MOST_WAITING = 8
"""The number of further causes that have a line each before the one above them has its evidence."""
_SHOWN, _WIDEST = 3, 400


def line(finding: Finding) -> str:
    """One line: id, severity, clause, verdict, title, measured figure."""
    variant = f" [{finding.variant}]" if finding.variant else ""
    measured = f": {finding.measured}" if finding.measured else ""
    verdict = finding.verdict.upper() if finding.verdict in (CheckVerdict.FAIL, CheckVerdict.ERROR) else finding.verdict
    return f"{finding.id:3} {finding.severity}  {finding.clause:5} {verdict:7} {finding.title}{variant}{measured}"


def details(evidence: CheckEvidence) -> list[str]:
    """The evidence of a failure as indented lines."""
    rows = []
    for field, word in PARTS.items():
        texts = getattr(evidence, field) or (("nothing",) if field == "came" and evidence.sent else ())
        lines = "\n".join([texts] if isinstance(texts, str) else texts).rstrip().splitlines()
        rows += [f"      {'' if place else word:7} {line}".rstrip() for place, line in enumerate(lines)]
    return rows


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a report. One that may be broken for a terminal has the column at which it goes on."""

    text: str
    indent: int | None = None

    def height(self, width: int | None) -> int:
        """The lines that it takes on a terminal of this width; None is a file."""
        return 1 if width is None else max(1, -(-len(self.text) // max(20, width - (self.indent or 0))))


def brief(findings: Sequence[Finding], width: int | None) -> list[Row]:
    """The failures by cause in at most MOST_LINES lines with the closing ones: the first with its evidence, then the
    others. If nothing failed, each of a few checks has a line.
    """
    causes, few = by_cause(findings), len(findings) <= _FEW
    if not causes:
        return [Row(line(one), TITLE_AT) for one in findings] if few else []
    rows: list[Row] = []
    left = MOST_LINES - _CLOSING_LINES
    for number, cause in enumerate(causes):
        head = Row(line(cause.first), TITLE_AT)
        waiting = min(_MOST_WAITING, len(causes) - 1 - number)
        if left < head.height(width) + bool(waiting):
            rest = [one for cause in causes[number:] for one in (cause.first, *cause.others)]
            rows.append(Row(f"and {_named(rest)}: --verbose shows all", 4))
            break
        rows.append(head)
        left -= head.height(width)
        again = ", ".join(str(one.variant) for one in cause.others if one.id == cause.first.id)
        more = [Row(f"     also in  {again}", 14)] if again else []
        more += [Row(f"      follow  {_named(cause.following)}", 14)] if cause.following else []
        more += _evidence_rows(cause.first.evidence, brief=number > 0)
        # Every other cause has a line before this one has more.
        for row in more:
            if row.height(width) <= left - waiting:
                left -= row.height(width)
                rows.append(row)
    if few:
        rows += [row for row in _skipped_rows(findings) if (left := left - row.height(width)) >= 0]
    return rows


def _skipped_rows(findings: Sequence[Finding]) -> list[Row]:
    """The checks that were skipped, a line for each reason."""
    reasons: dict[str, list[Finding]] = {}
    for one in findings:
        if one.verdict is CheckVerdict.SKIPPED:
            reasons.setdefault(one.measured, []).append(one)
    return [Row(f"skipped {_named(skipped)}: {reason}", 8) for reason, skipped in reasons.items()]


def _evidence_rows(evidence: CheckEvidence | None, brief: bool) -> list[Row]:
    """What was seen and said, what is to be read first before the rest. `brief`: what was seen and its likely cause."""
    if evidence is None:
        return []
    seen = evidence.seen.strip().splitlines()[-1:]
    kept = CheckEvidence("".join(seen), cause=evidence.cause)
    if not brief:
        sent, came, stderr = (texts[-_SHOWN:] for texts in (evidence.sent, evidence.came, evidence.stderr))
        kept = replace(evidence, seen=kept.seen, sent=sent, came=came, stderr=stderr)
    texts = [text for text in details(kept) if text[14:]]
    texts.sort(key=lambda text: text.split()[0] not in ("seen", "likely", "again"))
    return [
        Row(text) if text.split()[0] == "again" else Row(text if len(text) < _WIDEST else f"{text[:_WIDEST]} ...", 14)
        for text in texts
    ]


def _named(findings: Sequence[Finding]) -> str:
    """The checks of some findings, each once."""
    times = Counter(finding.id for finding in findings)
    return ", ".join(f"{name} ({count} times)" if count > 1 else name for name, count in times.items())


def closing(certificate: Certificate) -> list[Row]:
    """The last lines: numbers, grades, and where to begin."""
    areas = "; ".join(f"{area}: {area_grade}" for area, area_grade in certificate.grades.items())
    rows = [_summary(certificate), *([areas] if certificate.full or certificate.broken else [])]
    return [Row(text, 0) for text in (*rows, *(cause.sentence for cause in by_cause(certificate.findings)[:1]))]


def _summary(certificate: Certificate) -> str:
    """The number of each verdict, and the grade. A part of the checks that breaks nothing has no grade."""
    findings = certificate.findings
    counts = Counter(finding.verdict for finding in findings)
    if not certificate.broken and not certificate.full:
        names = {CheckVerdict.PASS: "passed"}
        numbers = ", ".join(f"{counts[one]} {names.get(one, one)}" for one in CheckVerdict if counts[one])
        missing = [str(area) for area in Area if certificate.grades[area] == NOT_CHECKED]
        what = "smoke" if certificate.settings.get("level") == "smoke" else "a part of the checks"
        return f"{what}: {numbers}" + f"; {', '.join(missing)} not checked" * bool(missing)
    numbers = ", ".join(f"{counts[verdict]} {verdict}" for verdict in CheckVerdict if counts[verdict])
    return f"{len(findings)} check{'s' * (len(findings) != 1)}: {numbers}; grade: {certificate.grade}"


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
    """The transcript of the dialogues that led to a finding."""
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
        variant = " [each variant]" if check.each_variant else ""
        rows.append(f"{check.id:3} {check.severity}  {check.clause:5} {check.title}{variant}")
    return rows
