"""Busy processes that measurements run beside. Independent of what is measured."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence

_HOG = """
import os, signal, sys
for _ in range(int(sys.argv[1]) - 1):
    if os.fork() == 0:
        break
signal.alarm(600)
while True:
    pass
"""


@contextlib.contextmanager
def hogs(sessions: Sequence[int], cpus: Sequence[int] = ()) -> Iterator[None]:
    """As many sessions as there are figures, each of so many busy processes, one session on each of `cpus` if given.

    The kernel shares the CPUs between sessions, not between processes. Each process ends after ten minutes by itself.
    """
    running = []
    try:
        for at, count in enumerate(sessions):
            hog = subprocess.Popen([sys.executable, "-c", _HOG, str(count)], start_new_session=True)
            running.append(hog)
            if cpus:
                os.sched_setaffinity(hog.pid, {cpus[at]})
        yield
    finally:
        for hog in running:
            os.killpg(hog.pid, signal.SIGKILL)
            hog.wait()
