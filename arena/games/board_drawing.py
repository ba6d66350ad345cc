"""Draws boards as text, and tells them in words: for terminals, files and readers who do not see a picture.

This module has the brackets, the marks and the layout. The signs and words of pieces are those of the game.
`game_boards` says which squares are special, which the last move touched and which decided the game. Every drawing is
legible without colour.
"""

# ruff: noqa: RUF001 - full-width signs look like others on purpose: they are as wide as kanji.

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from arena.games.kind import UNDECIDED, Decision, GameKind, Lang, Piece
from arena.games.squares import EMPTY

_SQUARE = re.compile(r"[a-z][0-9]+")
_PLAIN = Piece("piece")


def squares(word: str) -> tuple[str, ...]:
    """The squares that a move names, in its order. Those of `b2a4d1` are `b2`, `a4` and `d1`."""
    return tuple(_SQUARE.findall(word))


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A board to draw. `rows` begins with the top rank. It has a letter for each square, and `.` for an empty one."""

    kind: GameKind
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


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of signs. All of them are `columns` wide in a terminal."""

    columns: int
    plain: bool
    """Whether pieces are drawn as their letters."""
    empty: str
    mark: str
    """The sign of an empty square with rules of its own."""
    taken: str
    """The sign of the square where a king was captured."""
    fallen: str
    """The sign of a square where a shieldwall took a man."""

    def file(self, column: int) -> str:
        """The letter above and below a file, as wide as a square."""
        return self._widened(chr(ord("a") + column))

    def sign(self, kind: GameKind, letter: str) -> str:
        """The sign of a letter on a board of this game."""
        if letter == EMPTY:
            return self.empty
        piece = kind.pieces.get(letter, _PLAIN)
        if self.columns == 2:
            return piece.wide or self._widened(letter)
        return letter if self.plain else piece.sign or letter

    def _widened(self, letter: str) -> str:
        # The full-width forms of ASCII are at a constant distance.
        return letter if self.columns == 1 else chr(ord(letter) + 0xFEE0)


UNICODE = Glyphs(1, False, "·", "×", "#", "†")
ASCII = Glyphs(1, True, ".", "+", "#", "x")
# Circles and dots are one or two columns wide in East Asian terminals, but these signs are always two columns wide.
WIDE = Glyphs(2, False, "・", "＋", "＃", "ｘ")
_PROBE = {1: "·×†○●◒◓▒♔", 2: "・＋＃ｘ白黒攻守王"}
"""An encoding that can write these can write all signs."""


def glyphs_for(encoding: str | None, ascii_only: bool = False, lang: Lang = "en") -> Glyphs:
    """The best set of signs that this encoding can write."""
    wanted = WIDE if lang == "ja" else UNICODE
    try:
        _PROBE[wanted.columns].encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return ASCII if ascii_only else wanted


_LEGEND: dict[Lang, dict[str, str]] = {
    "en": {
        "mark": "square with rules of its own",
        "last": "last move",
        "taken": "the king was captured here",
        "fallen": "taken by the shieldwall",
    },
    "ja": {
        "mark": "特別な規則のあるマス",
        "last": "直前の手",
        "taken": "王が捕らえられたマス",
        "fallen": "盾の壁に捕らえられたマス",
    },
}
_STYLES = {
    EMPTY: "bright_black",
    "mark": "magenta",
    "taken": "bold bright_yellow",
    "last": "bold green",
    "decided": "bold",
    "edge": "dim",
    "": "",
}


def legend(board: DrawnBoard, glyphs: Glyphs, lang: Lang = "en") -> str:
    """The meanings of the signs on this board in one line. It is empty for an empty board."""
    words, kind = _LEGEND[lang], board.kind
    present = {letter for row in board.rows for letter in row}
    parts = [
        f"{glyphs.sign(kind, letter)} {kind.say(piece.word, lang)}"
        for letter, piece in kind.pieces.items()
        if letter in present
    ]
    if any(name in board.marked and letter == EMPTY for _, _, name, letter in board.cells()):
        parts.append(f"{glyphs.mark} {words['mark']}")
    if board.last:
        parts.append(f"[ ] {words['last']}")
    if board.decision.squares:
        parts.append(f"= = {kind.say(board.decision.what, lang)}")
    if board.decision.king is not None:
        parts.append(f"{glyphs.taken} {words['taken']}")
    if board.decision.taken:
        parts.append(f"{glyphs.fallen} {words['fallen']}")
    return "   ".join(parts)


Styled = tuple[str, str]
"""A piece of text and its style, as rich writes it."""


def styled(board: DrawnBoard, glyphs: Glyphs = UNICODE) -> Iterator[Styled]:
    """The board as pieces of text, each with its style; together they are its lines.

    Squares of the last move stand in brackets, and those that decided the game between equals signs. Large boards are
    labelled on all four edges.
    """
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
                sign, style = glyphs.sign(board.kind, letter), _style(board.kind, letter)
            yield sign, f"{style} reverse" if here == "decided" or name == board.decision.king else style
            left = here
        sign, style = _between(left, "")
        yield sign if left or all_edges else "", style
        yield (f" {rank}\n" if all_edges else "\n"), _STYLES["edge"]
    yield files, _STYLES["edge"]


def _style(kind: GameKind, letter: str) -> str:
    return _STYLES[EMPTY] if letter == EMPTY else kind.pieces.get(letter, _PLAIN).style


def _between(left: str, right: str) -> Styled:
    """The sign between two squares and its style. `left` and `right` are their marks: `decided`, `last` or none.

    Neighbours share this column, so that a board of 25 files fits in 80 columns.
    """
    if "decided" in (left, right):
        return "=", _STYLES["decided"]
    sign = {("last", "last"): "|", ("last", ""): "]", ("", "last"): "["}.get((left, right), " ")
    return sign, _STYLES["last" if "last" in (left, right) else ""]


def describe(board: DrawnBoard) -> str:
    """The board in words, for readers who do not see the picture."""
    squares_of: dict[str, list[str]] = {}
    for _, _, name, letter in board.cells():
        if letter != EMPTY and letter not in board.kind.blocked:
            squares_of.setdefault(letter, []).append(name)
    pieces = board.kind.pieces
    kinds = "; ".join(
        f"{pieces[letter].word if letter in pieces else letter} on {' '.join(names)}"
        for letter, names in sorted(squares_of.items())
    )
    last = f" The last move touched {' '.join(board.last)}." if board.last else ""
    size = f"{board.width} files and {len(board.rows)} ranks"
    decided = f" {board.decision.sentence}" if board.decision.sentence else ""
    return f"Board of {size}: {kinds or 'empty'}.{last}{decided}"
