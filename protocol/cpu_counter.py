"""The counter of an engine's CPU time: opened before the engine can start a process, so that it counts all of them.

The kernel adds up what the engine and all its descendants use, whoever their parent is and whoever waits for them. The
counter belongs to us, so no engine can stop it. Owns the start of a child that has asked to be stopped.
"""

import contextlib
import os

from protocol.containment import kernel


def opened(pid: int) -> int:
    """The descriptor of a new counter of a process, -1 if the kernel gives none."""
    if not kernel.LINUX:
        return -1
    try:
        return kernel.count_cpu_time(pid)
    except OSError:
        return -1


def available() -> bool:
    """True if the kernel gives counters to this process."""
    counter = opened(os.getpid())
    if counter >= 0:
        os.close(counter)
    return counter >= 0


def opened_at_stop(pid: int) -> int:
    """As `opened`, for a child that called `kernel.ask_for_stop`, and lets it run. Call this in its parent thread."""
    # The wait ends: the child has loaded its program, or Popen would not have returned, so it stops or was killed.
    # It is not reaped here.
    state = os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    if state is None or state.si_code != os.CLD_TRAPPED:
        return -1
    counter = opened(pid)
    with contextlib.suppress(ProcessLookupError):  # it was killed meanwhile
        kernel.let_go(pid)
    return counter
