"""To version 3: the machines of a run with their speed, and what a game's time limits were multiplied by."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

STATEMENTS = (
    """
    CREATE TABLE machines (           -- each measurement of a machine's speed, in the order in which they were stored
        seq INTEGER PRIMARY KEY,
        run TEXT NOT NULL REFERENCES runs (id),
        host TEXT NOT NULL,
        slots INTEGER NOT NULL,
        engine TEXT NOT NULL,         -- that was measured with
        nodes INTEGER NOT NULL,       -- of each search
        nps REAL NOT NULL,            -- nodes a second on each slot, with all slots busy
        reference_nps REAL NOT NULL,
        factor REAL NOT NULL,         -- the reference divided by nps
        measured_at TEXT NOT NULL,    -- UTC, ISO 8601
        UNIQUE (run, host, measured_at)
    ) STRICT
    """,
    # NULL where they were played as `tc` says.
    "ALTER TABLE games ADD COLUMN time_factor REAL",
)


def add_machines(db: "Database") -> None:
    """The speed of machines, and the time factors of games."""
    for statement in STATEMENTS:
        db.execute(statement)
