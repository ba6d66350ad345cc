"""Brings a results file of an older version to the schema of today, one step after another.

A step is never edited once released: it must do to an old file tomorrow what it did to it yesterday. So the words that
a CHECK lists are written out in the steps, instead of taken from the enums or from `schema`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from results.store.schema import STEPS as NAMES
from results.store.upgrades import to_version_2, to_version_3

if TYPE_CHECKING:
    from sqlite3 import Connection

    from sqlite_utils import Database


class Step(NamedTuple):
    """A change of the schema."""

    version: int
    """What the file is afterwards."""
    apply: Callable[["Database"], None]


STEPS = (Step(2, to_version_2.add_counts), Step(3, to_version_3.add_machines))


def upgrade(conn: "Connection") -> None:
    """Apply the steps that the file does not have yet, each in a savepoint with its record and its version number."""
    # Imported only where there is something to upgrade: that takes longer than a match of a few quick games.
    from sqlite_utils import Database, Migrations

    migrations = Migrations("arena")
    for step in STEPS:
        migrations(name=NAMES[step.version - 1])(_numbered(step))
    migrations.apply(Database(conn, recursive_triggers=False, execute_plugins=False))


def _numbered(step: Step) -> Callable[["Database"], None]:
    """The step, which also sets the version number of the file. The pragma belongs to the transaction."""

    def numbered(db: "Database") -> None:
        step.apply(db)
        db.execute(f"PRAGMA user_version = {step.version}")

    return numbered
