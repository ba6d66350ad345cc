"""Makes the schema of a new file by the steps of a migration, without sqlite-utils, which takes 0.3 s to import.

It writes what sqlite-utils records of steps, so that sqlite-utils takes the file for one that it has migrated itself; a
test compares the two. Independent of files.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from sqlite3 import Connection, Cursor
from typing import TYPE_CHECKING, NamedTuple, cast

from results.store.schema import APPLICATION_ID, Step

if TYPE_CHECKING:
    from sqlite_utils import Database


class StepDatabase(NamedTuple):
    """The part of sqlite-utils' Database that steps use."""

    conn: Connection

    def execute(self, sql: str) -> Cursor:
        """Run a statement."""
        return self.conn.execute(sql)


CREATE_MIGRATIONS = (
    'CREATE TABLE "_sqlite_migrations" ('
    '"id" INTEGER PRIMARY KEY, "migration_set" TEXT, "name" TEXT, "applied_at" TEXT)',
    'CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name" ON "_sqlite_migrations" ("migration_set", "name")',
)
INSERT_MIGRATION = "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('arena', ?, ?)"


def create(conn: Connection, steps: Sequence[Step]) -> None:
    """Apply all steps to an empty database, in a transaction that the caller has begun and ends."""
    for statement in CREATE_MIGRATIONS:
        conn.execute(statement)
    for step in steps:
        step.apply(cast("Database", StepDatabase(conn)))
        conn.execute(INSERT_MIGRATION, (step.name, str(datetime.now(UTC))))
    conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    conn.execute(f"PRAGMA user_version = {len(steps)}")
