"""The clock on a machine that has too much to do: real engines, two games at a time, busy processes beside them."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.run.schedule import RunSetting, Start
from arena.run.slots import LocalSlots
from arena.timing.time_control import parse
from protocol.containment.policy import Level, SandboxPolicy
from results.record import GameRecord, Termination
from tests.arena.run.playing import Listed, play, round_robin

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(1_800),
    pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="this system tells no run delays"),
]
ZOO = (sys.executable, "-P", "-m", "tests.zoo", "--fault", "burns-cpu", "--cpu")
READS = (str(Path(__file__).parents[3]), sys.prefix, sys.base_prefix)
HOGS = 4


@contextlib.contextmanager
def hogs() -> Iterator[None]:
    """Processes that do nothing but compute."""
    running = [subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) for _ in range(HOGS)]
    try:
        yield
    finally:
        for hog in running:
            hog.kill()
            hog.wait()


def played(games: int, other_cpu_ms: int = 20) -> list[GameRecord]:
    """Games of two engines that use 20 ms of CPU a move, the second one as said, two at a time."""
    specs = {
        "steady": EngineSpec("steady", (*ZOO, "20"), sandbox=SandboxPolicy(Level.NONE)),
        "other": EngineSpec("other", (*ZOO, str(other_cpu_ms)), sandbox=SandboxPolicy(Level.NONE)),
    }
    records: list[GameRecord] = []
    starts = (Start("sea-battle-9"),)
    setting = RunSetting("run", tuple(specs), starts, 2, 5, Terms(parse("1+0.05")))
    with hogs():
        play(round_robin(setting, games), LocalSlots(2), specs, records.extend, fault_budget=0)
    assert len(records) == games
    return records


def test_nobody_loses_for_what_the_machine_did() -> None:
    """200 games in which nobody ever uses half of its time, and the machine takes more than that."""
    records = played(200)
    assert Termination.TIME not in {record.termination for record in records}
    assert all(record.measured and record.flagged for record in records)


def test_an_engine_that_really_overuses_loses_every_time() -> None:
    """400 ms of CPU a move on the same clock: 20 losses in 20 games, and they are its own."""
    for record in played(20, 400):
        assert record.termination == Termination.TIME and not record.machine
        assert (record.p1 if record.winner == "p2" else record.p2) == "other"


def test_an_engine_that_starves_its_opponent_cannot_void_the_game() -> None:
    """On one CPU, 60 processes compute while the opponent is to move: twice, and their engine has lost."""
    box = SandboxPolicy(Level.BASIC, reads=READS)
    command = (sys.executable, "-P", "-m", "tests.zoo")
    specs = {
        "starving": EngineSpec("starving", (*command, "--fault", "starves-opponent", "--limit", "60"), sandbox=box),
        "starved": EngineSpec("starved", (*command, "--fault", "burns-cpu", "--cpu", "430"), sandbox=box),
    }
    records: list[GameRecord] = []
    jobs = [GameJob("starved-1", 1, 1, "scottish", None, 0, "", "starving", "starved", 1, Terms(parse("movetime=400")))]
    ours = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(ours)})
    try:
        play(Listed(jobs), LocalSlots(1), specs, records.extend, fault_budget=0)
    finally:
        os.sched_setaffinity(0, ours)
    (record,) = records
    assert (record.winner, record.termination) == ("p2", Termination.CRASH)
    assert "while its opponent waited" in record.detail
