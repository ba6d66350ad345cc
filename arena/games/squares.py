"""Squares by name, the words of the move grammar, and the board part of position strings.

Callanish and tafl write squares and boards in the same way. This module knows letters, digits and rectangles. It does
not know what a letter stands for or which boards a variant allows.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from arena.games.rules import BadPosition, Side

FILES = "abcdefghijklmnopqrstuvwxy"
MAX_SIDE = len(FILES)
"""The most files and the most ranks that a board may have."""
EMPTY = "."
HOLE = "*"

SQUARE_PATTERN = r"[a-y](?:1[0-9]|2[0-5]|[1-9])"
"""A file letter and a rank without a leading zero. The square need not be on the board in play."""

SQUARE = re.compile(SQUARE_PATTERN)
Board = dict[str, str]
"""The letter on each square, by its name."""

_SIDES: dict[str, Side] = {"p1": "p1", "p2": "p2"}
_PIECE_OR_RUN = re.compile(r"[0-9]+|.", re.DOTALL)
_RUN = re.compile(re.escape(EMPTY) + "+")
_TURN = re.compile(r"[1-9][0-9]{0,8}")


class Drawing(NamedTuple):
    """The parts of a position string. The rows go from the top rank down, with one character for each square."""

    rows: tuple[str, ...]
    side: Side
    turn: int


def square_name(file: int, rank: int) -> str:
    """The name of a square. Both numbers count from 0: `square_name(0, 0)` is `a1`."""
    return f"{FILES[file]}{rank + 1}"


def read_position(fen: str, letters: str) -> Drawing:
    """Take a position string apart. `letters` are the characters that a square may hold if it is not empty.

    Raises BadPosition, which names the field, row or square.
    """
    fields = fen.split()
    if len(fields) not in (2, 3):
        raise BadPosition(f"a position string is a board, p1 or p2, and perhaps a turn number, not {fen!r}")
    side = _SIDES.get(fields[1])
    if side is None:
        raise BadPosition(f"the side to move in a position string is p1 or p2, not {fields[1]!r}")
    if len(fields) == 3 and not _TURN.fullmatch(fields[2]):
        raise BadPosition(f"the turn number of a position string is a whole number from 1, not {fields[2]!r}")
    return Drawing(_read_rows(fields[0], letters), side, int(fields[2]) if len(fields) == 3 else 1)


def check_rows(rows: Sequence[str], letters: str) -> None:
    """Raise BadPosition if the rows, with one character for each square, are no rectangle of known letters."""
    if not rows or not rows[0]:
        raise BadPosition("the board has no squares: draw at least one row")
    if len(rows) > MAX_SIDE:
        raise BadPosition(f"the board has {len(rows)} rows; at most {MAX_SIDE} are allowed")
    for number, row in enumerate(rows, 1):
        where = f"row {number} from the top (rank {len(rows) - number + 1})"
        if len(row) > MAX_SIDE:
            raise BadPosition(f"{where} has more than {MAX_SIDE} squares, which is the most for a row")
        for file, letter in enumerate(row):
            if letter != EMPTY and letter not in letters:
                square = square_name(file, len(rows) - number)
                raise BadPosition(f"{where} has {letter!r} on {square}; a square may hold {' '.join(letters)}")
        if len(row) != len(rows[0]):
            raise BadPosition(
                f"{where} has {len(row)} squares, but row 1 has {len(rows[0])}; all rows must be equally long"
            )


def write_rows(rows: Sequence[str]) -> str:
    """The board part of a position string: empty squares as runs, rows separated by `/`."""
    return "/".join(_RUN.sub(lambda run: str(len(run[0])), row) for row in rows)


def spread_rows(board: str) -> list[str]:
    """The rows of a board part that is known to be right, with one character for each square."""
    return re.sub("[0-9]+", lambda run: EMPTY * int(run[0]), board).split("/")


def board_of(fen: str) -> Board:
    """The letter on each square of a position string that is known to be right."""
    rows = spread_rows(fen.split()[0])
    return {square_name(f, len(rows) - 1 - r): letter for r, row in enumerate(rows) for f, letter in enumerate(row)}


def _read_rows(board: str, letters: str) -> tuple[str, ...]:
    rows = []
    for number, text in enumerate(board.split("/"), 1):
        row = ""
        for part in _PIECE_OR_RUN.findall(text):
            if not ("0" <= part[0] <= "9"):
                row += part
            elif part[0] == "0" or len(part) > 2 or int(part) > MAX_SIDE:
                raise BadPosition(
                    f"row {number} from the top has the run {part}; a run is 1 to {MAX_SIDE} empty squares"
                )
            else:
                row += EMPTY * int(part)
        rows.append(row)
    check_rows(rows, letters)
    return tuple(rows)
