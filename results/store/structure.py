"""Is the structure of a results file what we make? A stranger's file may look like ours and harm whoever reads it.

A view in a table's place may never end, a trigger may delete what is stored. So all that has a name of ours must be
made by our statement, blanks and comments apart, and triggers are refused wherever they are. Tables and views of a
user's own stay: no query of ours uses them. An index on a table of ours is written with every game, so it may hold
columns only, and must take equal rows.
"""

import re
from collections.abc import Iterator
from sqlite3 import Connection

from results.store import schema

_TOKEN = re.compile(
    r"""--[^\n]*|/\*.*?\*/|\s+|('(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|\w+|.)""", re.DOTALL
)
_LONGEST_NAME = 60

_Tokens = tuple[str, ...]


def _tokens(sql: str) -> _Tokens:
    """The words and signs of a statement, names without their quotes."""
    return tuple(each[1:-1] if each[0] in '"`[' else each for each in _TOKEN.findall(sql) if each)


_OURS = {
    next(word for word in tokens[1:] if not word.isupper()): tokens
    for tokens in map(_tokens, (*schema.STATEMENTS, schema.CHECK_REPORTS))
}
"""What we make, by name."""
REQUIRED = {*_OURS} - {"check_reports"}
"""What every file has."""


def fault(conn: Connection) -> str | None:
    """Why the file must not be used, as a sentence without its name; None where its structure is sound.

    Of a file of an older version only the kinds are compared. Its tables become those of today, and are compared then.
    """
    return next(_faults(conn), None)


def _faults(conn: Connection) -> Iterator[str]:
    current = conn.execute("PRAGMA user_version").fetchone()[0] == schema.VERSION
    missing = set(REQUIRED) if current else set[str]()
    # SQLite has compared the first three columns with the statement.
    query = "SELECT type, name, lower(tbl_name), sql FROM sqlite_schema WHERE sql IS NOT NULL"
    for kind, name, table, sql in conn.execute(query).fetchall():
        made, ours, called = _tokens(sql), _OURS.get(name.lower()), f'{kind} "{name[:_LONGEST_NAME]}"'
        missing.discard(name)
        if kind == "trigger":
            yield f"its {called} may change games as they are stored: drop it, or restore the file from a copy"
        elif ours is not None:
            is_old = not current and name in REQUIRED
            if ours[1] == "TABLE" and not _is_plain_table(made) if is_old else made != ours:
                yield f"its {called} is not as the arena makes it: restore the file from a copy"
        elif kind == "index" and table in _OURS and not _is_plain_index(made):
            yield f"its {called} may keep games from being stored, as it is not of columns alone: drop it"
    for name in sorted(missing):
        yield f"it has no {name}, which every results file has: restore it from a copy"


def _is_plain_table(made: _Tokens) -> bool:
    """An ordinary table whose columns are all stored."""
    return made[1] == "TABLE" and not {"AS", "GENERATED"} & {word.upper() for word in made}


def _is_plain_index(made: _Tokens) -> bool:
    """An index of columns, of all rows, that takes equal rows."""
    signs = (*made[1:2], *made[3:4], *made[5:6], made[-1])
    return signs == ("INDEX", "ON", "(", ")") and all(re.fullmatch(r"\w+|,", word) for word in made[6:-1])
