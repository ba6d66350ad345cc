"""Conformant engines with one fault each: the check that is named notices it, and without a fault nothing is found."""

from pathlib import Path

import pytest

from protocol.conformance.catalogue import CHECKS
from protocol.conformance.check import Verdict
from tests.protocol.conformance.mutants import in_process, sighted_faults
from tests.protocol.conformance.mutants.noticed import (
    MAIN_VARIANTS,
    MUTANTS,
    UNNOTICED,
    Mutant,
    engine,
    run_named,
    run_whole,
)
from tests.protocol.conformance.mutants.table import page

ROOT = Path(__file__).parents[3]
QUICK = (
    "repetition-of-p2-only",
    "covers-no-lone-stone",
    "two-lines-draw",
    "unarmed-king-captures",
)
"""Faults of rules that show after a few random positions."""
RULES = tuple(check for check in CHECKS if check.id in ("E1", "E2", "F4", "F7", "F10"))


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a fault leaves in its working directory, it leaves where nobody minds."""
    monkeypatch.chdir(tmp_path)


def test_every_mutant_names_a_check_or_says_why_none_looks_for_it() -> None:
    """The checks exist, no name stands twice, and at most three in a hundred mutants have no check."""
    names = [mutant.name for mutant in MUTANTS]
    assert len(names) == len(set(names))
    assert {mutant.check for mutant in MUTANTS if mutant.check} <= {check.id for check in CHECKS}
    assert {mutant.name for mutant in MUTANTS if not mutant.check} == set(UNNOTICED)
    assert all(mutant.check for mutant in MUTANTS if mutant.rule)
    assert len(UNNOTICED) <= 0.03 * len(MUTANTS)


def test_each_fault_of_the_second_engine_has_its_switch() -> None:
    """The engine asks for every fault of its table."""
    text = (Path(__file__).parent / "mutants" / "sighted.py").read_text(encoding="utf-8")
    assert not [fault.name for fault in sighted_faults.FAULTS if f'"{fault.name}"' not in text]
    assert len(sighted_faults.FAULTS) >= 80


def test_each_fault_of_the_second_engine_cites_a_clause() -> None:
    """The clause of each fault is one that SPEC.md has."""
    spec = (ROOT / "protocol" / "SPEC.md").read_text(encoding="utf-8")
    assert not [fault.clause for fault in sighted_faults.FAULTS if f'<a id="{fault.clause}">' not in spec]


def test_the_page_of_the_checks_has_all_mutants() -> None:
    """docs/authors/CHECKS.md is what `python -m tests.protocol.conformance.mutants.table` prints."""
    assert (ROOT / "docs" / "authors" / "CHECKS.md").read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("mutant", [mutant for mutant in MUTANTS if mutant.name in QUICK], ids=lambda m: m.name)
def test_a_wrong_rule_fails_its_check(mutant: Mutant) -> None:
    """A fault of a rule is a failure, not a warning."""
    found = run_named(mutant)
    assert [one.verdict for one in found.broken] == [Verdict.FAIL]


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.parametrize("module", ["blind", "sighted"])
@pytest.mark.parametrize("variant", ["scottish", "callanish-9", "callanish", "brandub-nielsen"])
def test_right_rules_fail_no_check(module: str, variant: str) -> None:
    """The engines without a fault give the judge's answers in all random positions."""
    mutant = next(mutant for mutant in MUTANTS if mutant.module == module)
    found = in_process.findings(lambda: engine(mutant, None), RULES, (variant,), variant)
    assert not [one for one in found if one.verdict is not Verdict.PASS]


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("mutant", [mutant for mutant in MUTANTS if mutant.check], ids=lambda m: m.name)
def test_the_named_check_notices_the_fault(mutant: Mutant) -> None:
    """A fault of a rule fails its check; any other one fails it or brings a warning."""
    assert run_named(mutant).noticed


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("module", ["blind", "sighted"])
def test_an_engine_without_a_fault_is_clean(module: str) -> None:
    """The whole full level finds nothing where no fault is asked for."""
    clean = next(mutant for mutant in MUTANTS if mutant.module == module)._replace(name="", variant=MAIN_VARIANTS[0])
    assert run_whole(clean).broken == ()
