"""A second version of the rules, as slow and as plain as the rule text: a dict of squares, no bits, no tables.

It is there to be compared with `arena.games`, so it shares nothing with it.
"""

import re
from dataclasses import dataclass, field

from tests.zoo.spec.callanish import Callanish
from tests.zoo.spec.rules import Position, read_rows

Square = tuple[int, int]
Ending = tuple[str, str] | None

FILES = "abcdefghijklmnopqrstuvwxy"
NEIGHBOURS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def name(square: Square) -> str:
    return FILES[square[0]] + str(square[1] + 1)


def squares(word: str) -> list[Square]:
    return [(FILES.index(file), int(rank) - 1) for file, rank in re.findall(r"([a-y])([0-9]+)", word)]


def read(board: str) -> dict[Square, str]:
    """Every square of the board part of a position string with its letter, '.' where empty."""
    rows = board.split("/")
    found = {}
    for down, row in enumerate(rows):
        letters = re.sub("[0-9]+", lambda run: "." * int(run[0]), row)
        for file, letter in enumerate(letters):
            found[file, len(rows) - 1 - down] = letter
    return found


def write(board: dict[Square, str]) -> str:
    width, height = max(file for file, _ in board) + 1, max(rank for _, rank in board) + 1
    rows = []
    for rank in range(height - 1, -1, -1):
        row = "".join(board[file, rank] for file in range(width))
        rows.append(re.sub("[.]+", lambda run: str(len(run[0])), row))
    return "/".join(rows)


@dataclass
class SlowCallanish:
    """As the engine of `tests.zoo.spec` has it, which was written from SPEC.md alone."""

    rules: Callanish
    position: Position

    @classmethod
    def parse(cls, fen: str, supply: int | None = None) -> "SlowCallanish":
        text, side, turn = fen.split()
        width, height, board = read_rows(text, Callanish.letters, fault=lambda _: False)
        rules = Callanish(width, height, re.sub(r"[^*]", ".", board), supply, fault=lambda _: False)
        return cls(rules, Position(board, int(side[1]) - 1, int(turn)))

    @property
    def ending(self) -> Ending:
        outcome = self.rules.outcome(self.position, None)
        return outcome and (outcome.text().removesuffix("win"), outcome.reason)

    def fen(self) -> str:
        return self.rules.fen(self.position)

    def legal(self) -> list[str]:
        return [] if self.ending else sorted(map(self.rules.text, self.rules.moves(self.position)))

    def play(self, word: str) -> "SlowCallanish":
        move = self.rules.parse(word)
        assert move is not None
        return SlowCallanish(self.rules, self.rules.play(self.position, move))


@dataclass
class SlowTafl:
    """Each square holds '.', 'a', 'd' or 'k'."""

    board: dict[Square, str]
    options: dict[str, str]
    side: str
    turn: int
    ending: Ending = None
    size: int = field(init=False)

    def __post_init__(self) -> None:
        self.size = max(file for file, _ in self.board) + 1
        self.centre = (self.size // 2, self.size // 2)

    @classmethod
    def parse(cls, fen: str, options: dict[str, str]) -> "SlowTafl":
        text, side, turn = fen.split()
        slow = cls(read(text), options, side, int(turn))
        if side == "p2" and slow._encircled():
            slow.ending = "p1", "encircled"
        elif side == "p1" and slow._fort():
            slow.ending = "p2", "fort"
        else:
            slow.ending = slow._stuck()
        return slow

    def fen(self) -> str:
        return f"{write(self.board)} {self.side} {self.turn}"

    def legal(self) -> list[str]:
        return [] if self.ending else sorted(self._moves())

    def play(self, word: str) -> "SlowTafl":
        start, to = squares(word)
        before, piece = self.board, self.board[start]
        board = dict(before)
        board[start], board[to] = ".", piece
        taken = self._taken(board, to) + self._shieldwall(board, to)
        ending: Ending = None
        if any(board[square] == "k" for square in taken):
            ending = "p1", "king-captured"
        elif piece == "k" and self._escaped(to):
            ending = "p2", "king-escaped"
        for square in taken:
            board[square] = "."
        side, turn = ("p2", self.turn) if self.side == "p1" else ("p1", self.turn + 1)
        after = SlowTafl(board, self.options, side, turn, ending)
        if not after.ending and side == "p2" and after._encircled():
            after.ending = "p1", "encircled"
        if not after.ending and side == "p1" and after._fort():
            after.ending = "p2", "fort"
        after.ending = after.ending or after._stuck()
        return after

    def _escaped(self, square: Square) -> bool:
        ends = {0, self.size - 1}
        if self.options["escape"] == "edge":
            return bool(set(square) & ends)
        return set(square) <= ends

    def _taken(self, board: dict[Square, str], to: Square) -> list[Square]:
        mover = board[to]
        if mover == "k" and self.options["king_armed"] == "no":
            return []
        taken = []
        for right, up in NEIGHBOURS:
            middle, beyond = (to[0] + right, to[1] + up), (to[0] + 2 * right, to[1] + 2 * up)
            victim = board.get(middle, ".")
            if mover == "a" and victim == "k":
                if self._king_taken(board, middle, beyond):
                    taken.append(middle)
            elif victim == ("d" if mover == "a" else "a") and self._stands_against(board, middle, beyond):
                taken.append(middle)
        return taken

    def _king_taken(self, board: dict[Square, str], king: Square, beyond: Square) -> bool:
        around = [(king[0] + right, king[1] + up) for right, up in NEIGHBOURS]
        on_board = [square for square in around if square in board]
        held = sum(board[square] == "a" or self._helps(board, king, square) for square in on_board)
        beside_empty_centre = self.centre in around and board[self.centre] == "."
        match self.options["king_captured_by"]:
            case "two":
                return self._stands_against(board, king, beyond)
            case "four":
                return held == 4
            case "all-sides":
                return held == len(on_board)
            case "four-three-two" | "four-two" if king == self.centre:
                return held == 4
            case "four-three-two" if self.centre in around:
                return held == 4 or (held == 3 and beside_empty_centre and not self._helps(board, king, self.centre))
            case "four-three-two" | "four-two":
                return self._stands_against(board, king, beyond)
            case unknown:
                raise AssertionError(f"the slow version has no rule king_captured_by={unknown}")

    def _helps(self, board: dict[Square, str], king: Square, square: Square) -> bool:
        """Whether the square, next to a king who needs more than two attackers, is held without an attacker on it."""
        if board[square] == "d" or (self._camp(square) is not None and self._camp(king) is not None):
            return False
        if square == self.centre and self.options["centre_hostile"] == "yes" and board[square] == ".":
            return True
        return self.is_always_hostile(square)

    def is_always_hostile(self, square: Square) -> bool:
        corner = set(square) <= {0, self.size - 1}
        return (
            (corner and self.options["corner_hostile"] == "yes")
            or (square == self.centre and self.options["centre_hostile"] == "always")
            or self._camp(square) is not None
        )

    def _camp(self, square: Square) -> str | None:
        """The side of the board on which the square's camp lies; None for a square outside the camps."""
        if self.options["camps"] == "no":
            return None
        middle, last = self.size // 2, self.size - 1
        for side, (along, away) in {
            "south": square,
            "north": (square[0], last - square[1]),
            "west": (square[1], square[0]),
            "east": (square[1], last - square[0]),
        }.items():
            if (away == 0 and abs(along - middle) <= 1) or (away == 1 and along == middle):
                return side
        return None

    def _stands_against(self, board: dict[Square, str], victim: Square, beyond: Square) -> bool:
        """Whether an enemy of the piece on `victim` stands on `beyond`, or a hostile square is there."""
        if beyond not in board:
            return False
        if self._camp(victim) is not None and self._camp(victim) == self._camp(beyond):
            return False
        if self.is_always_hostile(beyond):
            return True
        if self.options["centre_hostile"] == "yes" and beyond == self.centre and board[beyond] == ".":
            return True
        return board[beyond] in self._fighters(against=board[victim])

    def _fighters(self, against: str) -> str:
        """The pieces that capture such a piece."""
        if against != "a":
            return "a"
        return "dk" if self.options["king_armed"] == "yes" else "d"

    def _shieldwall(self, board: dict[Square, str], to: Square) -> list[Square]:
        """What a shieldwall captures after a move to `to`, by the text of SPEC A.18."""
        mover, last = board[to], self.size - 1
        enemies = "dk" if mover == "a" else "a"
        friends = self._fighters(against="d" if mover == "a" else "a")
        if self.options["shieldwall"] == "no" or mover not in friends:
            return []
        taken = []
        for right, up in NEIGHBOURS:
            for inward in NEIGHBOURS:
                outward = to[0] - inward[0], to[1] - inward[1]
                if inward[0] * right + inward[1] * up != 0 or outward in board:
                    continue
                row, at = list[Square](), (to[0] + right, to[1] + up)
                while (
                    board.get(at, ".") in enemies and board.get((at[0] + inward[0], at[1] + inward[1]), ".") in friends
                ):
                    row.append(at)
                    at = at[0] + right, at[1] + up
                corner = set(at) <= {0, last} and board.get(at) == "." and self.options["shieldwall"] == "corner"
                if len(row) > 1 and (board.get(at, ".") in friends or corner):
                    taken += [square for square in row if board[square] != "k"]
        return taken

    def _encircled(self) -> bool:
        if self.options["encirclement"] == "no":
            return False
        ends = {0, self.size - 1}
        seen = [square for square, piece in self.board.items() if set(square) & ends and piece != "a"]
        for file, rank in seen:
            for right, up in NEIGHBOURS:
                step = file + right, rank + up
                if self.board.get(step, "a") != "a" and step not in seen:
                    seen.append(step)
        return all(self.board[square] == "." for square in seen)

    def _fort(self) -> bool:
        ends = {0, self.size - 1}
        kings = [square for square, piece in self.board.items() if piece == "k"]
        if self.options["fort"] == "no" or not set(kings[0]) & ends:
            return False
        inside, wall = kings, list[Square]()
        for file, rank in inside:
            for right, up in NEIGHBOURS:
                step = file + right, rank + up
                if self.board.get(step) == "." and step not in inside:
                    inside.append(step)
                elif self.board.get(step, ".") in "ad":
                    wall.append(step)
        if len(inside) == 1 or any(set(square) <= ends for square in inside):
            return False

        def dangerous(square: Square) -> bool:
            if square not in self.board:
                return False
            return self.is_always_hostile(square) or (square not in inside and self.board[square] in "a.")

        return all(
            self.board[file, rank] == "d"
            and not (dangerous((file - 1, rank)) and dangerous((file + 1, rank)))
            and not (dangerous((file, rank - 1)) and dangerous((file, rank + 1)))
            for file, rank in wall
        )

    def _stuck(self) -> Ending:
        if self._moves():
            return None
        if self.options["no_move"] == "draw":
            return "draw", "no-move"
        return ("p2" if self.side == "p1" else "p1"), "no-move"

    def _moves(self) -> list[str]:
        words = []
        pass_over = {"any": "adk", "king": "k", "nobody": ""}[self.options["centre_pass"]]
        for start, piece in self.board.items():
            if piece != "." and (piece == "a") == (self.side == "p1"):
                steps = self.options["king_steps" if piece == "k" else "men_steps"]
                for right, up in NEIGHBOURS:
                    distance, to = 1, (start[0] + right, start[1] + up)
                    while self.board.get(to) == "." and (steps == "any" or distance <= int(steps)):
                        if self._camp(to) not in (None, self._camp(start)):
                            break
                        if self._may_rest(piece, to):
                            words.append(name(start) + name(to))
                        if to == self.centre and piece not in pass_over:
                            break
                        distance, to = distance + 1, (to[0] + right, to[1] + up)
        return words

    def _may_rest(self, piece: str, square: Square) -> bool:
        if square == self.centre:
            stop = self.options["centre_stop"]
            return stop == "any" or (stop == "king" and piece == "k")
        if set(square) <= {0, self.size - 1}:
            return piece == "k" or self.options["corner_stop"] == "any"
        return True
