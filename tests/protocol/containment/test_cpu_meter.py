"""What the kernel says of an engine's CPU time, whatever the engine calls itself."""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.containment.policy import Level, SandboxPolicy
from protocol.cpu_meter import CpuMeter, own_wait_ns
from protocol.faults import Fault
from protocol.process import Command, EngineProcess
from protocol.session import Session
from protocol.stopwatch import Stopwatch
from tests.protocol.containment.referees import STRICT_IS_ALIKE

MS = 1_000_000
NAMED = """
import ctypes, mmap, os, sys, threading, time
libc = ctypes.CDLL(None)
NAMES = (b'\\rVmPTE: q', b'\\xff', b') R ', b'a\\nb', b'')
with open('a\\rb', 'w+b') as file:
    file.write(bytes(4096))
    file.flush()
    kept = mmap.mmap(file.fileno(), 4096)
os.unlink('a\\rb')
def sleep(name):
    libc.prctl(15, name)
    time.sleep(60)
for name in NAMES:
    if os.fork() == 0:
        sleep(name)
    threading.Thread(target=sleep, args=(name,), daemon=True).start()
for word in sys.stdin:
    if word.startswith('ugi\\n'):
        print('ugiok', flush=True)
    if word.startswith('isready'):
        print('readyok', flush=True)
    if word.startswith('go'):
        libc.prctl(15, NAMES[int(word.split()[1])])
        end = time.process_time() + 0.02
        while time.process_time() < end: pass
        print('bestmove a1', flush=True)
    if word.startswith('quit'):
        os._exit(0)
"""


def soon() -> int:
    return time.monotonic_ns() + 20_000 * MS


@contextlib.contextmanager
def engine(code: str, level: Level, directory: Path | None = None) -> Iterator[EngineProcess]:
    argv = (sys.executable, "-I", "-S", "-c", code)
    policy = SandboxPolicy(level, directory=None if directory is None else str(directory))
    with EngineProcess.spawn(Command(argv, policy)) as process:
        yield process


@STRICT_IS_ALIKE
@pytest.mark.usefixtures("grouping")
@pytest.mark.parametrize("walled", [True, pytest.param(False, marks=pytest.mark.long)])
def test_names_of_processes_harm_neither_the_clock_nor_a_game(level: Level, walled: bool, tmp_path: Path) -> None:
    """With carriage returns, odd bytes and what looks like a state in /proc, also in names of files."""
    level, place = (level, None) if walled else (Level.NONE, tmp_path)
    with engine(NAMED, level, place) as process, contextlib.closing(CpuMeter(process.box)) as meter:
        session = Session(process)
        session.handshake()
        watch = Stopwatch(meter, own_wait_ns, len(os.sched_getaffinity(0)))
        for number in range(5):
            session.prepare(b"position startpos", watch, 5_000 * MS)
            _, (_, charged_ns, cpu_ns, _) = session.search(b"go %d\n" % number, 5_000 * MS, Fault.TIME, watch)
            assert cpu_ns is not None and 19 * MS < cpu_ns and 19 * MS < charged_ns
            process.box.look(time.monotonic_ns() + number * 2_000 * MS)
        assert watch.measured and meter.timeslices() > 0
        assert rests(meter)
        assert session.quit() == (0, "exit status 0")
        assert meter.cpu_ns() is None


def rests(meter: CpuMeter) -> bool:
    """True if no thread wants a CPU within 20 s."""
    end_ns = soon()
    while meter.wants_cpu():
        if time.monotonic_ns() > end_ns:
            return False
    return True


WORKS = """
import os, sys, threading, time
def work():
    end = time.thread_time() + 0.05
    while time.thread_time() < end: pass
for line in sys.stdin:
    if 'thread' in line:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    elif os.fork() == 0:
        work()
        os._exit(0)
    else:
        os.wait()
    print('done', flush=True)
"""


@STRICT_IS_ALIKE
@pytest.mark.usefixtures("grouping")
def test_what_has_ended_counts(level: Level) -> None:
    """Threads always; processes where there is a control group. While nothing is to do, nothing wants a CPU."""
    with engine(WORKS, level) as process, contextlib.closing(CpuMeter(process.box)) as meter:
        for helper in ("thread", "process"):
            before_ns = meter.cpu_ns() or 0
            process.send(helper.encode() + b"\n", soon())
            assert process.receive(soon()) == b"done"
            used_ns = (meter.cpu_ns() or 0) - before_ns
            assert used_ns > 49 * MS or (helper == "process" and process.box.group is None)
        assert rests(meter)
