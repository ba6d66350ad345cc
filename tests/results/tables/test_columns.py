"""The list of columns: the documents name each of them, and JSON has all keys."""

from pathlib import Path

from results.tables.columns import COLUMNS, JSON_COLUMNS, Column
from results.tables.standings import standings

ROOT = Path(__file__).parents[3]
PAGES = "\n".join(page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def test_every_heading_is_explained() -> None:
    """Some page has it as code. The number and the name of an engine explain themselves."""
    headings = [column.heading for column in COLUMNS[2:] if column.heading]
    assert not [heading for heading in headings if f"`{heading}`" not in PAGES]


def test_every_key_is_explained() -> None:
    """Some page has it as code."""
    assert not [column.json for column in JSON_COLUMNS if f"`{column.json}`" not in PAGES]


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
