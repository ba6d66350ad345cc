"""The list of columns: no heading and no key twice."""

from results.tables.columns import COLUMNS, Column
from results.tables.standings import standings


def test_no_heading_and_no_key_is_there_twice() -> None:
    """A key that two columns had would lose one of the two figures."""
    for names in ([column.heading for column in COLUMNS], [column.json for column in COLUMNS]):
        names = [name for name in names if name]
        assert len(set(names)) == len(names)


def test_a_missing_figure_is_a_dash() -> None:
    """A format says how a figure is written."""
    (row,) = standings([], ["ann"]).rows
    assert Column("x", "x", lambda row: None, ".1f").text(row) == "-"
    assert Column("x", "x", lambda row: 2.25, ".1f").text(row) == "2.2"
