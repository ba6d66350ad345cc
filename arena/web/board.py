"""A board as a small inline picture, and a game as a list of what changes from ply to ply.

A page draws each piece once, as a symbol, and places it by reference: so a board takes two kilobytes, and a script that
knows no rules can show any ply of the game. Colours come from the style sheet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from arena.rulebook.board_drawing import EMPTY, HOLE, DrawnBoard, describe

UNIT = 40
"""The side of a square, in the units of the picture."""
EDGE = 26
"""The width of the labels on each side, in the same units."""

SYMBOLS = Markup(
    '<svg class="symbols" aria-hidden="true" width="0" height="0"><defs>'
    '<g id="w"><circle class="white" r="14"/></g><g id="b"><circle class="black" r="14"/></g>'
    '<g id="d"><circle class="white" r="14"/></g><g id="a"><circle class="black" r="14"/></g>'
    '<g id="sw"><circle class="black" cy="5" r="13"/><circle class="white" cy="-4" r="13"/></g>'
    '<g id="sb"><circle class="white" cy="5" r="13"/><circle class="black" cy="-4" r="13"/></g>'
    '<g id="k"><circle class="white" r="17"/><path class="crown" d="M-10 8h20l2-15-7 6-5-10-5 10-7-6z"/></g>'
    '<g id="h"><path class="hole" d="M-20-20h40v40h-40z"/></g>'
    "</defs></svg>"
)
"""The pieces. A page that has boards has this once."""
_NAMES = {"w": "w", "b": "b", "W": "sw", "B": "sb", "a": "a", "d": "d", "k": "k", HOLE: "h"}
"""The symbol of each letter of a position string."""


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """The boards of a game."""

    svg: Markup
    """The last position, drawn."""
    data: dict[str, object]
    """What a script needs: the size, the first position, and for each ply what changes."""
    last: DrawnBoard
    """The last position."""


def picture(boards: Sequence[DrawnBoard]) -> BoardPicture:
    """The boards of a game from its start to its end."""
    last = boards[-1]
    letters = ["".join(board.rows) for board in boards]
    changes = [changed_squares(before, after) for before, after in pairwise(letters)]
    data: dict[str, object] = {"width": last.width, "start": letters[0], "changes": changes}
    return BoardPicture(draw(last), data, last)


def changed_squares(before: str, after: str) -> list[int | str]:
    """The squares that differ between two boards of equal size, by their places, each followed by its new letter."""
    return [part for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new for part in (at, new)]


def draw(board: DrawnBoard) -> Markup:
    """One board as SVG that needs `SYMBOLS` and the style sheet."""
    width, height = board.width, len(board.rows)
    wide, high = width * UNIT + 2 * EDGE, height * UNIT + 2 * EDGE
    lines = "".join(f"M{EDGE} {EDGE + row * UNIT}h{width * UNIT}" for row in range(1, height))
    lines += "".join(f"M{EDGE + column * UNIT} {EDGE}v{height * UNIT}" for column in range(1, width))
    special = "".join(
        f"M{EDGE + column * UNIT} {EDGE + row * UNIT}l{UNIT} {UNIT}m0-{UNIT}l-{UNIT} {UNIT}"
        for column, row, name, _ in board.cells()
        if name in board.marked
    )
    files = " ".join(str(EDGE + column * UNIT + UNIT // 2) for column in range(width))
    letters = "".join(chr(ord("a") + column) for column in range(width))
    parts = [
        f'<svg class="board" viewBox="0 0 {wide} {high}" role="img" focusable="false">',
        f"<title>{Markup.escape(describe(board))}</title>",
        f'<rect class="squares" x="{EDGE}" y="{EDGE}" width="{width * UNIT}" height="{height * UNIT}"/>',
        f'<path class="grid" d="{lines}"/>',
        f'<path class="grid" d="{special}"/>' if special else "",
        *(f'<text class="label" x="{files}" y="{y}">{letters}</text>' for y in (EDGE - 8, EDGE + height * UNIT + 17)),
        *_ranks(height, width),
        f'<g class="last">{_last(board)}</g>',
        f'<g class="decisive">{_decisive(board)}</g>',
        f'<g class="pieces">{_pieces(board)}</g>',
        "</svg>",
    ]
    return Markup("".join(parts))


def _ranks(height: int, width: int) -> list[str]:
    found = []
    for x in (EDGE // 2, EDGE + width * UNIT + EDGE // 2):
        found += [
            f'<text class="label" x="{x}" y="{EDGE + row * UNIT + UNIT // 2 + 5}">{height - row}</text>'
            for row in range(height)
        ]
    return found


def _last(board: DrawnBoard) -> str:
    """The squares of the last move; the one that it left is dashed."""
    found = []
    for column, row, name, _ in board.cells():
        if name in board.last:
            left = ' class="left"' if len(board.last) > 1 and name == board.last[0] else ""
            x, y = EDGE + column * UNIT + 2, EDGE + row * UNIT + 2
            found.append(f'<rect{left} x="{x}" y="{y}" width="{UNIT - 4}" height="{UNIT - 4}"/>')
    return "".join(found)


def _decisive(board: DrawnBoard) -> str:
    """The squares that decided the game, with a thick frame, and a cross where the king was captured."""
    found = []
    for column, row, name, _ in board.cells():
        x, y = EDGE + column * UNIT, EDGE + row * UNIT
        if name in board.decision.squares:
            found.append(f'<rect x="{x + 3}" y="{y + 3}" width="{UNIT - 6}" height="{UNIT - 6}"/>')
        if name == board.decision.king:
            found.append(f'<path d="M{x + 9} {y + 9}l22 22m0-22l-22 22"/>')
    return "".join(found)


def _pieces(board: DrawnBoard) -> str:
    half = EDGE + UNIT // 2
    return "".join(
        f'<use href="#{_NAMES[letter]}" x="{half + column * UNIT}" y="{half + row * UNIT}"/>'
        for column, row, _, letter in board.cells()
        if letter != EMPTY and letter in _NAMES
    )
