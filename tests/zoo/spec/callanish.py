"""The rules of Callanish (SPEC.md A.2 to A.7), and their faults."""

from collections.abc import Iterator

from tests.zoo.spec.rules import Fault, Move, Outcome, Position, Rules

TOP = ("wW", "bB")
HAS = ("wWB", "bBW")
LIFT = ({"w": ".", "W": "b", "B": "b"}, {"b": ".", "B": "w", "W": "w"})
PUT = ({".": "w", "*": "w", "b": "W", "B": "W"}, {".": "b", "*": "b", "w": "B", "W": "B"})


class Callanish(Rules):
    letters = "wbWB*"

    def __init__(self, width: int, height: int, empty: str, supply: int | None, fault: Fault) -> None:
        """`empty` is the board without stones. It shows the holes."""
        super().__init__(width, height, fault)
        self.empty = empty
        self.supply = supply
        self.knights = [self.jumps(s) for s in range(width * height)]
        self.lines = [(where, need) for where in self.all_lines() if (need := self.need(where))]

    def jumps(self, s: int) -> tuple[int, ...]:
        file, rank = divmod(s, self.height)
        found = []
        for across, up in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)):
            to_file, to_rank = file + across, rank + up
            if not (0 <= to_file < self.width and 0 <= to_rank < self.height):
                continue
            to = to_file * self.height + to_rank
            if self.empty[to] != "*":
                found.append(to)
        return tuple(sorted(found))

    def all_lines(self) -> list[slice]:
        height, all_squares = self.height, self.width * self.height
        files = [slice(file * height, (file + 1) * height) for file in range(self.width)]
        ranks = [slice(rank, all_squares, height) for rank in range(height)]
        return files + ranks

    def need(self, where: slice) -> int:
        """A.5. None is needed of a line without squares, which cannot be won."""
        line = self.empty[where]
        size = len(line) - line.count("*")
        return (size + 1) // 2

    def start(self) -> Position:
        return Position(self.empty, 0, 1)

    def must_place(self, position: Position) -> bool:
        """A.3."""
        return not any(letter in position.board for letter in HAS[position.side])

    def targets(self, position: Position, s: int) -> list[int]:
        board, blocked = position.board, HAS[position.side]
        return [t for t in self.knights[s] if board[t] not in blocked]

    def out_of_stones(self, position: Position) -> bool:
        stones = sum(map(position.board.count, HAS[position.side]))
        return self.supply is not None and stones >= self.supply

    def moves(self, position: Position) -> Iterator[Move]:
        board, side = position.board, position.side
        if self.must_place(position):
            for s, letter in enumerate(board):
                if letter == ".":
                    yield (s,)
        elif not self.out_of_stones(position):
            for s, letter in enumerate(board):
                if letter in TOP[side]:
                    targets = self.targets(position, s)
                    for i, t in enumerate(targets, 1):
                        for u in targets[i:]:
                            yield s, t, u

    def legal(self, position: Position, move: Move) -> bool:
        if self.must_place(position) != (len(move) == 1):
            return False
        if len(move) == 1:
            return move in self.moves(position)
        if len(move) != 3:
            return False
        s, t, u = move
        targets = self.targets(position, s)
        mine = position.board[s] in TOP[position.side] and not self.out_of_stones(position)
        return mine and t in targets and u in targets and t < u

    def parse(self, word: str) -> Move | None:
        move = super().parse(word)
        return move if move is None or len(move) != 3 else (move[0], *sorted(move[1:]))

    def play(self, position: Position, move: Move) -> Position:
        cells, side = list(position.board), position.side
        if len(move) == 3:
            cells[move[0]] = LIFT[side][cells[move[0]]]
        for t in move[-2:]:
            cells[t] = PUT[side][cells[t]]
        return Position("".join(cells), 1 - side, self.next_number(position))

    def count(self, line: str, side: int) -> int:
        alone, above = TOP[side][0], TOP[side][1]
        return line.count(alone) + line.count(above)

    def holds_line(self, position: Position, side: int) -> bool:
        return any(self.count(position.board[where], side) >= need for where, need in self.lines)

    def outcome(self, position: Position, before: Position | None) -> Outcome | None:
        """A.6, A.7: first the line of the side to move, then whether it has a complete turn."""
        side, given = position.side, before is None
        if self.fault("string-line-of-either-side") and given and self.holds_line(position, 1 - side):
            return Outcome(1 - side, "line")
        if self.holds_line(position, side):
            return Outcome(side, "line")
        if self.fault("string-without-turn-not-seen") and given:
            return None
        return None if any(True for _ in self.moves(position)) else Outcome(1 - side, "no-turn")

    def worth(self, position: Position) -> int:
        total = 0
        for where, _ in self.lines:
            line = position.board[where]
            mine, yours = self.count(line, position.side), self.count(line, 1 - position.side)
            total += mine * mine - yours * yours
        return 5 * total
