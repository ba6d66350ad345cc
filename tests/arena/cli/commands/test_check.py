"""`arena check`: what it prints, what it writes, how it ends."""

import json
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from arena.conformance import checked_engine, checked_run, context
from arena.conformance.catalogue import CHECKS
from arena.conformance.checked_engine import CheckedEngine
from arena.conformance.violation import Violation
from protocol.containment import landlock
from protocol.transport import TransportTimeout
from results.store.store import Store
from tests.arena.cli.conftest import Arena
from tests.arena.conftest import ENGINE_IN_C, engine

ZOO = "{python} -P -m tests.zoo"
SOUND = shlex.quote(str(ENGINE_IN_C)) if ENGINE_IN_C.exists() else ZOO
"""An engine without a fault. That in C starts in a hundredth of the time."""
QUICK = ("--only", "A1,A5,C1", "--variant", "scottish")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits to see whether an engine ends although nothing was said to it."""
    monkeypatch.setattr(context, "SETTLE_MS", 1)


def broken(folder: Path) -> str:
    """The command line of an engine that announces an option without a type."""
    return f"sh {engine(folder / 'it', ugi='echo id author A. Author; echo option name Style default solid')}"


def test_an_engine_that_conforms_ends_with_0(arena: Arena) -> None:
    """The smoke test of a correct engine: a line a check, a summary that promises nothing of rules, exit code 0."""
    ended = arena("check", SOUND, "--variant", "callanish-7", "--level", "smoke")
    assert ended.exit_code == 0, ended.output
    lines = ended.stdout.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [
        *(f"A{number}" for number in range(1, 12)), "D1", "E1", "G1", "G3", "G4", "K1",
    ]  # fmt: skip
    assert lines[0].startswith("A1  F  3.1   pass ")
    assert lines[-1] == "smoke: 17 passed; rules not checked"


def test_who_waits_is_told_how_many_checks_are_done(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Now and then, and not at the end, where the result says it."""
    monkeypatch.setattr(checked_run, "EVERY_S", 0.0)
    ended = arena("check", SOUND, "--variant", "callanish-7", "--only", "A1,A3")
    assert ended.exit_code == 0 and ended.stderr == "arena: 1 of 2 checks done\n"


def test_a_broken_clause_ends_with_1_is_explained_and_kept(arena: Arena, tmp_path: Path) -> None:
    """What was seen, the clause and the command that repeats the check; for build servers, authors and the database."""
    folder, db, build = tmp_path / "deep" / "certificate", tmp_path / "checks.db", tmp_path / "report.xml"
    program = broken(tmp_path)
    ended = arena("check", program, *QUICK, "--junit", build, "--certificate", folder, "--db", db)
    assert ended.exit_code == 1
    assert "C1  M  3.3   FAIL" in ended.stdout
    assert "option name Style default solid" in ended.stdout
    assert "An option MUST be announced as" in ended.stdout
    assert "--only C1 --variant scottish" in ended.stdout
    assert "grade: playable" in ended.stdout
    assert "rules: not checked; protocol: playable; time: not checked" in ended.stdout
    suite = ET.parse(build).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    (failure,) = suite.iter("failure")
    assert "option name Style" in (failure.get("message") or "")
    assert {path.name for path in folder.iterdir()} == {"certificate.json", "certificate.html", "junit.xml"}
    report = json.loads((folder / "certificate.json").read_text(encoding="utf-8"))
    assert (report["engine"], report["grade"]) == (program, "playable")
    assert [(one["id"], one["verdict"]) for one in report["checks"]] == [("A1", "pass"), ("A5", "pass"), ("C1", "fail")]
    assert "C1" in report["checks"][2]["evidence"]["repeat"]
    with Store.open_existing(db) as store:
        (kept,) = store.check_reports()
    assert (kept.engine, kept.grade, kept.complete) == (program, "playable", False)
    assert json.loads(kept.report) == report


def test_a_warning_is_no_failure(arena: Arena, tmp_path: Path) -> None:
    """A SHOULD that is broken ends with 0 and costs the grade `clean`."""
    ended = arena("check", f"sh {engine(tmp_path / 'it', ugi='true')}", *QUICK)
    assert ended.exit_code == 0
    assert "warning" in ended.stdout and "grade: conformant" in ended.stdout


class NoEngine:
    """A program that has written this and writes no more; a deadline is over at once."""

    def __init__(self, written: str) -> None:
        *self.lines, unfinished = written.encode().split(b"\n")
        self.unfinished = unfinished

    def send(self, data: bytes, deadline_ns: int) -> None: ...

    def receive(self, deadline_ns: int) -> bytes:
        if not self.lines:
            raise TransportTimeout
        return self.lines.pop(0)


@pytest.mark.parametrize(
    ("written", "seen", "cause"),
    [
        ("ugi\n", "it said one other line, 'ugi'", "it echoes its input"),
        ("Fish 15\nWhat\n", "2 other lines, the first 'Fish 15'", "such as UCI"),
        ("Fish 15\n> ", "one other line, 'Fish 15'", "such as UCI"),
        ("ugiok", "it wrote 'ugiok' without a newline", "`println`"),
        ("id name Half\n", "the last line that came is 'id name Half'", "what it says is flushed"),
        ("", "it has said nothing at all", "such as `uci`"),
    ],
)
def test_a_program_that_is_no_engine_is_told_from_one(written: str, seen: str, cause: str) -> None:
    """Who speaks another protocol, echoes or flushes not is told so."""
    checked = CheckedEngine(NoEngine(written), "it", 1.0)  # type: ignore[arg-type]  # what a handshake needs
    with pytest.raises(Violation) as violation:
        checked.handshake()
    assert seen in str(violation.value) and cause in violation.value.cause


def test_a_program_that_dies_shows_its_dialogue(arena: Arena, tmp_path: Path) -> None:
    """What was sent, what came, what was seen and its likely cause; the whole dialogue as a transcript."""
    (tmp_path / "it").write_text("read x; echo no >&2; exit 9")
    talks = tmp_path / "talks"
    ended = arena("check", f"sh {tmp_path / 'it'}", "--only", "A3", "--transcript", talks)
    assert ended.exit_code == 1
    rows = {row[:13].strip(): row for row in ended.stdout.splitlines()}
    assert "it ended with exit status 9" in rows["seen"] and "it crashed: no" in rows["likely"]
    assert rows["sent"].endswith(" ugi") and "came" in rows
    assert "engine <- ugi" in (talks / "A3.txt").read_text().splitlines()


def test_an_engine_that_speaks_uci_is_told_of_the_adapter(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked in its own words before that is said, and the command to type is there."""
    monkeypatch.setattr(checked_engine, "START_MS", 1)  # for its `ugiok`, which never comes
    (tmp_path / "it").write_text("while read x; do test $x = uci && echo id name Fish && echo uciok; done")
    ended = arena("check", f"sh {tmp_path / 'it'}", "--only", "A3")
    assert ended.exit_code == 1
    begin = "Begin with A3 (3.1): it answers `uci` and not `ugi`: did you mean `--adapter uci`?"
    assert ended.stdout.splitlines()[-1] == begin
    assert "it speaks UCI: `arena check '" in ended.stdout
    assert f"{tmp_path / 'it'}' --adapter uci` translates" in ended.stdout


@pytest.mark.skipif(not landlock.abi(), reason="this kernel has no Landlock")
def test_what_the_sandbox_refuses_is_told_as_such(arena: Arena, tmp_path: Path) -> None:
    """The file is named, and that it is refused in games too; without containment the same engine starts."""
    logs = engine(tmp_path / "it", before=f"echo hello >{tmp_path / 'engine.log'} || exit 1")
    asked = ("check", f"sh {logs}", "--only", "A3", "--variant", "callanish-7")
    ended = arena(*asked)
    assert ended.exit_code == 1
    assert f"your engine tried to use `{tmp_path / 'engine.log'}`; in games that is refused" in ended.stdout
    assert arena(*asked, "--contain", "none").exit_code == 0


def test_a_contained_engine_may_write_where_it_may_in_games_but_is_told_so(arena: Arena, tmp_path: Path) -> None:
    """A log in the working directory ends no session of the checks. K9 names the file."""
    logs = engine(tmp_path / "it", before="echo hello >engine.log || exit 1\nmkdir .cache")
    ended = arena("check", f"sh {logs}", "--only", "K8,K9", "--variant", "callanish-7", "--json")
    rows = {row["id"]: row for row in json.loads(ended.stdout)["checks"]}
    assert rows["K8"]["verdict"] == "pass"
    assert rows["K9"]["evidence"]["seen"] == "it left engine.log"


def test_rules_are_checked_in_every_variant_that_is_asked_for(arena: Arena) -> None:
    """A check about rules has a line for each variant, another has one; a changed variant is one.

    There are golden positions, made when they are needed, and what the engine says of positions, moves and ends.
    """
    rules = ("E3", "F2", "F4", "F6", "G2")
    variants = ("scottish", "callanish-5:supply=20")
    asked = [word for variant in variants for word in ("--variant", variant)]
    rows = json.loads(arena("check", SOUND, "--only", ",".join(["A1", *rules]), *asked, "--json").stdout)["checks"]
    assert set(rows[0]) >= {"id", "clause", "severity", "variant", "verdict", "measured", "evidence"}
    assert [(one["id"], one["variant"]) for one in rows] == [
        ("A1", None), *((rule, variant) for rule in rules for variant in variants),
    ]  # fmt: skip
    assert {one["verdict"] for one in rows} == {"pass"}


def test_random_positions_alone_can_be_asked_for(arena: Arena, tmp_path: Path) -> None:
    """--fuzz runs F10 and nothing else, and the command that repeats a failure has the seed and the time."""
    ended = arena("check", SOUND, "--variant", "callanish-5", "--fuzz", "0.1", "--seed", "7")
    assert ended.exit_code == 0, ended.output
    assert "random games, seed 7" in ended.stdout and "1 passed; protocol, time not checked" in ended.stdout
    ended = arena("check", f"sh {engine(tmp_path / 'it')}", "--variant", "scottish", "--fuzz", "60", "--seed", "7")
    assert ended.exit_code == 1 and "F10 M  5.4   FAIL" in ended.stdout
    assert "--only F10 --variant scottish --seed 7 --fuzz 60" in ended.stdout


def test_the_list_names_every_check(arena: Arena) -> None:
    """--list needs no engine."""
    ended = arena("check", "--list")
    assert ended.exit_code == 0
    lines = ended.stdout.splitlines()
    assert [line.split()[0] for line in lines] == [check.id for check in CHECKS]
    assert arena("check", "--list", "--group", "B").stdout.count("\n") == 15
