"""Reports of checks as pages: what they say, what they leave out, and that no report can harm a page."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.web import render, report
from arena.web.links import Links
from arena.web.page_table import make_page
from arena.web.pages.site import read_site
from arena.web.pages.source import Choice, PageSource
from arena.web.privacy import HIDDEN, Privacy
from results.record import CheckReport
from results.store.store import Store
from tests.web.conftest import HOSTILE, SECRETS
from tests.web.serving import ask, served

OPEN, HIDING = Privacy(False), Privacy(True)


def finding(check: str, verdict: str, **more: object) -> dict[str, object]:
    """A finding of a report."""
    return {"id": check, "clause": "2.2", "verdict": verdict, "title": f"what {check} says", "variant": None, **more}


REPORT = {
    "says": {"name": HOSTILE[0], "author": HOSTILE[2], "version": "3"},
    "grades": {"rules": "clean", "protocol": "playable", "time": "not checked"},
    "left_out": ["G8", "G9"],
    "variants": ["scottish"],
    "settings": {"level": "full", "slow": 1, "options": {"Book": f"{SECRETS[0]}/own.bin"}},
    "machine": {"system": "Linux", "cpu": "a processor"},
    "checks": [
        finding("A1", "pass", measured="1 ms"),
        finding("B2", "fail", measured="", evidence={
            "seen": f"no readyok; {SECRETS[0]} is gone",
            "sent": [f"setoption name Book value {SECRETS[0]}", "isready\\r"],
            "came": [f"info string {HOSTILE[0]}"], "demand": "MUST accept", "cause": "the CR is taken for a letter",
            "repeat": f"arena check {SECRETS[0]}", "stderr": [SECRETS[2]],
        }),
        finding("F4", "skipped", measured="it does not announce the query", variant="scottish"),
    ],
    "clauses": [{"clause": "2.2", "pass": 1, "fail": 1, "warning": 0, "skipped": 0, "error": 0}],
}  # fmt: skip


def kept(path: Path, *reports: str, complete: bool = False) -> Path:
    """A database with reports and no games."""
    with Store.create_or_open(path) as store:
        for at, text in enumerate(reports):
            date = f"2026-11-2{at}T12:00:00Z"
            versions = "1.1", "0.2.0"
            row = CheckReport(f"{SECRETS[0]} -x", HOSTILE[0], "ab" * 32, date, *versions, "playable", complete, text)
            store.add_check_report(row)
    return path


def shown(path: Path, privacy: Privacy, number: int | None = None) -> str:
    """The page of a report, or the list, as HTML."""
    with Store.open_existing(path) as store:
        kind = "checks" if number is None else "check"
        page = make_page(kind, PageSource(store, privacy), Choice(), () if number is None else (number,))
        site = read_site(store, hide=privacy.hide)
    assert page is not None
    return render.document(kind, page, site, Links(), ())


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with one report."""
    return kept(tmp_path_factory.mktemp("checks") / "checks.db", json.dumps(REPORT))


def test_a_report_tells_what_was_broken_skipped_and_each_clause(db: Path, tmp_path: Path) -> None:
    """With the reason, the dialogue, the demand and the likely cause."""
    text = shown(db, OPEN, 1)
    for word in (
        "B2 2.2: fail", "what B2 says", "no readyok", "the CR is taken", "MUST accept", "isready\\r", SECRETS[2],
        "F4", "it does not announce the query", "G8, G9", f"arena check {SECRETS[0]}", "1 / 3",
    ):  # fmt: skip
        assert word in text, word
    assert "what A1 says" in text  # it is the report of a part, so it lists what was checked
    text = shown(kept(tmp_path / "whole.db", json.dumps(REPORT), complete=True), OPEN, 1)
    assert "what A1 says" not in text and "it does not announce the query" in text


def test_what_is_private_is_left_out(db: Path) -> None:
    """Paths, command lines, and what the engine wrote to stderr."""
    for text in (shown(db, HIDING), shown(db, HIDING, 1)):
        assert not any(secret in text for secret in SECRETS)
    assert HIDDEN in shown(db, HIDING, 1)


def test_hostile_texts_stay_texts(db: Path) -> None:
    """No element, and no sign that turns a line around, comes from an engine."""
    for text in (shown(db, OPEN), shown(db, OPEN, 1)):
        assert "<script>alert" not in text and "\u202e" not in text


def test_a_report_that_was_changed_by_hand_is_no_error(tmp_path: Path) -> None:
    """What cannot be read is left out."""
    lists = '{"checks": 3, "clauses": [3], "grades": [], "settings": 7}'
    rows = '{"checks": [{"id": 3, "verdict": "fail", "evidence": []}], "clauses": [{"clause": "1", "pass": "x"}]}'
    for number, text in enumerate(("no JSON", "[" * 100_000, "[]", lists, rows)):
        path = kept(tmp_path / f"{number}.db", text)
        assert "not checked" in shown(path, OPEN)
        assert "playable" in shown(path, OPEN, 1)


def test_a_report_of_checks_alone_begins_with_them(db: Path, tmp_path: Path) -> None:
    """Nothing was played, so standings, a crosstable and a list of games would be empty."""
    with Store.open_existing(db) as store:
        written = report.write_report(store, tmp_path / "report")
    first = written.first.read_text()
    assert "<h1>Checks" in first and 'href="check/1.html"' in first
    for name in ("crosstable.html", "games.html"):
        assert name not in first and not (tmp_path / "report" / name).exists()


@pytest.fixture(scope="module")
def base(db: Path) -> Iterator[str]:
    """The address of a server of the report."""
    with served(db, hide=True) as address:
        yield address


def test_a_server_has_the_pages(base: str) -> None:
    """Only for reports that are there."""
    for path in ("/checks", "/check/1"):
        assert ask(base, path).status == 200
    for path in ("/check/2", "/check/x", "/check", "/check/01"):
        assert ask(base, path).status == 404
