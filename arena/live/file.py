"""The event file of a run, beside its database: what happened, for other processes, and how the run stood before that.

Its first line is the state of the run, each further one an event. A longer file is begun anew, in another file that
then takes its name: so it stays bounded, and a reader always finds a whole one. It stays until the next run has the
same name. docs/reference/EVENTS.md describes it.
"""

import contextlib
import errno
import fcntl
import json
import logging
import os
import re
import stat
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.live.state import LiveRun, fold

LOG = logging.getLogger("arena")

START = b'{"event": "state", "version": 3'
"""Every event file begins with this."""
VERSION = 3
MOST_BYTES = 4 << 20
"""A file of more bytes is begun anew."""
LONGEST = 3 * MOST_BYTES
"""No event file is longer."""
SUFFIX = ".events"

_MOST_GAMES = 256
_MOST_PLIES = 20_000
"""How much of running games a state lists."""
_LONGEST_NAME = 200
"""Bytes of the database's name in the name of the file. Longer names are cut: file systems take 255 bytes."""


def events_path(db: Path, run_id: str) -> Path:
    """The event file of a run: beside the database itself, not beside a link to it."""
    target = os.path.realpath(db)
    name = os.fsdecode(os.fsencode(os.path.basename(target))[:_LONGEST_NAME])
    return Path(os.path.dirname(target), f"{name}-{run_id}{SUFFIX}")


def events_paths(db: Path) -> list[Path]:
    """The event files beside a database, sorted by name; none of them if the folder cannot be read."""
    begins = events_path(db, "")
    try:
        names = os.listdir(begins.parent)
    except OSError:
        return []
    # Another database may have a name that begins like this one's, but no id of a run comes after that.
    ours = re.compile(re.escape(begins.name.removesuffix(SUFFIX)) + "[0-9a-f]+" + re.escape(SUFFIX))
    return [begins.with_name(name) for name in sorted(names) if ours.fullmatch(name)]


def fields_of(value: object) -> dict[str, object]:
    """A value of `arena.live.state` as `json.dumps` takes it, with this function as its `default`."""
    return {name: getattr(value, name) for name in type(value).__dataclass_fields__}  # type: ignore[attr-defined]  # json.dumps hands in what it cannot write: dataclasses


class Telling:
    """How a run stands, and who is told of its events. `say` may be called from any thread."""

    def __init__(self, state: LiveRun) -> None:
        self.state = state
        self.listeners: list[Callable[[Sequence[Mapping[str, Any]]], None]] = []
        """Each is given the events that came together, as JSON has them, after they are part of the state."""
        self._lock = threading.RLock()

    def tell(self, events: Sequence[Mapping[str, Any]]) -> None:
        """These events happened together."""
        with self._lock:
            for event in events:
                self.state = fold(self.state, event)
            for listener in self.listeners:
                listener(events)

    def say(self, event: str, **fields: Any) -> None:
        """One thing more happened."""
        self.tell([{"event": event, **fields}])


class EventFile:
    """The event file of a run, written until it is closed.

    If it cannot be written, that is said once, and the run goes on without it.
    """

    def __init__(self, db: Path, telling: Telling) -> None:
        self._path = events_path(db, telling.state.run)
        self._part = self._path.with_name(self._path.name + ".part")
        self._db = db
        self._telling = telling
        self._file = -1
        self._size = 0
        self._failed = False
        self.add(())
        telling.listeners.append(self.add)

    def add(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Add what happened, which is part of the state already."""
        if self._failed:
            return
        data = b"".join(json.dumps(event).encode() + b"\n" for event in events)
        self._size += len(data)
        try:
            if self._file < 0 or self._size > MOST_BYTES:
                self._renew()
            else:
                _write(self._file, data)
        except OSError as error:
            self._failed, why = True, error.strerror
            LOG.info(f"{self._path}: cannot be written ({why}), so nobody can watch this run from outside; it goes on")

    def _renew(self) -> None:
        """Begin it, or begin it anew. Raises OSError, also for another's file."""
        with contextlib.suppress(FileNotFoundError):
            if self._path.is_symlink() or read_from(self._path, 0, len(START))[1] != START:
                raise OSError(errno.EEXIST, "another file has its name, which is not replaced")
        self._part.unlink(missing_ok=True)  # a process that was killed may have left it
        state = self._telling.state
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_APPEND
        file = os.open(self._part, flags, 0o600)
        try:
            with contextlib.suppress(OSError):  # who reads the database reads this
                os.fchmod(file, stat.S_IMODE(self._db.stat().st_mode) & 0o666)
            with contextlib.suppress(OSError):  # by this lock readers know that the run is played
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            plies, playing = _MOST_PLIES, []
            for game in state.playing[:_MOST_GAMES]:
                plies -= len(game.moves or ())
                playing.append(game if plies >= 0 else replace(game, moves=None, scores=()))
            head = {"event": "state", "version": VERSION, "state": replace(state, playing=tuple(playing))}
            line = json.dumps(head, default=fields_of).encode("utf-8", "backslashreplace") + b"\n"
            _write(file, line)
            os.replace(self._part, self._path)
        except BaseException:
            os.close(file)
            with contextlib.suppress(OSError):
                self._part.unlink(missing_ok=True)
            raise
        if self._file >= 0:
            os.close(self._file)
        self._file, self._size = file, len(line)

    def close(self) -> None:
        self._telling.listeners.remove(self.add)
        if self._file >= 0:
            os.close(self._file)


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


def read_from(path: Path, offset: int, most: int) -> tuple[os.stat_result, bytes]:
    """What an ordinary file is, and its bytes from there on; empty for anything else. No link is followed.

    Raises OSError.
    """
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            return status, b""
        data = b""
        while len(data) < most and (more := os.pread(file, most - len(data), offset + len(data))):
            data += more
        return status, data
    finally:
        os.close(file)


def is_written(path: Path) -> bool:
    """Whether a process writes this event file. It holds a lock on it, which ends with it. Raises OSError."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False
