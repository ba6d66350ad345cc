"""What a worker makes of a relay's end: who is charged with it."""

import sys
from pathlib import Path

import pytest

from arena.play.engine_pool import EnginePool
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.play.referee import MoveLog
from arena.play.snapshots import Finished
from arena.play.worker import RunningGame
from arena.timing.lost_line import KILLED, LINE_DOWN
from arena.timing.time_control import fixed
from protocol.containment.policy import Level, SandboxPolicy
from results.record import Termination, faulty

pytestmark = pytest.mark.timeout(180)
GUEST = f"""
import os, sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word in ("ugi", "isready"):
        os.write(1, {{"ugi": b"ugiok\\n", "isready": b"readyok\\n"}}[word])
    if word == "position":
        os.write(2, b"{LINE_DOWN}\\n" if sys.argv[1] == "down" else b"")
    if word == "go" and sys.argv[1] == "down":
        time.sleep(60)
    if word == "go" and sys.argv[1] in ("relay killed", "engine killed"):
        os.write(2, b"{KILLED}\\n" if sys.argv[1] == "engine killed" else b"")
        os.kill(os.getpid(), 9)
    if word == sys.argv[1]:
        sys.exit(75)
"""
GOOD = """
import os, sys
for line in sys.stdin:
    word = line.split()[0]
    if word in ("ugi", "isready"):
        os.write(1, {"ugi": b"ugiok\\n", "isready": b"readyok\\n"}[word])
"""


def play(folder: Path, how: str, *, remote: bool) -> Finished:
    specs = {}
    for name, text in (("guest", GUEST), ("local", GOOD)):
        (folder / f"{name}.py").write_text(text)
        command = (sys.executable, "-I", "-S", str(folder / f"{name}.py"), how)
        specs[name] = EngineSpec(
            name, command, sandbox=SandboxPolicy(Level.NONE), remote=remote and name == "guest", restart=True
        )
    terms = Terms(fixed("movetime", 20 if how == "down" else 30_000), margin_ms=50)
    job = GameJob("r-1", 1, 1, "callanish-5", None, 0, "", "guest", "local", 1, terms)
    pool, log = EnginePool(specs), MoveLog()
    try:
        return RunningGame(job).play(pool, log)
    finally:
        pool.kill()


def test_a_game_whose_guest_is_not_there_is_void_and_charged_to_nobody(tmp_path: Path) -> None:
    """Status 75 of a relay. The same status of a local engine is a crash: nobody gets out of a game by that."""
    for when in ("ugi", "uginewgame", "go"):
        void = play(tmp_path, when, remote=True)
        assert (void.record.termination, void.record.winner, void.faulty) == (Termination.UNFINISHED, None, None)
    crash = play(tmp_path, "go", remote=False)
    assert (crash.record.termination, crash.faulty) == (Termination.CRASH, "guest")


def test_a_loss_on_time_while_the_line_was_down_is_lost_but_no_reason_to_withdraw(tmp_path: Path) -> None:
    """The record says so; a local engine cannot say it of itself."""
    down = play(tmp_path, "down", remote=True)
    assert (down.record.termination, down.record.winner, down.faulty) == (Termination.TIME, "p2", None)
    assert faulty(down.record) is None and "the line to the engine was down" in down.record.detail
    late = play(tmp_path, "down", remote=False)
    assert late.faulty == "guest" and faulty(late.record) == "guest"


def test_a_relay_that_is_killed_is_no_crash_of_its_guest(tmp_path: Path) -> None:
    """One that ends by the signal that ended the engine says so before. A local engine that is killed has crashed."""
    void = play(tmp_path, "relay killed", remote=True)
    assert (void.record.termination, void.record.winner, void.faulty) == (Termination.UNFINISHED, None, None)
    for how, remote in (("engine killed", True), ("relay killed", False)):
        crash = play(tmp_path, how, remote=remote)
        assert (crash.record.termination, crash.faulty) == (Termination.CRASH, "guest")
