"""Is the structure of a results file what we make? A stranger's file may look like ours and harm whoever reads it.

A view in a table's place may never end, a trigger may delete what is stored. So our tables must be plain tables with
our columns and our indexes, and triggers are refused wherever they are. Tables and views of a user's own stay: no query
of ours uses them. An index on a table of ours is written with every game, so it may hold columns only, and must take
equal rows.
"""

import json
import re
from collections.abc import Iterator
from sqlite3 import Connection

from results.store import schema
from results.store.schema import Index

_LONGEST_NAME = 60
_CHANGED = "is not as the arena makes it: restore the file from a copy"
_CONDITION = re.compile(r"\bCHECK\b", re.IGNORECASE)
_TABLES = """
SELECT l.name, l.type, l.type = 'table', l.strict AND NOT l.wr, s.sql
FROM pragma_table_list l JOIN sqlite_schema s ON s.name = l.name WHERE l.schema = 'main'
"""
_INDEXES = """
SELECT l.name, l."unique" OR l.partial, json_group_array(x.name)
FROM pragma_index_list(?) l JOIN pragma_index_info(l.name) x
WHERE l.origin = 'c' GROUP BY l.name
"""
"""The indexes of a table with their columns, in whose place an expression is null."""


def fault(conn: Connection) -> str | None:
    """Why the file must not be used, as a sentence without its name; None where its structure is sound.

    Of a file of an older version only the kinds are compared. Its tables become those of today, and are compared then.
    """
    return next(_faults(conn), None)


def _faults(conn: Connection) -> Iterator[str]:
    current = conn.execute("PRAGMA user_version").fetchone()[0] == schema.VERSION
    for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        yield f"its trigger {_quoted(name)} may change games as they are stored: drop it, or restore it from a copy"
    there = {name.lower(): made for name, *made in conn.execute(_TABLES)}
    for name, table in schema.TABLES.items():
        if name not in there:
            if current:
                yield f"it has no {name}, which every results file has: restore it from a copy"
            continue
        kind, is_plain, is_ours, sql = there[name]
        columns = conn.execute("SELECT name, hidden, dflt_value FROM pragma_table_xinfo(?)", (name,)).fetchall()
        is_plain = is_plain and not any(hidden for _, hidden, _ in columns)
        if current:
            plain = {column for column, _, default in columns if default is None}
            is_plain = is_plain and is_ours and plain == {*table.columns} and not _CONDITION.search(sql)
        if is_plain:
            yield from _faults_of_indexes(conn, name, current)
        else:
            yield f"its {'view' if kind == 'view' else 'table'} {_quoted(name)} {_CHANGED}"


def _faults_of_indexes(conn: Connection, table: str, current: bool) -> Iterator[str]:
    missing = {name for name, index in schema.INDEXES.items() if index.table == table} if current else set()
    for name, selects, columns in conn.execute(_INDEXES, (table,)).fetchall():
        ours = schema.INDEXES.get(name)
        missing.discard(name)
        names = json.loads(columns)
        if ours is not None and current:
            if ours != Index(table, tuple(names), bool(selects)):
                yield f"its index {_quoted(name)} {_CHANGED}"
        elif None in names or (selects and ours is None and name not in schema.GONE_INDEXES):
            yield f"its index {_quoted(name)} may keep games from being stored, as it is not of columns alone: drop it"
    for name in sorted(missing):
        yield f"it has no {name}, which every results file has: restore it from a copy"


def _quoted(name: str) -> str:
    return f'"{name[:_LONGEST_NAME]}"'
