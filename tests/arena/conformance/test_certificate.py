"""Certificates: what they say, how they grade, and that no text of an engine does harm in them."""

import html
import json
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from arena.conformance import report
from arena.conformance.catalogue import BY_ID, CHECKS, PROFILES
from arena.conformance.certificate import identity
from arena.conformance.certificate.certificate import (
    Certificate,
    as_row,
    as_values,
    clause_totals,
    publishable,
)
from arena.conformance.check import NOT_CHECKED, Area, CheckEvidence, CheckVerdict, Finding, Severity
from arena.play.jobs import EngineSpec
from arena.web.render import lone_check
from results.record import CheckReport

EVIL = "</title><script>alert(1)</script>\x1b[2J\u202e'\"`$(touch pwned)\n; touch pwned #"


def passed(verdict: CheckVerdict = CheckVerdict.PASS) -> tuple[Finding, ...]:
    """A finding of this verdict for every check of the suite."""
    return tuple(
        Finding(check.id, check.clause, check.severity, check.title, None, verdict, "as it should be")
        for check in CHECKS
    )


def certificate(found: tuple[Finding, ...], name: str = "Mine", **settings: Any) -> Certificate:
    return Certificate(
        engine="./mine",
        introduction={"name": name, "author": "A. Author"},
        files=(identity.ProgramFile("mine", "ab" * 32),),
        specification=identity.Edition("2", "cd" * 32),
        suite=identity.suite("0.2.0"),
        date="2026-11-22T12:00:00Z",
        machine=identity.CheckMachine("Linux 6 x86_64", "A CPU", 2, "3.11.2"),
        settings={"slow": 1.0, **settings},
        variants=("scottish",),
        findings=found,
    )


def page(issued: Certificate) -> str:
    """The certificate as one page."""
    return lone_check(CheckReport(**as_row(issued)))


def with_failure(identity_: str, evidence: CheckEvidence | None = None) -> tuple[Finding, ...]:
    """All passed but one."""
    return tuple(
        replace(one, verdict=CheckVerdict.FAIL, evidence=evidence or CheckEvidence("seen"))
        if one.id == identity_
        else one
        for one in passed()
    )


def test_rules_protocol_and_time_are_graded_apart() -> None:
    """A failure costs the grade of its own area only."""
    for broken, rules, protocol, time in (
        ("F4", "playable", "clean", "clean"),
        ("B5", "clean", "playable", "clean"),
        ("G10", "clean", "clean", "playable"),
        ("E1", "not playable", "clean", "clean"),
    ):
        found = tuple(
            replace(one, severity=Severity.FATAL if one.id == "E1" else Severity.MAJOR) if one.id == broken else one
            for one in with_failure(broken)
        )
        assert certificate(found).grades == {Area.RULES: rules, Area.PROTOCOL: protocol, Area.TIME: time}


def test_the_smoke_level_says_nothing_of_rules() -> None:
    """A legal move from the start is no check of the rules, so nobody reads `clean` there."""
    smoke = certificate(tuple(one for one in passed() if BY_ID[one.id].smoke), level="smoke")
    assert [row.text for row in report.closing(smoke)] == ["smoke: 17 passed; rules not checked"]
    assert smoke.grades[Area.RULES] == NOT_CHECKED


def test_a_part_of_the_checks_is_no_certificate() -> None:
    """The page of a part says so, whatever its grade; longer deadlines make a part, too."""
    part, slow = certificate(passed()[:17]), certificate(passed(), slow=3)
    assert not part.complete and "does not certify" in page(part)
    assert not slow.complete and "does not certify" in page(slow)
    assert certificate(passed()).complete


def test_a_report_with_a_profile_is_no_certificate() -> None:
    """Otherwise a slow engine could say that it is one of OTEP, and be certified without a check of its clocks."""
    left_out = PROFILES["otep"]
    found = tuple(replace(one, verdict=CheckVerdict.SKIPPED) if one.id in left_out else one for one in passed())
    behind = certificate(found, profile="otep")
    assert not behind.complete and set(behind.left_out) == set(left_out)
    assert "does not certify" in page(behind)
    assert certificate(passed(), profile=None).complete


def test_json_says_what_a_certificate_is_worth() -> None:
    """Editions, digests, machine, settings, totals of each clause and reasons of what was skipped."""
    found = tuple(
        replace(one, verdict=CheckVerdict.SKIPPED, measured="not said") if one.id == "H3" else one for one in passed()
    )
    values = json.loads(json.dumps(as_values(certificate(found, seed=7))))
    assert (values["grade"], values["complete"], values["left_out"]) == ("clean", True, [])
    assert values["fingerprint"] == "ab" * 32
    assert values["settings"]["seed"] == 7
    assert sum(row["pass"] for row in values["clauses"]) == len(found) - 1
    assert [(row["id"], row["measured"]) for row in values["checks"] if row["verdict"] == "skipped"] == [
        ("H3", "not said")
    ]


def test_clauses_are_counted_in_the_order_of_the_specification() -> None:
    """2.10 comes after 2.9, and appendices after chapters."""
    clauses = ["A.2", "2.10", "2.9", "10.1", "2.9"]
    found = [Finding("B1", clause, Severity.MAJOR, "it", None, CheckVerdict.PASS) for clause in clauses]
    assert list(clause_totals(found)) == ["2.9", "2.10", "10.1", "A.2"]
    assert clause_totals(found)["2.9"] == Counter({CheckVerdict.PASS: 2})


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes |= {name for name, _ in attrs}


def test_what_an_engine_says_is_harmless_in_every_file() -> None:
    """Its name, its lines and its stderr: no markup, no sign that steers a terminal."""
    evidence = CheckEvidence(EVIL, ("ugi",), (EVIL,), EVIL, EVIL, EVIL, (EVIL,))
    issued = certificate(with_failure("B5", evidence), EVIL)
    made = {"certificate.html": page(issued), "junit.xml": report.as_junit(issued.engine, issued.findings)}
    for name, content in made.items():
        assert "\x1b" not in content and "\u202e" not in content, name
        if name.endswith((".html", ".xml")):
            assert "<script" not in content, name
    seen = _Tags()
    seen.feed(made["certificate.html"])
    assert not {"script", "img", "link", "iframe", "a"} & set(seen.tags)
    assert not {name for name in seen.attributes if name.startswith("on") or name in ("style", "href", "src")}
    assert ET.fromstring(made["junit.xml"]).get("failures") == "1"


def test_the_page_allows_its_own_style_and_nothing_else() -> None:
    """The policy names the digest of the style sheet."""
    text = html.unescape(page(certificate(passed())))
    assert "default-src 'none'; style-src 'sha256-" in text
    assert text.count("<style>") == 1


def test_the_home_folder_is_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its path has the user's name; longer names that begin alike stay."""
    monkeypatch.setenv("HOME", "/home/ann")
    assert publishable("sh /home/ann/x /home/anna/y") == "sh ~/x /home/anna/y"


def test_files_are_named_with_the_digests_that_sha256sum_prints(tmp_path: Any) -> None:
    """The executable and every argument that is a file; the digest of a single file is the fingerprint."""
    mine = tmp_path / "mine"
    mine.write_text("#!/bin/sh\n")
    (file,) = found = identity.program_files(EngineSpec("mine", (str(mine), "--no-file")))
    assert file.name == "mine"
    assert file.sha256 == "a8076d3d28d21e02012b20eaf7dbf75409a6277134439025f282e368e3305abf"
    assert identity.fingerprint(found) == file.sha256


def test_the_page_says_where_to_begin_and_shows_the_evidence() -> None:
    """Grade and areas, the causes, and of each failure what was seen, sent, received and demanded."""
    text = page(certificate(with_failure("B7", CheckEvidence("it left", ("go",), ("no",), "live", "a bug", "again"))))
    assert "Begin with B7 (2.3): it left" in text
    for shown in ("<b>playable</b>", "sent</th><td>go<", "came</th><td>no<", "live", "a bug", "again"):
        assert shown in text
