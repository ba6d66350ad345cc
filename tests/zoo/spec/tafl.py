"""The rules of the tafl family (SPEC.md A.8 to A.13), and their faults."""

from collections.abc import Iterator

from tests.zoo.spec.rules import Fault, Move, Outcome, Position, Rules, read_rows
from tests.zoo.spec.variants import SCOTTISH, TAFL


class Tafl(Rules):
    letters = "adk"
    variants, defaults = TAFL, SCOTTISH

    def __init__(self, variant: str, knobs: dict[str, str], fault: Fault) -> None:
        text, differs = self.variants[variant]
        width, height, self.first = read_rows(text, self.letters, fault=lambda _: False)
        super().__init__(width, height, fault)
        knobs = self.defaults | self.misread_variant(variant, differs) | knobs
        self.variant = variant
        self.armed = knobs["king_armed"] == "yes"
        self.king_steps, self.men_steps = self.steps(knobs["king_steps"]), self.steps(knobs["men_steps"])
        self.king_captured_by = knobs["king_captured_by"]
        self.centre_hostile, self.corner_hostile = knobs["centre_hostile"] == "yes", knobs["corner_hostile"] == "yes"
        self.repetition, self.no_move = knobs["repetition"], knobs["no_move"]
        last = width - 1
        self.centre = width // 2 * height + width // 2
        self.corners = frozenset({0, last, last * height, last * height + last})
        edge = {s for s in range(width * height) if {0, last} & set(divmod(s, height))}
        self.rays = [self.rays_from(s) for s in range(width * height)]
        self.neighbours = [[ray[0] for ray in rays if ray] for rays in self.rays]
        self.pairs = [self.pairs_at(s) for s in range(width * height)]
        self.barred = self.barred_squares(knobs)
        self.escapes = self.corners if knobs["escape"] == "corner" else frozenset(edge)

    def misread_variant(self, variant: str, knobs: dict[str, str]) -> dict[str, str]:
        if self.fault("king1-is-unarmed") and variant == "scottish-king1":
            return {"king_steps": "1"}
        return knobs

    def steps(self, text: str) -> int:
        return self.width if text == "any" else int(text)

    def rays_from(self, s: int) -> list[list[int]]:
        """The squares in the four directions, the nearest first."""
        file, rank = divmod(s, self.height)
        column = range(file * self.height, (file + 1) * self.height)
        row = range(rank, self.width * self.height, self.height)
        return [[*column[rank + 1 :]], [*column[:rank][::-1]], [*row[file + 1 :]], [*row[:file][::-1]]]

    def pairs_at(self, s: int) -> list[tuple[int, int]]:
        """For a piece that moves to s: the squares beside it, each with the one behind, -1 off the board."""
        return [(ray[0], ray[1] if len(ray) > 1 else -1) for ray in self.rays[s] if ray]

    def barred_squares(self, knobs: dict[str, str]) -> dict[str, frozenset[int]]:
        """Where each kind of piece may not stop."""
        centre, corners = frozenset({self.centre}), self.corners
        barred: dict[str, frozenset[int]] = {"a": frozenset(), "d": frozenset(), "k": frozenset()}
        if knobs["centre_stop"] != "any":
            barred |= {"a": centre, "d": centre}
        if knobs["centre_stop"] == "nobody":
            barred["k"] = centre
        if knobs["corner_stop"] == "king":
            barred["a"] |= corners
            barred["d"] |= corners
        return barred

    def start(self) -> Position:
        return Position(self.first, 0, 1)

    def destinations(self, board: str, s: int) -> Iterator[int]:
        piece = board[s]
        limit, barred = self.king_steps if piece == "k" else self.men_steps, self.barred[piece]
        for ray in self.rays[s]:
            for t in ray[:limit]:
                if board[t] != ".":
                    break
                if t not in barred:
                    yield t

    def moves(self, position: Position) -> Iterator[Move]:
        mine = "a" if position.side == 0 else "dk"
        for s, piece in enumerate(position.board):
            if piece in mine:
                for t in self.destinations(position.board, s):
                    yield s, t

    def legal(self, position: Position, move: Move) -> bool:
        if len(move) != 2:
            return False
        mine = "a" if position.side == 0 else "dk"
        return position.board[move[0]] in mine and move[1] in self.destinations(position.board, move[0])

    def hostile(self, cells: list[str], s: int) -> bool:
        """Whether the square s stands for a piece of either side in a capture."""
        if s in self.corners and self.corner_hostile:
            return True
        return s == self.centre and self.centre_hostile and cells[s] == "."

    def supports(self, cells: list[str], s: int, side: int) -> bool:
        if s < 0:
            return False
        mine = ("a", "dk" if self.armed else "d")[side]
        return cells[s] in mine or self.hostile(cells, s)

    def captured_men(self, cells: list[str], t: int, side: int) -> list[int]:
        """A.10."""
        if cells[t] == "k" and not (self.armed or self.fault("unarmed-king-captures")):
            return []
        enemy = "da"[side]
        return [e for e, b in self.pairs[t] if cells[e] == enemy and self.supports(cells, b, side)]

    def king_captured(self, cells: list[str], t: int) -> bool:
        """A.12, for an attacker that moved to t."""
        king = cells.index("k")
        near = self.neighbours[king]
        if t not in near:
            return False
        way = self.king_captured_by
        if way == "four":
            return len(near) == 4 and self.closed_in(cells, king, self.centre_hostile)
        if way == "four-three-two" and king == self.centre:
            return self.closed_in(cells, king, False)
        if way == "four-three-two" and self.centre in near:
            return self.closed_in(cells, king, True)
        return any(self.supports(cells, b, 0) for e, b in self.pairs[t] if e == king)

    def closed_in(self, cells: list[str], king: int, centre_counts: bool) -> bool:
        for q in self.neighbours[king]:
            piece = cells[q]
            if piece != "a" and not (q == self.centre and piece == "." and centre_counts):
                return False
        return True

    def play(self, position: Position, move: Move) -> Position:
        cells, side, (s, t) = list(position.board), position.side, move
        cells[s], cells[t] = ".", cells[s]
        taken = self.captured_men(cells, t, side)
        if side == 0 and self.king_captured(cells, t):
            taken.append(cells.index("k"))
        for e in taken:
            cells[e] = "."
        return Position("".join(cells), 1 - side, self.next_number(position))

    def outcome(self, position: Position, before: Position | None) -> Outcome | None:
        """A.13."""
        king = position.board.find("k")
        if king < 0:
            return Outcome(0, "king-captured")
        if king in self.escapes:
            return Outcome(1, "king-escaped")
        if next(self.moves(position), None) is not None:
            return None
        return Outcome(None if self.no_move == "draw" else 1 - position.side, "no-move")

    def worth(self, position: Position) -> int:
        board = position.board
        total = 100 * board.count("a") - 200 * board.count("d")
        king = board.find("k")
        if king >= 0:
            total -= 20 * sum(t in self.escapes for t in self.destinations(board, king))
        return total if position.side == 0 else -total
