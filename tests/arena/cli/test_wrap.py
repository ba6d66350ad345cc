"""Text and tables fitted to a terminal."""

import io

import pytest

from arena.cli import wrap
from results.tables.text_width import columns


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
