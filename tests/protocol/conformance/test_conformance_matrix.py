"""Every check fails for the fault that breaks its clause, and no check fails without a reason."""

import sys
from pathlib import Path

import pytest

from arena.verification.rules_oracle import RulesJudge
from engines.zoo import conformance_matrix
from engines.zoo.catalogue import FAULTS
from engines.zoo.conformance_matrix import FURTHER, ROWS, VARIANT, Row
from protocol.conformance import runner
from protocol.conformance.catalogue import CHECKS
from protocol.conformance.check import Check, Finding, Verdict
from protocol.conformance.context import CheckRun, CheckSettings
from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command

ROOT = Path(__file__).parents[3]
ZOO = (sys.executable, "-P", "-m", "engines.zoo")
SAMPLE = ("A4", "C10", "E2", "G3", "I4", "K1")
"""Rows that take less than a second, one of every second group."""
BROKEN = (Verdict.FAIL, Verdict.WARNING, Verdict.ERROR)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a fault leaves in its working directory, it leaves where nobody minds."""
    monkeypatch.chdir(tmp_path)


def findings(row: Row | None, checks: tuple[Check, ...], concurrency: int) -> list[Finding]:
    """What the checks find in the zoo with the fault of a row."""
    box = SandboxPolicy(Level.NONE, environment={"PYTHONPATH": str(ROOT)})
    command = Command((*ZOO, *(row.arguments if row else ())), box)
    check_run = CheckRun(CheckSettings(command, {}, RulesJudge(), row.slow if row else 1), VARIANT)
    return [done.finding for done in runner.run(check_run, runner.tasks(checks, (VARIANT,), VARIANT), concurrency)]


def broken(found: list[Finding]) -> dict[str, str]:
    """The ids of the checks that did not pass, with what was seen."""
    return {one.id: one.evidence.seen if one.evidence else "" for one in found if one.verdict in BROKEN}


def only(identity: str) -> tuple[Check, ...]:
    return tuple(check for check in CHECKS if check.id == identity)


def test_every_check_has_its_fault() -> None:
    """No row is missing, none stands twice, and all faults exist."""
    assert [row.check for row in ROWS] == [check.id for check in CHECKS if check.function is not None]
    assert {row.fault.split()[0] for row in ROWS} <= set(FAULTS)
    assert all(bool(row.also) == bool(row.why) for row in ROWS)


def test_every_fault_that_was_made_for_a_check_stands_in_the_matrix() -> None:
    """A fault that no row names would never be looked for."""
    made = {name for name, fault in FAULTS.items() if ".conformance_" in fault.__module__}
    assert made == {row.fault.split()[0] for row in ROWS} & made | set(FURTHER)


@pytest.mark.parametrize("row", [row for row in ROWS if row.check in SAMPLE], ids=lambda row: row.check)
def test_a_fault_fails_its_check(row: Row) -> None:
    """The engine that breaks a clause fails the check of that clause."""
    assert row.check in broken(findings(row, only(row.check), 1))


@pytest.mark.parametrize(
    ("check", "clause"),
    [
        *(("B9", "2.4"), ("F11", "9.6")),
        *(pytest.param(*row, marks=pytest.mark.long) for row in (("C13", "13.1"), ("E15", "6.7"))),
    ],
)
def test_a_failure_names_its_clause(check: str, clause: str) -> None:
    """A line cut at 4 096 bytes, a small range of seeds, a board of the last game, a query without an answer."""
    row = conformance_matrix.row_of(check)
    (found,) = findings(row, only(check), 1)
    assert (found.verdict in BROKEN, found.clause) == (True, clause)


@pytest.mark.long
def test_an_ignored_stop_is_no_fault_of_isready() -> None:
    """D3 judges the `readyok` in a search. An engine that answers it and hears no `stop` fails G4 alone."""
    assert not broken(findings(conformance_matrix.row_of("G4"), only("D3"), 1))


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.check)
def test_a_fault_fails_its_check_and_no_other_without_a_reason(row: Row) -> None:
    """All checks against each fault: its own fails, and those that the matrix names, and no other."""
    found = broken(findings(row, CHECKS, 1 if row.fault == "locks" else 2))
    assert row.check in found
    if "..." not in row.also:
        unexpected = {name: seen for name, seen in found.items() if name != row.check and name not in row.also}
        assert not unexpected


def test_a_correct_engine_passes_what_the_faults_fail() -> None:
    """The zoo without a fault breaks nothing that the sample of faults is caught by."""
    checks = tuple(check for check in CHECKS if check.id in SAMPLE)
    assert not broken(findings(None, checks, 2))


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_correct_engine_passes_everything() -> None:
    """The zoo without a fault is clean."""
    assert not broken(findings(None, CHECKS, 2))


@pytest.mark.long
def test_words_in_an_info_string_fool_nobody() -> None:
    """H10: an info string that holds `readyok`, `ugiok` and a bestmove is text."""
    misleading = Row("H10", "misleading-info --at ready")
    checks = tuple(check for check in CHECKS if check.id in ("A4", "D5", "E2", "G3", "H5"))
    assert not broken(findings(misleading, checks, 2))


def test_the_page_of_the_manual_begins_with_the_matrix() -> None:
    """CHECKS.md begins with what `python -m engines.zoo.conformance_matrix` prints; the mutants come behind it."""
    assert (ROOT / "docs" / "authors" / "CHECKS.md").read_text(encoding="utf-8").startswith(conformance_matrix.page())
