"""Engines of a game that a plug-in brings are checked like those of our games."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.load import load_registry
from arena.conformance import runner
from arena.conformance.catalogue import CHECKS
from arena.conformance.check import CheckVerdict, Finding
from arena.conformance.context import CheckRun, CheckSettings
from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command

ROOT = Path(__file__).parents[2]
ABOUT_RULES = ("E3", "F2", "F4", "F6", "F10", "G2")
FORGETFUL = """
from arena.games import game_words
from engines.common import RulesEngine
from protocol.engine import run

class Forgetful(RulesEngine):
    variants = ("ataxx",)

    def query(self, root, words):
        if words != ("legalmoves",):
            return super().query(root, words)
        moves = [word for word in game_words.legal_words(self.line(root).game) if len(word) == 2]
        return " ".join([str(len(moves)), *moves])

    def choose(self, line, search):
        return line.position.moves()[0].text

run(Forgetful())
"""


def found(command: Command, variant: str, names: tuple[str, ...], fuzz_s: float) -> list[Finding]:
    check_run = CheckRun(CheckSettings(command, {}, fuzz_s=fuzz_s), variant)
    checks = [check for check in CHECKS if check.id in names]
    return [done.finding for done in runner.run(check_run, runner.tasks(checks, (variant,), variant), 2)]


@pytest.mark.long
@pytest.mark.parametrize("variant", ["ataxx", "chess"])
def test_an_engine_that_knows_the_rules_is_clean(variant: str) -> None:
    """Positions, moves, results and random lines are in the words of the game."""
    spec = load_registry().get("random")
    assert spec is not None
    findings = found(Command(spec.command, replace(spec.sandbox, level=Level.NONE)), variant, ABOUT_RULES, 2)
    assert [(one.id, one.verdict) for one in findings] == [(name, CheckVerdict.PASS) for name in ABOUT_RULES], findings


def test_a_forgotten_rule_is_named(tmp_path: Path) -> None:
    """An engine of ataxx without jumps is told so, by the clause about other games."""
    (tmp_path / "forgetful.py").write_text(FORGETFUL)
    box = SandboxPolicy(Level.NONE, environment={"PYTHONPATH": str(ROOT)})
    (finding,) = found(Command((sys.executable, str(tmp_path / "forgetful.py")), box), "ataxx", ("F10",), 30)
    assert (finding.verdict, finding.clause) == (CheckVerdict.FAIL, "5.8") and finding.evidence is not None
    assert re.match(r"(....) is legal: \1 is among the legal moves \(5.8\)\.", finding.evidence.seen)
