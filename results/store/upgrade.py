"""Brings a results file of an older version to the schema of today: makes today's tables and moves the rows there.

Whoever adds a column says in `LACKING` what the rows of older files get. Indexes and views of a user's own stay.
To be imported only where there is something to upgrade: sqlite-utils takes 0.3 s to load.
"""

import json
from collections.abc import Mapping, Sequence
from sqlite3 import Connection

from sqlite_utils import Database

from results.eval_disagreement import longest_dispute
from results.record import line_digest
from results.store import schema, structure
from results.store.rows import GROUP_COLUMNS

LACKING = {
    "family": "''",
    "line": "line_digest(variant, fen, moves)",
    "disputed": "longest_dispute(plies)",
    "cell": "0",  # until the games are counted
    # The first files of version 1 were written before games had a clock, idle times and evidence. Their number is 1,
    # too. Their games get what `arena import` gives to games without these figures: the wall clock.
    "clock": "'wall'",
    "measured": "1",
    "flagged": "0",
    "machine": "0",
    "burns_idle": "''",
    "pvs": "''",
}
"""What stands in a column that an older table does not have, as SQL; NULL where nothing is said."""

ADD_LATE_US = """
UPDATE games SET plies = (SELECT json_group_array(json_insert(value, '$[#]', NULL)) FROM json_each(plies))
WHERE json_valid(plies)
"""
"""In those first files a ply has six figures. `late_us` is the seventh."""

_KEY = ", ".join(GROUP_COLUMNS)
_SAME = " AND ".join(f"counts.{name} = ifnull(games.{name}, '')" for name in GROUP_COLUMNS)
COUNT = (
    f"""
    INSERT INTO counts ({_KEY}, games, first_lines, run_lines)
    SELECT {_KEY}, count(*), sum(in_file = 1), sum(in_run = 1)
    FROM (
        SELECT {_KEY.replace("winner", "ifnull(winner, '') AS winner")},
            row_number() OVER (PARTITION BY line, p1, p2 ORDER BY seq) AS in_file,
            row_number() OVER (PARTITION BY line, p1, p2, run ORDER BY seq) AS in_run
        FROM games
    )
    GROUP BY {_KEY}
    """,
    f"UPDATE games SET cell = (SELECT id FROM counts WHERE {_SAME})",
)
"""Counts the games of a file of version 1, which has no counts."""

GONE = {f"games_{column}" for column in ("p1", "p2", "variant", "termination")}
"""Indexes of version 1 that are not needed any more."""


def upgrade(conn: Connection) -> None:
    """Make the tables of today, in a transaction that the caller has begun and ends. Foreign keys must be off."""
    db = Database(conn, recursive_triggers=False, execute_plugins=False)
    db.register_function(line_digest, deterministic=True)
    db.register_function(_longest_dispute, name="longest_dispute", deterministic=True)
    older = {table.name: [*table.columns_dict] for table in db.tables if table.name in structure.REQUIRED}
    indexes = list(db.query("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql <> ''"))
    if "withdrawn" not in older:
        db.execute(ADD_LATE_US)
    for view in db.views:
        if view.name in structure.REQUIRED:
            view.drop()
    # Views of a user's own, and references between tables, go on naming the tables of today.
    db.execute("PRAGMA legacy_alter_table = ON")
    for name in older:
        db.rename_table(name, f"older_{name}")
    db.execute("PRAGMA legacy_alter_table = OFF")
    schema.create(conn, lambda: _move(db, older))
    for index in indexes:
        if index["tbl_name"].lower() in older and index["name"] not in structure.REQUIRED | GONE:
            db.execute(index["sql"])


def _move(db: Database, older: Mapping[str, Sequence[str]]) -> None:
    """Move the rows of tables with these columns, in their order."""
    for name, columns in older.items():
        table = db.table(name)
        values = {column: column if column in columns else LACKING.get(column, "NULL") for column in table.columns_dict}
        for column in {*columns} - {*values}:
            table.add_column(column)  # of a user's own: then the file is refused
        moved = f"SELECT {', '.join(values.values())} FROM older_{name} ORDER BY rowid"
        db.execute(f"INSERT INTO {name} ({', '.join(values)}) {moved}")
        db.table(f"older_{name}").drop()
    if "counts" not in older:
        for statement in COUNT:
            db.execute(statement)


def _longest_dispute(plies: str) -> int:
    """The longest dispute of a stored game; 0 where the row was changed by hand and cannot be read."""
    try:
        scores = [ply[5] for ply in json.loads(plies)]
    except (ValueError, TypeError, LookupError, RecursionError):
        return 0
    return longest_dispute(scores) if all(isinstance(score, str | None) for score in scores) else 0
