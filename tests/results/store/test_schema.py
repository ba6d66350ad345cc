"""The schema has a name for each version, and an upgrade changes nothing where there is nothing to change."""

from contextlib import closing

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
