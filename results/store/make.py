"""Makes the schema in a new file, brings a file of version 0.4 to it, and adds rows that may be there already.

sqlite-utils, which takes 0.2 s to load, is imported only where something is written.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, get_args

from results.store import schema

if TYPE_CHECKING:
    from sqlite_utils import Database

LACKING: Mapping[str, str] = {
    # All position strings of version 0.4 are a board, the side to move and a turn number.
    "start_ply": "2 * max(0, CAST(substr(fen, instr(fen, ' ') + 4) AS INTEGER) - 1) + (fen LIKE '% p2%')"
}
"""What rows of version 0.4 get in a column that their table does not have, as SQL."""
GONE = ("counts", "machines", "_sqlite_migrations")
"""Tables of version 0.4. What they held follows from others, or nobody reads it; so it is with these columns."""
GONE_COLUMNS = {"cell", "time_factor"}


def load() -> "type[Database]":
    """Load sqlite-utils, and numpy with it. Called before it is needed by who has to wait for something else."""
    import results.one_thread  # noqa: F401, I001 - before sqlite-utils, which loads numpy
    from sqlite_utils import Database

    return Database


def _opened(conn: Connection) -> "Database":
    return load()(conn, recursive_triggers=False, execute_plugins=False)


def create(conn: Connection, fill: Callable[[], None] = lambda: None) -> None:
    """Make the schema, in a transaction that the caller has begun and ends.

    `fill` may add rows to the tables: it is called before there are indexes, which takes less time.
    """
    db = _opened(conn)
    for name, table in schema.TABLES.items():
        db.table(name).create(
            {column: kind if isinstance(kind, type) else get_args(kind)[0] for column, kind in table.columns.items()},
            pk=table.key,
            not_null={column for column, kind in table.columns.items() if isinstance(kind, type)} - {"seq"},
            foreign_keys=table.references,
            strict=True,
        )
    fill()
    for name, index in schema.INDEXES.items():
        db.table(index.table).create_index(index.columns, index_name=name, unique=index.unique)
    for name, query in schema.VIEWS.items():
        db.create_view(name, query)
    conn.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    conn.execute(f"PRAGMA user_version = {schema.VERSION}")


def upgrade(conn: Connection) -> None:
    """Make the tables of today and move the rows there, in a transaction that the caller has begun and ends.

    Foreign keys must be off. Indexes and views of a user's own stay.
    """
    db = _opened(conn)
    for view in db.views:
        if view.name in schema.VIEWS:
            view.drop()
    older = {table.name: [*table.columns_dict] for table in db.tables if table.name in schema.TABLES}
    indexes = list(db.query("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql <> ''"))
    # Views of a user's own, and references between tables, go on naming the tables of today.
    db.execute("PRAGMA legacy_alter_table = ON")
    for name in older:
        db.rename_table(name, f"older_{name}")
    db.execute("PRAGMA legacy_alter_table = OFF")
    create(conn, lambda: _move(db, older))
    for name in GONE:
        db.table(name).drop(ignore=True)
    for index in indexes:
        if index["tbl_name"].lower() in older and index["name"] not in {*schema.INDEXES, *schema.GONE_INDEXES}:
            db.execute(index["sql"])


def _move(db: "Database", older: Mapping[str, Sequence[str]]) -> None:
    """Move the rows of tables with these columns, in their order."""
    for name, columns in older.items():
        table = db.table(name)
        values = {column: column if column in columns else LACKING.get(column, "NULL") for column in table.columns_dict}
        for column in {*columns} - {*values} - GONE_COLUMNS:
            table.add_column(column)  # of a user's own: then the file is refused
        moved = f"SELECT {', '.join(values.values())} FROM older_{name} ORDER BY rowid"
        db.execute(f"INSERT INTO {name} ({', '.join(values)}) {moved}")
        db.table(f"older_{name}").drop()


def add(conn: Connection, table: str, columns: Sequence[str], values: Iterable[Sequence[object]]) -> None:
    """Add rows, except those that are there already, in a transaction of the caller's."""
    records = [dict(zip(columns, row, strict=True)) for row in values]
    _opened(conn).table(table).insert_all(records, ignore=True)
