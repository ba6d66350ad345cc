"""A second version of the rules, as slow and as plain as the rule text: a dict of squares, no bits, no tables.

It is there to be compared with `arena.games`, so it shares nothing with it.
"""

import re
from dataclasses import dataclass, field

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
    """Each playable square holds its stones from the bottom up: '', 'w', 'b', 'wb' or 'bw'."""

    board: dict[Square, str]
    holes: set[Square]
    side: str
    turn: int
    supply: int | None
    ending: Ending = None

    @classmethod
    def parse(cls, fen: str, supply: int | None = None) -> "SlowCallanish":
        text, side, turn = fen.split()
        drawn = read(text)
        stones = {".": "", "w": "w", "b": "b", "W": "bw", "B": "wb"}
        board = {square: stones[letter] for square, letter in drawn.items() if letter != "*"}
        slow = cls(board, {square for square in drawn if drawn[square] == "*"}, side, int(turn), supply)
        slow.ending = slow._judge()
        return slow

    def fen(self) -> str:
        letters = {"": ".", "w": "w", "b": "b", "bw": "W", "wb": "B"}
        drawn = {square: letters[stones] for square, stones in self.board.items()} | dict.fromkeys(self.holes, "*")
        return f"{write(drawn)} {self.side} {self.turn}"

    def legal(self) -> list[str]:
        return [] if self.ending else sorted(self._turns())

    def play(self, word: str) -> "SlowCallanish":
        mine, board = self._colour(self.side), dict(self.board)
        if len(squares(word)) == 1:
            board[squares(word)[0]] = mine
        else:
            start, *targets = squares(word)
            board[start] = board[start][:-1]
            for target in targets:
                board[target] += mine
        side, turn = ("p2", self.turn) if self.side == "p1" else ("p1", self.turn + 1)
        after = SlowCallanish(board, self.holes, side, turn, self.supply)
        after.ending = after._judge()
        return after

    def _judge(self) -> Ending:
        opponent = "p2" if self.side == "p1" else "p1"
        if self._holds_line(self._colour(self.side)):
            return self.side, "line"
        return None if self._turns() else (opponent, "no-turn")

    def _holds_line(self, colour: str) -> bool:
        for axis in (0, 1):
            for number in range(25):
                line = [stones for square, stones in self.board.items() if square[axis] == number]
                if line and sum(stones.endswith(colour) for stones in line) * 2 >= len(line):
                    return True
        return False

    def _turns(self) -> list[str]:
        mine = self._colour(self.side)
        stones = sum(mine in here for here in self.board.values())
        if self.supply is not None and stones >= self.supply:
            return []
        if stones == 0:
            return [name(square) for square, here in self.board.items() if here == ""]
        words = []
        for start, here in self.board.items():
            if here.endswith(mine):
                targets = sorted(
                    square
                    for square, there in self.board.items()
                    if {abs(square[0] - start[0]), abs(square[1] - start[1])} == {1, 2} and mine not in there
                )
                words += [name(start) + name(t1) + name(t2) for t1 in targets for t2 in targets if t1 < t2]
        return words

    @staticmethod
    def _colour(side: str) -> str:
        return "w" if side == "p1" else "b"


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
        taken = self._taken(board, to)
        ending: Ending = None
        if any(board[square] == "k" for square in taken):
            ending = "p1", "king-captured"
        elif piece == "k" and self._escaped(to):
            ending = "p2", "king-escaped"
        for square in taken:
            board[square] = "."
        side, turn = ("p2", self.turn) if self.side == "p1" else ("p1", self.turn + 1)
        after = SlowTafl(board, self.options, side, turn, ending)
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
            elif victim == ("d" if mover == "a" else "a") and self._stands_against(board, beyond, victim):
                taken.append(middle)
        return taken

    def _king_taken(self, board: dict[Square, str], king: Square, beyond: Square) -> bool:
        around = [(king[0] + right, king[1] + up) for right, up in NEIGHBOURS]
        attackers = sum(board.get(square) == "a" for square in around)
        beside_empty_centre = self.centre in around and board[self.centre] == "."
        match self.options["king_captured_by"]:
            case "two":
                return self._stands_against(board, beyond, "k")
            case "four":
                helped = beside_empty_centre and self.options["centre_hostile"] == "yes"
                return attackers == 4 or (attackers == 3 and helped)
            case "four-three-two" if king == self.centre:
                return attackers == 4
            case "four-three-two" if self.centre in around:
                return attackers == 4 or (attackers == 3 and beside_empty_centre)
            case "four-three-two":
                return self._stands_against(board, beyond, "k")
            case unknown:
                raise AssertionError(f"the slow version has no rule king_captured_by={unknown}")

    def _stands_against(self, board: dict[Square, str], beyond: Square, victim: str) -> bool:
        if beyond not in board:
            return False
        ends = {0, self.size - 1}
        if self.options["corner_hostile"] == "yes" and set(beyond) <= ends:
            return True
        if self.options["centre_hostile"] == "yes" and beyond == self.centre and board[beyond] == ".":
            return True
        if victim == "a":
            return board[beyond] == "d" or (board[beyond] == "k" and self.options["king_armed"] == "yes")
        return board[beyond] == "a"

    def _stuck(self) -> Ending:
        if self._moves():
            return None
        if self.options["no_move"] == "draw":
            return "draw", "no-move"
        return ("p2" if self.side == "p1" else "p1"), "no-move"

    def _moves(self) -> list[str]:
        words = []
        for start, piece in self.board.items():
            if piece != "." and (piece == "a") == (self.side == "p1"):
                steps = self.options["king_steps" if piece == "k" else "men_steps"]
                for right, up in NEIGHBOURS:
                    distance, to = 1, (start[0] + right, start[1] + up)
                    while self.board.get(to) == "." and (steps == "any" or distance <= int(steps)):
                        if self._may_rest(piece, to):
                            words.append(name(start) + name(to))
                        distance, to = distance + 1, (to[0] + right, to[1] + up)
        return words

    def _may_rest(self, piece: str, square: Square) -> bool:
        if square == self.centre:
            stop = self.options["centre_stop"]
            return stop == "any" or (stop == "king" and piece == "k")
        if set(square) <= {0, self.size - 1}:
            return piece == "k" or self.options["corner_stop"] == "any"
        return True
