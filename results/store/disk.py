"""A disk that takes no more: what the system says about it, and what helps.

SQLite does not tell what the system said, so it is asked once more.
"""

import contextlib
import errno
import os
import resource
import secrets
from collections.abc import Iterator
from pathlib import Path

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What a write ends with if the disk, the user's quota or the largest allowed file is full."""
_PAGE = bytes(4096)


def remedy(path: Path, number: int) -> str:
    """What helps if `path` cannot be written for this reason, one of NO_ROOM or another."""
    place = Path(os.path.realpath(path)).parent
    while not os.path.ismount(place):
        place = place.parent
    disk = f"the disk of {place}"
    match number:
        case errno.ENOSPC:
            return f"free space on {disk}"
        case errno.EDQUOT:
            return f"free space of your quota on {disk}"
        case errno.EFBIG:
            return "allow larger files (`ulimit -f`)"
        case _:
            return f"look at {disk}: its space, your quota, and whether it is sound"


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an OSError of the block name this file, if it names none: that of a write does not."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def why_full(path: Path) -> OSError | None:
    """What the system says if another page is written after the end of a file like this; None if it says nothing."""
    try:
        size = path.stat().st_size if path.exists() else 0
        part = path.with_name(f".arena-{secrets.token_hex(8)}.part")
        file = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        try:
            os.pwrite(file, _PAGE, size)
        finally:
            os.close(file)
            part.unlink()
    except OSError as error:
        return error
    # The file that grew too large may be gone.
    limited = resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY
    return OSError(errno.EFBIG, os.strerror(errno.EFBIG)) if limited else None
