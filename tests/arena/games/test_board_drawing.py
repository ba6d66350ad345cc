"""Boards as people see them, in text and as pictures."""

# ruff: noqa: RUF001 - full-width signs look like others on purpose.

import unicodedata

import pytest

from arena.games import board_drawing
from arena.games.game_boards import pictures
from arena.games.kind import Lang
from arena.games.tafl import variants as tafl
from arena.games.variants import find
from tests.arena.games.drawn import drawn, ended

CALLANISH = "2*3*2/9/1w2bW3/4B4/9/9/9/3w5/*7* p2 7"
TAFL = "3a3/3a3/3d3/aad1daa/2kd3/3a3/3a3 p1 2"
MARKED = frozenset({"d4", "a1", "a7", "g1", "g7"})


def columns(line: str) -> int:
    """Columns of a terminal, full-width characters counted as two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


def plain(board: board_drawing.DrawnBoard, glyphs: board_drawing.Glyphs = board_drawing.UNICODE) -> str:
    """The text without its colours."""
    return "".join(text for text, _ in board_drawing.styled(board, glyphs))


def test_callanish_in_unicode() -> None:
    """Singles are circles, stacks half-filled circles with the top stone's colour above, the last move in brackets."""
    board = drawn(CALLANISH, last_move="e7b7d2")
    assert plain(board) == (
        "9  · · ▒ · · · ▒ · ·\n"
        "8  · · · · · · · · ·\n"
        "7  ·[○]· ·[●]◒ · · ·\n"
        "6  · · · · ◓ · · · ·\n"
        "5  · · · · · · · · ·\n"
        "4  · · · · · · · · ·\n"
        "3  · · · · · · · · ·\n"
        "2  · · ·[○]· · · · ·\n"
        "1  ▒ · · · · · · · ▒\n"
        "   a b c d e f g h i\n"
    )


def test_callanish_in_ascii_has_the_letters_of_position_strings() -> None:
    """Plain ASCII shows what a position string shows, so that one can be typed off the screen."""
    rows = plain(drawn(CALLANISH), board_drawing.ASCII).splitlines()
    assert rows[0] == "9  . . * . . . * . ."
    assert rows[2] == "7  . w . . b W . . ."
    assert "".join(rows).isascii()


def test_tafl_shows_the_marked_squares_where_they_are_empty() -> None:
    """King, men and the squares with rules of their own differ, and neighbouring brackets share a bar."""
    assert plain(drawn(TAFL, MARKED, "d3c3")) == (
        "7  × · · ● · · ×\n"
        "6  · · · ● · · ·\n"
        "5  · · · ○ · · ·\n"
        "4  ● ● ○ × ○ ● ●\n"
        "3  · ·[♔|○]· · ·\n"
        "2  · · · ● · · ·\n"
        "1  × · · ● · · ×\n"
        "   a b c d e f g\n"
    )


@pytest.mark.parametrize(
    ("encoding", "ascii_only", "lang", "expected"),
    [
        ("utf-8", False, "en", board_drawing.UNICODE),
        ("utf-8", False, "ja", board_drawing.WIDE),
        ("utf-8", True, "ja", board_drawing.ASCII),
        (None, False, "en", board_drawing.ASCII),
    ],
)
def test_output_that_cannot_carry_the_signs_gets_ascii(
    encoding: str | None, ascii_only: bool, lang: Lang, expected: board_drawing.Glyphs
) -> None:
    """The richest set that fits is taken."""
    assert board_drawing.glyphs_for(encoding, ascii_only, lang) is expected


def test_the_legend_names_what_is_on_the_board_and_no_more() -> None:
    """A reader who has never seen the game knows every sign."""
    assert board_drawing.legend(drawn(CALLANISH), board_drawing.UNICODE) == (
        "○ White   ● Black   ◒ stack, White on Black   ◓ stack, Black on White   ▒ grey stone (hole)"
    )
    assert board_drawing.legend(drawn("9/9/9 p1"), board_drawing.UNICODE) == ""
    legend = board_drawing.legend(drawn(TAFL, MARKED, "d3c3"), board_drawing.WIDE, "ja")
    assert "王" in legend and "＋" in legend and "直前の手" in legend


LINE = ("callanish", "5/1b3/wWw2/5/4w p1 3", "")
CAPTURE = ("brandub-nielsen", "3a3/7/2aka2/7/7/7/7 p1 1", "d7d6")
ESCAPE = ("scottish", "7/7/2k3a/7/a6/7/7 p2 1", "c5c7")
ON_SEVEN = "brandub:encirclement=wins,fort=wins,shieldwall=corner,king_captured_by=four"
ROW = (ON_SEVEN, "7/3d3/4k2/4a2/7/2aa3/1add3 p1 1", "e4e1")
RING = (ON_SEVEN, "7/2aaa2/1a2da1/1a1k1a1/1ad3a/2aaa2/7 p1 1", "g3f3")
FORT = (ON_SEVEN, "7/1a5/3a2a/5d1/7/3dd2/2dk3 p2 1", "f4f1")


@pytest.mark.parametrize(
    ("game", "rows", "said"),
    [
        (LINE, ["3 =○=◒=○=· ·"], ["= = winning line"]),
        (ESCAPE, ["7  · ·=♔=· · · ·", "5  · ·[·]· · · ●"], ["= = where the king escaped", "[ ] last move"]),
        (
            CAPTURE,
            ["7  × · ·[·]· · ×", "6  · · ·=●=· · ·", "5  · ·=●=#=●=· ·", "4  · · ·=×=· · ·"],
            ["= = what captured the king", "# the king was captured here"],
        ),
        (
            ROW,
            ["4  · · · ×[·]· ·", "2  · ·=●=●=· · ·", "1  ×=●=† †=●=· ×"],
            ["= = shieldwall", "† taken by the shieldwall"],
        ),
        (
            RING,
            ["6  · ·=●=●=●=· ·", "5  ·=●=· · ○=●=·", "4  ·=●=· ♔ ·=●=·", "3  ·=●=○ · ·=●=·]", "2  · ·=●=●=●=· ·"],
            ["= = the ring around the defenders"],
        ),
        (FORT, ["4  · · · × ·[·]·", "2  · · ·=○=○=· ·", "1  × ·=○=♔=·=○=×"], ["= = the fort"]),
    ],
)
def test_what_decided_the_game_stands_between_equals_signs(
    game: tuple[str, str, str], rows: list[str], said: list[str]
) -> None:
    """A winning line, an escape, a captured king: told by signs alone, and the legend names them."""
    board = ended(*game)
    lines = plain(board).splitlines()
    assert [row for row in lines if "=" in row or "[" in row] == rows
    legend = board_drawing.legend(board, board_drawing.UNICODE)
    assert all(part in legend.split("   ") for part in said)
    assert plain(board, board_drawing.ASCII).isascii()
    wide = plain(board, board_drawing.WIDE)
    assert not any(unicodedata.east_asian_width(character) == "A" for character in wide), "as wide as settings have it"
    widths = [columns(row) for row in wide.splitlines()]
    assert max(widths) - min(widths) <= 1  # a row may end in a mark


@pytest.mark.parametrize("name", ["callanish-9", "scottish", "tablut-saami", "sea-battle-11", "copenhagen"])
def test_each_special_rule_has_a_picture_before_and_after_the_move_that_shows_it(name: str) -> None:
    """The move leads from one board to the other, and the second one marks what the rule is about."""
    shown = pictures(find(name))
    options = dict(tafl.TAFL[name].options.items()) if name in tafl.TAFL else {}
    special = [option for option in ("shieldwall", "encirclement", "fort") if options.get(option, "no") != "no"]
    assert [picture.caption.split(",")[0].split()[-1] for picture in shown] == special
    for picture in shown:
        move = picture.caption.split()[-1]
        assert "".join(picture.after.last) == move and not picture.before.last
        assert picture.before.rows != picture.after.rows and not picture.before.decision.squares
        assert len(picture.after.decision.squares) > 3
        assert "= =" in board_drawing.legend(picture.after, board_drawing.UNICODE)
    assert len(pictures(find(name), "ja")) == len(shown)
