"""Reports of `arena check` in a results file: the value of a row, and the SQL that reads and writes it.

The table is made when the first report is stored, so a file without reports stays as it was, and an arena that does not
know the table can still use the file. Independent of what a report says beyond the columns that lists show.
"""

from typing import NamedTuple


class CheckReport(NamedTuple):
    """The report of one run of the checks."""

    engine: str
    """The engine as its user named it."""
    name: str
    """What it says of itself."""
    fingerprint: str
    """The SHA-256 of its files."""
    date: str
    """UTC, ISO 8601."""
    specification: str
    """The version of the specification."""
    suite: str
    """The version of the checks."""
    grade: str
    complete: bool
    """True if every check was asked for, with the deadlines of the specification."""
    report: str
    """The whole report, as `arena check --json` prints it."""


_COLUMNS = ", ".join(CheckReport._fields)
INSERT = f"INSERT OR IGNORE INTO check_reports ({_COLUMNS}) VALUES ({', '.join('?' * len(CheckReport._fields))})"
SELECT = f"SELECT {_COLUMNS} FROM check_reports ORDER BY seq"
SELECT_LAST = f"SELECT seq, {_COLUMNS} FROM check_reports ORDER BY seq DESC LIMIT ?"
SELECT_ONE = f"SELECT {_COLUMNS} FROM check_reports WHERE seq = ?"
COUNT = "SELECT count(*) FROM check_reports"
EXISTS = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'check_reports'"
