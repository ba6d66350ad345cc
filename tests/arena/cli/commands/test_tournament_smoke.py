"""What a tournament asks its engines before the first game."""

import json
import sys
import threading
from pathlib import Path

import pytest

from arena.conformance import smoke
from arena.planning.containment import Containment
from arena.play.jobs import EngineSpec
from protocol.containment.policy import Level
from tests.arena.cli.conftest import ENGINE_IN_C, Arena
from tests.arena.conftest import cup


@pytest.mark.long
def test_an_engine_that_cannot_be_refereed_is_kept_out_and_told_why(arena: Arena, quick: None) -> None:
    """The run does not begin; the sentence names the engine, what failed and the command that shows it again.

    Those who ask for it go on without the engine, and the exit code says that games are lacking.
    """
    command = [sys.executable, "-m", "tests.zoo", "--fault", "illegal-move", "--at", "first"]
    engines = ("random", "greedy", f'name = "odd"\ncommand = {json.dumps(command)}')
    Path("cup.toml").write_text(cup(*engines, name="cup", variants=["callanish-7"], nodes=20, max_plies=30, seed=1))
    refused = arena("tournament", "cup.toml")
    assert (refused.exit_code, refused.stdout, list(Path().iterdir())) == (3, "", [Path("cup.toml")]), refused.stderr
    told = refused.stderr.splitlines()[-1]
    assert "'odd'" in told and "E1" in told and "arena check" in told and "--only" in told
    assert told.endswith("--without-broken plays without it")
    done = arena("tournament", "cup.toml", "--without-broken")
    assert done.exit_code == 4, done.stderr
    assert "4 of 6 scheduled games were not played" in done.stdout
    assert done.stderr.splitlines()[-1] == "arena: 4 games not played, because an engine was withdrawn"


@pytest.mark.long
def test_a_lesser_fault_is_told_and_keeps_nobody_out() -> None:
    """A doubt that names the check, and nothing against its taking part; an engine without faults has neither."""
    odd = EngineSpec("odd", (sys.executable, "-m", "tests.zoo", "--fault", "needs-isready"))
    good = EngineSpec("good", (str(ENGINE_IN_C),) if ENGINE_IN_C.exists() else (sys.executable, "-m", "tests.zoo"))
    found = smoke.check_engines(Containment(Level.BASIC).apply([odd, good]), "callanish-7", print)
    assert not found["good"].doubt and not found["good"].unfit
    assert "'odd' fails A10" in found["odd"].doubt
    assert not found["odd"].unfit


def test_whoever_waits_for_a_slow_engine_is_told_for_which(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that hangs takes the whole deadline of each check, and nothing else is printed meanwhile."""
    said = threading.Event()
    told: list[str] = []

    def answers(*_: object) -> list[object]:
        assert said.wait(20)
        return []

    def report(sentence: str) -> None:
        told.append(sentence)
        said.set()

    monkeypatch.setattr(smoke, "SLOW_S", 0.0)
    monkeypatch.setattr("arena.conformance.runner.run", answers)
    slow = EngineSpec("slow", ("never-started",))
    assert smoke.check_engines(Containment(Level.NONE).apply([slow]), "callanish-7", report)["slow"] == smoke.Fitness()
    assert told == ["still checking slow: it is slow to answer, or does not; the checks fail if it needs 120 s more"]


@pytest.mark.timeout(60)
def test_an_engine_that_hangs_fails_after_the_time_that_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its checks would wait longer; the engine is ended, and the sentence says how long it had."""
    monkeypatch.setattr(smoke, "LONGEST_S", 0.05)
    mute = EngineSpec("mute", (sys.executable, "-c", "import sys; sys.stdin.read()"))
    found = smoke.check_engines(Containment(Level.NONE).apply([mute]), "callanish-7", lambda sentence: None)
    assert "engine 'mute' was not done with the first checks after 0 s" in found["mute"].unfit


def test_ctrl_c_before_the_first_game_is_answered(
    arena: Arena, quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the smoke checks, which take seconds: one sentence, exit code 130, and no database."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.conformance.smoke.check_engines", interrupted)
    Path("cup.toml").write_text(cup("random", "greedy", nodes=5))
    done = arena("tournament", "cup.toml", "--contain", "none")
    assert done.exit_code == 130
    assert done.stderr.splitlines()[-1] == "interrupted before the first game: nothing was played, nothing is kept"
    assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"]
