"""The kernel's counter of an engine's CPU time: whatever it starts is charged, and an honest engine pays no more."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from protocol.run_delay import EngineTasks, OwnThread

from protocol import cpu_counter
from protocol.containment import bubblewrap
from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command, EngineProcess
from protocol.stopwatch import Stopwatch
from tests.protocol.containment.referees import Referee

MS = 1_000_000
CHARGED = Path(__file__).parent / "charged.py"
ENDS = ("ignored", "not waited for", "waited for", "orphans", "without a first thread")

pytestmark = pytest.mark.skipif(not cpu_counter.available(), reason="this kernel gives no counters")


def figures(referee: Referee, level: Level, *how: object) -> list[tuple[float, float, float]]:
    """What the moves of an engine used, took and were charged, in ms."""
    if level is Level.STRICT and bubblewrap.program() is None:
        pytest.skip("bubblewrap is not installed")
    command = [*referee.prefix, str(CHARGED), level, *map(str, how)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd="/")
    assert ran.returncode == 0, ran.stderr
    found: list[tuple[float, float, float]] = json.loads(ran.stdout)
    return found


def stolen_ms() -> int:
    """What the host of a virtual machine has taken from its CPUs, in steps of 10 ms. The counter counts it, too."""
    return 10 * int(Path("/proc/stat").read_text(encoding="ascii").split()[8])


def check(referee: Referee, level: Level, end: str, helpers: int, life_ms: int, cpus: int, beside: int) -> None:
    """All of an engine's moves are charged what they used, up to what they took; without helpers, just that."""
    before_ms = stolen_ms()
    found = figures(referee, level, end, helpers, life_ms, cpus, beside)
    taken_ms = stolen_ms() - before_ms + 10
    for used_ms, took_ms, charged_ms in found:
        assert charged_ms >= 0.95 * min(used_ms, took_ms), (used_ms, took_ms, charged_ms)
        assert helpers or 0.98 * used_ms <= charged_ms <= 1.02 * used_ms + taken_ms, (used_ms, took_ms, charged_ms)


def test_short_helpers_that_nobody_waits_for_are_charged(referee: Referee) -> None:
    """Six at a time for 20 ms each, on the CPU of their parent, which ignores SIGCHLD."""
    check(referee, Level.BASIC, "ignored", 6, 20, 1, 0)


HEADLESS = """
import ctypes, os, sys, threading, time
engine = os.getpid()

def burn():
    end = time.monotonic() + 20
    try:
        while time.monotonic() < end: os.kill(engine, 0)
    finally:
        os._exit(0)

for line in sys.stdin:
    print("done", flush=True)
    for _ in range(6):
        if os.fork(): continue
        os.setsid()
        if os.fork(): os._exit(0)
        threading.Thread(target=burn).start()
        ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
"""


def test_it_is_known_who_took_the_cpu() -> None:
    """Helpers that left their engine and have ended their first thread are seen, even in `none`.

    Else an engine could void a game that it is losing: its opponent gets too little CPU to be judged.
    """
    command = Command((sys.executable, "-I", "-S", "-c", HEADLESS), SandboxPolicy(Level.NONE))
    with (
        EngineProcess.spawn(command) as engine,
        contextlib.closing(EngineTasks(engine.cpu_pid, 1, source=engine.sandbox)) as tasks,
        contextlib.closing(OwnThread()) as own,
    ):
        watch = Stopwatch("fair", tasks, own)
        start_ns = time.monotonic_ns()
        watch.begin(start_ns, 1_000 * MS)
        engine.send(b"go\n", start_ns + 10_000 * MS)
        engine.receive(start_ns + 10_000 * MS)
        watch.stop(time.monotonic_ns() - start_ns)
        while watch.held_the_cpu(400 * MS) is None:
            assert time.monotonic_ns() < start_ns + 10_000 * MS


@pytest.mark.long
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(("helpers", "life_ms", "cpus"), [(3, 5, 1), (6, 20, 1), (3, 400, 2), (60, 5, 2)])
def test_helpers_of_all_kinds_are_charged(
    referee: Referee, level: Level, helpers: int, life_ms: int, cpus: int, end: str
) -> None:
    """However they end, however long they live, on one CPU or several, and beside a busy process."""
    check(referee, level, end, helpers, life_ms, cpus, 1)


@pytest.mark.long
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("beside", [0, 2, 4])
def test_a_single_thread_is_charged_what_it_uses(referee: Referee, level: Level, beside: int) -> None:
    """On a busy machine, too."""
    check(referee, level, "none", 0, 200, 2, beside)


@pytest.mark.parametrize("runs", [False, True])
def test_an_engine_ends_if_the_worker_is_told_to_end_while_it_starts(
    runs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stopped at this moment, until its counter has been opened, or has just been let go."""
    started: list[int] = []
    opened_at_stop = cpu_counter.opened_at_stop

    def interrupted(pid: int) -> int:
        started.append(pid)
        if runs:
            os.close(opened_at_stop(pid))
        raise KeyboardInterrupt

    monkeypatch.setattr(cpu_counter, "opened_at_stop", interrupted)
    with pytest.raises(KeyboardInterrupt):
        EngineProcess.spawn(Command(("/bin/cat",), SandboxPolicy(Level.BASIC)))
    assert started and not Path(f"/proc/{started[0]}").exists()
