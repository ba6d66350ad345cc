"""What engines are charged for on this machine: `python -m tests.protocol.containment.charged` prints the figures."""

import contextlib
import os
import statistics
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple
from unittest import mock

from protocol.containment import box, group
from protocol.containment.policy import NO_CAPS, Level, SandboxPolicy
from protocol.cpu_meter import CpuMeter, own_wait_ns
from protocol.process import Command, EngineProcess
from protocol.stopwatch import Stopwatch
from tests.running import running

MS = 1_000_000
LEAST_MS = 120
"""What the helpers of a move use together, at least."""
HELPERS = ("waited for", "not waited for", "ignored", "orphans", "without a first thread")
"""How an engine's helpers end."""
SIZES = ((3, 5), (3, 400), (10, 20), (60, 5), (60, 20))
"""How many helpers there are at a time, and how long each of them lives, in ms of CPU time."""
MOVES_MS = {1: 41, 5: 31, 50: 11, 500: 3}
"""The moves of an engine of one thread in ms of CPU time, and how many of them are measured."""
BESIDE = (1, 3, 10)

ENGINE = """
import ctypes, hashlib, mmap, os, signal, struct, sys, threading, time
EXIT = {"x86_64": 60, "aarch64": 93}
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
    if KIND == "without a first thread":
        threading.Thread(target=life, args=(number,)).start()
        ctypes.CDLL(None).syscall(EXIT[os.uname().machine], 0)
    life(number)

def hash_until(end):
    while time.monotonic() < end: hashlib.sha256(bytes(100_000))

class Action(ctypes.Structure):
    _fields_ = [("handler", ctypes.c_void_p), ("mask", ctypes.c_ulong * 16), ("flags", ctypes.c_int)]

if KIND == "ignored":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if KIND == "not waited for":
    ctypes.CDLL(None).sigaction(signal.SIGCHLD, ctypes.byref(Action(flags=2)), None)
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
            if KIND not in ("ignored", "not waited for"):
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


def moves(kind: str, helpers: int, life_ms: int, count: int, beside: int = 0, grouped: bool = True) -> list[Move]:
    """What became of its moves. A first one is not counted, in which the interpreter warms up."""
    rounds = max(1, -(-LEAST_MS // (helpers * life_ms))) if kind in HELPERS else 1
    argv = (sys.executable, "-I", "-S", "-c", ENGINE, kind, str(helpers), str(life_ms), str(rounds))
    found = []
    with (
        mock.patch.object(box, "groups", group.groups if grouped else lambda: None),
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


def main() -> None:
    """Print the figures as tables in Markdown."""
    print(f"{len(os.sched_getaffinity(0))} CPUs; load {os.getloadavg()[0]:.1f} before\n")
    print("helpers: the least share of CPU time (or wall time) that a move was charged, 3 moves\n")
    print("| helpers end | " + " | ".join(f"{count} of {life_ms} ms" for count, life_ms in SIZES) + " |")
    print("|---|" + "--:|" * len(SIZES))
    for kind in HELPERS:
        cells = [f"{min(move.share for move in moves(kind, *size, 3)):.3f}" for size in SIZES]
        print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)
    for title, grouped in (("in a group", True), ("without a group", False)):
        print(f"\none thread, {title}: median of charged / CPU time (least to most)\n")
        print("| move | " + " | ".join(f"{beside} busy" for beside in (0, *BESIDE)) + " |")
        print("|---|" + "--:|" * (1 + len(BESIDE)))
        for life_ms, count in MOVES_MS.items():
            cells = []
            for beside in (0, *BESIDE):
                shares = sorted(move.share for move in moves("one thread", 0, life_ms, count, beside, grouped))
                cells.append(f"{statistics.median(shares):.3f} ({shares[0]:.2f} to {shares[-1]:.2f})")
            print(f"| {life_ms} ms | " + " | ".join(cells) + " |", flush=True)
    print("\n4 threads for 100 ms of wall time: medians in ms, 10 moves\n")
    print("| beside | wall | charged | CPU time |\n|---|--:|--:|--:|")
    for beside in (0, *BESIDE):
        medians = map(statistics.median, zip(*moves("threads", 4, 100, 10, beside), strict=True))
        print(f"| {beside} busy | " + " | ".join(f"{ms:.1f}" for ms in medians) + " |", flush=True)


if __name__ == "__main__":
    main()
