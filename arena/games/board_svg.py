"""Boards as SVG: the one drawer of pages, of files, and of the boards of running games.

A page has each piece once, in `symbols`, and places it by reference. So a board takes two kilobytes, and a script that
knows no rules can show any ply of a game. The style sheet of the page has the colours. A file of its own has the same
picture with its pieces in place, and its colours as attributes, for programs that read no style sheet.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache
from html import escape

from arena.games.board_drawing import DrawnBoard, describe
from arena.games.kind import CROWN, GameKind
from arena.games.kinds import installed
from arena.games.squares import EMPTY

UNIT = 40
"""The side of a square, in the units of the picture, which scales to any size."""
EDGE = 26
"""The width of the labels on each side, in the same units."""
_TAKEN = (
    f'<circle class="taken" r="17"/><path class="taken-crown" d="{CROWN}"/>'
    '<path class="cross" d="M-15-15l30 30m0-30l-30 30"/>'
)
"""A captured king: a king with a dashed rim, struck out."""
_FALLEN = '<circle class="taken" r="14"/><path class="cross" d="M-12-12l24 24m0-24l-24 24"/>'
"""A man that a shieldwall took."""


@cache
def symbols() -> str:
    """The pieces of all games, each with its game and its letter as its id. A page that has boards has this once."""
    shapes = "".join(
        f'<g id="{kind.name}-{ord(letter)}">{_shape(kind, letter)}</g>'
        for kind in installed().usable
        for letter in kind.pieces
    )
    return f'<svg class="symbols" aria-hidden="true" width="0" height="0"><defs>{shapes}</defs></svg>'


def _shape(kind: GameKind, letter: str) -> str:
    """The drawing of a piece around 0."""
    piece = kind.pieces.get(letter)
    if piece is not None and piece.svg:
        return piece.svg
    sign = escape((piece.sign if piece is not None else "") or letter)
    return f'<circle class="white" r="14"/><text class="sign" y="6">{sign}</text>'


_COLOURS = {
    "squares": 'fill="#f4ecd8" stroke="#555"',
    "grid": 'fill="none" stroke="#555"',
    "label": 'text-anchor="middle" font-size="15" fill="#222"',
    "last": 'fill="#ffe27a" fill-opacity="0.7" stroke="#000" stroke-width="2"',
    "left": 'stroke-dasharray="5 4"',
    "decisive": 'fill="#a5dcb8" fill-opacity="0.7" stroke="#07501f" stroke-width="4"',
    "taken": 'fill="#fff" stroke="#000" stroke-width="2" stroke-dasharray="4 3"',
    "taken-crown": 'fill="none" stroke="#000" stroke-width="1.5" stroke-linejoin="round"',
    "cross": 'stroke="#b00020"',
    "white": 'fill="#fff" stroke="#000" stroke-width="2"',
    "black": 'fill="#111" stroke="#ccc" stroke-width="2"',
    "sign": 'text-anchor="middle" font-size="18" fill="#000"',
    "crown": 'fill="#000" stroke="#000" stroke-linejoin="round"',
    "hole": 'fill="#8c8c8c" stroke="#555"',
}
"""The attributes of each class of shapes in a file. They are legible in black and white."""
DARK = """\
@media (prefers-color-scheme: dark) {
  .paper { fill: #15171b; }
  .label { fill: #d5d8de; }
  .squares { fill: #b8a984; }
  .hole { fill: #50545c; }
  .last { fill: #e8c547; }
  .decisive { fill: #5fb37c; }
}
"""
"""The colours of a file in dark mode."""


def inline(board: DrawnBoard) -> str:
    """The board as an element of a page that has `symbols` and the style sheet."""
    game = board.kind.name
    pieces = "".join(f'<use href="#{game}-{ord(letter)}" x="{x}" y="{y}"/>' for x, y, letter in _pieces(board))
    opening = f'<svg class="board" viewBox="{_view_box(board)}" role="img" focusable="false">'
    return f"{opening}<title>{escape(describe(board))}</title>{_shapes(board, pieces)}</svg>"


def document(board: DrawnBoard, title: str) -> str:
    """The board as a file of its own. It is legible in black and white, and in dark mode. `title` is printable."""
    pieces = "".join(
        f'<g transform="translate({x} {y})">{_shape(board.kind, letter)}</g>' for x, y, letter in _pieces(board)
    )
    size = f".board {{ max-width: {2 * (board.width * UNIT + 2 * EDGE)}px; }}\n"
    shapes = re.sub('class="([a-z-]+)"', _with_colours, _shapes(board, pieces))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_view_box(board)}" role="img" class="board" '
            'font-family="sans-serif">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(describe(board))}</desc>",
            f"<style>\n{size}{DARK}</style>",
            '<rect class="paper" width="100%" height="100%" fill="#fff"/>',
            shapes.replace("><", ">\n<"),
            "</svg>\n",
        ]
    )


def _with_colours(name: re.Match[str]) -> str:
    return f"{name[0]} {_COLOURS.get(name[1], '')}".rstrip()


def _view_box(board: DrawnBoard) -> str:
    return f"0 0 {board.width * UNIT + 2 * EDGE} {len(board.rows) * UNIT + 2 * EDGE}"


def _shapes(board: DrawnBoard, pieces: str) -> str:
    """What is drawn from the bottom to the top."""
    width, height = board.width * UNIT, len(board.rows) * UNIT
    lines = "".join(f"M{EDGE} {y}h{width}" for y in range(EDGE + UNIT, EDGE + height, UNIT))
    lines += "".join(f"M{x} {EDGE}v{height}" for x in range(EDGE + UNIT, EDGE + width, UNIT))
    special = "".join(f"M{x} {y}l{UNIT} {UNIT}m0-{UNIT}l-{UNIT} {UNIT}" for x, y, name in _squares(board, board.marked))
    return (
        f'<rect class="squares" x="{EDGE}" y="{EDGE}" width="{width}" height="{height}"/>'
        f'<path class="grid" d="{lines}"/><path class="grid" d="{special}"/>'
        f'<g class="label">{"".join(_labels(board))}</g>'
        f'<g class="last">{"".join(_last(board))}</g>'
        f'<g class="decisive">{"".join(_decisive(board))}</g>'
        f'<g class="pieces" data-game="{board.kind.name}">{pieces}</g>'
    )


def _squares(board: DrawnBoard, names: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """The left and upper edge of each of these squares, and its name."""
    for column, row, name, _ in board.cells():
        if name in names:
            yield EDGE + column * UNIT, EDGE + row * UNIT, name


def _labels(board: DrawnBoard) -> Iterator[str]:
    height = len(board.rows)
    for column in range(board.width):
        for y in (EDGE - 8, EDGE + height * UNIT + 17):
            yield f'<text x="{EDGE + column * UNIT + UNIT // 2}" y="{y}">{chr(ord("a") + column)}</text>'
    for row in range(height):
        for x in (EDGE // 2, EDGE + board.width * UNIT + EDGE // 2):
            yield f'<text x="{x}" y="{EDGE + row * UNIT + UNIT // 2 + 5}">{height - row}</text>'


def _last(board: DrawnBoard) -> Iterator[str]:
    """The squares of the last move; the one that it left is dashed."""
    for x, y, name in _squares(board, board.last):
        left = ' class="left"' if len(board.last) > 1 and name == board.last[0] else ""
        yield f'<rect{left} x="{x + 2}" y="{y + 2}" width="{UNIT - 4}" height="{UNIT - 4}"/>'


def _decisive(board: DrawnBoard) -> Iterator[str]:
    """The squares that decided the game with a thick frame, the captured king, and the men that a shieldwall took."""
    for x, y, _ in _squares(board, board.decision.squares):
        yield f'<rect x="{x + 3}" y="{y + 3}" width="{UNIT - 6}" height="{UNIT - 6}"/>'
    for names, shape in (((board.decision.king or "",), _TAKEN), (board.decision.taken, _FALLEN)):
        for x, y, _ in _squares(board, names):
            yield f'<g transform="translate({x + UNIT // 2} {y + UNIT // 2})">{shape}</g>'


def _pieces(board: DrawnBoard) -> Iterator[tuple[int, int, str]]:
    """The middle of each square that is not empty, and its letter."""
    for column, row, _, letter in board.cells():
        if letter != EMPTY:
            yield EDGE + column * UNIT + UNIT // 2, EDGE + row * UNIT + UNIT // 2, letter
