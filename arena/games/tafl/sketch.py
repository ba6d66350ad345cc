"""An empty board of tafl that is filled piece by piece, for random positions with a purpose."""

import random
from collections.abc import Callable
from typing import NamedTuple

from arena.games.squares import EMPTY, write_rows
from arena.games.tafl.rules import TaflRules

Square = tuple[int, int]
"""Row from the top, and file."""
WAYS: tuple[Square, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))


class MadeStart(NamedTuple):
    """A position string, and the first moves where the position is made for some."""

    fen: str
    moves: str = ""


Theme = Callable[[TaflRules, random.Random], MadeStart]
"""Makes a start. The rules may refuse it: then another one is made."""


class Sketch:
    """An empty board of tafl that is filled piece by piece."""

    def __init__(self, rules: TaflRules, chance: random.Random) -> None:
        self.size, self.options, self.chance = rules.size, rules.options, chance
        self.pieces: dict[Square, str] = {}
        self.kept: set[Square] = set()
        """The squares that stay as they are."""

    @property
    def centre(self) -> Square:
        return self.size // 2, self.size // 2

    @property
    def squares(self) -> list[Square]:
        return [(row, file) for row in range(self.size) for file in range(self.size)]

    @property
    def camps(self) -> list[Square]:
        """The squares of all camps, none where the rules have none."""
        middle, last = self.size // 2, self.size - 1
        camp = [(0, middle - 1), (0, middle), (0, middle + 1), (1, middle)]
        camp += [(last - row, file) for row, file in camp]
        return [*camp, *((file, row) for row, file in camp)] if self.options.camps == "yes" else []

    @property
    def corners(self) -> list[Square]:
        last = self.size - 1
        return [(0, 0), (0, last), (last, 0), (last, last)]

    def inside(self, square: Square) -> bool:
        return 0 <= square[0] < self.size and 0 <= square[1] < self.size

    def may_stop(self, letter: str, square: Square) -> bool:
        if square == self.centre:
            stop = self.options.centre_stop
            return stop == "any" or (stop == "king" and letter == "k")
        if letter != "a" and square in self.camps:
            return False
        return square not in self.corners or letter == "k" or self.options.corner_stop == "any"

    def put(self, letter: str, square: Square) -> None:
        """Put a piece there, or nothing for `.`, where it may stand and nothing is settled yet."""
        if self.inside(square) and square not in self.kept:
            self.kept.add(square)
            if letter != EMPTY and self.may_stop(letter, square):
                self.pieces[square] = letter

    def comes_to(self, letter: str, square: Square) -> str:
        """Put a piece from which a free way leads to the square; the move, empty where there is no such place."""
        steps = self.options.king_steps if letter == "k" else self.options.men_steps
        most = self.size if steps == "any" else int(steps)
        ways = list(WAYS)
        self.chance.shuffle(ways)
        for down, right in ways:
            path: list[Square] = []
            for far in range(1, 1 + min(most, self.chance.choice((1, 2, 3, 10)))):
                there = (square[0] + far * down, square[1] + far * right)
                if not self.inside(there) or there in self.kept:
                    break
                path.append(there)
            while path and not self.may_stop(letter, path[-1]):
                path.pop()
            if path:
                self.kept |= {square, *path}
                self.pieces.pop(square, None)
                self.pieces[path[-1]] = letter
                return f"{self.name(path[-1])}{self.name(square)}"
        return ""

    def name(self, square: Square) -> str:
        return f"{chr(97 + square[1])}{self.size - square[0]}"

    def start(self, side: str, moves: str) -> MadeStart:
        """The position with some more men, and a king where there is none."""
        density = self.chance.choice((0, 0.05, 0.15))
        for square in self.squares:
            if square not in self.kept and self.chance.random() < density:
                self.put(self.chance.choice("ad"), square)
        if "k" not in self.pieces.values():
            free = [square for square in self.squares if square not in self.kept]
            if free:
                self.put("k", self.chance.choice(free))
        return self.written(side, moves)

    def scattered(self, density: float, king: Square | None = None) -> MadeStart:
        """Men anywhere that they may stop, and the king, with attackers beside him where his square is given."""
        chance = self.chance
        attackers = chance.uniform(0.3, 0.8)
        for square in self.squares:
            if self.may_stop("a", square) and chance.random() < density:
                self.pieces[square] = "a" if chance.random() < attackers else "d"
        row, file = king or (chance.randrange(self.size), chance.randrange(self.size))
        for down, right in WAYS if king is not None else ():
            near = (row + down, file + right)
            if self.inside(near) and near != self.centre and chance.random() < 0.6:
                self.pieces[near] = "a"
        self.pieces[row, file] = "k"
        return self.written(chance.choice(("p1", "p2")))

    def written(self, side: str, moves: str = "") -> MadeStart:
        rows = ["".join(self.pieces.get((row, file), EMPTY) for file in range(self.size)) for row in range(self.size)]
        return MadeStart(f"{write_rows(rows)} {side} {self.chance.randint(1, 60)}", moves)
