"""A new file is made by the statements of today, without the package that upgrades."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from results.store import files, schema, upgrade


def test_each_version_has_a_name() -> None:
    """Whoever changes the schema adds the name under which it is recorded."""
    assert len(schema.STEPS) == schema.VERSION


def test_an_upgrade_of_a_file_of_today_changes_nothing() -> None:
    """It makes all tables anew, and each row is in its place again."""
    with closing(files.in_memory()) as made:
        made.execute("PRAGMA foreign_keys = OFF")
        before = list(made.iterdump())
        upgrade.upgrade(made)
        assert list(made.iterdump()) == before


def test_a_new_file_needs_no_sqlite_utils(tmp_path: Path) -> None:
    """A short match does not wait until it is loaded."""
    code = f"""import sys; from results.store.store import Store
Store.create_or_open({str(tmp_path / "r.db")!r}).close(); Store.in_memory().close()
print({{'sqlite_utils', 'numpy'}} & set(sys.modules))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "set()\n", done.stderr
