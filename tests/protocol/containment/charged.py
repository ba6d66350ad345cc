"""One engine that lets helpers compute for it: what a move used, what it took and what it is charged, in ms, as JSON.

A program of its own, so that an ordinary user can run it, too. On the command line: the level, how the helpers end, how
many there are at a time, how long each of them computes in ms, how many of our CPUs it may use, busy processes beside.
"""

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from protocol.run_delay import EngineTasks, OwnThread

from protocol.containment.policy import Caps, Level, SandboxPolicy
from protocol.process import Command, EngineProcess
from protocol.stopwatch import Stopwatch

MS = 1_000_000
MOVES = 2
CAPS = Caps(processes=None, disk_mb=None)
LEAST_MS = 120
"""What the helpers of a move use together, at least."""

ENGINE = """
import ctypes, mmap, os, signal, struct, sys, threading, time
EXIT = {"x86_64": 60, "aarch64": 93}
END, HELPERS, LIFE_MS, ROUNDS = sys.argv[1], *map(int, sys.argv[2:])
used_s = mmap.mmap(-1, 8 * max(1, HELPERS * ROUNDS))

def compute():
    end = time.process_time() + LIFE_MS / 1000
    while time.process_time() < end: pass

def life(number):
    compute()
    struct.pack_into("d", used_s, 8 * number, time.process_time())
    os._exit(0)

def helper(number):
    if pid := os.fork():
        return pid
    if END == "orphans":
        os.setsid()
        if os.fork(): os._exit(0)
    if END == "without a first thread":
        threading.Thread(target=life, args=(number,)).start()
        ctypes.CDLL(None).syscall(EXIT[os.uname().machine], 0)
    life(number)

class Action(ctypes.Structure):
    _fields_ = [("handler", ctypes.c_void_p), ("mask", ctypes.c_ulong * 16), ("flags", ctypes.c_int)]

if END == "ignored":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if END == "not waited for":
    ctypes.CDLL(None).sigaction(signal.SIGCHLD, ctypes.byref(Action(flags=2)), None)
for line in sys.stdin:
    before_s = time.process_time()
    used_s[:] = bytes(len(used_s))
    for first in range(0, HELPERS * ROUNDS, HELPERS or 1):
        pids = [helper(first + number) for number in range(HELPERS)]
        if END in ("waited for", "orphans", "without a first thread"):
            for pid in pids: os.waitpid(pid, 0)
        while any(used_s[8 * (first + number):][:8] == bytes(8) for number in range(HELPERS)): os.sched_yield()
    if not HELPERS: compute()
    own_s = time.process_time() - before_s
    print(1000 * (own_s + sum(struct.unpack(f"{len(used_s) // 8}d", used_s))), flush=True)
"""


@contextlib.contextmanager
def busy(count: int) -> Iterator[None]:
    """So many processes that only compute."""
    pids = []
    try:
        for _ in range(count):
            pid = os.fork()
            if not pid:
                signal.alarm(60)
                while True:
                    pass
            pids.append(pid)
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def figures(
    level: Level, end: str, helpers: int, life_ms: int, cpus: int, beside: int
) -> list[tuple[float, float, float]]:
    """What the moves used, took and were charged. A first one is not counted, in which the interpreter warms up."""
    usable = sorted(os.sched_getaffinity(0))[:cpus]
    os.sched_setaffinity(0, usable)
    rounds = max(1, -(-LEAST_MS // (helpers * life_ms))) if helpers else 0
    argv = (sys.executable, "-I", "-S", "-c", ENGINE, end, str(helpers), str(life_ms), str(rounds))
    found = []
    with (
        busy(beside),
        EngineProcess.spawn(Command(argv, SandboxPolicy(level, CAPS))) as engine,
        contextlib.closing(EngineTasks(engine.cpu_pid, len(usable), source=engine.sandbox)) as tasks,
        contextlib.closing(OwnThread()) as own,
    ):
        engine.before_wait = tasks.look
        for _ in range(1 + MOVES):
            watch = Stopwatch("fair", tasks, own)
            start_ns = time.monotonic_ns()
            watch.begin(start_ns, 1_000 * MS)
            engine.send(b"go\n", start_ns + 30_000 * MS)
            used_ms = float(engine.receive(start_ns + 30_000 * MS))
            wall_ns, charged_ns, _, _ = watch.stop(time.monotonic_ns() - start_ns)
            found.append((used_ms, wall_ns / MS, charged_ns / MS))
    return found[1:]


if __name__ == "__main__":
    _, level, end, *numbers = sys.argv
    print(json.dumps(figures(Level(level), end, *map(int, numbers))))
