"""`arena sprt`, as a user runs it."""

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.commands.playing.sprt import print_test
from arena.formats.registry import FormatConfig
from arena.openings.books import Start
from arena.planning.containment import Containment
from arena.planning.plan import Plan
from arena.planning.prepared_run import PreparedRun, RunOptions, RunOutcome
from arena.planning.sprt_summary import decision
from arena.play.jobs import EngineSpec, Terms
from arena.run.slots import LocalSlots
from arena.run.sprt import SprtState
from arena.timing.time_control import fixed
from protocol.containment.policy import Level
from results.ratings.sprt import Sprt, State
from results.record import Termination
from results.store.store import Store
from tests import plans
from tests.arena.cli.conftest import ENGINE_IN_C
from tests.command_line import arena
from tests.results import made

pytestmark = pytest.mark.usefixtures("quick_workers")
# Where it was built, the engine in C: it starts in a hundredth of the time.
QUICK = shlex.quote(str(ENGINE_IN_C)) if ENGINE_IN_C.exists() else "random"
GAME = ["--variant", "callanish-5", "--nodes", "5", "--seed", "4", "--openings", "2", "--concurrency", "2", "--no-pin"]
NAME = "Independent" if ENGINE_IN_C.exists() else "random"
TWO = (QUICK, f"{QUICK}:Seed=2")
SHORT = [*TWO, "--elo0", "-60", "--elo1", "90", "--alpha", "0.05", "--beta", "0.05", *GAME]
"""Decided by some dozens of pairs: by far more games than can end while a Ctrl-C after the third is heard."""


def run(*words: str | Path, **environment: str | None) -> tuple[int, str, str]:
    """The command with these arguments: exit code, stdout, stderr."""
    done = arena("sprt", *words, **environment)
    return done.exit_code, done.stdout, done.stderr


def test_a_test_that_may_not_go_on_is_undecided() -> None:
    """So many games and no more; the report says what there is."""
    code, out, _ = run(*TWO, "--elo0", "0", "--elo1", "5", "--games", "4", *GAME)
    assert (code, out.splitlines()[0]) == (
        0,
        f"undecided whether {NAME} is stronger than {NAME} Seed=2 by 5 nElo rather than by 0",
    )
    assert f"{NAME} in 2 pairs, by points: 0: " in out
    assert "accepted" not in out
    assert "bounds -2.94 and 2.94 (alpha 0.05, beta 0.05, normalized)" in out


def test_the_report_says_what_was_accepted_and_corrects_elo_for_stopping(tmp_path: Path) -> None:
    """In its first sentence; as figures in JSON, behind all older keys."""
    code, out, _ = run(*SHORT, "--db", tmp_path / "test.db", "--json")
    told = json.loads(out)
    assert (code, list(told)[-3:]) == (0, ["withdrawn", "los", "elo_unbiased"])
    _, out, _ = run(*SHORT, "--db", tmp_path / "test.db")
    assert out.startswith(f"{told['state']} accepted: {NAME} is ")
    plain, unbiased = (told[key] for key in ("elo", "elo_unbiased"))
    assert abs(unbiased["value"]) < abs(plain["value"]) and unbiased["low"] < unbiased["value"] < unbiased["high"]
    shown = "{value:.1f} (95 %: {low:.1f} to {high:.1f})"
    assert f"Elo {shown.format(**plain)}, median-unbiased {shown.format(**unbiased)}\n" in out
    assert f", LOS {100 * told['los']:.1f} %\n" in out
    assert "scheduled" not in arena("standings", tmp_path / "test.db").stderr  # it is over, and lacks no game
    assert arena("verify", tmp_path / "test.db").exit_code == 0


def test_a_terminal_has_two_lines_that_fit_into_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the scores, without a third line; the last state stays when the test is over."""
    monkeypatch.setattr("arena.cli.run.progress.has_screen", lambda: True)
    _, _, err = run(*SHORT, FORCE_COLOR="1", NO_COLOR=None, COLUMNS="40")
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", err).replace("\r", "\n").splitlines()
    begins = max(number for number, line in enumerate(plain) if line.startswith("LLR "))
    ratio, strength, below = plain[begins : begins + 3]
    assert below.startswith("engine ")
    assert re.fullmatch(r"LLR \d\.\d\d \(-2\.94, 2\.94\)", ratio)
    assert re.fullmatch(r"Elo \+[\d.]+ \+- [\d.]+ \| LOS [\d.]+ %", strength) and len(strength) <= 40


def plan_of(test: Sprt) -> Plan:
    """A test of ann against bob."""
    ann, bob = (EngineSpec(name, ("true",)) for name in ("ann", "bob"))
    setting = (Start("callanish-5"),), 2, 1, Terms(fixed("nodes", 1)), FormatConfig(rounds=9)
    return replace(plans.plan("match", "ann tested against bob", (ann, bob), *setting), test=test)


def test_the_first_sentence_says_what_was_accepted_if_anything_was() -> None:
    """And what that means for both engines."""
    plan, none = plan_of(Sprt(0, 5)), ((0,) * 5, (0,) * 3, 0.0)
    states: tuple[State, ...] = ("H0", "H1", "running")
    assert [decision(plan, SprtState(*none, state)) for state in states] == [
        "H0 accepted: ann is stronger than bob by 0 nElo or less, not by 5",
        "H1 accepted: ann is stronger than bob, by 5 nElo rather than by 0",
        "undecided whether ann is stronger than bob by 5 nElo rather than by 0",
    ]


def test_a_game_that_never_has_a_result_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """All later pairs wait for it, so the test stops; one that was stopped once is nothing to say."""
    box = Containment(Level.NONE)
    plan = plan_of(Sprt(0, 5))
    with Store.in_memory() as store:
        run = PreparedRun(plan, store, RunOptions(box), LocalSlots(1), 0, {})
        lost = replace(made.GAME, winner=None, termination=Termination.UNFINISHED, detail="the machine was late")
        print_test(run, RunOutcome([lost]), False)
        out = capsys.readouterr().out
        assert "never had a result" not in out and out.count("unknown") == 1 and "\nElo, nElo and LOS: unknown\n" in out
        print_test(run, RunOutcome([lost], given_up={1: lost}), False)
        assert "stopped: game 1 never had a result (the machine was late)" in capsys.readouterr().out
