"""Is the structure of a results file what we make? A stranger's file may look like ours and harm whoever reads it.

A view in a table's place may never end, a trigger may delete what is stored. So our tables must be plain tables with
our columns and our indexes, and triggers are refused wherever they are. Tables, views and indexes of a user's own stay.
"""

from collections.abc import Iterator
from sqlite3 import Connection

from results.store import schema

_CHANGED = "is not as the arena makes it: restore the file from a copy"
_TABLES = "SELECT lower(name), type, type = 'table', strict AND NOT wr FROM pragma_table_list WHERE schema = 'main'"


def fault(conn: Connection) -> str | None:
    """Why the file must not be used, as a sentence without its name; None where its structure is sound.

    Of a file of an older version only the kinds are compared. Its tables become those of today, and are compared then.
    """
    return next(_faults(conn), None)


def _faults(conn: Connection) -> Iterator[str]:
    current = conn.execute("PRAGMA user_version").fetchone()[0] == schema.VERSION
    for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        yield f'its trigger "{name:.60}" may change games as they are stored: drop it, or restore it from a copy'
    there = {name: made for name, *made in conn.execute(_TABLES)}
    indexes = {name for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'index'")}
    for name in [*schema.TABLES, *schema.INDEXES] if current else ():
        if name not in there and name not in indexes:
            yield f"it has no {name}, which every results file has: restore it from a copy"
    for name, table in schema.TABLES.items():
        kind, is_plain, is_ours = there.get(name, ("", True, True))
        columns = {column for (column,) in conn.execute("SELECT name FROM pragma_table_xinfo(?)", (name,))}
        if not is_plain or (current and not (is_ours and columns == {*table.columns})):
            yield f'its {"view" if kind == "view" else "table"} "{name}" {_CHANGED}'
