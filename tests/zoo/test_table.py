"""Every check notices the faults that the table names for it, and no check fails without a reason."""

import ast
import re
from pathlib import Path

import pytest

from arena.conformance.catalogue import CHECKS, SMOKE
from arena.conformance.check import CheckVerdict
from arena.conformance.checks import recorded, talks
from tests.arena.cli.conftest import ENGINE_IN_C
from tests.zoo import changed, noticed
from tests.zoo.catalogue import FAULTS
from tests.zoo.noticed import ROOT, broken, only
from tests.zoo.table import MUTANTS, OF_CHECKS, ROWS, Row, row_of

HERE = Path(__file__).parent
SAMPLE = ("nameless", "two-bestmoves")
"""Faults of the zoo that take less than a second: one of a talk, one of a recorded session."""
QUICK = "unarmed-king-captures"
"""A fault of a rule that shows after a few random positions, within this process."""
CLEAN = {engine: Row(engine, "") for engine in ("zoo", "spec")}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a fault leaves in its working directory, it leaves where nobody minds."""
    monkeypatch.chdir(tmp_path)


def named(name: str) -> Row:
    """The row of a fault."""
    return next(row for row in ROWS if row.name == name)


# The table


def test_every_check_has_its_fault() -> None:
    """Each check of an engine has a fault of the zoo, and the rows have the checks' order."""
    checks = [check.id for check in CHECKS]
    assert list(dict.fromkeys(row.check for row in OF_CHECKS)) == checks
    assert all(bool(row.also) == bool(row.why) for row in OF_CHECKS)


def test_every_mutant_names_a_check_or_says_why_none_looks_for_it() -> None:
    """The checks and clauses exist, no name stands twice, and at most four in a hundred mutants have no check."""
    names, spec = [(row.engine, row.fault) for row in ROWS], (ROOT / "protocol" / "SPEC.md").read_text(encoding="utf-8")
    assert len(names) == len(set(names))
    assert {row.check for row in ROWS if row.check} <= {check.id for check in CHECKS}
    assert {row.kind for row in MUTANTS} == {"rule", "MUST", "SHOULD"}
    assert not [row for row in MUTANTS if f'<a id="{row.clause}">' not in spec or bool(row.check) == bool(row.why)]
    assert sum(not row.check for row in MUTANTS) <= 0.04 * len(MUTANTS)


def test_the_table_and_the_engine_of_clauses_name_the_same_faults() -> None:
    """Each fault has a switch in the engine, and each switch has a row."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in (HERE / "spec").glob("*.py"))
    texts = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    names = {row.fault for row in MUTANTS if row.engine == "spec"}
    assert set(re.findall(r'fault\(\s*"([^"]+)"', source)) <= names <= texts


def test_every_change_has_a_row_and_can_be_made() -> None:
    """What is changed stands once in its file."""
    assert not changed.changes().keys() & FAULTS.keys()
    assert list(changed.changes()) == [row.fault for row in ROWS if row.engine == "zoo" and row.name not in FAULTS]
    for edits in changed.changes().values():
        sources: dict[str, str] = {}
        for edit in edits:
            source = sources.get(edit.file) or (ROOT / edit.file).read_text(encoding="utf-8")
            sources[edit.file] = changed.changed(source, edit)


# Faults


def test_a_fault_fails_its_check() -> None:
    """The engine that breaks a clause fails the check of that clause. A fault of a rule is a failure, not a warning."""
    for name in SAMPLE:
        row = named(name)
        assert broken(row, only(row.check)), name
    assert [one.verdict for one in noticed.named(named(QUICK))] == [CheckVerdict.FAIL]


@pytest.mark.long
def test_a_failure_names_its_clause() -> None:
    """A line cut at 4 096 bytes, a small range of seeds, a board of the last game, a query without an answer."""
    for check, clause in (("B9", "2.4"), ("C13", "13.1"), ("E15", "6.7"), ("F11", "9.6")):
        row = row_of(check)
        assert row and [one.clause for one in broken(row, only(check))] == [clause]


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("row", OF_CHECKS, ids=lambda row: row.name)
def test_a_fault_fails_its_check_and_no_other_without_a_reason(row: Row) -> None:
    """Its own check fails, and none of those that a tournament asks first but what the table names.

    All checks against each fault take an hour or two: `python -m tests.zoo.noticed --whole`.
    """
    expected = {row.check, *row.also.split()}
    found = {one.id for one in broken(row, only(*SMOKE, *expected), at_once=1 if row.name == "locks" else 2)}
    assert row.check in found
    assert "..." in expected or found <= expected


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("row", [row for row in MUTANTS if row.check and row.fault != QUICK], ids=lambda row: row.name)
def test_the_named_check_notices_the_fault(row: Row) -> None:
    """A fault of a rule fails its check; any other one fails it or brings a warning."""
    assert noticed.is_noticed(row, noticed.named(row))


@pytest.mark.long
def test_an_ignored_stop_is_no_fault_of_isready() -> None:
    """D3 judges the `readyok` in a search. An engine that answers it and hears no `stop` fails G4 alone."""
    assert not broken(named("ignores-stop"), only("D3"))


@pytest.mark.long
def test_words_in_an_info_string_fool_nobody() -> None:
    """An info string that holds `readyok`, `ugiok` and a bestmove is text."""
    assert not broken(Row("zoo", "misleading-info --at ready"), only("A4", "D5", "E2", "G3", "H5"))


# Engines without a fault


def test_a_correct_engine_passes_the_checks_that_talk_and_those_of_recordings() -> None:
    """Neither the steps of `talks.toml` nor the reading of an ordinary session finds anything wrong in it.

    The engine in C is asked where it was built: it starts in a hundredth of the time.
    """
    tables = (talks.__name__, recorded.__name__)
    checks = [c for c in CHECKS if getattr(c.function, "__module__", "") in tables]
    # A9 gives a second for the start, and a busy machine takes longer; the others wait for what must not come.
    checks = [c for c in checks if c.id not in ("A1", "A9", "D4", "G7")]
    command = (str(ENGINE_IN_C),) if ENGINE_IN_C.exists() else CLEAN["zoo"].command
    assert not broken(CLEAN["zoo"]._replace(slow="5"), checks, command=command)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("engine", CLEAN)
def test_a_correct_engine_passes_everything(engine: str) -> None:
    """The whole full level finds nothing where no fault is asked for."""
    assert not noticed.whole(CLEAN[engine])


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.parametrize("variant", ["callanish", "brandub-nielsen"])
def test_right_rules_fail_no_check(variant: str) -> None:
    """The engine of `spec` without a fault gives the judge's answers in random positions of further variants."""
    assert not noticed.broken_here(Row("spec", "", variant=variant), only("E1", "E2", "F4", "F7", "F10"))
