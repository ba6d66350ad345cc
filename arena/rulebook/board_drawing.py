"""Reads and tells boards: a position string becomes lines of text, coloured text or a sentence.

This module has the glyphs, the colours and the legends. It knows the letters of position strings, but no rules: the
caller says which squares are special, which the last move touched and which decided the game (`game_boards` does that
for a game). Every drawing is legible without colour.
"""

# ruff: noqa: RUF001 - full-width signs look like others on purpose: they are as wide as kanji.

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from arena.games.decision import UNDECIDED, Decision
from arena.games.rules import Reason

if TYPE_CHECKING:
    from rich.text import Text

Lang = Literal["en", "ja"]

EMPTY = "."
HOLE = "*"

_SQUARE = re.compile(r"[a-z][0-9]+")
_CELL = re.compile(r"[0-9]+|.")


def squares(word: str) -> tuple[str, ...]:
    """The squares that a move names, in its order. Those of `b2a4d1` are `b2`, `a4` and `d1`."""
    return tuple(_SQUARE.findall(word))


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A board to draw. `rows` begins with the top rank. It has a letter for each square, and `.` for an empty one."""

    rows: tuple[str, ...]
    marked: frozenset[str] = frozenset()
    """Squares with rules of their own, such as the centre of a tafl board."""
    last: tuple[str, ...] = ()
    """Squares of the last move. If there are several, the move left the first one."""
    decision: Decision = UNDECIDED
    """The squares that decided the game, or those of a shieldwall."""

    @property
    def width(self) -> int:
        """The number of files."""
        return len(self.rows[0])

    def cells(self) -> Iterator[tuple[int, int, str, str]]:
        """Column, row, name and letter of each square in reading order, both from 0 at the top left."""
        for row, letters in enumerate(self.rows):
            for column, letter in enumerate(letters):
                yield column, row, f"{chr(ord('a') + column)}{len(self.rows) - row}", letter


def read(
    fen: str,
    marked: frozenset[str] = frozenset(),
    last_move: str | None = None,
    decision: Decision = UNDECIDED,
) -> DrawnBoard:
    """The board of a position string, which must be valid. Its other fields are ignored."""
    rows = tuple(
        "".join(EMPTY * int(part) if part.isdigit() else part for part in _CELL.findall(row))
        for row in fen.split()[0].split("/")
    )
    return DrawnBoard(rows, marked, squares(last_move) if last_move else (), decision)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of signs. All of them are `columns` wide in a terminal."""

    columns: int
    signs: dict[str, str]
    """The sign of each letter of a position string. The letter of an empty square is `.`."""
    mark: str
    """The sign of an empty square with rules of its own."""
    taken: str = "#"
    """The sign of the square where the king was captured."""
    fallen: str = "x"
    """The sign of a square where a shieldwall took a man."""

    def file(self, column: int) -> str:
        """The letter above and below a file, as wide as a square."""
        letter = chr(ord("a") + column)
        # The full-width forms of ASCII are at a constant distance.
        return letter if self.columns == 1 else chr(ord(letter) + 0xFEE0)

    def fits(self, encoding: str) -> bool:
        """Can this encoding write every sign?"""
        try:
            ("".join(self.signs.values()) + self.mark + self.taken + self.fallen).encode(encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True


UNICODE = Glyphs(
    1, {"w": "○", "b": "●", "W": "◒", "B": "◓", HOLE: "▒", "a": "●", "d": "○", "k": "♔", EMPTY: "·"}, "×", fallen="†"
)
ASCII = Glyphs(1, {letter: letter for letter in "wbWB*adk."}, "+")
# Circles and dots are one or two columns wide in East Asian terminals, but these signs are always two columns wide.
WIDE = Glyphs(
    2,
    {"w": "白", "b": "黒", "W": "Ｗ", "B": "Ｂ", HOLE: "＊", "a": "攻", "d": "守", "k": "王", EMPTY: "・"},
    "＋",
    "＃",
    "ｘ",
)


def glyphs_for(encoding: str | None, ascii_only: bool = False, lang: Lang = "en") -> Glyphs:
    """The best set of signs that this encoding can write."""
    wanted = WIDE if lang == "ja" else UNICODE
    return ASCII if ascii_only or not wanted.fits(encoding or "ascii") else wanted


_LEGEND: dict[Lang, dict[str, str]] = {
    "en": {
        "w": "White",
        "b": "Black",
        "W": "stack, White on Black",
        "B": "stack, Black on White",
        HOLE: "grey stone (hole)",
        "a": "attacker",
        "d": "defender",
        "k": "king",
        "mark": "square with rules of its own",
        "last": "last move",
        "line": "winning line",
        "escape": "the king escaped",
        "captors": "what captured the king",
        "ring": "the ring around the defenders",
        "fort": "the fort",
        "shieldwall": "shieldwall",
        "taken": "the king was captured here",
        "fallen": "taken by the shieldwall",
    },
    "ja": {
        "w": "白の石",
        "b": "黒の石",
        "W": "スタック（黒の上に白）",
        "B": "スタック（白の上に黒）",
        HOLE: "灰色の石（使えないマス）",
        "a": "攻撃側の駒",
        "d": "守備側の駒",
        "k": "王",
        "mark": "特別な規則のあるマス",
        "last": "直前の手",
        "line": "勝ちを決めた列",
        "escape": "王が逃げたマス",
        "captors": "王を捕らえた駒やマス",
        "ring": "守備側を囲む駒",
        "fort": "砦",
        "shieldwall": "盾の壁",
        "taken": "王が捕らえられたマス",
        "fallen": "盾の壁に捕らえられたマス",
    },
}

_STYLES = {
    "w": "bold bright_white",
    "b": "bold bright_blue",
    "W": "bold bright_white",
    "B": "bold bright_blue",
    HOLE: "bright_black",
    "a": "bold bright_red",
    "d": "bold bright_white",
    "k": "bold bright_yellow",
    EMPTY: "bright_black",
    "mark": "magenta",
    "taken": "bold bright_yellow",
    "last": "bold green",
    "decided": "bold",
    "edge": "dim",
    "": "",
}


def piece_words() -> dict[str, str]:
    """What the letters of a board are called: of stones, pieces and holes."""
    return {letter: word for letter, word in _LEGEND["en"].items() if len(letter) == 1}


def legend(board: DrawnBoard, glyphs: Glyphs, lang: Lang = "en") -> str:
    """The meanings of the signs on this board in one line. It is empty for an empty board."""
    words = _LEGEND[lang]
    present = {letter for row in board.rows for letter in row}
    parts = [f"{glyphs.signs[letter]} {words[letter]}" for letter in "wbWB*adk" if letter in present]
    if any(name in board.marked and letter == EMPTY for _, _, name, letter in board.cells()):
        parts.append(f"{glyphs.mark} {words['mark']}")
    if board.last:
        parts.append(f"[ ] {words['last']}")
    if board.decision.squares:
        parts.append(f"= = {words[_DECIDING[board.decision.reason]]}")
    if board.decision.king is not None:
        parts.append(f"{glyphs.taken} {words['taken']}")
    if board.decision.taken:
        parts.append(f"{glyphs.fallen} {words['fallen']}")
    return "   ".join(parts)


_DECIDING: dict[Reason | None, Literal["line", "escape", "captors", "ring", "fort", "shieldwall"]] = {
    None: "shieldwall",
    Reason.LINE: "line",
    Reason.KING_ESCAPED: "escape",
    Reason.KING_CAPTURED: "captors",
    Reason.ENCIRCLED: "ring",
    Reason.FORT: "fort",
}
"""What the deciding squares are, by the reason of the end."""


def rich_text(board: DrawnBoard, glyphs: Glyphs = UNICODE) -> "Text":
    """The board as lines of text with colours.

    Squares of the last move stand in brackets, and those that decided the game between equals signs.
    """
    from rich.text import Text

    return Text.assemble(*_pieces(board, glyphs), no_wrap=True, end="")


def _pieces(board: DrawnBoard, glyphs: Glyphs) -> Iterator[tuple[str, str]]:
    """Pieces of text, each with its style. Large boards are labelled on all four edges."""
    height = len(board.rows)
    digits = len(str(height))
    all_edges = max(height, board.width) > 9
    files = " " * (digits + 2) + " ".join(glyphs.file(column) for column in range(board.width)) + "\n"
    if all_edges:
        yield files, _STYLES["edge"]
    for row, cells in groupby(board.cells(), key=lambda cell: cell[1]):
        rank = height - row
        yield f"{rank:>{digits}} ", _STYLES["edge"]
        left = ""
        for _, _, name, letter in cells:
            here = "decided" if name in board.decision.squares else "last" if name in board.last else ""
            yield _between(left, here)
            if name == board.decision.king:
                sign, style = glyphs.taken, _STYLES["taken"]
            elif name in board.decision.taken:
                sign, style = glyphs.fallen, _STYLES["taken"]
            elif letter == EMPTY and name in board.marked:
                sign, style = glyphs.mark, _STYLES["mark"]
            else:
                sign, style = glyphs.signs[letter], _STYLES[letter]
            yield sign, f"{style} reverse" if here == "decided" or name == board.decision.king else style
            left = here
        sign, style = _between(left, "")
        yield sign if left or all_edges else "", style
        yield (f" {rank}\n" if all_edges else "\n"), _STYLES["edge"]
    yield files, _STYLES["edge"]


def _between(left: str, right: str) -> tuple[str, str]:
    """The sign between two squares and its style. `left` and `right` are their marks: `decided`, `last` or none.

    Neighbours share this column, so that a board of 25 files fits in 80 columns.
    """
    if "decided" in (left, right):
        return "=", _STYLES["decided"]
    sign = {("last", "last"): "|", ("last", ""): "]", ("", "last"): "["}.get((left, right), " ")
    return sign, _STYLES["last" if "last" in (left, right) else ""]


def describe(board: DrawnBoard) -> str:
    """The board in words, for readers who do not see the picture."""
    words = _LEGEND["en"]
    squares_of: dict[str, list[str]] = {}
    for _, _, name, letter in board.cells():
        if letter not in (EMPTY, HOLE):
            squares_of.setdefault(letter, []).append(name)
    kinds = "; ".join(f"{words[letter]} on {' '.join(names)}" for letter, names in sorted(squares_of.items()))
    last = f" The last move touched {' '.join(board.last)}." if board.last else ""
    size = f"{board.width} files and {len(board.rows)} ranks"
    return f"Board of {size}: {kinds or 'empty'}.{last}{_decision_sentence(board)}"


def _decision_sentence(board: DrawnBoard) -> str:
    """What decided the game, as a sentence of `describe`; empty if no squares did."""
    names = " ".join(name for _, _, name, _ in board.cells() if name in board.decision.squares)
    if not names:
        return ""
    fallen = " ".join(name for _, _, name, _ in board.cells() if name in board.decision.taken)
    match _DECIDING[board.decision.reason]:
        case "line":
            return f" Decided by a line: {names}."
        case "escape":
            return f" The king escaped on {names}."
        case "captors":
            row = f" A shieldwall took {fallen}." if fallen else ""
            return f" The king was captured on {board.decision.king} between {names}.{row}"
        case "ring":
            return f" The king and all defenders are surrounded by {names}."
        case "fort":
            return f" The king won by a fort on {names}."
        case "shieldwall":
            return f" A shieldwall on {names} took {fallen}."
