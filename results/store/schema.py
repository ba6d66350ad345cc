"""The schema of the results file as `schema.sql` has it: its statements, and who makes a new file of them.

Independent of files and of what a game is.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from sqlite3 import Connection
from typing import Any

_COLUMN = re.compile(r"^ +(\w+) (TEXT|INTEGER|REAL)( NOT NULL| PRIMARY KEY)?", re.MULTILINE)
_TYPES: dict[str, Any] = {"TEXT": str, "INTEGER": int, "REAL": float}

APPLICATION_ID = 0x43414C41
"""`CALA` in the file's header: by this a file is known as ours before it is opened as a database."""
VERSION = 5
OLDEST = 4
"""The schema of version 0.4 of the arena: files of an older one are refused."""
STEPS = ("0001_first", "0002_second", "0003_machines", "0004_pvs", "0005_endings")
"""What a file of this version records as its migrations, a name for each version."""

_ALL = [
    each[each.index("CREATE") :]  # without the comments before it
    for each in Path(__file__).with_name("schema.sql").read_text(encoding="utf-8").split(";\n")
    if "CREATE" in each
]
*TABLES, CHECK_REPORTS = (each for each in _ALL if each.startswith("CREATE TABLE"))
INDEXES_AND_VIEWS = [each for each in _ALL if not each.startswith("CREATE TABLE")]
STATEMENTS = (*TABLES, *INDEXES_AND_VIEWS)
"""Everything that a new file has."""


@cache
def kinds() -> dict[str, Any]:
    """The types of values that a column may hold, by its name; columns of one name hold the same."""
    types: dict[str, Any] = {}
    for name, kind, needed in _COLUMN.findall("".join((*TABLES[1:], CHECK_REPORTS))):
        types[name] = types.get(name, _TYPES[kind]) | _TYPES[kind] | (_TYPES[kind] if needed else None)
    return types


def create(conn: Connection, fill: Callable[[], None] = lambda: None) -> None:
    """Make the schema, in a transaction that the caller has begun and ends.

    `fill` may add rows to the tables: it is called before there are indexes, which takes less time.
    """
    for statement in TABLES:
        conn.execute(statement)
    fill()
    for statement in INDEXES_AND_VIEWS:
        conn.execute(statement)
    now = str(datetime.now(UTC))
    conn.executemany(
        "INSERT OR IGNORE INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('arena', ?, ?)",
        [(step, now) for step in STEPS],
    )
    conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    conn.execute(f"PRAGMA user_version = {VERSION}")
