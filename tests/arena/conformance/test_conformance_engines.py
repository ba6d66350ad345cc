"""The engines that come with the arena conform, and so does a plain UGI engine, for what it promises."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.load import load_registry
from arena.conformance import runner
from arena.conformance.catalogue import CHECKS, SMOKE
from arena.conformance.check import Check, CheckVerdict, Finding, Grade, grade
from arena.conformance.context import CheckRun, CheckSettings
from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command

ROOT = Path(__file__).parents[3]
SHIPPED = ("random", "greedy", "alphabeta", "mcts")
PLAIN = (sys.executable, str(Path(__file__).parent / "plain_engine.py"))
FIRST = tuple(check for check in CHECKS if check.id in SMOKE)


def findings(command: Command, checks: tuple[Check, ...], variant: str, slow: float = 1) -> list[Finding]:
    check_run = CheckRun(CheckSettings(command, {}, slow), variant)
    return [done.finding for done in runner.run(check_run, runner.tasks(checks, (variant,), variant), 2)]


def shipped(name: str) -> Command:
    spec = load_registry().get(name)
    assert spec is not None
    return Command(spec.command, replace(spec.sandbox, level=Level.NONE))


def plain(variant: str, *more: str) -> Command:
    return Command((*PLAIN, variant, *more), SandboxPolicy(Level.NONE, environment={"PYTHONPATH": str(ROOT)}))


def broken(found: list[Finding]) -> list[tuple[str, str]]:
    return [(one.id, one.evidence.seen if one.evidence else "") for one in found if one.broken]


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_engines_pass_the_smoke_test(name: str) -> None:
    """What a tournament asks first."""
    assert not broken(findings(shipped(name), FIRST, "callanish-7"))


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("name", "variant"),
    [("random", "callanish-9"), ("greedy", "scottish"), ("alphabeta", "callanish-7"), ("mcts", "brandub")],
)
def test_the_shipped_engines_are_clean(name: str, variant: str) -> None:
    """Not one warning."""
    found = findings(shipped(name), CHECKS, variant)
    assert not broken(found) and grade(found) is Grade.CLEAN


@pytest.mark.long
def test_a_plain_engine_passes_the_smoke_test() -> None:
    """No options, no infos, no queries: UGI alone is enough to play."""
    assert not broken(findings(plain("scottish"), FIRST, "scottish"))


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("variant", ["callanish-7", "scottish"])
def test_a_plain_engine_is_checked_for_what_it_promises(variant: str) -> None:
    """What it never announced is skipped, and is no pass; its moves are still judged. Its silence is a warning."""
    found = findings(plain(variant), CHECKS, variant)
    assert {name for name, _ in broken(found)} == {"E14", "F11", "H7"} and grade(found) is Grade.CONFORMANT
    verdicts = {one.id: one.verdict for one in found}
    assert {one.measured for one in found if one.id in ("H1", "H4")} == {"it never says `info`"}
    assert {verdicts[name] for name in ("C9", "F4", "H1", "I4")} == {CheckVerdict.SKIPPED}
    assert {verdicts[name] for name in ("A3", "E2", "G2", "G16", "J1", "K3")} == {CheckVerdict.PASS}


@pytest.mark.parametrize("variant", [pytest.param("callanish-7", marks=pytest.mark.long), "scottish"])
def test_a_reader_of_4096_bytes_a_line_fails(variant: str) -> None:
    """Without an answer to any query its moves show that the end of a long line never came to it."""
    (found,) = findings(plain(variant, "4096"), tuple(check for check in CHECKS if check.id == "B9"), variant)
    assert (found.verdict, found.clause) == (CheckVerdict.FAIL, "2.4")


@pytest.mark.long
def test_a_plain_engine_of_another_game_is_found_out() -> None:
    """Asked for scottish, one that plays Callanish does not get far."""
    rules = tuple(check for check in CHECKS if check.id == "G2")
    ((name, seen),) = broken(findings(plain("callanish-7"), rules, "scottish", 0.02))
    assert name == "G2" and seen


def test_a_hash_that_is_no_number_is_no_error_of_ours() -> None:
    """Superscript digits are digits to Python."""
    check_run = CheckRun(CheckSettings(plain("scottish"), {"Hash": "²"}), "scottish")
    task = runner.tasks([check for check in CHECKS if check.id == "K7"], ("scottish",), "scottish")
    (done,) = runner.run(check_run, task, 1)
    assert done.finding.verdict in (CheckVerdict.PASS, CheckVerdict.SKIPPED), done.finding.evidence
