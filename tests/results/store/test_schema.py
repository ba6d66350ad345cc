"""A new file is made by the statements of today, without the package that upgrades."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from results.store import files, schema, upgrades


def test_the_last_upgrade_leads_to_the_schema_of_today() -> None:
    """Whoever changes the schema adds a step, and the name under which it is recorded."""
    assert [step.version for step in upgrades.STEPS] == list(range(2, schema.VERSION + 1))
    assert len(schema.STEPS) == schema.VERSION


def test_a_new_file_has_nothing_to_upgrade() -> None:
    """sqlite-utils takes it for one that it has brought here itself."""
    with closing(files.in_memory()) as made:
        before = list(made.iterdump())
        upgrades.upgrade(made)
        assert list(made.iterdump()) == before


def test_a_new_file_needs_no_sqlite_utils(tmp_path: Path) -> None:
    """A short match does not wait until it is loaded."""
    code = f"""import sys; from results.store.store import Store
Store.create_or_open({str(tmp_path / "r.db")!r}).close(); Store.in_memory().close()
print({{'sqlite_utils', 'numpy'}} & set(sys.modules))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "set()\n", done.stderr
