"""An engine under test is measured, whatever it calls itself."""

import os
import sys
import time

from arena.conformance.subject import ProbedProcess
from protocol.process import Command

CODE = """
import ctypes, os, sys, threading, time
libc = ctypes.CDLL(None)
def rename(name):
    libc.prctl(15, name)
names = (b'\\xff', b'\\rThreads: 99', b') S 1 1 ', b'VmRSS:\\t1 kB')
for name in names:
    if os.fork() == 0:
        rename(name)
        threading.Thread(target=lambda: (rename(name), print('up', flush=True), time.sleep(60))).start()
        time.sleep(60)
rename(names[0])
sys.stdin.readline()
while True: pass
"""


def test_an_engine_is_measured_whatever_its_processes_call_themselves() -> None:
    """Odd bytes, line ends and brackets in a name hide no process and no memory, and end in no traceback."""
    with ProbedProcess.launch(Command((sys.executable, "-I", "-S", "-c", CODE))) as subject:
        deadline_ns = time.monotonic_ns() + 20_000_000_000
        for _ in range(4):
            assert subject.receive(deadline_ns) == b"up"
        members, usage = subject.group_members(), subject.usage()
        assert len(members) == 4 and usage is not None
        assert usage.peak_bytes >= usage.memory_bytes > 5 << 20
        subject.send(b"go\n", deadline_ns)
        while subject.asleep():
            assert time.monotonic_ns() < deadline_ns
            os.sched_yield()


def test_what_an_engine_computes_after_a_moment_is_counted() -> None:
    """Only if its line has not come by then: a quick answer costs nothing."""
    code = "import sys, time\nfor line in sys.stdin:\n    end = time.process_time() + float(line)\n"
    code += "    while time.process_time() < end: pass\n    print(1, flush=True)"
    with ProbedProcess.launch(Command((sys.executable, "-I", "-S", "-c", code))) as subject:
        for asked, late_ns, least_ns, most_ns in (("0", 20_000_000_000, 0, 0), ("0.3", 1, 250_000_000, 400_000_000)):
            now_ns = time.monotonic_ns()
            subject.count_from(now_ns + late_ns)
            subject.send(f"{asked}\n".encode(), now_ns + 20_000_000_000)
            assert subject.receive(now_ns + 20_000_000_000) == b"1"
            assert least_ns <= subject.counted_ns() <= most_ns
