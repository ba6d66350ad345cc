"""A certificate as one HTML page: no script, no picture from elsewhere, and a policy that forbids both.

Owns the page's markup. Every text of an engine is escaped and made harmless before it gets here into the markup.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence

from arena.conformance import report
from arena.conformance.certificate.certificate import Certificate, clause_totals
from arena.conformance.certificate.identity import fingerprint
from arena.conformance.check import CheckVerdict
from results.safe_text import harmless_lines, xml

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.45 system-ui, sans-serif; max-width: 60em; margin: 1.5em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: .5em 0 1.5em; }
th, td { text-align: left; vertical-align: top; padding: .2em .9em .2em 0; border-bottom: 1px solid #8886; }
td.number, th.number { text-align: right; }
.wide { overflow-x: auto; }
code, pre { font-family: ui-monospace, monospace; font-size: .88em; overflow-wrap: anywhere; }
pre { padding: .6em; border: 1px solid #8886; white-space: pre-wrap; }
.grade { font-size: 1.25em; font-weight: bold; }
summary { cursor: pointer; }
""".strip()
_DIGEST = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; form-action 'none'; base-uri 'none'"


def page(certificate: Certificate) -> str:
    """The page."""
    title = xml(f"{certificate.name}: {certificate.grade}")
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{xml(certificate.name)}</h1>",
        *_grades(certificate),
        *_facts(certificate),
        *_broken(certificate),
        *_skipped(certificate),
        *_clauses(certificate),
        *_checks(certificate),
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _grades(certificate: Certificate) -> Iterator[str]:
    yield f'<p class="grade">Grade: {xml(certificate.grade)}</p>'
    if certificate.left_out:
        yield (
            f"<p>This is a report of a part of the checks: {len(certificate.left_out)} of the suite were not asked for "
            f"({xml(', '.join(certificate.left_out))}). It does not certify the engine.</p>"
        )
    elif not certificate.complete:
        yield (
            f"<p>Every deadline was {certificate.settings['slow']:g} times as long as the specification has it. "
            "So this report says nothing about time.</p>"
        )
    yield from _table(("area", "grade"), [(str(area), grade) for area, grade in certificate.grades.items()])


def _facts(certificate: Certificate) -> Iterator[str]:
    introduction, machine = certificate.introduction, certificate.machine
    settings = ", ".join(f"{key} {_told(value)}" for key, value in certificate.settings.items())
    rows = [
        ("Engine", certificate.name),
        ("Author", introduction.get("author", "")),
        ("Checked as", certificate.engine),
        *(("SHA-256 of " + file.name, file.sha256) for file in certificate.files),
        ("Fingerprint", fingerprint(certificate.files) if len(certificate.files) > 1 else ""),
        ("Variants", ", ".join(certificate.variants)),
        ("Specification", f"{certificate.specification.version}, SHA-256 {certificate.specification.sha256[:16]}"),
        ("Suite of checks", f"callanish-arena {certificate.suite.version}, SHA-256 {certificate.suite.sha256[:16]}"),
        ("Date", certificate.date),
        ("Machine", f"{machine.system}; {machine.cpus} CPUs, {machine.cpu}; Python {machine.python}"),
        ("Settings", settings),
    ]
    yield "<h2>What was checked</h2>"
    yield from _table((), [row for row in rows if row[1]])


def _told(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={each}" for key, each in value.items()) or "none"
    return f"{value}"


def _broken(certificate: Certificate) -> Iterator[str]:
    broken = certificate.broken
    yield "<h2>What was broken</h2>"
    if not broken:
        yield "<p>Nothing.</p>"
    for one in broken:
        variant = f" in {one.variant}" if one.variant else ""
        yield f"<h3>{xml(f'{one.id}, clause {one.clause}, {one.verdict}: {one.title}{variant}')}</h3>"
        if one.evidence is not None:
            yield _preformatted("\n".join(line.removeprefix("      ") for line in report.details(one.evidence)))


def _skipped(certificate: Certificate) -> Iterator[str]:
    yield "<h2>What was skipped, and why</h2>"
    rows = [(one.id, one.clause, one.title, one.variant or "", one.measured) for one in certificate.skipped]
    yield from _table(("check", "clause", "what holds", "variant", "why"), rows) if rows else ["<p>Nothing.</p>"]


def _clauses(certificate: Certificate) -> Iterator[str]:
    yield "<h2>Clause by clause</h2>"
    totals = clause_totals(certificate.findings)
    rows = [(clause, *(str(counts[verdict] or "") for verdict in CheckVerdict)) for clause, counts in totals.items()]
    yield from _table(("clause", *(str(verdict) for verdict in CheckVerdict)), rows, numbers=True)


def _checks(certificate: Certificate) -> Iterator[str]:
    yield "<h2>Check by check</h2>"
    rows = [
        (one.id, str(one.severity), one.clause, str(one.verdict), one.title, one.variant or "", one.measured)
        for one in certificate.findings
    ]
    yield from _table(("check", "severity", "clause", "verdict", "what holds", "variant", "measured"), rows)


def _preformatted(text: str) -> str:
    return f"<pre>{'<br>'.join(xml(line) for line in harmless_lines(text).splitlines())}</pre>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: bool = False) -> Iterator[str]:
    right = ' class="number"' if numbers else ""
    yield '<div class="wide"><table>'
    if head:
        cells = [f"<th{right if number else ''}>{xml(name)}</th>" for number, name in enumerate(head)]
        yield f"<thead><tr>{''.join(cells)}</tr></thead>"
    yield "<tbody>"
    for row in rows:
        cells = [f"<td{right if number else ''}>{xml(cell)}</td>" for number, cell in enumerate(row)]
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"
