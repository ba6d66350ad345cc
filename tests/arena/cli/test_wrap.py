"""Sentences fitted to a terminal, and aligned tables."""

import io

import pytest

from arena.cli import output, wrap


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


def test_columns_align_with_wide_characters() -> None:
    """A kanji takes two columns."""
    assert output.table([("盤", "a"), ("x", "b")]) == "盤  a\nx   b\n"
    assert output.table([("1", "a"), ("10", "b")], right=frozenset({0})) == " 1  a\n10  b\n"
