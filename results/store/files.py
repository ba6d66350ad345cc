"""Makes, recognizes and opens results files: what is ours, which version it is, and what to tell the user otherwise.

Knows files, headers, locks and pragmas. Refuses to know what lies in the tables.
"""

import errno
import os
import secrets
import sqlite3
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from results.store import create_schema, schema

if TYPE_CHECKING:
    from sqlite_utils import Database

BUSY_SECONDS = 5.0
"""How long to wait for another writer before giving up."""
MAGIC = b"SQLite format 3\0"
HEADER_BYTES = 100

Told = Callable[[str], None]
"""Takes a sentence for the user."""


def silent(sentence: str) -> None:
    """Tell nobody."""


class StoreError(Exception):
    """The results file cannot be used as asked: one sentence that names the file and the remedy."""


def create_or_open(path: Path, steps: Sequence[schema.Step] = schema.STEPS, told: Told = silent) -> sqlite3.Connection:
    """Open for writing; made where there is none, migrated where it is older. Raises StoreError.

    Before a file is migrated it is copied beside itself, to NAME.v1.backup; `told` hears of it. Where the migration
    fails the copy is removed, for the file is as it was.
    """
    try:
        if not path.exists():
            _make(path, steps)
        # An empty file is what mktemp leaves.
        _refuse_foreign(path, empty_is_new=True)
        return _opened_for_writing(path, steps, told)
    except (OSError, sqlite3.Error) as error:
        raise unusable(path, error) from error


def open_existing(path: Path, steps: Sequence[schema.Step] = schema.STEPS, told: Told = silent) -> sqlite3.Connection:
    """Open for reading. A file of an older version is migrated first, as `create_or_open` does. Raises StoreError."""
    _refuse_foreign(path)
    try:
        conn = _opened_for_reading(path)
        version = _version(conn)
        if version == len(steps):
            return conn
        conn.close()
        if version > len(steps):
            raise _newer(path, version, len(steps))
        create_or_open(path, steps, told).close()
        return _opened_for_reading(path)
    except sqlite3.Error as error:
        raise unusable(path, error) from error


def in_memory() -> sqlite3.Connection:
    """An empty one that is gone when it is closed."""
    conn = sqlite3.connect(":memory:")
    conn.execute("BEGIN")
    create_schema.make(conn, schema.STEPS)
    conn.commit()
    _prepare(conn)
    return conn


def _make(path: Path, steps: Sequence[schema.Step]) -> None:
    """Make a new file, whole from the moment it has its name; nothing where another program was faster.

    It is made under another name beside it, so that nothing that has gone wrong needs removing under this one, where
    another program may have begun to use it.
    """
    target = Path(os.path.realpath(path))
    part = target.with_name(f".arena-{secrets.token_hex(8)}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except FileNotFoundError:
        raise StoreError(f"{path} cannot be made: there is no folder {path.parent}, so make it first") from None
    try:
        _opened_for_writing(part, steps).close()
        os.link(part, target)
    except FileExistsError:
        pass
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK):
            raise
        # A file system without links: an empty file, which whoever opens it first fills with the file locked.
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o666))
    finally:
        for suffix in ("", "-journal", "-wal", "-shm"):
            part.with_name(part.name + suffix).unlink(missing_ok=True)


def _refuse_foreign(path: Path, empty_is_new: bool = False) -> None:
    """Raise StoreError unless `path` is a results file, by its header alone.

    Opening a database to ask what it is may already change its folder, or roll back a journal that is not ours.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise StoreError(f"{path} is a device or a pipe: name an ordinary file")
    try:
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except OSError as error:
        raise unusable(path, error) from None
    if not header and empty_is_new:
        return
    if not header:
        raise StoreError(f"{path} is empty: give the results file of a match or tournament")
    if len(header) < HEADER_BYTES or not header.startswith(MAGIC):
        raise StoreError(f"{path} is not a database: give a results file, or another name to make a new one")
    if int.from_bytes(header[68:72], "big") != schema.APPLICATION_ID:
        raise StoreError(
            f"{path} is a database of another program: give a results file, or another name to make a new one"
        )


def _opened_for_writing(path: Path, steps: Sequence[schema.Step], told: Told = silent) -> sqlite3.Connection:
    # Absolute, for to SQLite some names mean something else: `:memory:`, `file:...`.
    conn = sqlite3.connect(path.absolute(), timeout=BUSY_SECONDS)
    try:
        version = _version(conn)
        if version > len(steps):
            raise _newer(path, version, len(steps))
        if version < len(steps):
            _migrate_alone(conn, steps, path, told)
        conn.execute("PRAGMA journal_mode = wal")
        # Only now: a step that rebuilds a table needs its foreign keys unchecked meanwhile.
        _prepare(conn)
    except BaseException:
        conn.close()
        raise
    return conn


def _migrate_alone(conn: sqlite3.Connection, steps: Sequence[schema.Step], path: Path, told: Told) -> None:
    """Migrate with the file locked from the start, so that of two programs at once the second finds nothing to do.

    The steps' own transactions become savepoints of this one: a file is never seen between two versions.
    """
    conn.execute("BEGIN IMMEDIATE")
    kept = None
    try:
        # Another program may have done it while this one waited for the lock.
        was = _version(conn)
        kept = _back_up(path, was) if 0 < was < len(steps) else None
        if create_schema.is_fresh(conn):
            create_schema.make(conn, steps)
        else:
            schema.migrate(_database(conn), steps)
    except BaseException:
        conn.rollback()
        # The file is still what its copy is; who tries again and again would fill the disk with copies.
        if kept is not None:
            kept.unlink(missing_ok=True)
        raise
    conn.commit()
    if kept is not None:
        told(f"{path} was brought from schema version {was} to {len(steps)}; as it was it is kept as {kept}")


def _back_up(path: Path, version: int) -> Path:
    """Copy the file as it is, whole or not at all, beside it and under a name that is free."""
    target = Path(os.path.realpath(path))
    part = target.with_name(f".arena-{secrets.token_hex(8)}.part")
    source = sqlite3.connect(target, timeout=BUSY_SECONDS)
    try:
        copy = sqlite3.connect(part)
        try:
            source.backup(copy)
        finally:
            copy.close()
        os.chmod(part, stat.S_IMODE(target.stat().st_mode))
        kept = target.with_name(f"{target.name}.v{version}.backup")
        again = 1
        while kept.exists():
            again += 1
            kept = target.with_name(f"{target.name}.v{version}.backup{again}")
        part.replace(kept)
    finally:
        source.close()
        for suffix in ("", "-journal", "-wal", "-shm"):
            part.with_name(part.name + suffix).unlink(missing_ok=True)
    return kept


def _opened_for_reading(path: Path) -> sqlite3.Connection:
    # A file in WAL mode has two files beside it even while it is read. Only a connection that may write removes them
    # at its end, so one that may is made and told not to. Where it may not, the two are made all the same, unless the
    # folder is read-only too and nobody is writing: a copy on a read-only medium, which is `immutable`.
    mode = "rw"
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        quiet = not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists()
        mode = "ro&immutable=1" if quiet else "ro"
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    conn = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)
    try:
        conn.execute("PRAGMA query_only = ON")
        conn.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        conn.close()
        raise
    return conn


def _database(conn: sqlite3.Connection) -> "Database":
    # Only where there is something to migrate: the package takes longer to load than a match of a few quick games.
    from sqlite_utils import Database

    return Database(conn, recursive_triggers=False, execute_plugins=False)


def _prepare(conn: sqlite3.Connection) -> None:
    conn.execute("PRAGMA synchronous = NORMAL")
    conn.execute("PRAGMA foreign_keys = ON")


def _version(conn: sqlite3.Connection) -> int:
    return int(conn.execute("PRAGMA user_version").fetchone()[0])


def _newer(path: Path, version: int, known: int) -> StoreError:
    return StoreError(
        f"{path} was written by a newer arena (its schema is version {version}, this one knows {known}): "
        "update the arena, or choose another file"
    )


def unusable(path: Path, error: Exception) -> StoreError:
    """The sentence for what the operating system or SQLite said about `path`."""
    if isinstance(error, OSError):
        match error.errno:
            case errno.ENOENT:
                return StoreError(f"{path} does not exist: check the name, or play a match first")
            case errno.EISDIR:
                return StoreError(f"{path} is a folder: name a file in it")
            case _:
                return StoreError(f"{path} cannot be opened ({error.strerror}): check its permissions and its folder's")
    return StoreError(f"{path} cannot be used ({error}): {remedy(error)}")


def remedy(error: Exception) -> str:
    """What helps against an error of SQLite's."""
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return "check its permissions and its folder's"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "end the program that holds it"
        case sqlite3.SQLITE_FULL:
            return "free space on its disk"
        case _:
            return "restore it from a copy, or choose another file"
