"""Text and tables fitted to a terminal."""

# ruff: noqa: RUF001 - Japanese brackets look like others on purpose.

import io

import pytest
from rich.cells import cell_len

from arena.cli import output, wrap
from results.tables.text_width import columns

JAPANESE = "同じ局面（手番も同じもの。対局開始時の局面も数える）が3回目に現れると、スタックも引き分けになります。"


class Tty(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Always."""
        return True


def test_a_sentence_is_broken_between_words_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal would break it anywhere. In a file or a pipe it stays one line, as programs read it."""
    monkeypatch.setenv("COLUMNS", "20")
    text = "arena: one sentence that is longer than a line"
    assert wrap.sentence(text, Tty()).splitlines() == ["arena: one sentence", "that is longer than", "a line"]
    assert wrap.sentence(text, io.StringIO()) == text
    assert wrap.sentence("  - one item of a list here", Tty()).splitlines() == ["  - one item of a", "    list here"]
    assert wrap.sentence("Düsseldorf, Liège und Ærø", Tty()).splitlines() == ["Düsseldorf, Liège", "und Ærø"]


def test_a_path_that_is_longer_than_a_line_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """People copy it from the screen."""
    monkeypatch.setenv("COLUMNS", "20")
    path = "/a/folder/with/a/long/name/games.db"
    assert wrap.sentence(f"The games are in {path}", Tty()).splitlines() == ["The games are in", path]


ROWS = [("engine", "games", "score"), ("alphabeta", "12", "7.5"), ("greedy", "8", "0.5")]
RIGHT = frozenset({1, 2})


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (None, ["engine     games  score", "alphabeta     12    7.5", "greedy         8    0.5"]),
        (22, ["engine    games score", "alphabeta    12   7.5", "greedy        8   0.5"]),
        (
            16,
            [
                "engine    games",
                "alphabeta    12",
                "greedy        8",
                "",
                "engine    score",
                "alphabeta   7.5",
                "greedy      0.5",
            ],
        ),
    ],
)
def test_a_table_that_is_too_wide_comes_closer_together_and_then_in_parts(width: int | None, lines: list[str]) -> None:
    """Each part names its rows, and nothing is left out."""
    assert wrap.fitted_table(ROWS, RIGHT, width) == lines


def test_rows_of_a_list_take_several_lines() -> None:
    """A list has no headings to repeat. Columns stay below each other, and further lines are indented."""
    rows = [("1", "alphabeta", "king-escaped"), ("22", "greedy", "line")]
    assert wrap.fitted_table(rows, frozenset({0}), 18, keep=0) == [
        " 1 alphabeta",
        "    king-escaped",
        "22 greedy",
        "    line",
    ]


@pytest.mark.parametrize("width", range(15, 30))
def test_no_line_of_a_table_is_wider_than_the_terminal(width: int) -> None:
    """Whatever the width, if a name and a figure fit beside each other."""
    for keep in (0, 1):
        lines = wrap.fitted_table([*ROWS, ("王将", "100", "99.5")], RIGHT, width, keep)
        assert max(map(columns, lines)) <= width


def test_english_breaks_between_words() -> None:
    """As everywhere."""
    assert wrap.wrap("one two three four", 9) == ["one two", "three", "four"]


def test_japanese_breaks_where_it_may() -> None:
    """No line is too long, none begins with a closing sign or ends with an opening one, katakana words stay whole."""
    for width in range(14, 60):
        lines = wrap.wrap(JAPANESE, width)
        assert "".join(lines) == JAPANESE
        assert all(cell_len(line) <= width for line in lines)
        assert not any(line[0] in "、。）" or line.endswith("（") for line in lines)
        assert any("スタック" in line for line in lines)


def test_columns_align_with_wide_characters() -> None:
    """A kanji takes two columns."""
    assert output.table([("盤", "a"), ("x", "b")]) == "盤  a\nx   b\n"
    assert output.table([("1", "a"), ("10", "b")], right=frozenset({0})) == " 1  a\n10  b\n"
