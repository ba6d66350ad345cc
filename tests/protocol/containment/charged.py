"""An engine whose moves take CPU time in several ways, and what it is charged for each of them."""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

from protocol.containment.policy import NO_CAPS, Level, SandboxPolicy
from protocol.cpu_meter import CpuMeter, own_wait_ns
from protocol.process import Command, EngineProcess
from protocol.stopwatch import Stopwatch
from tests.running import running

MS = 1_000_000
LEAST_MS = 60
"""What the helpers of a move use together, at least."""
HELPERS = ("ignored", "orphans")
"""How an engine's helpers end."""

ENGINE = """
import hashlib, mmap, os, signal, struct, sys, threading, time
KIND, HELPERS, LIFE_MS, ROUNDS = sys.argv[1], *map(int, sys.argv[2:])
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
    if KIND == "orphans":
        os.setsid()
        if os.fork(): os._exit(0)
    life(number)

def hash_until(end):
    while time.monotonic() < end: hashlib.sha256(bytes(100_000))

if KIND == "ignored":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    before_s = time.process_time()
    used_s[:] = bytes(len(used_s))
    if KIND == "one thread":
        compute()
    elif KIND == "threads":
        end = time.monotonic() + LIFE_MS / 1000
        threads = [threading.Thread(target=hash_until, args=(end,)) for _ in range(HELPERS)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
    else:
        for first in range(0, HELPERS * ROUNDS, HELPERS):
            pids = [helper(first + number) for number in range(HELPERS)]
            if KIND == "orphans":
                for pid in pids: os.waitpid(pid, 0)
            while any(used_s[8 * (first + number):][:8] == bytes(8) for number in range(HELPERS)): os.sched_yield()
    own_s = time.process_time() - before_s
    print(1000 * (own_s + sum(struct.unpack(f"{len(used_s) // 8}d", used_s))), flush=True)
"""


class Move(NamedTuple):
    """One move, in ms."""

    wall: float
    charged: float
    cpu: float
    """What the engine and its helpers used, by the account of the kernel or by their own, whichever is more."""

    @property
    def share(self) -> float:
        """What was charged of the CPU time, or of the wall time if that is less."""
        return self.charged / min(self.wall, self.cpu)


@contextlib.contextmanager
def busy(count: int) -> Iterator[None]:
    """Processes that only compute. Each has a session of its own: some kernels share the CPU between sessions."""
    code = "import signal\nsignal.alarm(120)\nwhile True: pass"
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            stack.enter_context(running([sys.executable, "-I", "-S", "-c", code]))
        yield


def moves(kind: str, helpers: int, life_ms: int, count: int, beside: int = 0) -> list[Move]:
    """What became of its moves. A first one is not counted, in which the interpreter warms up."""
    rounds = max(1, -(-LEAST_MS // (helpers * life_ms))) if kind in HELPERS else 1
    argv = (sys.executable, "-I", "-S", "-c", ENGINE, kind, str(helpers), str(life_ms), str(rounds))
    found = []
    with (
        EngineProcess.spawn(Command(argv, SandboxPolicy(Level.BASIC, NO_CAPS))) as engine,
        contextlib.closing(CpuMeter(engine.box)) as meter,
        busy(beside),
    ):
        watch = Stopwatch(meter, own_wait_ns, len(os.sched_getaffinity(0)))
        for _ in range(1 + count):
            start_ns = time.monotonic_ns()
            watch.begin(start_ns, 1_000 * MS)
            start_ns = time.monotonic_ns()
            engine.send(b"go\n", start_ns + 30_000 * MS)
            used_ms = float(engine.receive(start_ns + 30_000 * MS))
            wall_ns, charged_ns, cpu_ns, _ = watch.stop(time.monotonic_ns() - start_ns)
            found.append(Move(wall_ns / MS, charged_ns / MS, max(used_ms, (cpu_ns or 0) / MS)))
    return found[1:]
