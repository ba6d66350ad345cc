"""Is the structure of a results file what we make? A stranger's file may look like ours and harm whoever reads it.

A view in a table's place may never end, a trigger may delete what is stored. So our tables must be plain tables with
our columns and our indexes, and triggers are refused wherever they are. Tables and views of a user's own stay: no query
of ours uses them. An index on a table of ours is written with every game, so it may hold columns only, and must take
equal rows.
"""

import json
import re
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
    """Why the file must not be used, as the end of a sentence that begins with its name; None where it is sound.

    Of a file of an older version only the kinds are compared. Its tables become those of today, and are compared then.
    """
    if (version := conn.execute("PRAGMA user_version").fetchone()[0]) < schema.OLDEST:
        return (
            f" was made by a version of the arena before 0.4 (its schema is version {version}): open it with version "
            "0.4 first, for example by 'arena standings', which brings it up to date and keeps a copy"
        )
    if version > schema.VERSION:
        return (
            f" was written by a newer arena (its schema is version {version}, this one knows {schema.VERSION}): "
            "update the arena, or choose another file"
        )
    current = version == schema.VERSION
    for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        name = name[:_LONGEST_NAME]
        return f': its trigger "{name}" may change games as they are stored: drop it, or restore it from a copy'
    there = {name.lower(): made for name, *made in conn.execute(_TABLES)}
    missing = {*schema.TABLES, *schema.INDEXES} if current else set()
    for name in there.keys() & schema.TABLES.keys():
        table, (kind, is_plain, is_ours, sql) = schema.TABLES[name], there[name]
        columns = conn.execute("SELECT name, hidden, dflt_value FROM pragma_table_xinfo(?)", (name,)).fetchall()
        is_plain = is_plain and not any(hidden for _, hidden, _ in columns)
        if current:
            plain = {column for column, _, default in columns if default is None}
            is_plain = is_plain and is_ours and plain == {*table.columns} and not _CONDITION.search(sql)
        if not is_plain:
            return f': its {"view" if kind == "view" else "table"} "{name}" {_CHANGED}'
        missing.discard(name)
        for index, selects, text in conn.execute(_INDEXES, (name,)).fetchall():
            ours, names, shown = schema.INDEXES.get(index), json.loads(text), index[:_LONGEST_NAME]
            if ours is not None and current:
                if ours != Index(name, tuple(names), bool(selects)):
                    return f': its index "{shown}" {_CHANGED}'
                missing.discard(index)
            elif None in names or (selects and ours is None and index not in schema.GONE_INDEXES):
                return f': its index "{shown}" may keep games from being stored, as it is not of columns alone: drop it'
    for name in sorted(missing):
        return f": it has no {name}, which every results file has: restore it from a copy"
    return None
