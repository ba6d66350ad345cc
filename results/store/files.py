"""Makes, recognizes and opens results files: what is ours, which version it is, and what to tell the user otherwise."""

import contextlib
import errno
import logging
import os
import secrets
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from sqlite3 import Connection

from results.store import disk, make, schema

LOG = logging.getLogger("arena")

BUSY_SECONDS = 5.0
"""A connection waits this many seconds for another writer before it gives up."""
MODE = 0o600
"""Of a new file; SQLite gives it to the two files beside it. Whoever may open one of them can lock it."""
LONGEST_VALUE = 64 << 20
"""Bytes of a value, and of a row, that is read or written."""
_HEADER_BYTES = 100
_UNCHANGED = "ro&immutable=1"
"""To read a file as if nobody changed it, and without any file beside it."""
_OF_SHM = frozenset({sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMMAP})
_NOT_WRITTEN = _OF_SHM | {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_DIR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
}
"""What SQLite says if the system does not take what it writes."""
_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What Python raises for a damaged file: SQLite's errors quote its schema, which may be no text any more."""
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EMLINK})
"""What `os.link` ends with on a file system without hard links."""


class StoreError(Exception):
    """The results file cannot be used as asked: one sentence that names the file and the remedy."""

    exit_code = 2


class FileConnection(Connection):
    """A connection that can tell whether what it has open still has its names."""

    path: Path
    _unchanged: bool
    _seen: Mapping[Path, tuple[int, ...] | None]
    _size: int = 0

    def note(self, path: Path, beside: Iterable[str] = (), *, unchanged: bool = False) -> None:
        """Note which file has this name, and which ones have those of the files beside it.

        With `unchanged` it is read as if nobody changed it, so a change counts as if it were another file.
        """
        self.path, self._unchanged = path.absolute(), unchanged
        target = os.path.realpath(path)
        self._seen = dict.fromkeys((self.path, *(Path(target + end) for end in beside)))
        self._seen, self._size = self._now(), 0

    def is_there(self) -> bool:
        """Whether they still lead to the files that were noted, and the database is none the shorter."""
        before = self._size
        return self._now() == self._seen and self._size >= before

    def _now(self) -> dict[Path, tuple[int, ...] | None]:
        """What identifies the files of these names. Only their states are asked for: no descriptor is opened."""
        states: dict[Path, tuple[int, ...] | None] = {}
        for name in self._seen:
            try:
                status = os.stat(name)
            except OSError:
                states[name] = None
                continue
            content = (status.st_mtime_ns, status.st_size) if self._unchanged else ()
            states[name] = (status.st_dev, status.st_ino, *content)
            if name == self.path:
                self._size = status.st_size
        return states


def refuse_stdout(path: Path) -> None:
    """Raise StoreError for `-`, which means stdout where another file is named."""
    if str(path) == "-":
        raise StoreError("-: a database cannot be written to stdout, or read from stdin; name a file")


def create_or_open(path: Path, name: Path | None = None) -> FileConnection:
    """Open for writing; made where there is none, upgraded where it is older. Raises StoreError, which names `name`.

    Before a file is upgraded it is copied beside itself, to NAME.v4.backup, and a sentence says so. If the upgrade
    fails, the copy is removed, because the file is as it was.
    """
    refuse_stdout(path)
    _refuse_beside(path)
    try:
        if not path.exists():
            _refuse_no_folder(path)
            with contextlib.suppress(FileExistsError), _named_at_the_end(Path(os.path.realpath(path))) as part:
                _open_for_writing(part).close()
        # An empty file is what mktemp leaves.
        _refuse_foreign(path, empty_is_new=True)
        return _open_for_writing(path)
    except (OSError, *_UNREADABLE) as error:
        raise unusable(path, error, name) from error


def open_existing(path: Path, *, upgrade: bool = True) -> FileConnection:
    """Open for reading. A file of an older version is upgraded first, as `create_or_open` does. Raises StoreError.

    Without `upgrade`, such a file is refused: a command that only shows a file must not change it.
    """
    refuse_stdout(path)
    _refuse_beside(path)
    _refuse_foreign(path)
    try:
        conn = _open_for_reading(path)
        version = _version(conn)
        if version == schema.VERSION:
            return conn
        conn.close()
        if not upgrade:
            raise StoreError(
                f"{path} was written by an older arena (its schema is version {version}, this one has "
                f"{schema.VERSION}): run 'arena standings' on it once, which keeps a copy and brings it up to date"
            )
        create_or_open(path).close()
        return _open_for_reading(path)
    except _UNREADABLE as error:
        raise unusable(path, error) from error


def in_memory() -> Connection:
    """An empty one that is gone when it is closed."""
    conn = sqlite3.connect(":memory:")
    conn.execute("BEGIN")
    make.create(conn)
    conn.commit()
    _set_pragmas(conn)
    return conn


def is_database(path: Path) -> bool:
    """Whether this file is a database, of whatever program. True also for a damaged one."""
    try:
        return path.is_file() and _application_id(path) is not None
    except sqlite3.Error:
        return True


def _application_id(path: Path) -> int | None:
    """What the header of a database says of its program; None if the file is no database. Raises sqlite3.Error.

    SQLite is asked, and is told that nobody changes the file: then it reads the header alone, takes no lock and looks
    at no file beside it. Nothing of ours opens a database itself. A process that closes any descriptor of a file loses
    all its POSIX locks on it, and a reader that then believes itself alone removes the log of a run that goes on
    (sqlite.org/howtocorrupt.html, 2.2). SQLite alone knows which of its descriptors must stay open.

    While a log is taken up, or after a full disk or a kill ended that, the file alone may be too short for its header.
    Then SQLite is asked as usual, and reads the log.
    """
    try:
        application = _application_id_in(path, _UNCHANGED)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            return None
        if error.sqlite_errorcode != sqlite3.SQLITE_CORRUPT or not _has_log(path):
            raise
        application = _application_id_in(path, "ro")
    # To SQLite, a file that is too short for a header is an empty database.
    return application if path.stat().st_size >= _HEADER_BYTES else None


def _application_id_in(path: Path, mode: str) -> int:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as conn:
        return int(conn.execute("PRAGMA application_id").fetchone()[0])


def _has_log(path: Path) -> bool:
    log = Path(os.path.realpath(path) + "-wal")
    return log.exists() and log.stat().st_size > 0


def has_games(path: Path) -> bool:
    """Whether this database holds a game. True also for a file that cannot be read."""
    try:
        _refuse_beside(path)
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as conn:
            if not conn.execute("SELECT 1 FROM sqlite_schema WHERE name = 'games'").fetchall():
                return False
            return schema.fault(conn) is not None or bool(conn.execute("SELECT 1 FROM games LIMIT 1").fetchall())
    except (StoreError, *_UNREADABLE):
        return path.exists()


def removed(path: Path) -> bool:
    """Remove a database that no connection has open, of any process. False: one has, and the file stays.

    Raises OSError where the file cannot be removed.
    """
    try:
        _refuse_beside(path)
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=0)) as conn:
            # SQLite leaves WAL mode only if there is no other connection, not even one that is idle.
            conn.execute("PRAGMA journal_mode = delete")
            conn.execute("BEGIN EXCLUSIVE")
            path.unlink(missing_ok=True)
            conn.rollback()
    except (sqlite3.OperationalError, StoreError):
        return False
    except sqlite3.DatabaseError:  # no database: nobody can have it open
        path.unlink(missing_ok=True)
    return True


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Another name beside `path`, under which the block makes a file. At the end of the block it gets the name `path`.

    If an exception leaves the block, no file is left. Raises StoreError where `path` exists, at the start or the end.
    """
    refuse_stdout(path)
    _refuse_beside(path)
    if path.exists():
        raise StoreError(f"{path} is there already: name a database that does not exist yet")
    _refuse_no_folder(path)
    try:
        with _named_at_the_end(path.absolute()) as part:
            yield part
    except FileExistsError:
        raise StoreError(f"{path} was made by another program meanwhile: name another database") from None


def _refuse_no_folder(path: Path) -> None:
    if not (folder := path.absolute().parent).is_dir():
        raise StoreError(f"{path} cannot be made: there is no folder {folder}, so make it first")


@contextlib.contextmanager
def _named_at_the_end(target: Path) -> Iterator[Path]:
    """An empty file beside `target`, which gets that name at the end; so it is whole from the moment it has it.

    After an error nothing must be removed under this name, where another program may have begun to use it. Raises
    FileExistsError where another program was faster.
    """
    part = target.with_name(f".arena-{secrets.token_hex(8)}.part")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC
    os.close(os.open(part, flags, MODE))
    try:
        yield part
        try:
            os.link(part, target)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            os.close(os.open(target, flags, MODE))
            os.rename(part, target)
    finally:
        for suffix in ("", "-journal", "-wal", "-shm"):
            part.with_name(part.name + suffix).unlink(missing_ok=True)


def _refuse_beside(path: Path) -> None:
    """Raise StoreError for files beside a database at which SQLite would wait for ever, or spoil a new database."""
    target = os.path.realpath(path)
    for end in ("-journal", "-wal", "-shm"):
        beside = Path(target + end)
        try:
            status = beside.stat()
        except OSError:
            continue
        if not stat.S_ISREG(status.st_mode):
            raise StoreError(
                f"{path} cannot be used: {beside.name} beside it is no file, and SQLite keeps its own under that name: "
                "rename it"
            )
        # Into whatever is made under this name SQLite would write what another database has not taken up yet.
        if end != "-shm" and status.st_size and not os.path.exists(target):
            raise StoreError(
                f"{path} is not there, but {beside.name} is, with the last games of a database of this name: put that "
                f"database back, remove {beside.name}, or take another name"
            )


def _refuse_foreign(path: Path, empty_is_new: bool = False) -> None:
    """Raise StoreError unless `path` is a results file, by its header alone.

    Opening a database to ask what it is may already change its folder, or roll back a journal that is not ours.
    """
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(status.st_mode):
            raise StoreError(f"{path} is a device or a pipe: name an ordinary file")
        application = _application_id(path)
    except (OSError, sqlite3.Error) as error:
        raise unusable(path, error) from None
    if status.st_size == 0 and empty_is_new:
        return
    if status.st_size == 0:
        raise StoreError(f"{path} is empty: give the results file of a match or tournament")
    if application != schema.APPLICATION_ID:
        what = "not a database" if application is None else "a database of another program"
        remedy = ", or another name to make a new one" if empty_is_new else ", such as cup.db"
        raise StoreError(f"{path} is {what}: give a results file{remedy}")


def _open_for_writing(path: Path) -> FileConnection:
    # Absolute, for to SQLite some names mean something else: `:memory:`, `file:...`.
    conn = sqlite3.connect(path.absolute(), timeout=BUSY_SECONDS, factory=FileConnection)
    try:
        _guard(conn)
        _make_current(conn, path)
        conn.execute("PRAGMA journal_mode = wal")
        # Only now: an upgrade needs foreign keys unchecked meanwhile.
        _set_pragmas(conn)
        conn.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()  # from now on there are the files beside it
        conn.note(path, ("-wal", "-shm"))
    except BaseException:
        conn.close()
        raise
    return conn


def _make_current(conn: Connection, path: Path) -> None:
    """Make the schema in an empty file, or upgrade an older one. Raises StoreError for one whose structure was changed.

    The file is locked from the start, so that of two programs at once the second finds nothing to do. It is one
    transaction: a file is never seen between two versions.
    """
    if _version(conn) >= schema.VERSION:
        _refuse_changed(conn, path)
        return
    conn.execute("BEGIN IMMEDIATE")
    backup = None
    try:
        version = _version(conn)  # another program may have done it while this one waited for the lock
        if conn.execute("SELECT 1 FROM sqlite_schema").fetchone() is None:
            make.create(conn)
        else:
            _refuse_changed(conn, path)
            if version < schema.VERSION:
                backup = _back_up(path, version)
                make.upgrade(conn)
                _refuse_changed(conn, path)
    except BaseException:
        conn.rollback()
        # The file is as it was, and each try would leave one more copy.
        if backup is not None:
            backup.unlink(missing_ok=True)
        raise
    conn.commit()
    if backup is not None:
        LOG.info(
            f"{path} was brought from schema version {version} to {schema.VERSION}; as it was it is kept as {backup}"
        )


def _guard(conn: Connection) -> None:
    """Take what a stranger may have written into a file: no functions that only we call, no value that fills memory."""
    conn.execute("PRAGMA trusted_schema = OFF")
    conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)


def _refuse_changed(conn: Connection, path: Path) -> None:
    """Raise StoreError for a file of a newer or too old a version, and for one whose structure was changed."""
    if (fault := schema.fault(conn)) is not None:
        raise StoreError(f"{path}{fault}")


def _back_up(path: Path, version: int) -> Path:
    """Copy the file as it is, whole or not at all, beside it and under a name that is free."""
    target, again = Path(os.path.realpath(path)), 1
    backup = first = target.with_name(f"{target.name}.v{version}.backup")
    while backup.exists():
        again += 1
        backup = first.with_name(f"{first.name}{again}")
    with _named_at_the_end(backup) as part, contextlib.closing(sqlite3.connect(target, timeout=BUSY_SECONDS)) as source:
        with contextlib.closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
        os.chmod(part, stat.S_IMODE(target.stat().st_mode))
    return backup


def _open_for_reading(path: Path) -> FileConnection:
    # A file in WAL mode has two files beside it even while it is read. Only a connection that may write removes them
    # at its end. So where the file can be written, the connection may write and `query_only` keeps it from doing so.
    # Elsewhere the two are made all the same, unless the folder is read-only too and nobody is writing: then it is a
    # copy on a read-only medium, which is `immutable`.
    target = os.path.realpath(path)
    mode = "rw"
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        quiet = not os.access(path.parent, os.W_OK) and not os.path.exists(f"{target}-wal")
        mode = _UNCHANGED if quiet else "ro"
    try:
        return _reading(path, mode)
    except sqlite3.OperationalError as error:
        if mode == _UNCHANGED or error.sqlite_errorcode not in _NOT_WRITTEN | {sqlite3.SQLITE_CANTOPEN}:
            raise
        # Most likely the disk is full, so that the two cannot be made.
        logs = [end for end in ("-wal", "-journal") if os.path.exists(target + end) and os.path.getsize(target + end)]
        if logs == ["-wal"]:
            return _reading(path, mode, alone=True)
        if logs:
            raise
        return _reading(path, _UNCHANGED)


def _reading(path: Path, mode: str, *, alone: bool = False) -> FileConnection:
    """A connection that reads in this mode; an `alone` one takes the file for itself, and needs no file beside it."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    conn = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, factory=FileConnection)
    try:
        conn.execute("PRAGMA query_only = ON")
        conn.execute("PRAGMA temp_store = MEMORY")  # the disk with the temporary files may be full
        if alone:
            conn.execute("PRAGMA locking_mode = EXCLUSIVE")
        _guard(conn)
        _refuse_changed(conn, path)
        conn.note(path, ("-wal",) if mode == _UNCHANGED else (), unchanged=mode == _UNCHANGED)
    except BaseException:
        conn.close()
        raise
    return conn


def _set_pragmas(conn: Connection) -> None:
    conn.execute("PRAGMA synchronous = NORMAL")
    conn.execute("PRAGMA foreign_keys = ON")


def _version(conn: Connection) -> int:
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def unusable(path: Path, error: Exception, name: Path | None = None) -> StoreError:
    """The sentence for what the operating system or SQLite said about `path`, which users know as `name`."""
    name = name or path
    if isinstance(error, OSError):
        if error.errno in disk.NO_ROOM:
            return StoreError(f"{name} cannot be written ({error.strerror}): {disk.remedy(path, error.errno)}")
        match error.errno:
            case errno.ENOENT:
                return StoreError(f"{name} does not exist: check the name, or play a match first")
            case errno.EISDIR:
                return StoreError(f"{name} is a folder: name a file in it")
            case _:
                return StoreError(f"{name} cannot be opened ({error.strerror}): check its permissions and its folder's")
    if (sentence := not_written(path, error, name)) is not None:
        return StoreError(sentence)
    cause = "its schema is damaged" if isinstance(error, UnicodeDecodeError) else error
    return StoreError(f"{name} cannot be used ({cause}): {remedy(error)}")


def not_written(path: Path, error: Exception, name: Path) -> str | None:
    """The sentence for an error of SQLite's if something could not be written; None for another one."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code not in _NOT_WRITTEN | {sqlite3.SQLITE_CANTOPEN}:
        return None
    target = os.path.realpath(path)
    ends = ("-shm",) if code in _OF_SHM else ("-wal", "-journal", "")
    file = next((Path(target + end) for end in ends if os.path.exists(target + end)), Path(target))
    said = disk.why_full(file)
    if code == sqlite3.SQLITE_CANTOPEN and (said is None or said.errno not in disk.NO_ROOM):
        return None  # a file beside it could not be made for another reason
    number = said.errno if said is not None else errno.ENOSPC if code == sqlite3.SQLITE_FULL else 0
    why = error if said is None else said.strerror
    is_part = path.absolute() != name.absolute()  # a file that gets its name later
    which = name if is_part or Path(target) == file else f"{name}: {file.name}"
    return f"{which} cannot be written ({why}): {disk.remedy(file, number or 0)}"


def remedy(error: Exception) -> str:
    """What helps against an error of SQLite's."""
    code = getattr(error, "sqlite_errorcode", 0)
    match sqlite3.SQLITE_CORRUPT if code == sqlite3.SQLITE_IOERR_SHORT_READ else code & 0xFF:
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return "check its permissions and its folder's"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "end the program that holds it"
        case sqlite3.SQLITE_IOERR:
            return "look at its disk"
        case sqlite3.SQLITE_INTERRUPT:
            return "it took too long, so ask for fewer games"
        case _:
            return "restore it from a copy, or choose another file"
