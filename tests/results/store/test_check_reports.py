"""Reports of `arena check` in a results file."""

from pathlib import Path

from results.record import CheckReport
from results.store.store import Store, merge

REPORT = CheckReport("./mine", "Mine", "ab", "2026-11-22T12:00:00Z", "2", "0.2.0", "clean", True, "{}")


def test_a_report_is_read_as_it_was_stored(tmp_path: Path) -> None:
    """In the order of storing; the same report twice is one."""
    part = REPORT._replace(complete=False, grade="playable", date="2026-11-23T12:00:00Z")
    with Store.create_or_open(tmp_path / "it.db") as store:
        for each in (REPORT, part, REPORT):
            store.add_check_report(each)
    with Store.open_existing(tmp_path / "it.db") as store:
        assert store.check_reports() == [REPORT, part]


def test_a_merged_file_has_the_reports_of_all(tmp_path: Path) -> None:
    """A report that two files have is taken once."""
    other = REPORT._replace(engine="./other", fingerprint="cd")
    for name, reports in (("a.db", (REPORT,)), ("b.db", (other, REPORT)), ("c.db", ())):
        with Store.create_or_open(tmp_path / name) as store:
            for each in reports:
                store.add_check_report(each)
    merge(tmp_path / "all.db", [tmp_path / name for name in ("a.db", "b.db", "c.db")])
    with Store.open_existing(tmp_path / "all.db") as store:
        assert store.check_reports() == [REPORT, other]
