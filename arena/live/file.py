"""The live file of a run, beside its database: how the run stands, for other processes of the same machine.

It is written to another file, which then takes its name, so a reader finds a whole one. A run writes it from a thread
of its own: neither games nor screens wait for a disk. docs/reference/EVENTS.md describes it.
"""

import contextlib
import errno
import json
import os
import re
import stat
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from arena.live.observer import LiveObserver
from arena.live.state import LiveRun

START = b'{"arena-live"'
"""Every live file begins with this."""
VERSION = 1
MOST_BYTES = 1 << 20
"""No live file is longer."""
SUFFIX = ".live"

_EVERY_S = 0.2
_SHARE = 50
"""The time to write is at most this fraction of all time, however much there is to write."""
_MOST_GAMES = 256
_MOST_PLIES = 20_000
_MOST_ENGINES = 256
_MOST_WITHDRAWN = 64
_MOST_MACHINES = 256
"""How much a file lists."""
_LONGEST_NAME = 200
"""Bytes of the database's name in the name of the file. Longer names are cut: file systems take 255 bytes."""


def live_path(db: Path, run_id: str) -> Path:
    """The live file of a run: beside the database itself, not beside a link to it."""
    folder, start = _place(db)
    return folder / f"{start}{run_id}{SUFFIX}"


def live_paths(db: Path) -> list[Path]:
    """The live files beside a database, sorted by name. None where the folder cannot be read."""
    folder, start = _place(db)
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    # Another database may have a name that begins like this one's, but no id of a run comes after that.
    ours = re.compile(re.escape(start) + "[0-9a-f]+" + re.escape(SUFFIX))
    return [folder / name for name in sorted(names) if ours.fullmatch(name)]


def _place(db: Path) -> tuple[Path, str]:
    target = os.path.realpath(db)
    name = os.fsdecode(os.fsencode(os.path.basename(target))[:_LONGEST_NAME])
    return Path(os.path.dirname(target)), f"{name}-"


def encoded(run: LiveRun) -> bytes:
    """The content of a live file, of at most MOST_BYTES. Where a run is too large for that, its last games are cut."""
    for games, plies, others in ((_MOST_GAMES, _MOST_PLIES, True), (_MOST_GAMES, 0, True), (0, 0, True), (0, 0, False)):
        data = _json(_cut(run, games, plies, others))
        if len(data) <= MOST_BYTES:
            return data
    raise ValueError(f"the live file would be longer than {MOST_BYTES} bytes")


def _cut(run: LiveRun, games: int, plies: int, others: bool) -> LiveRun:
    playing = []
    for game in run.playing[:games]:
        plies -= game.plies
        playing.append(game if plies >= 0 else replace(game, moves=None, scores=()))
    engines, withdrawn = (_MOST_ENGINES, _MOST_WITHDRAWN) if others else (0, 0)
    return replace(
        run,
        playing=tuple(playing),
        standings=run.standings[:engines],
        withdrawn=dict(list(run.withdrawn.items())[:withdrawn]),
        machines=run.machines[:_MOST_MACHINES] if others else (),
    )


def _json(run: LiveRun) -> bytes:
    text = json.dumps({"arena-live": VERSION, **fields_of(run)}, default=fields_of, ensure_ascii=False)
    return text.encode("utf-8", "replace") + b"\n"


def fields_of(value: object) -> dict[str, object]:
    """A value of `arena.live.state` as `json.dumps` takes it, with this function as its `default`."""
    return {name: getattr(value, name) for name in type(value).__dataclass_fields__}  # type: ignore[attr-defined]


@contextlib.contextmanager
def live_file(db: Path | None, observer: LiveObserver, report: Callable[[str], None]) -> Iterator[None]:
    """Keep the live file of the observed run while the block goes on; a run in memory has none.

    A file that cannot be written is reported once. The run goes on without it.
    """
    if db is None:
        yield
        return
    path = live_path(db, observer.state.run)

    def failed(error: OSError) -> None:
        why = error.strerror
        report(f"{path}: cannot be written ({why}), so nobody can watch this run from outside; it goes on")

    writer = _Writer(path, db, observer, failed)
    observer.changed = writer.dirty.set
    writer.start()
    try:
        yield
    finally:
        observer.changed = lambda: None
        writer.end()


class _Writer:
    """The thread that writes. It ends at the first error."""

    def __init__(self, path: Path, db: Path, observer: LiveObserver, failed: Callable[[OSError], None]) -> None:
        self._path = path
        self._part = path.with_name(path.name + ".part")
        self._db = db
        self._observer = observer
        self._failed = failed
        self._last = b""
        self.dirty = threading.Event()
        """Is set when something has changed."""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="live file", daemon=True)

    def start(self) -> None:
        """Write the file, and then again whenever something has changed."""
        if self._write():
            self._thread.start()

    def end(self) -> None:
        """Write no more, and remove the file."""
        self._over.set()
        self.dirty.set()
        if self._thread.is_alive():
            self._thread.join(5.0)  # a disk may hang
        with contextlib.suppress(OSError):
            self._part.unlink(missing_ok=True)
            if _is_live(self._path):
                self._path.unlink()

    def _run(self) -> None:
        self._over.wait(_EVERY_S)
        while True:
            self.dirty.wait()
            self.dirty.clear()
            begun = time.monotonic()
            if self._over.is_set() or not self._write():
                return
            took = time.monotonic() - begun
            self._over.wait(max(_EVERY_S - took, _SHARE * took))

    def _write(self) -> bool:
        """Write how the run stands now, if that is anything new. False after an error."""
        try:
            data = encoded(self._observer.state)
            if data != self._last:
                write(self._path, self._part, data, self._db)
            self._last = data
        except OSError as error:
            with contextlib.suppress(OSError):
                self._part.unlink(missing_ok=True)
            self._failed(error)
            return False
        return True


def write(path: Path, part: Path, data: bytes, db: Path) -> None:
    """Put a live file in its place, with the mode of the database. Raises OSError, also for another's file."""
    if path.is_symlink() or (path.exists() and not _is_live(path)):
        raise OSError(errno.EEXIST, "another file has its name, which is not replaced")
    part.unlink(missing_ok=True)  # a process that was killed may have left it; and nobody else's is written to
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with contextlib.suppress(OSError):  # who reads the database reads this
            os.fchmod(file, stat.S_IMODE(db.stat().st_mode) & 0o666)
        while data:
            data = data[os.write(file, data) :]
    finally:
        os.close(file)
    os.replace(part, path)


def read_start(path: Path, most: int) -> bytes:
    """The first bytes of an ordinary file; empty for anything else. No link is followed. Raises OSError."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return b""
        data = b""
        while len(data) < most and (more := os.read(file, most - len(data))):
            data += more
        return data
    finally:
        os.close(file)


def _is_live(path: Path) -> bool:
    try:
        return read_start(path, len(START)) == START
    except OSError:
        return False
