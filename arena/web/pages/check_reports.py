"""The pages of the conformance checks: the list of the kept reports, and one report.

A report is JSON that anybody may have changed. So every value is looked at before it is shown, and one that is not what
it should be is left out.
"""

import json
from collections.abc import Mapping
from typing import Any

from arena.conformance.check import BROKEN, NOT_CHECKED, PARTS, Area, CheckVerdict
from arena.web.pages.source import Choice, Key, Page, PageSource, typed
from arena.web.privacy import HIDDEN, Privacy
from results.record import CheckReport

MOST_REPORTS = 200
"""The most reports that are listed, the last ones; each is read whole."""
AREAS = tuple(map(str, Area))
VERDICTS = tuple(map(str, CheckVerdict))


def checks_page(source: PageSource, choice: Choice) -> Page | None:
    """The list; None where no report was kept. Raises StoreError."""
    store = source.store
    reports = store.last_check_reports(MOST_REPORTS)
    rows = [_row(number, report, _parsed(report.report), source.privacy) for number, report in reversed(reports)]
    return Page(reports=rows, total=store.count_check_reports()) if rows else None


def check_page(source: PageSource, choice: Choice, number: Key) -> Page | None:
    """The page of a report; None where there is none of this number. Raises StoreError."""
    report = source.store.check_report(int(number))
    return None if report is None else report_page(int(number), report, source.privacy)


def report_page(number: int, report: CheckReport, privacy: Privacy) -> Page:
    """The page of this report."""
    values = _parsed(report.report)
    checks, causes, clauses = (
        [each for each in typed(values, key, list) if isinstance(each, dict)] for key in ("checks", "causes", "clauses")
    )
    findings = [_finding(each, privacy) for each in checks]
    return Page(
        row=_row(number, report, values, privacy),
        facts=_facts(report, values, privacy),
        left_out=[str(check) for check in typed(values, "left_out", list)],
        findings=findings,
        broken=[each for each in findings if each.verdict in BROKEN],
        # If all was checked, what was skipped: the rest passed or is broken. Else all that was checked.
        listed=[each for each in findings if each.verdict == "skipped" or not report.complete],
        causes=[privacy.text(typed(each, "sentence", str)) for each in causes],
        clauses=[(typed(each, "clause", str), [typed(each, word, int) for word in VERDICTS]) for each in clauses],
    )


def _row(number: int, report: CheckReport, values: Mapping[str, Any], privacy: Privacy) -> Page:
    grades = typed(values, "grades", dict)
    return Page(
        number=number,
        # What the engine says of itself, else what its user called it.
        name=privacy.text(report.name) if report.name != report.engine else _named(report.engine, privacy),
        grades=[typed(grades, area, str) or NOT_CHECKED for area in AREAS],
        report=report,
    )


def _named(engine: str, privacy: Privacy) -> str:
    """The engine as its user named it: a path or a command line is private."""
    return HIDDEN if privacy.hide and any(sign in engine for sign in " /\\") else engine


def _facts(report: CheckReport, values: Mapping[str, Any], privacy: Privacy) -> list[tuple[str, str]]:
    machine, settings, says = (typed(values, key, dict) for key in ("machine", "settings", "says"))
    options = typed(settings, "options", dict)
    chosen = [f"{key} {_text_of(value)}" for key, value in settings.items() if key != "options" and value is not None]
    chosen += [f"{name}={privacy.value(str(value))}" for name, value in options.items()]
    system = " · ".join(filter(None, (typed(machine, "system", str), typed(machine, "cpu", str))))
    variants = ", ".join(map(str, typed(values, "variants", list)))
    rows = [
        ("engine", _named(report.engine, privacy)),
        ("version", typed(says, "version", str)),
        ("author", typed(says, "author", str)),
        ("SHA-256", report.fingerprint),
        ("date", report.date),
        ("specification", report.specification),
        ("suite of checks", report.suite),
        ("variant", variants),
        ("Setting", ", ".join(chosen)),
        ("Machine", system),
    ]
    return [(word, privacy.text(text)) for word, text in rows if text]


def _finding(values: Mapping[str, Any], privacy: Privacy) -> Page:
    """What one check found in a variant, without what is private."""
    evidence = typed(values, "evidence", dict)
    parts = [(word, _told(evidence, field, privacy)) for field, word in PARTS.items()]
    return Page(
        **{key: typed(values, key, str) for key in ("id", "clause", "verdict", "title", "variant")},
        measured=privacy.text(typed(values, "measured", str)),
        parts=[(word, lines) for word, lines in parts if lines],
    )


def _told(evidence: Mapping[str, Any], field: str, privacy: Privacy) -> list[str]:
    """The lines of a part of the evidence that may be told."""
    if privacy.hide and field in ("stderr", "repeat"):
        return []
    if field in ("sent", "came"):
        lines = typed(evidence, field, list)
        return [privacy.dialogue(f" {'<-' if field == 'sent' else '->'} {line}")[4:] for line in lines]
    texts = typed(evidence, field, list) or [typed(evidence, field, str)]
    return [privacy.text(str(text)) for text in texts if text]


def _parsed(text: str) -> dict[str, Any]:
    try:
        return typed({"": json.loads(text)}, "", dict)
    except (ValueError, RecursionError):
        return {}


def _text_of(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
