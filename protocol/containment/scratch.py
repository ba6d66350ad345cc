"""The private folder of one engine: made closed to others, removed whatever was done to it.

Its name says which process made it, so that what a killed one left behind can be found and removed by the next.
"""

import contextlib
import logging
import os
import shutil
import stat
import subprocess
import tempfile

_PREFIX = "arena-cell-"
_RM_S = 20


def make() -> str:
    """A new empty folder under the system's temporary directory, mode 0700."""
    return tempfile.mkdtemp(prefix=f"{_PREFIX}{_namespace()}-{os.getpid()}-")


def sweep() -> None:
    """Remove the folders of ours whose makers are gone."""
    beginning = f"{_PREFIX}{_namespace()}-"
    for name in os.listdir(tempfile.gettempdir()):
        if not name.startswith(beginning):
            continue
        maker = name.removeprefix(beginning).partition("-")[0]
        folder = os.path.join(tempfile.gettempdir(), name)
        with contextlib.suppress(FileNotFoundError):
            seen = os.lstat(folder)
            ours = stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.geteuid()
            if ours and maker.isdecimal() and not os.path.exists(f"/proc/{maker}"):
                remove(folder)


def remove(folder: str) -> None:
    """Remove it with all it holds. What resists is logged, not raised: it is no verdict on anybody."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        # Folders closed to their owner, or nested deeper than Python goes: the tools of the system know both.
        for command in (("chmod", "-R", "u+rwX", folder), ("rm", "-rf", "--", folder)):
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_RM_S, check=False)
        if os.path.lexists(folder):
            logging.getLogger(__name__).warning("the scratch folder %s could not be removed", folder)


def _namespace() -> int:
    """Containers may share a temporary directory and never a pid."""
    return os.stat("/proc/self/ns/pid").st_ino
