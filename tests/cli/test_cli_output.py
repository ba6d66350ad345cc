"""How text is broken and aligned in terminals."""

# ruff: noqa: RUF001 - Japanese brackets look like others on purpose.

import os
from pathlib import Path

import pytest
from rich.cells import cell_len

from arena.cli import output

JAPANESE = "同じ局面（手番も同じもの。対局開始時の局面も数える）が3回目に現れると、スタックも引き分けになります。"


def test_english_breaks_between_words() -> None:
    """As everywhere."""
    assert output.wrap("one two three four", 9) == ["one two", "three", "four"]


@pytest.mark.parametrize("width", range(14, 60))
def test_japanese_breaks_where_it_may(width: int) -> None:
    """No line is too long, none begins with a closing sign or ends with an opening one, katakana words stay whole."""
    lines = output.wrap(JAPANESE, width)
    assert "".join(lines) == JAPANESE
    assert all(cell_len(line) <= width for line in lines)
    assert not any(line[0] in "、。）" or line.endswith("（") for line in lines)
    assert any("スタック" in line for line in lines)


def test_columns_align_with_wide_characters() -> None:
    """A kanji takes two columns."""
    assert output.table([("盤", "a"), ("x", "b")]) == "盤  a\nx   b\n"
    assert output.table([("1", "a"), ("10", "b")], right=frozenset({0})) == " 1  a\n10  b\n"


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """What was there stays until the new text is complete, and nothing is left beside it."""
    file = tmp_path / "games.csv"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        output.write_whole(file, "new \ud800")
    assert os.listdir(tmp_path) == ["games.csv"] and file.read_text() == "old"
    output.write_whole(file, "a\r\nb\n")
    assert os.listdir(tmp_path) == ["games.csv"] and file.read_bytes() == b"a\r\nb\n"
