"""Reads files that users name: ordinary ones only, and no more of them than is asked for."""

import errno
import hashlib
import os
import re
import stat
import tomllib
from pathlib import Path


class NotUtf8(ValueError):
    """Bytes that are no text. The message is a clause without a subject."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line} is not UTF-8 text: save the file as UTF-8")
        self.line = line


def utf8_text(data: bytes) -> str:
    """The text of a file, without the mark that may begin it. Raises NotUtf8 with the number of the line."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotUtf8(error.object.count(b"\n", 0, error.start) + 1) from None


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


def file_sha256(path: Path) -> str:
    """Hex digest of a file's content. Raises OSError, also for what is no file: a device or a pipe would never end."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "is not a file", str(path))
        return hashlib.file_digest(file, "sha256").hexdigest()
