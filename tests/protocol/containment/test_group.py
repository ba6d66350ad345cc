"""The control groups of engines: they bound, freeze and end all processes, and go with their maker."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol.containment import group
from protocol.containment.group import Groups
from protocol.containment.policy import Caps, Level, SandboxPolicy
from protocol.cpu_meter import CpuMeter
from protocol.process import Command, EngineProcess
from protocol.transport import TransportClosed
from tests.protocol.containment.referees import STRICT_IS_ALIKE
from tests.protocol.test_process import alive

ROOT = Path(__file__).parents[3]
HEAD = "import ctypes, os, sys, time\nlibc = ctypes.CDLL(None)\nsay = lambda text: os.write(1, text + b'\\n')\n"
MS = 1_000_000


@pytest.fixture(scope="module")
def groups() -> Groups:
    """Our own groups, which keep all caps."""
    ours = group.groups()
    if ours is None or ours.caps != {"pids", "memory"}:
        pytest.skip("this user has no control groups with caps")
    return ours


@contextlib.contextmanager
def engine(code: str, level: Level = Level.BASIC, caps: Caps | None = None) -> Iterator[EngineProcess]:
    argv = (sys.executable, "-I", "-S", "-c", HEAD + code)
    with EngineProcess.spawn(Command(argv, SandboxPolicy(level, caps or Caps()))) as process:
        yield process


def soon() -> int:
    return time.monotonic_ns() + 20_000 * MS


def becomes(holds: Callable[[], bool]) -> bool:
    """True if it holds within 20 s."""
    end_ns = soon()
    while not holds():
        if time.monotonic_ns() > end_ns:
            return False
        time.sleep(0.001)
    return True


@STRICT_IS_ALIKE
@pytest.mark.usefixtures("groups")
def test_an_end_at_the_cap_is_said(level: Level) -> None:
    """Also where a helper was the one that the kernel ended, and the engine itself lived on."""
    takes = "held = b'x' * (200 << 20); say(b'got it')"
    helper = f"if os.fork() == 0:\n    {takes}\nos.wait()\nsay(b'helper gone')\nos._exit(0)"
    clause = "was ended: it used more memory than the 80 MB that it may have"
    for code in (takes, helper):
        with engine(code, level, Caps(memory_mb=80)) as greedy, pytest.raises(TransportClosed) as closed:
            while True:
                assert greedy.receive(soon()) == b"helper gone"
        assert str(closed.value) == clause


TIMERS = """
class Event(ctypes.Structure):
    _fields_ = [('value', ctypes.c_void_p), ('signal', ctypes.c_int), ('rest', ctypes.c_int * 13)]
for _ in range(64):
    timer = ctypes.c_void_p()
    assert libc.timer_create(1, ctypes.byref(Event(signal=18)), ctypes.byref(timer)) == 0
    assert libc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 1_000_000, 0, 1_000_000), None) == 0
say(b'up')
while True: pass
"""


@STRICT_IS_ALIKE
@pytest.mark.usefixtures("groups")
def test_a_frozen_engine_uses_no_cpu(level: Level) -> None:
    """Not even if timers of the kernel send it SIGCONT 64 000 times a second. It goes on when it is thawed."""
    with engine(TIMERS, level) as busy, contextlib.closing(CpuMeter(busy.box)) as meter:
        assert busy.receive(soon()) == b"up" and busy.box.group is not None
        events = Path(busy.box.group.folder, "cgroup.events")
        busy.box.group.freeze()
        assert becomes(lambda: "frozen 1" in events.read_text())
        before_ns = meter.cpu_ns() or 0
        time.sleep(0.05)
        frozen_ns = (meter.cpu_ns() or 0) - before_ns
        assert frozen_ns < 2 * MS
        busy.box.group.thaw()
        assert becomes(lambda: (meter.cpu_ns() or 0) - before_ns > 20 * MS)
        busy.box.group.freeze()
        began_ns = time.monotonic_ns()
        busy.kill()
        assert time.monotonic_ns() - began_ns < 5_000 * MS, "it can be killed while it is frozen"


def test_a_group_goes_with_its_engine(groups: Groups) -> None:
    """A thousand games leave no folder and no process behind; what comes too late to freeze or end it harms nobody."""
    with engine("if os.fork() == 0: os.setsid()\nsay(b'up'); time.sleep(60)") as process:
        for _ in range(2):
            assert process.receive(soon()) == b"up"
        ours = process.box.group
        assert ours is not None and len(ours.pids()) == 2
        process.kill()
        assert all(not list(Path(folder).glob("*/")) for folder in groups.folders.values())
        for late in (ours.freeze, ours.thaw, ours.kill, ours.remove):
            late()


ARENA = f"""
import os, subprocess, sys
sys.path.insert(0, {str(ROOT)!r})
from protocol.containment import group
from protocol.containment.policy import Caps
ours = group.groups()
made = ours.group(Caps())
child = subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)
made.enter(child.pid)
print(child.pid, *ours.folders.values(), flush=True)
sys.stdin.read()
"""


@pytest.mark.usefixtures("groups")
def test_the_engines_of_a_killed_arena_end(tmp_path: Path) -> None:
    """Without another start: who guards them notices. Their groups go, too."""
    with subprocess.Popen([sys.executable, "-c", ARENA], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as arena:
        assert arena.stdout is not None
        pid, *folders = arena.stdout.readline().decode().split()
        assert all(map(os.path.exists, folders))
        arena.kill()
    assert becomes(lambda: not alive(int(pid)))
    assert becomes(lambda: not any(map(os.path.exists, folders)))


ASKED_AT_ONCE = f"""
import sys, threading
sys.path.insert(0, {str(ROOT)!r})
from protocol.containment import group
sys.setswitchinterval(1e-6)
made, gate = [], threading.Barrier(8)
threads = [threading.Thread(target=lambda: (gate.wait(), made.append(group.groups()))) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(set(made)), None in made)
"""


@pytest.mark.usefixtures("groups")
def test_engines_that_are_started_at_once_all_get_a_group() -> None:
    """Several threads start the engines of an introduction."""
    done = subprocess.run([sys.executable, "-c", ASKED_AT_ONCE], capture_output=True, timeout=20, check=True)
    assert done.stdout.split() == [b"1", b"False"]


def test_what_nobody_guards_is_swept_by_the_next_start(groups: Groups) -> None:
    """Processes in the groups of an arena that is gone end; a living arena's stay, also if its name was used before."""
    gone = subprocess.Popen(["/bin/true"])
    gone.wait(10)
    left = [Path(folder).parent / f"callanish-{gone.pid}-1" for folder in groups.folders.values()]
    reused = [Path(folder).parent / f"callanish-{os.getppid()}-1" for folder in groups.folders.values()]
    with subprocess.Popen(["/bin/sleep", "60"]) as orphan:
        for folder in (*left, *reused):
            (folder / "7").mkdir(parents=True)
            if folder in left:
                (folder / "7" / "cgroup.procs").write_text(str(orphan.pid))
        subprocess.run([sys.executable, "-c", ARENA], stdin=subprocess.DEVNULL, timeout=20, check=True)
        assert orphan.wait(20) == -9
    assert not any(folder.exists() for folder in (*left, *reused))
    assert all(map(os.path.exists, groups.folders.values()))
