"""One process at a time plays a run: a lock in a file beside the database, named after both.

The system releases the lock when its process ends, however it ends, so a file that a killed process left behind stops
nobody. The file lies beside the database so that all processes that reach the database reach the lock: of any user,
with any temporary folder, and on another machine if the file system is shared and has locks (NFS 4, SMB).
"""

import contextlib
import errno
import fcntl
import glob
import logging
import os
import platform
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from arena.planning.errors import PlanError
from arena.play.held_files import removed_at_the_end
from results.store import disk

LOG = logging.getLogger("arena")

_LONGEST_NAME = 200
"""Bytes of the database's name in the name of the lock. Longer names are cut: file systems take 255 bytes."""
_NO_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL})
"""What `flock` ends with on a file system without locks."""


@contextlib.contextmanager
def run_lock(db: Path | None, run_id: str, name: str) -> Iterator[None]:
    """Hold the lock of a run until the block ends; a run in memory needs none.

    Raises PlanError where another process plays it, and where the lock cannot be had.
    """
    if db is None:
        yield
        return
    path = lock_path(db, run_id)
    try:
        file, ours = _locked(path, db)
    except OSError as error:
        why = f"({error.strerror}): check the folder's permissions"
        if error.errno in (errno.EROFS, errno.EACCES) and not path.exists():
            trouble = f"its folder cannot be written {why}, or name a database in another folder"
        elif error.errno in disk.NO_ROOM:
            trouble = f"{path.name} cannot be written ({error.strerror}): {disk.remedy(path, error.errno)}"
        else:
            trouble = f"the lock file beside it, {path.name}, cannot be made {why}, "
            trouble += "or remove that file if nobody plays the run"
        raise PlanError(f"{db}: {trouble}") from None
    try:
        if not ours:
            words = os.pread(file, 1000, 0).decode("utf-8", "replace").strip().split("\t")
            holder = "another process"
            if len(words) == 3:
                pid, host, since = words
                holder = f"process {pid}{'' if host == platform.node() else f' on {host}'} since {since}"
            raise PlanError(
                f"{db}: the run {name!r} is being played by {holder}: stop that one first or wait for its end, "
                "or give another --db"
            )
        with removed_at_the_end(path):  # while it is locked: see `_locked`
            os.ftruncate(file, 0)
            since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
            with contextlib.suppress(OSError):  # a full disk: the lock holds all the same
                os.pwrite(file, f"{os.getpid()}\t{platform.node()}\t{since}\n".encode(), 0)
            yield
    finally:
        os.close(file)


def is_played(db: Path) -> bool:
    """Does a process play any run of this database?"""
    for path in lock_path(db, "").parent.glob(f"{glob.escape(db.name)}-*.lock"):
        with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
    return False


def lock_path(db: Path, run_id: str) -> Path:
    """The file whose lock a run has: beside the database itself, not beside a link to it."""
    target = os.path.realpath(db)
    name = os.fsencode(os.path.basename(target))[:_LONGEST_NAME]
    return Path(os.path.dirname(target), f"{os.fsdecode(name)}-{run_id}.lock")


def _locked(path: Path, db: Path) -> tuple[int, bool]:
    """The open file, and whether its lock is ours now."""
    while True:
        # O_CLOEXEC: the lock belongs to the open file, which workers and engines must not have.
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with contextlib.suppress(OSError):  # who shares the database shares the lock
                os.fchmod(file, stat.S_IMODE(db.stat().st_mode) & 0o666)
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The one before us removed the file at its end. A lock on a file without a name would stop nobody.
            if os.path.samestat(os.fstat(file), os.stat(path)):
                return file, True
        except FileNotFoundError:
            pass
        except BlockingIOError:
            return file, False
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                os.close(file)
                raise
            LOG.info(f"{db}: its file system has no locks, so another arena could also play this run")
            return file, True
        os.close(file)
