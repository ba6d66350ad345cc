"""The scratch folder of one engine: closed to other users, and removed whatever was done to it.

Its name has the pid of its maker. So a later process can find and remove the folders of a killed one.
"""

import contextlib
import logging
import os
import shutil
import stat
import subprocess
import tempfile

from protocol.containment import engine_user

_PREFIX = "arena-cell-"
_RM_S = 20


def make(user: int | None = None) -> str:
    """A new empty folder under the system's temporary directory, mode 0700, for this user; None is our own."""
    folder = tempfile.mkdtemp(prefix=f"{_PREFIX}{_namespace()}-{os.getpid()}-")
    if user is not None:
        os.chown(folder, user, user)
    return folder


def sweep() -> None:
    """Remove the scratch folders whose makers have ended, those of our user and, for root, of engines."""
    beginning = f"{_PREFIX}{_namespace()}-"
    for name in os.listdir(tempfile.gettempdir()):
        if not name.startswith(beginning):
            continue
        maker = name.removeprefix(beginning).partition("-")[0]
        folder = os.path.join(tempfile.gettempdir(), name)
        with contextlib.suppress(FileNotFoundError):
            seen = os.lstat(folder)
            known = seen.st_uid == os.geteuid() or (os.geteuid() == 0 and engine_user.is_engine(seen.st_uid))
            ours = stat.S_ISDIR(seen.st_mode) and known
            if ours and maker.isdecimal() and not os.path.exists(f"/proc/{maker}"):
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


def _namespace() -> int:
    """The pid namespace. Containers may share a temporary directory, but their pids are not comparable."""
    return os.stat("/proc/self/ns/pid").st_ino
