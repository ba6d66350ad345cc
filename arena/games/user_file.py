"""Reads files that users name: ordinary ones only, and no more of them than is asked for."""

import errno
import stat
from pathlib import Path


def read_start(path: Path, most: int) -> bytes:
    """The first bytes of a file, at most so many. Raises OSError.

    So it does for a device or a pipe: one of them has no end, and the other may never begin.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe: name an ordinary file", str(path))
    with path.open("rb") as file:
        return file.read(most)
