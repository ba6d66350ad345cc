"""Temporary folders: the scratch of an engine, and others. Closed to other users, and removed whatever is in them.

Each name has the pid of its maker. So a later process can find and remove the folders of a killed one.
"""

import contextlib
import logging
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator

from protocol.containment import engine_user

_RM_S = 20


def make(user: int | None = None) -> str:
    """A new empty folder under the system's temporary directory, mode 0700, for this user; None is our own."""
    folder = _make("cell")
    if user is not None:
        os.chown(folder, user, user)
    return folder


@contextlib.contextmanager
def folder(kind: str) -> Iterator[str]:
    """A temporary folder of our own for a block. `kind` is a word of small letters, part of its name."""
    sweep()
    path = _make(kind)
    try:
        yield path
    finally:
        remove(path)


def _make(kind: str) -> str:
    return tempfile.mkdtemp(prefix=f"arena-{kind}-{_namespace()}-{os.getpid()}-")


def sweep() -> None:
    """Remove the temporary folders whose makers have ended, those of our user and, for root, of engines."""
    name_of_ours = re.compile(rf"arena-[a-z]+-{_namespace()}-(\d+)-")
    for name in os.listdir(tempfile.gettempdir()):
        if (match := name_of_ours.match(name)) is None or _lives(int(match[1])):
            continue
        folder = os.path.join(tempfile.gettempdir(), name)
        with contextlib.suppress(FileNotFoundError):
            status = os.lstat(folder)
            ours = status.st_uid == os.geteuid() or (os.geteuid() == 0 and engine_user.is_engine(status.st_uid))
            if stat.S_ISDIR(status.st_mode) and ours:
                remove(folder)


def remove(folder: str) -> None:
    """Remove a folder with its content. A failure is logged and not raised, since it must not affect a game."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        # The folder may be closed to its owner or nested too deeply for Python. The system's tools handle both.
        for command in (("chmod", "-R", "u+rwX", folder), ("rm", "-rf", "--", folder)):
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_RM_S, check=False)
        if os.path.lexists(folder):
            logging.getLogger(__name__).warning("the scratch folder %s could not be removed", folder)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # another user's
    return True


def _namespace() -> int:
    """The pid namespace. Containers may share a temporary directory, but their pids are not comparable."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0  # not Linux
