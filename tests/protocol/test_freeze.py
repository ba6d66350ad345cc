"""Stopping idle engines, with real processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from protocol.containment.watchdog import WATCH_MS, Watchdog
from protocol.freeze import Freezer

from protocol.containment.policy import Level, SandboxPolicy
from protocol.process import Command, EngineProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads states in /proc")

MS = 1_000_000
ECHO = "import os, sys\nos.fork()\nfor line in sys.stdin: os.write(1, line.encode())\n"
ONE = ECHO.replace("os.fork()\n", "")


@pytest.fixture
def engine() -> Iterator[EngineProcess]:
    with EngineProcess.spawn(Command((sys.executable, "-I", "-S", "-c", ONE))) as process:
        yield process


def state(pid: int) -> str:
    """The letter of a process's state, X for gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def comes(true: Callable[[], bool]) -> bool:
    """True if the condition holds soon. Signals take a moment."""
    deadline = time.monotonic() + 20
    while not true():
        if time.monotonic() > deadline:
            return False
        os.sched_yield()
    return True


def echo(engine: EngineProcess) -> bytes:
    deadline_ns = time.monotonic_ns() + 20_000 * MS
    engine.send(b"go\n", deadline_ns)
    return engine.receive(deadline_ns)


def test_a_frozen_engine_stands_still_and_a_thawed_one_goes_on(engine: EngineProcess) -> None:
    """A stopped engine answers later what it was sent meanwhile. A second `freeze` or `thaw` does nothing."""
    freezer = Freezer(engine.sandbox)
    assert echo(engine) == b"go"
    for _ in range(2):
        freezer.freeze()
    assert comes(lambda: state(engine.pid) == "T")
    for _ in range(2):
        freezer.thaw()
    assert echo(engine) == b"go"
    freezer.close()
    freezer.close()
    assert engine.close().status == 0


def test_closing_leaves_the_engine_alive_and_no_guard(engine: EngineProcess) -> None:
    """A stopped engine can quit like any other."""
    before = len(os.listdir("/proc/self/fd"))
    freezer = Freezer(engine.sandbox)
    freezer.freeze()
    freezer.close()
    assert echo(engine) == b"go"
    assert len(os.listdir("/proc/self/fd")) == before
    assert engine.close().status == 0


def test_a_frozen_engine_can_be_killed(engine: EngineProcess) -> None:
    """No stopped process is left, even without a `thaw`."""
    freezer = Freezer(engine.sandbox)
    freezer.freeze()
    assert comes(lambda: state(engine.pid) == "T")
    engine.kill()
    assert state(engine.pid) == "X"
    freezer.close()


BURNS = """
import ctypes, os, platform, sys, threading
if os.fork() == 0:
    os.setsid()
    def burn():
        while True: pass
    thread = threading.Thread(target=burn)
    thread.start()
    os.write(1, b'%d\\n' % thread.native_id)
    ctypes.CDLL(None).syscall({'x86_64': 60, 'aarch64': 93}[platform.machine()], 0)
for line in sys.stdin: os.write(1, line.encode())
"""


def test_what_left_the_group_stands_still_too() -> None:
    """A process in a session of its own, whose first thread has ended, is stopped, thawed, and stopped again."""
    watchdog = Watchdog()
    command = Command((sys.executable, "-I", "-S", "-c", BURNS), SandboxPolicy(Level.BASIC))
    with EngineProcess.spawn(command, watchdog) as engine:
        burning = int(engine.receive(time.monotonic_ns() + 20_000 * MS))
        freezer = Freezer(engine.sandbox)
        freezer.freeze()
        # Later than any look so far, so that this one is not left out.
        now_ns = time.monotonic_ns() + 1_000 * MS
        watchdog.tick(now_ns)
        assert comes(lambda: state(burning) == "T")
        freezer.thaw()
        assert state(burning) != "T" and echo(engine) == b"go"
        freezer.freeze()
        assert comes(lambda: state(burning) == "T" and state(engine.pid) == "T")
        # It may not be woken by one of its own kind either.
        os.kill(burning, signal.SIGCONT)
        watchdog.tick(now_ns + 2 * WATCH_MS * MS)
        assert comes(lambda: state(burning) == "T")
        freezer.close()
        assert echo(engine) == b"go"


@pytest.mark.parametrize(("level", "program"), [(Level.NONE, ECHO), (Level.BASIC, BURNS)])
def test_a_referee_that_is_killed_leaves_no_stopped_engine(level: Level, program: str) -> None:
    """The guard ends the engine and what left it: a stopped process cannot notice that its stdin was closed."""
    code = (
        "import sys, time\n"
        "from protocol.containment.policy import Level, SandboxPolicy\n"
        "from protocol.freeze import Freezer\n"
        "from protocol.containment.watchdog import Watchdog\n"
        "from protocol.process import Command, EngineProcess\n"
        f"command = Command((sys.executable, '-I', '-S', '-c', {program!r}), SandboxPolicy(Level({str(level)!r})))\n"
        "watchdog = Watchdog()\n"
        "engine = EngineProcess.spawn(command, watchdog)\n"
        "freezer = Freezer(engine.sandbox)\n"
        "engine.send(b'go\\n', time.monotonic_ns() + 20 * 10**9)\n"
        "said = engine.receive(time.monotonic_ns() + 20 * 10**9)\n"
        "freezer.freeze()\n"
        "watchdog.tick(time.monotonic_ns() + 10**9)\n"
        "print(said.decode() if said.isdigit() else engine.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as referee:
        assert referee.stdout is not None
        pid = int(referee.stdout.readline())
        try:
            assert comes(lambda: state(pid) == "T")
        finally:
            referee.send_signal(signal.SIGKILL)
    assert comes(lambda: state(pid) in "XZ")
