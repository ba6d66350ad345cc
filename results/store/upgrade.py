"""Brings a results file of version 0.4 to the schema of today: makes today's tables and moves the rows there.

Whoever adds a column says in `LACKING` what the rows of version 0.4 get. Indexes and views of a user's own stay.
To be imported only where there is something to upgrade: sqlite-utils takes 0.3 s to load.
"""

from collections.abc import Mapping, Sequence
from sqlite3 import Connection

from sqlite_utils import Database

from results.store import schema, structure

LACKING: Mapping[str, str] = {
    # All position strings of version 0.4 are a board, the side to move and a turn number.
    "start_ply": "2 * max(0, CAST(substr(fen, instr(fen, ' ') + 4) AS INTEGER) - 1) + (fen LIKE '% p2%')"
}
"""What rows of version 0.4 get in a column that their table does not have, as SQL; NULL where nothing is said."""


def upgrade(conn: Connection) -> None:
    """Make the tables of today, in a transaction that the caller has begun and ends. Foreign keys must be off."""
    db = Database(conn, recursive_triggers=False, execute_plugins=False)
    older = {table.name: [*table.columns_dict] for table in db.tables if table.name in structure.REQUIRED}
    indexes = list(db.query("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql <> ''"))
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
        if index["tbl_name"].lower() in older and index["name"] not in structure.REQUIRED:
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
