"""Is the structure of a results file what we make? A stranger's file may look like ours and harm whoever reads it.

A view in a table's place may never end, a trigger may delete what is stored. So all that has a name of ours must be
made by our statement, blanks and comments apart, and triggers are refused wherever they are. Tables and views of a
user's own stay: no query of ours uses them. An index on a table of ours is written with every game, so it may hold
columns only, and must take equal rows.

SQLite does what the statement in a row of `sqlite_schema` says and ignores the rest of the row. So does this module.
"""

import re
from collections.abc import Iterator
from sqlite3 import Connection
from typing import NamedTuple

from results.store import schema

_TOKEN = re.compile(r"""--[^\n]*|/\*.*?\*/|\s+|('(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|.)""", re.DOTALL)
_LONGEST_NAME = 60


class _Made(NamedTuple):
    """What a statement makes."""

    kind: str
    """TABLE, INDEX, VIEW, TRIGGER; empty if none is found."""
    name: str
    tokens: tuple[str, ...]
    """Its words and signs."""

    @property
    def is_plain_table(self) -> bool:
        """An ordinary table whose columns are all stored."""
        return self.tokens[1] == "TABLE" and not {"AS", "GENERATED"} & {*map(str.upper, self.tokens)}

    @property
    def is_plain_index(self) -> bool:
        """An index of columns, of all rows, that takes equal rows."""
        kind, on, begin, end = self.tokens[1:2], self.tokens[3:4], self.tokens[5:6], self.tokens[-1]
        return (*kind, *on, *begin, end) == ("INDEX", "ON", "(", ")") and all(
            each == "," or re.fullmatch(r"\w+", each) for each in self.tokens[6:-1]
        )

    @property
    def table_of_index(self) -> str:
        """The table that an index is on."""
        return next((after for on, after in zip(self.tokens, self.tokens[1:], strict=False) if on == "ON"), "")


def _made(sql: str) -> _Made:
    tokens = tuple(each[1:-1] if each[0] == '"' else each for each in _TOKEN.findall(sql) if each)
    for at, word in enumerate(tokens[1:3], 1):
        if word in ("TABLE", "INDEX", "VIEW", "TRIGGER") and len(tokens) > at + 1:
            return _Made(word, tokens[at + 1], tokens)
    return _Made("", "", tokens)


_OPTIONAL = _made(schema.CHECK_REPORTS)
_OURS = {each.name: each for each in (_OPTIONAL, *map(_made, schema.STATEMENTS))}


def fault(conn: Connection) -> str | None:
    """Why the file must not be used, as a sentence without its name; None where its structure is sound.

    Of a file of an older version only the kinds are compared. Its tables become those of today, and are compared then.
    """
    return next(_faults(conn), None)


def _faults(conn: Connection) -> Iterator[str]:
    current = conn.execute("PRAGMA user_version").fetchone()[0] == schema.VERSION
    missing = {name: each for name, each in _OURS.items() if current and each is not _OPTIONAL}
    for kind, name, sql in conn.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall():
        if not isinstance(name, str) or not isinstance(sql, str) or "\0" in sql:
            yield "its list of tables is damaged: restore the file from a copy"
            continue
        made, ours, called = _made(sql), _OURS.get(name.lower()), f'"{name[:_LONGEST_NAME]}"'
        missing.pop(name, None)
        if made.kind == "TRIGGER":
            yield f"its trigger {called} may change games as they are stored: drop it, or restore the file from a copy"
        elif (made.kind.lower(), made.name) != (kind, name):
            yield f"what makes its {kind} {called} was changed by hand: restore the file from a copy"
        elif ours is not None:
            is_old = not current and ours is not _OPTIONAL
            if (ours.kind == "TABLE" and not made.is_plain_table) if is_old else made != ours:
                yield f"its {kind} {called} is not as the arena makes it: restore the file from a copy"
        elif made.kind == "INDEX" and made.table_of_index.lower() in _OURS and not made.is_plain_index:
            yield f"its index {called} may keep games from being stored, as it is not of columns alone: drop it"
    for name, each in missing.items():
        yield f'its {each.kind.lower()} "{name}" is missing: restore the file from a copy'
