"""Temporary folders: the scratch of an engine, and others. Closed to other users, and removed whatever is in them.

Each name has the pid of its maker. So a later process can find and remove the folders of a killed one.
"""

import contextlib
import itertools
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from typing import Final

_SHARED_MEMORY: Final = "/dev/shm"
_MOST: Final = 500
"""The number of files from which on a folder is removed by another process."""
_REMOVE: Final = '(chmod -R u+rwX -- "$1"; exec rm -rf -- "$1") >/dev/null 2>&1 &'


def make(user: int | None = None) -> str:
    """A new empty folder, mode 0700, for this user; None is our own."""
    folder = _make("cell", _root())
    if user is not None:
        os.chown(folder, user, user)
    return folder


@contextlib.contextmanager
def folder(kind: str, user: int | None = None) -> Iterator[str]:
    """A temporary folder of our own for a block. `kind` is a word of small letters, part of its name.

    What was left by us, and by this user, is removed first.
    """
    sweep(user)
    path = _make(kind, tempfile.gettempdir())
    try:
        yield path
    finally:
        remove(path)


@cache
def _root() -> str:
    """Where scratch folders lie: in memory if programs may run from there, since the cap on memory then bounds them."""
    with contextlib.suppress(OSError):
        flags = os.statvfs(_SHARED_MEMORY).f_flag
        if os.path.ismount(_SHARED_MEMORY) and not flags & (os.ST_NOEXEC | os.ST_RDONLY):
            return _SHARED_MEMORY
    return tempfile.gettempdir()


def _make(kind: str, root: str) -> str:
    return tempfile.mkdtemp(prefix=f"arena-{kind}-{_namespace()}-{os.getpid()}-", dir=root)


def sweep(user: int | None = None) -> None:
    """Remove the folders whose makers have ended, those of our user and of the user that engines have."""
    name_of_ours = re.compile(rf"arena-[a-z]+-{_namespace()}-(\d+)-")
    for root in {tempfile.gettempdir(), _root()}:
        for name in os.listdir(root):
            if (match := name_of_ours.match(name)) is None or _lives(int(match[1])):
                continue
            folder = os.path.join(root, name)
            with contextlib.suppress(FileNotFoundError):
                status = os.lstat(folder)
                if stat.S_ISDIR(status.st_mode) and status.st_uid in (os.geteuid(), user):
                    remove(folder)


def remove(folder: str) -> None:
    """Remove a folder with its content. A large one is removed by another process, and nobody waits for it."""
    with contextlib.suppress(OSError, RecursionError):  # closed to its owner, or nested too deeply
        entries = (name for _, folders, files in os.walk(folder) for name in (*folders, *files))
        if sum(1 for _ in itertools.islice(entries, _MOST)) < _MOST:
            shutil.rmtree(folder)
            return
    if os.path.lexists(folder):
        with contextlib.suppress(OSError):  # too many files or processes: `sweep` removes it once we have ended
            subprocess.run(("/bin/sh", "-c", _REMOVE, "sh", folder), stdin=subprocess.DEVNULL, check=False)


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
