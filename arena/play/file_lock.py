"""What one process has for itself and no other may take: a lock on a file, one file for each name.

It falls with the process that holds it, however that ends, so files stay and nobody need clear up after a kill. Known
to all processes of one user on one machine, and to no others.
"""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def locked(name: str, folder: Path | None = None) -> Iterator[bool]:
    """Is it ours as long as the block lasts? Raises OSError where there is no place for locks."""
    folder = folder or Path(tempfile.gettempdir()) / f"callanish-arena-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")
    # No link is followed: the folder's name can be guessed, and whoever made it first may have put one there.
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(folder / name, flags, 0o600), "r+") as file:
        ours = True
        try:
            # Of the opened file, not of the process: workers and engines are executed anew and do not inherit it.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            ours = False
        yield ours
