"""Writes files and folders whole or not at all, and refuses files that must not be written."""

import contextlib
import errno
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

_OWN = re.compile(r"/dev/(?:fd/|stdin$|stdout$|stderr$)|/proc/")
"""Names of files that this process has open; what they lead to is not to be replaced."""


class CannotWrite(ValueError):
    """A file that must not or cannot be written; the sentence names it and the remedy."""

    exit_code = 2


def check_target(path: Path, option: str) -> None:
    """Refuse what `write_whole` would refuse, before any work is done for it; `option` is what named it.

    Raises CannotWrite.
    """
    if refusal := _refusal(path):
        raise CannotWrite(f"{option} {str(path)!r}: {refusal}")


def write_whole(path: Path, text: str | Iterable[str], *, private: bool = False) -> None:
    """Write a file whole or not at all, from one text or from its pieces; a device or a pipe gets them as they come.

    A link stays, and what it points to is replaced. A private file is its owner's alone from its first byte on.
    Raises CannotWrite for a target that must not be written, and OSError with the file's name.
    """
    if refusal := _refusal(path):
        raise CannotWrite(f"{str(path)!r}: {refusal}")
    pieces = (text,) if isinstance(text, str) else text
    try:
        if _takes_a_stream(path):
            # Appending leaves what a shell's `>>` has in the file behind /dev/stdout.
            with open(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as stream:
                stream.writelines(piece.encode() for piece in pieces)
        else:
            _replace(Path(os.path.realpath(path)), pieces, private)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _replace(target: Path, pieces: Iterable[str], private: bool) -> None:
    with replacing(target) as part:
        fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
        with open(fd, "wb") as file:
            file.writelines(piece.encode() for piece in pieces)
            if target.exists() and not private:
                os.fchmod(fd, stat.S_IMODE(target.stat().st_mode))


def _beside(target: Path) -> Path:
    # A name of its own, so that no file of the user's is in the way, and short, so that it fits where the target does.
    return target.with_name(f".arena-{os.urandom(8).hex()}.part")


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A file beside the target, which takes its place at the end of the block. Nothing is left after an exception."""
    part = _beside(target)
    try:
        yield part
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def new_folder(named: Path) -> Iterator[Path]:
    """As `replacing`, with a folder. Raises OSError."""
    target = Path(os.path.realpath(named))
    part, old = _beside(target), _beside(target)
    try:
        part.mkdir()
    except OSError as error:  # nobody has named the folder of ours
        raise OSError(error.errno, error.strerror, str(named)) from error
    try:
        yield part
        replaced = target.exists()
        if replaced:
            target.rename(old)
        try:
            part.rename(target)
        except BaseException:
            if replaced:
                old.rename(target)
            raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _refusal(path: Path) -> str | None:
    """Why `path` must not or cannot be written, None where it may be."""
    target = Path(os.path.realpath(path))
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    except OSError as error:
        return f"cannot be written ({error.strerror}); name another file"
    if stat.S_ISDIR(mode):
        return "is a folder; name a file in it"
    if not _takes_a_stream(path):
        if not target.parent.is_dir():
            return f"there is no folder {str(target.parent)!r}; make it first"
        if not os.access(target.parent, os.W_OK | os.X_OK):
            return f"the folder {str(target.parent)!r} cannot be written; check its permissions or name another file"
    if target.exists() and not os.access(target, os.W_OK):
        return f"cannot be written ({os.strerror(errno.EACCES)}); check its permissions or name another file"
    if database := _database(target):
        return f"would destroy the database {str(database)!r}; name another file"
    return None


def _takes_a_stream(path: Path) -> bool:
    """Whether it is something that no file can replace: a device, a pipe, one of this process's own files."""
    return path.exists() and (not path.is_file() or _OWN.match(str(path.absolute())) is not None)


def _database(target: Path) -> Path | None:
    """The SQLite file that writing `target` would destroy: itself, or the one that keeps its latest changes there."""
    from results.store import files  # late: most commands write no file, and SQLite takes a while to load

    names = [target.name, *(target.name.removesuffix(end) for end in ("-wal", "-shm", "-journal"))]
    for each in dict.fromkeys(names):
        path = target.with_name(each) if each else target
        if files.is_database(path):
            return path
    return None
