"""Makes the schema of a new file: the steps of a migration without the package that migrates, which loads for 0.1 s.

Knows what sqlite-utils records of steps, so that it takes the file for one that it has migrated itself; a test compares
the two. Refuses to know files.
"""

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, cast

from results.store.schema import APPLICATION_ID, Step

if TYPE_CHECKING:
    from sqlite_utils import Database


class Bare(NamedTuple):
    """What steps use of sqlite-utils' Database."""

    conn: sqlite3.Connection

    def execute(self, sql: str) -> sqlite3.Cursor:
        """Run a statement."""
        return self.conn.execute(sql)


RECORDS = (
    'CREATE TABLE "_sqlite_migrations" ('
    '"id" INTEGER PRIMARY KEY, "migration_set" TEXT, "name" TEXT, "applied_at" TEXT)',
    'CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name" ON "_sqlite_migrations" ("migration_set", "name")',
)
RECORD = "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('arena', ?, ?)"


def is_fresh(conn: sqlite3.Connection) -> bool:
    """Is there nothing in it yet?"""
    return bool(conn.execute("SELECT count(*) = 0 FROM sqlite_master").fetchone()[0])


def make(conn: sqlite3.Connection, steps: Sequence[Step]) -> None:
    """Apply all steps to an empty database, in a transaction that the caller has begun and ends."""
    for statement in RECORDS:
        conn.execute(statement)
    for number, step in enumerate(steps, 1):
        step(cast("Database", Bare(conn)))
        conn.execute(RECORD, (f"{number:04d}_{step.__name__}", str(datetime.now(UTC))))
    conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    conn.execute(f"PRAGMA user_version = {len(steps)}")
