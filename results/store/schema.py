"""The schema of the results file, as numbered steps that are never edited once released; a change is one more step.

Independent of files, of a connection's pragmas and of what a game is. Words that a CHECK lists are written out in the
steps instead of taken from the enums, because a step must do to an old file tomorrow what it did to it yesterday.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from results.store import schema_v1, schema_v2, schema_v3

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x43414C41
"""`CALA` in the file's header: by this a file is known as ours before it is opened as a database."""


class Step(NamedTuple):
    """A change of the schema."""

    name: str
    """The name under which each file records that it has the step; so it never changes."""
    apply: Callable[["Database"], None]


def create_tables(db: "Database") -> None:
    """Runs, their players, their games, and three views for people."""
    for statement in schema_v1.STATEMENTS:
        db.execute(statement)


STEPS = (
    Step("0001_first", create_tables),
    Step("0002_second", schema_v2.add_counts),
    Step("0003_machines", schema_v3.add_machines),
)
"""Step k takes a file from version k to version k + 1."""


def migrate(db: "Database", steps: Sequence[Step] = STEPS) -> None:
    """Apply the steps that `db` does not have yet, each in one transaction with its record and its version number."""
    from sqlite_utils import Migrations

    migrations = Migrations("arena")
    for version, step in enumerate(steps, 1):
        migrations(name=step.name)(_numbered(step, version))
    migrations.apply(db)


def _numbered(step: Step, version: int) -> Callable[["Database"], None]:
    """The step, which also sets the version number of the file. Both pragmas belong to the transaction."""

    def numbered(db: "Database") -> None:
        step.apply(db)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {version}")

    return numbered
