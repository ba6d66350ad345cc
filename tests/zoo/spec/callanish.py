"""The rules of Callanish (SPEC.md A.2 to A.7), and their faults."""

import re
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
        self.supply = 64 if supply is None and fault("supply-of-the-box") else supply
        self.blocked = TOP if fault("target-own-covered") else HAS
        self.movable = HAS if fault("moves-covered-stones") else TOP
        self.knights = [self.jumps(s) for s in range(width * height)]
        self.lines = [(where, need) for where in self.all_lines() if (need := self.need(where))]
        faults = ("covered-stones-count", "hole-splits-line", "line-without-gaps")
        self.counts_wrongly = any(fault(name) for name in faults)

    def jumps(self, s: int) -> tuple[int, ...]:
        file, rank = divmod(s, self.height)
        found = []
        for across, up in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)):
            to_file, to_rank = file + across, rank + up
            if self.fault("jumps-round-the-top") and to_rank == self.height:
                to_file, to_rank = to_file + 1, 0
            if not (0 <= to_file < self.width and 0 <= to_rank < self.height):
                continue
            to = to_file * self.height + to_rank
            leg = (file + int(across / 2)) * self.height + rank + int(up / 2)
            if self.fault("hole-stops-jump") and self.empty[leg] == "*":
                continue
            if self.empty[to] != "*" or self.fault("hole-is-a-target"):
                found.append(to)
        return tuple(sorted(found))

    def all_lines(self) -> list[slice]:
        height, all_squares = self.height, self.width * self.height
        files = [slice(file * height, (file + 1) * height) for file in range(self.width)]
        ranks = [slice(rank, all_squares, height) for rank in range(height)]
        if self.fault("last-rank-is-no-line"):
            ranks.pop()
        if self.fault("diagonals-are-lines") and self.width == height:
            files += [slice(0, all_squares, height + 1), slice(height - 1, all_squares - 1, height - 1)]
        return files + ranks

    def need(self, where: slice) -> int:
        """A.5. None is needed of a line without squares, which cannot be won."""
        line = self.empty[where]
        size = len(line) - line.count("*")
        if self.fault("need-counts-holes") and size:
            size = len(line)
        if self.fault("need-of-the-file") and size:
            size = self.height - line.count("*")
        if self.fault("need-even-and-one") and size % 2 == 0 and size:
            size += 1
        if self.fault("need-rounded-down-from-11") and size >= 11:
            size -= 1
        if self.fault("need-at-least-two") and size:
            return max(2, (size + 1) // 2)
        return (size + 1) // 2

    def start(self) -> Position:
        return Position(self.empty, 0, 1)

    def stones(self, board: str, side: int) -> int:
        if self.fault("supply-exposed-only") and self.supply:
            return sum(map(board.count, TOP[side]))
        if self.fault("supply-of-both") and self.supply:
            return sum(map(board.count, "wbWBWB"))
        return sum(map(board.count, HAS[side]))

    def must_place(self, position: Position) -> bool:
        """A.3."""
        letters = TOP if self.fault("covered-side-places-again") else HAS
        return not any(letter in position.board for letter in letters[position.side])

    def targets(self, position: Position, s: int) -> list[int]:
        board, blocked = position.board, self.blocked[position.side]
        return [t for t in self.knights[s] if board[t] not in blocked]

    def out_of_stones(self, position: Position) -> bool:
        if self.supply is None:
            return False
        stones = self.stones(position.board, position.side)
        if self.fault("supply-one-more"):
            return stones > self.supply
        if self.fault("supply-two-at-hand"):
            return stones + 2 > self.supply
        return stones >= self.supply

    def moves(self, position: Position) -> Iterator[Move]:
        board, side = position.board, position.side
        if self.must_place(position):
            for s, letter in enumerate(board):
                if letter == "." or (self.fault("placement-on-enemy") and letter in TOP[1 - side]):
                    yield (s,)
        elif not self.out_of_stones(position):
            for s, letter in enumerate(board):
                if letter in self.movable[side]:
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
        mine = position.board[s] in self.movable[position.side] and not self.out_of_stones(position)
        return mine and t in targets and u in targets and t < u

    def parse(self, word: str) -> Move | None:
        move = super().parse(word)
        return move if move is None or len(move) != 3 else (move[0], *sorted(move[1:]))

    def text(self, move: Move) -> str:
        if len(move) == 3:
            s, t, u = move
            if self.fault("targets-ordered-as-text"):
                t, u = sorted((t, u), key=lambda square: self.names[square])
            if self.fault("targets-ordered-by-rank"):
                t, u = sorted((t, u), key=lambda square: (square % self.height, square))
            move = s, t, u
        return super().text(move)

    def play(self, position: Position, move: Move) -> Position:
        cells, side = list(position.board), position.side
        if len(move) == 3:
            lifted = LIFT[side][cells[move[0]]]
            cells[move[0]] = "." if self.fault("uncovered-stone-lost") else lifted
        for t in move[-2:]:
            cells[t] = PUT[side][cells[t]]
        return Position("".join(cells), 1 - side, self.next_number(position))

    def count(self, line: str, side: int) -> int:
        if self.counts_wrongly:
            return self.wrong_count(line, side)
        alone, above = TOP[side][0], TOP[side][1]
        return line.count(alone) + line.count(above)

    def wrong_count(self, line: str, side: int) -> int:
        if self.fault("covered-stones-count"):
            return sum(map(line.count, HAS[side]))
        if self.fault("hole-splits-line"):
            return max(sum(map(part.count, TOP[side])) for part in line.split("*"))
        return max(map(len, re.findall(f"[{TOP[side]}]+", line)), default=0)

    def holds_line(self, position: Position, side: int) -> bool:
        return any(self.count(position.board[where], side) >= need for where, need in self.lines)

    def has_turn(self, position: Position) -> bool:
        if self.fault("one-target-is-a-turn") and not self.must_place(position):
            mine = self.movable[position.side]
            return any(letter in mine and self.targets(position, s) for s, letter in enumerate(position.board))
        if self.fault("supply-does-not-end") and self.out_of_stones(position):
            return True
        return next(self.moves(position), None) is not None

    def outcome(self, position: Position, before: Position | None) -> Outcome | None:
        """A.6, A.7: first the line of the side to move, then whether it has a complete turn."""
        side, given = position.side, before is None
        no_turn = Outcome(None if self.fault("no-turn-is-a-draw") else 1 - side, "no-turn")
        if self.fault("turn-judged-before-line") and not self.has_turn(position):
            return no_turn
        if self.fault("own-line-wins-at-once") and not given and self.holds_line(position, 1 - side):
            return Outcome(1 - side, "line")
        if self.fault("string-line-of-either-side") and given and self.holds_line(position, 1 - side):
            return Outcome(1 - side, "line")
        looked_at = not (self.fault("string-line-not-seen") and given)
        if self.fault("uncovered-line-not-seen") and before is not None:
            looked_at = self.holds_line(before, side)
        if looked_at and self.holds_line(position, side):
            return Outcome(side, "line")
        if self.fault("string-without-turn-not-seen") and given:
            return None
        return None if self.has_turn(position) else no_turn

    def worth(self, position: Position) -> int:
        total = 0
        for where, _ in self.lines:
            line = position.board[where]
            mine, yours = self.count(line, position.side), self.count(line, 1 - position.side)
            total += mine * mine - yours * yours
        return 5 * total
