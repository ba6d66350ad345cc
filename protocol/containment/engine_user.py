"""The user that an engine runs as. An arena of root gives each engine a user of its own, if that user can read it.

Such a user has no name and owns nothing, so the kernel itself keeps it from all processes and files of others. Only
reads the file system, and only permissions for everybody count: the user is in no group.
"""

import os
import secrets
import stat
from collections.abc import Iterable
from functools import cache

from protocol.containment import process_tree

FIRST = 0x7000_0000
"""The first of 2^27 numbers that no system gives to users (systemd.io/UIDS-GIDS)."""
_BITS = 27
_NEEDED = {
    "CAP_CHOWN": 0,
    "CAP_DAC_OVERRIDE": 1,
    "CAP_FOWNER": 3,
    "CAP_KILL": 5,
    "CAP_SETGID": 6,
    "CAP_SETUID": 7,
    "CAP_SYS_PTRACE": 19,
    "CAP_SYS_NICE": 23,
}
"""The capabilities that are needed to start, watch, pin and end an engine of another user."""


def choose(needed: Iterable[str], scratches: str) -> int | None:
    """A user for one engine, whose group has the same number. None: it runs as the user of the arena.

    `needed` are the paths that the engine must read; `scratches` is the folder in which scratch folders are made.
    """
    if obstacle() is not None or not _open_way(scratches) or not all(map(can_read, needed)):
        return None
    return FIRST + secrets.randbits(_BITS)


def is_engine(user: int) -> bool:
    """True for the user of an engine."""
    return FIRST <= user < FIRST + (1 << _BITS)


def can_read(path: str) -> bool:
    """True if everybody may read this file or list this folder, and pass all folders on the way to it."""
    real = os.path.realpath(path)
    try:
        mode = os.stat(real).st_mode
    except OSError:
        return False
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) or mode & stat.S_IXUSR else 0)
    return mode & wanted == wanted and all(_open_way(os.path.dirname(place)) for place in {real, os.path.abspath(path)})


def _open_way(folder: str) -> bool:
    """True if everybody may pass this folder and all above it."""
    while True:
        try:
            if not os.stat(folder).st_mode & stat.S_IXOTH:
                return False
        except OSError:
            return False
        above = os.path.dirname(folder)
        if above == folder:
            return True
        folder = above


@cache
def obstacle() -> str | None:
    """What keeps this arena from giving engines users, as a clause. None for root with all that it takes."""
    if os.geteuid() != 0:
        return "the arena does not run as root"
    capabilities = process_tree.capabilities()
    missing = [name for name, bit in _NEEDED.items() if not capabilities >> bit & 1]
    if missing:
        return f"the arena lacks {', '.join(missing)}"
    last = FIRST + (1 << _BITS) - 1
    for kind in ("uid_map", "gid_map"):
        if not any(start <= FIRST and last < start + count for start, count in process_tree.id_map(kind)):
            return f"its container has no users from {FIRST} on"
    return None
