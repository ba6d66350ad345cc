"""Which process plays a run, and whether it still lives: by its number, its start and the start of the machine."""

import os
import platform
from pathlib import Path

from arena.live.state import LiveProcess

_START = 19
"""The place of the start time in /proc/PID/stat, counted from behind the name of the program."""


def this_process() -> LiveProcess:
    """The process that calls this."""
    pid = os.getpid()
    return LiveProcess(pid, _started(pid) or 0, _boot(), platform.node())


def is_alive(process: LiveProcess) -> bool:
    """Does this process still run, on this machine? One on another machine cannot be seen and counts as ended."""
    if process.boot != _boot() or (not process.boot and process.host != platform.node()):
        return False
    if not 0 < process.pid < 1 << 31:
        return False
    try:
        os.kill(process.pid, 0)
    except PermissionError:
        pass  # it is another user's
    except OSError:
        return False
    started = _started(process.pid)
    # A system may hide the processes of other users. What cannot be compared is believed.
    return started is None or not process.started or started == process.started


def _started(pid: int) -> int | None:
    """When a process started, -1 if it has ended and nobody has asked for its exit code yet; None: unknown."""
    try:
        # The name, in brackets, may itself have blanks and brackets.
        words = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return -1 if words[0] in (b"Z", b"X") else int(words[_START])
    except (OSError, IndexError, ValueError):
        return None


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except (OSError, ValueError):
        return ""
