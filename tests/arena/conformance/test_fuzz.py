"""Check F10: random positions, the rule that is named, and the shrinking of a difference."""

import sys
from itertools import islice
from pathlib import Path

import pytest

from arena.conformance import runner
from arena.conformance.catalogue import CHECKS
from arena.conformance.check import CheckVerdict, Finding
from arena.conformance.context import CheckRun, CheckSettings
from arena.conformance.judge.named_rule import named_rule
from arena.conformance.judge.random_lines import random_lines
from arena.games.game import Game
from arena.games.line import played
from arena.games.random_line import RandomLine
from arena.games.rules import RulesError
from arena.games.tafl.random_lines import known_values
from arena.games.variants import find, kind_of, names, resolve
from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command

ROOT = Path(__file__).parents[3]

_ROW = "11/11/11/11/11/11/4k6/8a2/9ad/9ad/11"
_RING = "9/9/9/a8/2a6/1aka5/2a6/9/9"
_FORT = "11/a10/11/11/11/11/5d5/11/d10/6d4/4dk1d3"


def fuzzed(*arguments: str, seed: int = 1) -> Finding:
    """What F10 finds in the zoo with these arguments, in scottish."""
    box = SandboxPolicy(Level.NONE, environment={"PYTHONPATH": str(ROOT)})
    command = Command((sys.executable, "-P", "-m", "tests.zoo", *arguments), box)
    check_run = CheckRun(CheckSettings(command, {}, seed=seed), "scottish")
    checks = [check for check in CHECKS if check.id == "F10"]
    (done,) = runner.run(check_run, runner.tasks(checks, ("scottish",), "scottish"), 1)
    return done.finding


@pytest.mark.parametrize(
    "variant",
    [
        "callanish-7",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("scottish", "brandub-nielsen", "tawlbwrdd", "callanish", "copenhagen", "tablut-ashton")
        ),
    ],
)
def test_a_seed_makes_the_same_legal_cases_each_time(variant: str) -> None:
    """Every position and move is allowed, the rule options change, and another seed makes other cases."""
    known = [find(variant)]
    cases = list(islice(random_lines(variant, 7, known), 30))
    assert cases == list(islice(random_lines(variant, 7, known), 30))
    assert cases != list(islice(random_lines(variant, 8, known), 30))
    assert len({case.variant for case in cases}) > 2 and len({case.theme for case in cases}) >= 5
    ends = set()
    for case in cases:
        game = Game(*resolve(case.variant, "", case.fen))
        for word in case.moves:
            game.play(word)
        ends.add(game.outcome and game.outcome.reason)
    assert len(ends) >= 3
    assert any(len(case.fen.split()) == 2 for case in cases), "some have no turn number"
    assert {case.variant for case in islice(random_lines(variant, 7, []), 20)} == {variant}


def test_a_game_that_makes_no_line_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check says so and does not wait for ever."""

    def refuse(*_: object) -> RandomLine:
        raise RulesError("no such board")

    monkeypatch.setattr(type(kind_of(find("callanish-5"))), "random_line", refuse)
    assert list(random_lines("callanish-5", 1, [])) == []


def test_an_engine_of_version_1_1_hears_of_nothing_newer() -> None:
    """Only an announced variant with a value of 1.2 brings the values of 1.2."""
    announced = [find(name) for name in ("scottish", "brandub-nielsen", "callanish-7")]
    older, newer = known_values(announced), known_values([find("scottish"), find("fetlar")])
    assert "fort" in newer and "all-sides" in newer["king_captured_by"]
    assert "fort" not in older and older["king_captured_by"] == ["two", "four", "four-three-two"]
    for case in islice(random_lines("scottish", 1, announced), 30):
        pairs = [pair.split("=") for pair in case.variant.partition(":")[2].split(",") if pair]
        assert all(name in older and (name.endswith("_steps") or value in older[name]) for name, value in pairs)


def test_the_rule_behind_a_difference_is_named() -> None:
    """An author reads the clause and a sentence about this position before any figure."""
    for variant, fen, moves, query, said, clause, part in (
        ("brandub", "5k1/7/6a/7/7/7/7 p2 1", "f7g7", "result", "none", "A.13", "square of escape"),
        ("brandub", "5k1/4a2/7/7/7/7/7 p1 1", "e6e7", "result", "none", "A.10", "against a hostile corner"),
        ("brandub", "7/7/2aka2/3a3/7/7/7 p1 1", "d4d3", "result", "p1win", "A.12", "not captured"),
        ("callanish-7", "wwww3/7/7/7/7/7/b6 p1 1", "", "result", "none", "A.7", "holds a line"),
        ("callanish-7:supply=2", "w6/7/2w4/7/7/7/b6 p1 1", "", "result", "none", "A.4", "supply=2"),
        ("scottish", "7/7/3k3/7/7/3a3/7 p1 1", "", "legalmoves", "1 d2d5", "A.9", "over empty squares"),
        ("scottish-king2", "7/7/3k3/7/7/a6/7 p2 1", "", "bestmove", "d5d2", "A.11", "king_steps=2"),
        ("callanish-7", "w6/7/2B4/7/7/7/b6 p1 1", "", "bestmove", "c5d7e6", "A.4", "exposed stone"),
        ("scottish", "7/3k3/7/ad5/7/7/2a4 p1 5", "c1c4", "fen", "7/3k3/7/ada4/7/7/7 p2 5", "A.10", "taken between c4"),
        ("tablut-ashton", "9/9/9/9/9/9/3k5/9/8a p2 1", "", "bestmove", "d3d1", "A.17", "d1 is in a camp"),
        ("copenhagen", f"{_ROW} p1 1", "i4k4", "fen", f"{_ROW.replace('8a2', '10a')} p2 1", "A.18", "in a row on the"),
        ("tablut-saami", f"{_RING} p1 1", "a6b6", "result", "none", "A.19", "can be reached from the edge"),
        ("tablut-saami", "9/9/9/a8/9/2k6/9/9/9 p1 1", "a6a7", "result", "p1win", "A.19", "the game goes on"),
        ("copenhagen", f"{_FORT} p2 1", "a3b3", "result", "p2win", "A.20", "in no fort"),
        ("copenhagen", f"{_FORT} p2 1", "f5f2", "result", "none", "A.20", "no attacker can break"),
        ("scottish", "7/7/3k3/7/7/3a3/7 p1 1", "d2e2", "fen", "7/7/3k3/7/7/4a2/7 p2 2", "5.6", "turn number"),
    ):
        rule = named_rule(played(variant, fen, tuple(moves.split())), query, said)
        assert (rule.clause, part in rule.text) == (clause, True), rule


def test_a_difference_is_shrunk_and_told_with_its_rule() -> None:
    """Who counts boards instead of positions is shown twelve moves of few pieces, and A.13."""
    # With seed 1 the first difference is in small circles. In a wide one twelve moves are too few.
    found = fuzzed("--fault", "mixes-up-sides", seed=1)
    assert found.verdict is CheckVerdict.FAIL and found.clause == "A.13"
    assert found.evidence is not None
    seen = found.evidence.seen
    assert seen.startswith("the same board with the other side to move is another position (A.13).")
    assert len(seen.partition(" moves ")[2].partition(" (seed")[0].split()) <= 12
    assert sum(letter in "adk" for letter in seen.partition("fen ")[2].split()[0]) <= 5


FORGETFUL = """
from arena.games import game_words
from engines.common import RulesEngine
from protocol.engine import run

class Forgetful(RulesEngine):
    variants = ("brandub",)

    def query(self, root, words):
        if words != ("legalmoves",):
            return super().query(root, words)
        game = self.line(root).game
        moves = [move.text for move in game.position.moves()] if game.outcome is None else []
        return " ".join([str(len(moves)), *moves])

run(Forgetful())
"""


@pytest.mark.long
def test_an_engine_that_lets_p2_repeat_a_board_is_told_so(tmp_path: Path) -> None:
    """It is asked for the value since a variant with it is checked; others never hear of it."""
    (tmp_path / "forgetful.py").write_text(FORGETFUL)
    box = SandboxPolicy(Level.NONE, environment={"PYTHONPATH": str(ROOT)})
    variant = "brandub:repetition=forbidden-p2"
    check_run = CheckRun(
        CheckSettings(Command((sys.executable, str(tmp_path / "forgetful.py")), box), {}, fuzz_s=60), variant
    )
    checks = [check for check in CHECKS if check.id == "F10"]
    (done,) = runner.run(check_run, runner.tasks(checks, (variant,), variant), 1)
    finding = done.finding
    assert (finding.verdict, finding.clause) == (CheckVerdict.FAIL, "A.22") and finding.evidence is not None
    assert "the board has been so before" in finding.evidence.seen
    assert "forbidden-p2" not in known_values([find(name) for name in names()])["repetition"]


@pytest.mark.long
def test_a_correct_engine_has_the_same_rules() -> None:
    """The dose of a full check finds nothing in an engine whose rules are right."""
    found = fuzzed()
    assert found.verdict is CheckVerdict.PASS and "seed 1" in found.measured
