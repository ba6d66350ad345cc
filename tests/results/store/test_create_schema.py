"""A new file is made without the package that migrates, and is the same."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from sqlite_utils import Database

from results.store import files, schema


def described(db: sqlite3.Connection) -> dict[str, object]:
    """All that two schemas can differ in, blanks apart."""
    made = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").fetchall()
    return {
        "made": {name: "".join(sql.split()) for name, sql in made},
        "steps": db.execute("SELECT id, migration_set, name FROM _sqlite_migrations").fetchall(),
        "numbers": [db.execute(f"PRAGMA {name}").fetchone() for name in ("user_version", "application_id")],
    }


def test_a_new_file_is_what_migrating_an_empty_one_makes(tmp_path: Path) -> None:
    """Tables, indexes, views, records of steps and version numbers; and migrating it finds nothing to do."""
    with closing(sqlite3.connect(":memory:")) as migrated:
        schema.migrate(Database(migrated))
        expected = described(migrated)
    for made in (files.in_memory(), files.create_or_open(tmp_path / "r.db")):
        with closing(made):
            assert described(made) == expected
            schema.migrate(Database(made))
            assert described(made) == expected


def test_a_new_file_needs_no_sqlite_utils(tmp_path: Path) -> None:
    """A short match does not wait until it is loaded."""
    code = f"""import sys; from results.store.store import Store
Store.create_or_open({str(tmp_path / "r.db")!r}).close(); Store.in_memory().close()
print({{'sqlite_utils', 'numpy'}} & set(sys.modules))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "set()\n", done.stderr
