"""Locks between processes: a file for each name, which one process at a time may hold.

The system releases a lock when its process ends, however it ends. So the files stay, and nothing has to be cleaned up
after a kill. Locks hold between all processes of one user on one machine.
"""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def locked(name: str, folder: Path | None = None) -> Iterator[bool]:
    """Hold a lock until the block ends. False: another process holds it. Raises OSError without a place for locks."""
    folder = folder or Path(tempfile.gettempdir()) / f"callanish-arena-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user")
    # No link is followed: another user can guess the folder's name, create it first and put a link there.
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(folder / name, flags, 0o600), "r+") as file:
        ours = True
        try:
            # The lock belongs to the open file, not to the process; O_CLOEXEC keeps it from workers and engines.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            ours = False
        yield ours
