"""The tables, indexes and views of the results file, as values, and whether a file has them.

sqlite-utils makes them (`make`), and it is loaded only there: a command that reads a file does not wait for it. Whoever
changes a table counts `VERSION` up, and says in `make.LACKING` what the rows of version 0.4 get.

A stranger's file may look like ours and harm whoever reads it. A view in a table's place may never end, a trigger may
delete what is stored. So our tables must be plain tables with our columns and our indexes, and triggers are refused
wherever they are. Tables and views of a user's own stay: no query of ours uses them. An index on a table of ours is
written with every game, so it may hold columns only, and must take equal rows.
"""

import json
import re
from sqlite3 import Connection
from typing import Any, NamedTuple

APPLICATION_ID = 0x43414C41
"""`CALA` in the file's header: by this a file is known as ours before it is opened as a database."""
VERSION = 6
OLDEST = 4
"""The schema of version 0.4 of the arena: files of an older one are refused."""


class Table(NamedTuple):
    """A strict table. A column whose type is a union with None may be NULL."""

    columns: dict[str, Any]
    key: str | tuple[str, ...]
    references: tuple[tuple[Any, str, Any], ...] = ()
    """Columns here, and the table and its columns that they name."""


class Index(NamedTuple):
    """An index of columns, over all rows."""

    table: str
    columns: tuple[str, ...]
    unique: bool = False


TABLES = {
    "runs": Table(
        {
            "seq": int,  # the order in which runs were begun
            "id": str,
            "name": str,
            "kind": str,
            "created_at": str,  # UTC, ISO 8601
            "config": str,  # JSON
            "seed": int,
            "games": int,  # that the schedule has
            "host": str,
            "versions": str,  # JSON
        },
        key="seq",
    ),
    "players": Table(
        {
            "run": str,
            "seat": int,  # from 0, as the run lists them
            "name": str,
            "version": str,
            "author": str,
            "command": str,  # JSON list of words
            "sha256": str,
            "family": str,
        },
        key=("run", "name"),
        references=(("run", "runs", "id"),),
    ),
    "withdrawn": Table(  # engines that were not to play on, so games that are missing for good
        {"run": str, "name": str, "reason": str}, key=("run", "name"), references=(("run", "runs", "id"),)
    ),
    "games": Table(
        {
            "seq": int,  # the order in which games were stored
            "id": str,
            "run": str,
            "number": int,
            "round": int,
            "variant": str,
            "p1": str,
            "p2": str,
            "winner": str | None,  # p1, p2 or draw
            "termination": str,  # a word of the referee, or one by which the game itself says how it ended
            "ply_count": int,  # of all moves
            "tc": str,
            "seed": int,
            "started_at": str,  # UTC, ISO 8601
            "wall_ms": int,
            "clock": str,
            "measured": int,  # 0: moves were judged by wall time, because what the clock needs could not be had
            "flagged": int,  # 1: the machine was late in some ply
            "machine": int,  # 1: lost on time or by a stall only because of the machine or a guest's line
            "burns_idle": str,  # sides that burned CPU in their opponent's time, separated by blanks
            "p1_idle_us": int | None,
            "p2_idle_us": int | None,
            "line": int,  # digest of variant, fen and moves
            "disputed": int,  # plies of the longest stretch in which the engines judged in opposite ways
            "host": str,
            "detail": str,
            "fen": str,  # as the game writes positions
            "start_ply": int,  # plies before it, by its turn number and side to move: odd where p2 moves first
            "opening": str,  # moves, separated by blanks
            "moves": str,  # all of them, the opening's first, separated by blanks
            "plies": str,  # JSON, a list per ply played: wall_us, cpu_us, left_ms, depth, nodes, score, late_us
            "evidence": str | None,  # JSON, of a fault
            "pvs": str,  # principal variations, a line for each ply played; empty where there are none
        },
        key="seq",
        references=((("run", "p1"), "players", ("run", "name")), (("run", "p2"), "players", ("run", "name"))),
    ),
    "check_reports": Table(
        {
            "seq": int,
            "engine": str,
            "name": str,
            "fingerprint": str,
            "date": str,  # UTC, ISO 8601
            "specification": str,  # its version
            "suite": str,  # the version of the checks
            "grade": str,
            "complete": int,  # 0: only a part of the checks, or longer deadlines
            "report": str,  # JSON, as `arena check --json` prints it
        },
        key="seq",
    ),
}

FACTS = "games_facts"
INDEXES = {
    "runs_id": Index("runs", ("id",), unique=True),
    "games_id": Index("games", ("id",), unique=True),
    "games_run_number": Index("games", ("run", "number"), unique=True),
    # All by which games are counted, filtered and sorted: a query reads this narrow index, and no game but those that
    # are wanted. Its first columns are those by which results are grouped, so that counting needs no sorting.
    FACTS: Index(
        "games",
        (
            *("p1", "p2", "variant", "tc", "winner", "termination", "line", "flagged", "machine", "burns_idle"),
            *("run", "number", "started_at", "ply_count", "disputed"),
        ),
    ),
    "check_reports_once": Index("check_reports", ("fingerprint", "date", "report"), unique=True),
}

GONE_INDEXES = {"games_cell", "games_length", "games_disputed", "games_line", "games_started"}
"""Those of version 0.4."""

VIEWS = {
    # For people; no reader of ours uses them. One row of `sides` is one engine in one game, so that every table of
    # scores is a GROUP BY over it.
    "sides": """
        SELECT run, id AS game, variant, 'p1' AS side, p1 AS engine, p2 AS opponent, termination,
            winner = 'p1' AS won, winner = 'draw' AS drawn, winner = 'p2' AS lost
        FROM games
        UNION ALL
        SELECT run, id, variant, 'p2', p2, p1, termination, winner = 'p2', winner = 'draw', winner = 'p1'
        FROM games
    """,
    "scores": """
        SELECT run, engine, variant, side, count(won) AS games, total(won) + total(drawn) / 2 AS score,
            sum(won) AS wins, sum(drawn) AS draws, sum(lost) AS losses, sum(won IS NULL) AS unfinished
        FROM sides GROUP BY run, engine, variant, side
    """,
    "endings": """
        SELECT run, variant, termination, winner, count(*) AS games, round(avg(ply_count), 1) AS mean_plies
        FROM games GROUP BY run, variant, termination, winner
    """,
}

KINDS = {name: kind for table in TABLES.values() for name, kind in table.columns.items()}
"""The types of values that a column may hold, by its name; columns of one name hold the same."""

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
    if (version := conn.execute("PRAGMA user_version").fetchone()[0]) < OLDEST:
        return (
            f" was made by a version of the arena before 0.4 (its schema is version {version}): open it with version "
            "0.4 first, for example by 'arena standings', which brings it up to date and keeps a copy"
        )
    if version > VERSION:
        return (
            f" was written by a newer arena (its schema is version {version}, this one knows {VERSION}): "
            "update the arena, or choose another file"
        )
    current = version == VERSION
    for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        name = name[:_LONGEST_NAME]
        return f': its trigger "{name}" may change games as they are stored: drop it, or restore it from a copy'
    there = {name.lower(): made for name, *made in conn.execute(_TABLES)}
    missing = {*TABLES, *INDEXES} if current else set()
    for name in there.keys() & TABLES.keys():
        table, (kind, is_plain, is_ours, sql) = TABLES[name], there[name]
        columns = conn.execute("SELECT name, hidden, dflt_value FROM pragma_table_xinfo(?)", (name,)).fetchall()
        is_plain = is_plain and not any(hidden for _, hidden, _ in columns)
        if current:
            plain = {column for column, _, default in columns if default is None}
            is_plain = is_plain and is_ours and plain == {*table.columns} and not _CONDITION.search(sql)
        if not is_plain:
            return f': its {"view" if kind == "view" else "table"} "{name}" {_CHANGED}'
        missing.discard(name)
        for index, selects, text in conn.execute(_INDEXES, (name,)).fetchall():
            ours, names, shown = INDEXES.get(index), json.loads(text), index[:_LONGEST_NAME]
            if ours is not None and current:
                if ours != Index(name, tuple(names), bool(selects)):
                    return f': its index "{shown}" {_CHANGED}'
                missing.discard(index)
            elif None in names or (selects and ours is None and index not in GONE_INDEXES):
                return f': its index "{shown}" may keep games from being stored, as it is not of columns alone: drop it'
    for name in sorted(missing):
        return f": it has no {name}, which every results file has: restore it from a copy"
    return None
