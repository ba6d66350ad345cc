"""Where games are kept if no database is named: a file in the user's state folder, of which the last few stay.

A file that a run or a reader has open is never removed.
"""

import contextlib
import logging
import os
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import platformdirs

from arena.planning.run_lock import is_played
from results.store import files

LOG = logging.getLogger("arena")

KEPT = 10
"""How many of these files stay."""
_NAME = re.compile(r"[a-z]+-(\d{4}-\d\d-\d\d-\d{6})(?:-(\d+))?\.db")


def state_folder() -> Path:
    """The folder of these files. It need not exist."""
    return Path(platformdirs.user_state_dir("callanish-arena", appauthor=False))


@contextlib.contextmanager
def kept_games(command: str, now: datetime | None = None, folder: Path | None = None) -> Iterator[Path | None]:
    """A new database for a run of this command; None, after a sentence, if the folder cannot be written.

    At the end of the block a file without games is removed, and so are the oldest files.
    """
    folder = folder or state_folder()
    try:
        path = _claimed(folder, f"{command}-{now or datetime.now():%Y-%m-%d-%H%M%S}")
    except OSError as error:
        LOG.info(f"{folder} cannot be written ({error.strerror}), so the games are not kept: --db FILE keeps them")
        yield None
        return
    try:
        yield path
    finally:
        if not files.has_games(path):
            _remove(path)
        made_here = [(match, each) for each in folder.iterdir() if (match := _NAME.fullmatch(each.name))]
        oldest_first = sorted(made_here, key=lambda each: (each[0][1], int(each[0][2] or 1)))
        for _, old in oldest_first[:-KEPT]:
            _remove(old)


def _claimed(folder: Path, stem: str) -> Path:
    """An empty file of this name, or of the next name that no other run has. Raises OSError."""
    if not folder.is_absolute():  # of a user without a home
        raise FileNotFoundError(0, "there is no home folder")
    folder.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        path = folder / (f"{stem}.db" if number == 1 else f"{stem}-{number}.db")
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, files.MODE))
        except FileExistsError:
            number += 1
        else:
            return path


def _remove(path: Path) -> None:
    """Remove a database and what lies beside it, unless it is in use or cannot be removed."""
    with contextlib.suppress(OSError):
        if not is_played(path) and files.removed(path):
            for beside in path.parent.glob(f"{path.name}-*"):
                beside.unlink(missing_ok=True)
