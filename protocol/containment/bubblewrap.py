"""The command line of bubblewrap for `strict`, and the exchange with it at the start. Independent of the caps.

bubblewrap makes the namespaces and tells the engine's pid over one pipe. It starts the engine when a byte comes over
another pipe. In between the limits are set from outside, so that no Python runs in a forked child.
"""

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from protocol.containment import engine_user
from protocol.faults import CannotStart

PROGRAM = "bwrap"
REMEDY = "install bubblewrap (`apt install bubblewrap`, `dnf install bubblewrap`)"
HOSTS = b"127.0.0.1 localhost arena\n"
"""/etc/hosts of a sandbox with a loopback. The machine's own names other machines."""
_START_MS = 10_000


def program() -> str | None:
    """The path of bubblewrap, None if it is not installed."""
    return shutil.which(PROGRAM)


class Inside(NamedTuple):
    """What runs in the sandbox: the command, its working directory, and variables to set only inside."""

    argv: tuple[str, ...]
    directory: str
    environment: Mapping[str, str]


def wrap(inside: Inside, reads: Sequence[str], lists: Sequence[str], scratch: str, fds: tuple[int, ...]) -> list[str]:
    """The command that runs `inside` in the sandbox. `lists` are folders that are there, with what `reads` has of them.

    `fds`: info pipe, go-ahead pipe, filter, and where there is a loopback the text of HOSTS. Raises CannotStart.
    """
    bwrap = program()
    if bwrap is None:
        raise CannotStart(f"containment `strict` needs bubblewrap, which is not on the PATH: {REMEDY}")
    info, go, filter_fd, *hosts = fds
    words = [bwrap, "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    words += ["--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "arena"]
    # For an ordinary user bubblewrap does this anyway. Root would keep all capabilities in its namespace.
    words += ["--cap-drop", "ALL"]
    for path in lists:
        words += ["--dir", path]
    for path in _outermost(reads):
        words += ["--ro-bind", path, path]
    # The settings of the machine in /proc/sys are open to root, also without capabilities.
    words += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
    words += ["--bind", os.path.join(scratch, "shm"), "/dev/shm"]
    for text in hosts:
        words += ["--ro-bind-data", str(text), "/etc/hosts"]
    words += ["--bind", scratch, scratch, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", inside.directory]
    for name, value in inside.environment.items():
        words += ["--setenv", name, value]
    words += ["--seccomp", str(filter_fd), "--info-fd", str(info), "--block-fd", str(go), "--", *inside.argv]
    return words


def _outermost(reads: Sequence[str]) -> list[str]:
    """The paths and their real paths, without those inside another one and those that bubblewrap makes."""
    roots: list[str] = []
    for path in sorted({*reads, *map(os.path.realpath, reads)}):
        if not any(path == other or path.startswith(other.rstrip("/") + "/") for other in (*roots, "/proc", "/dev")):
            roots.append(path)
    return roots


def works_for_others() -> bool:
    """True if a user without capabilities may make namespaces here. Only root can ask."""
    bwrap = program()
    return bwrap is not None and _works_for_others(bwrap)


@cache
def _works_for_others(bwrap: str) -> bool:
    command = [bwrap, "--unshare-all", "--unshare-user", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    user = engine_user.FIRST
    try:
        tried = subprocess.run(
            command, user=user, group=user, extra_groups=(), capture_output=True, timeout=_START_MS / 1_000, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return tried.returncode == 0


def engine_pid(info: int) -> int:
    """The engine's pid in our namespace, from the info pipe. Raises CannotStart if none comes in time."""
    deadline_ns = time.monotonic_ns() + _START_MS * 1_000_000
    text = b""
    poll = select.poll()
    poll.register(info, select.POLLIN)
    while (left_ns := deadline_ns - time.monotonic_ns()) > 0 and poll.poll(left_ns // 1_000_000 + 1):
        part = os.read(info, 4096)
        text += part
        try:
            return int(json.loads(text)["child-pid"])
        except (ValueError, KeyError):
            if not part:
                break
    raise CannotStart(
        "bubblewrap did not start the sandbox: user namespaces may be switched off here "
        "(sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns); `basic` needs none"
    )
