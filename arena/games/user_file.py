"""Reads files that users name: ordinary ones only, and no more of them than is asked for."""

import errno
import re
import stat
import tomllib
from pathlib import Path


def why_no_toml(wrong: Exception) -> str:
    """What the reader of TOML says of a file, without Python's words."""
    if not isinstance(wrong, tomllib.TOMLDecodeError):
        return "a number is too long, or its lists and tables are nested too deeply"
    names = re.sub(r"\('(.*?)',?\)", lambda match: match[1].replace("', '", "."), str(wrong))
    return names[:1].lower() + names[1:]


def read_start(path: Path, most: int) -> bytes:
    """The first bytes of a file, at most so many. Raises OSError.

    So it does for a device or a pipe: one of them has no end, and the other may never begin.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe: name an ordinary file", str(path))
    with path.open("rb") as file:
        return file.read(most)
