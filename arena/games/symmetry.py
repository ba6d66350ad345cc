"""The symmetries of a board: positions that are images of each other are one position, which is called folded.

The rules of both games know squares by lines, neighbours and knight's moves alone, and the tafl boards have special
squares in their centre, their corners and their camps. A turn or a mirror of the whole board keeps all of that, if the
holes come to lie on holes. So it keeps the legal moves and the outcome of every position.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from arena.games.rules import Position
from arena.games.squares import EMPTY, HOLE, write_rows

# Where a square goes, by its file, its rank, and the highest file and rank, all from 0.
_MAPPINGS: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    "identity": lambda f, r, w, h: (f, r),
    "mirror-files": lambda f, r, w, h: (w - f, r),
    "mirror-ranks": lambda f, r, w, h: (f, h - r),
    "turn-180": lambda f, r, w, h: (w - f, h - r),
    "mirror-diagonal": lambda f, r, w, h: (r, f),
    "mirror-antidiagonal": lambda f, r, w, h: (h - r, w - f),
    "turn-90": lambda f, r, w, h: (r, w - f),
    "turn-270": lambda f, r, w, h: (h - r, f),
}
NAMES = tuple(_MAPPINGS)
_SWAPPING = NAMES[4:]
"""Those that make files of ranks: the board must be a square for them."""
_RUN = re.compile("[0-9]+")


class Fold(NamedTuple):
    """The folding of one board by a choice of its symmetries."""

    width: int
    images: tuple[Callable[[str], tuple[str, ...]], ...]
    """For each symmetry but the identity what picks the image of a board, written as one string of its squares."""

    def position(self, position: Position) -> str:
        """The folded board and the side to move: the same text for all images of the position."""
        squares, side = squares_of(position.fen())
        return f"{min([squares, *map(''.join, [image(squares) for image in self.images])])} {side}"

    def fen(self, folded: str) -> str:
        """The position string of a folded position, without a turn number."""
        squares, side = folded.split()
        rows = [squares[at : at + self.width] for at in range(0, len(squares), self.width)]
        return f"{write_rows(rows)} {side}"


def squares_of(fen: str) -> tuple[str, str]:
    """The squares of a position string in one string, the top rank first, and the side to move."""
    board, side = fen.split()[:2]
    return _RUN.sub(lambda run: EMPTY * int(run[0]), board).replace("/", ""), side


def image(name: str, fen: str) -> str:
    """The position string, without a turn number, of the image of a position by a symmetry of its board."""
    squares, side = squares_of(fen)
    width, height = _size(fen)
    return Fold(width, ()).fen(f"{''.join(_image(name, width, height)(squares))} {side}")


def symmetries(fen: str) -> tuple[str, ...]:
    """The names of the symmetries of the board of a position string; stones and men do not count."""
    width, height = _size(fen)
    possible = NAMES if width == height else [name for name in NAMES if name not in _SWAPPING]
    return tuple(name for name in possible if _holes(image(name, fen)) == _holes(fen))


def symmetry_of_start(fen: str, names: tuple[str, ...]) -> Fold:
    """The folding of the board of a position string by these symmetries, each of which must be one of the board."""
    width, height = _size(fen)
    return Fold(width, tuple(_image(name, width, height) for name in names if name != "identity"))


def _holes(fen: str) -> list[bool]:
    squares, _ = squares_of(fen)
    return [square == HOLE for square in squares]


def _size(fen: str) -> tuple[int, int]:
    rows = fen.split()[0].split("/")
    return len(_RUN.sub(lambda run: EMPTY * int(run[0]), rows[0])), len(rows)


@lru_cache(maxsize=64)
def _image(name: str, width: int, height: int) -> Callable[[str], tuple[str, ...]]:
    """What picks the squares of the image from the string of a board."""
    places = [0] * (width * height)
    for rank in range(height):
        for file in range(width):
            to_file, to_rank = _MAPPINGS[name](file, rank, width - 1, height - 1)
            places[(height - 1 - to_rank) * width + to_file] = (height - 1 - rank) * width + file
    return itemgetter(*places) if len(places) > 1 else tuple
