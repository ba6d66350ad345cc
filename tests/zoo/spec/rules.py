"""What the rules of both families share: positions, moves, position strings. Faults of these."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

Fault = Callable[[str], bool]
"""Tells whether the engine commits the fault of this name."""
Move = tuple[int, ...]

FILES = "abcdefghijklmnopqrstuvwxy"


class Impossible(Exception):
    """A position, a move or an option that cannot be (6.7, 4.3)."""


class Position(NamedTuple):
    """A board has one letter for each square, file by file and upwards, so numbers of squares ascend as in 5.4."""

    board: str
    side: int  # 0 is p1
    number: int


class Outcome(NamedTuple):
    winner: int | None  # None is a draw
    reason: str

    def text(self) -> str:
        return "draw" if self.winner is None else f"p{self.winner + 1}win"


class Rules:
    """What the two families share: the board, names of squares, position strings."""

    letters = ""
    repetition = ""

    def __init__(self, width: int, height: int, fault: Fault) -> None:
        self.width, self.height, self.fault = width, height, fault
        self.names = [FILES[s // height] + str(s % height + 1) for s in range(width * height)]
        self.index = {name: s for s, name in enumerate(self.names)}

    def start(self) -> Position:
        raise NotImplementedError

    def moves(self, position: Position) -> Iterator[Move]:
        raise NotImplementedError

    def legal(self, position: Position, move: Move) -> bool:
        raise NotImplementedError

    def play(self, position: Position, move: Move) -> Position:
        raise NotImplementedError

    def outcome(self, position: Position, before: Position | None) -> Outcome | None:
        """Repetition apart. `before` is the position one move earlier, None where a string gave this one."""
        raise NotImplementedError

    def worth(self, position: Position) -> int:
        """The value for the side to move, in hundredths."""
        raise NotImplementedError

    def text(self, move: Move) -> str:
        return "".join(self.names[s] for s in move)

    def parse(self, word: str) -> Move | None:
        """The move, if it has the form of one and its squares are on the board."""
        if not re.fullmatch(r"([a-y][1-9][0-9]?){1,3}", word):
            return None
        squares = [self.index.get(name, -1) for name in re.findall(r"[a-y][0-9]+", word)]
        return None if -1 in squares else tuple(squares)

    def next_number(self, position: Position) -> int:
        """The turn number grows after each turn of p2 (5.6)."""
        return position.number + (position.side == 1)

    def fen(self, position: Position) -> str:
        rows = []
        for rank in reversed(range(self.height)):
            row = position.board[rank :: self.height]
            rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
        return f"{'/'.join(rows)} p{position.side + 1} {position.number}"


def read_rows(text: str, letters: str, fault: Fault) -> tuple[int, int, str]:
    """Width, height and board of the first word of a position string (5.5)."""
    digit = "[1-9]" if fault("runs-of-one-digit") else "[1-9][0-9]*"
    rows = []
    for row in text.split("/"):
        parts = re.findall(rf"{digit}|.", row)
        if any(len(part) > 2 or (not part.isdigit() and part not in letters) or part == "0" for part in parts):
            raise Impossible(f"a row cannot be {row[:40]}")
        rows.append("".join("." * int(part) if part.isdigit() else part for part in parts))
    height, width = len(rows), len(rows[0])
    if not (1 <= width <= 25 and height <= 25) or any(len(row) != width for row in rows):
        raise Impossible("the rows do not make a board")
    return width, height, "".join(rows[height - 1 - rank][file] for file in range(width) for rank in range(height))
