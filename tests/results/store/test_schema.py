"""An upgrade changes nothing where there is nothing to change."""

from contextlib import closing

from results.store import files, make


def test_an_upgrade_of_a_file_of_today_changes_nothing() -> None:
    """It makes all tables anew, and each row is in its place again."""
    with closing(files.in_memory()) as made:
        made.execute("PRAGMA foreign_keys = OFF")
        before = list(made.iterdump())
        make.upgrade(made)
        assert list(made.iterdump()) == before
