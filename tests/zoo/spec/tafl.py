"""The rules of the tafl family (SPEC.md A.8 to A.13), and their faults."""

from collections.abc import Iterator

from tests.zoo.spec.rules import Fault, Move, Outcome, Position, Rules, read_rows
from tests.zoo.spec.variants import ARMED, CLOSE, SCOTTISH, TAFL


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
        if fault("no-move-draw-not-read"):
            self.no_move = "loses"
        if fault("corner-hostile-needs-escape") and knobs["escape"] == "edge":
            self.corner_hostile = False
        last = width - 1
        self.centre = width // 2 * height + width // 2
        self.corners = frozenset({0, last, last * height, last * height + last})
        edge = {s for s in range(width * height) if {0, last} & set(divmod(s, height))}
        self.rays = [self.rays_from(s) for s in range(width * height)]
        self.neighbours = [[ray[0] for ray in rays if ray] for rays in self.rays]
        self.pairs = [self.pairs_at(s) for s in range(width * height)]
        self.barred = self.barred_squares(knobs)
        self.escapes = self.escape_squares(knobs, edge)

    def misread_variant(self, variant: str, knobs: dict[str, str]) -> dict[str, str]:
        if self.fault("king3-may-go-far") and variant == "scottish-king3":
            return ARMED
        if self.fault("king1-is-unarmed") and variant == "scottish-king1":
            return {"king_steps": "1"}
        if self.fault("ard-ri-two-needs-four") and variant == "ard-ri-two":
            return CLOSE
        if self.fault("sea-battle-is-armed") and variant == "sea-battle-9":
            return knobs | ARMED
        if self.fault("nielsen-centre-is-friendly") and variant == "brandub-nielsen":
            return knobs | {"centre_hostile": "no"}
        if self.fault("tawlbwrdd-centre-for-king") and variant == "tawlbwrdd":
            return ARMED
        return knobs

    def steps(self, text: str) -> int:
        if text == "any":
            return self.width
        return int(text[0]) if self.fault("steps-of-one-digit") else int(text)

    def rays_from(self, s: int) -> list[list[int]]:
        """The squares in the four directions, the nearest first."""
        file, rank = divmod(s, self.height)
        column = range(file * self.height, (file + 1) * self.height)
        row = range(rank, self.width * self.height, self.height)
        return [[*column[rank + 1 :]], [*column[:rank][::-1]], [*row[file + 1 :]], [*row[:file][::-1]]]

    def pairs_at(self, s: int) -> list[tuple[int, int]]:
        """For a piece that moves to s: the squares beside it, each with the one behind, -1 off the board."""
        pairs = [(ray[0], ray[1] if len(ray) > 1 else -1) for ray in self.rays[s] if ray]
        if self.fault("captures-round-the-edge"):
            pairs = [(e, 2 * e - s if b < 0 and 0 <= 2 * e - s < len(self.rays) else b) for e, b in pairs]
        return pairs

    def barred_squares(self, knobs: dict[str, str]) -> dict[str, frozenset[int]]:
        """Where each kind of piece may not stop."""
        centre, corners = frozenset({self.centre}), self.corners
        barred: dict[str, frozenset[int]] = {"a": frozenset(), "d": frozenset(), "k": frozenset()}
        if knobs["centre_stop"] != "any":
            barred |= {"a": centre, "d": centre}
            if self.fault("centre-open-to-defenders"):
                barred["d"] = frozenset()
        if knobs["centre_stop"] == "nobody" and not self.fault("king-returns-to-centre"):
            barred["k"] = centre
        needless = self.fault("corner-stop-needs-escape") and knobs["escape"] == "edge"
        if knobs["corner_stop"] == "king" and not needless:
            barred["a"] |= corners
            if not self.fault("corner-open-to-defenders"):
                barred["d"] |= corners
        return barred

    def escape_squares(self, knobs: dict[str, str], edge: set[int]) -> frozenset[int]:
        if knobs["escape"] == "corner":
            return self.corners
        if self.fault("top-rank-of-11-is-no-edge") and self.height == 11:
            return frozenset(s for s in edge if s % 11 != 10)
        return frozenset(edge)

    def start(self) -> Position:
        return Position(self.first, 0, 1)

    def limit(self, piece: str) -> int:
        if self.fault("king-steps-bind-defenders") and piece == "d":
            return min(self.king_steps, self.men_steps)
        if self.fault("men-steps-bind-king") and piece == "k":
            return min(self.king_steps, self.men_steps)
        if self.fault("men-steps-spare-defenders") and piece == "d":
            return self.width
        return self.king_steps if piece == "k" else self.men_steps

    def destinations(self, board: str, s: int, stops_matter: bool = True) -> Iterator[int]:
        piece = board[s]
        limit, barred = self.limit(piece), self.barred[piece] if stops_matter else frozenset()
        exact = self.fault("king-steps-exactly") and piece == "k" and limit < self.width
        for ray in self.rays[s]:
            steps = 0
            for t in ray:
                steps += not (self.fault("centre-is-no-step") and t == self.centre)
                if board[t] != "." or steps > limit:
                    break
                if self.fault("centre-not-passed") and t in barred and t == self.centre:
                    break
                if t not in barred and (not exact or steps == limit):
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

    def hostile(self, cells: list[str], s: int, side: int) -> bool:
        """Whether the square s stands for a piece of `side` in a capture."""
        if s in self.corners and self.corner_hostile:
            if self.fault("corner-hostile-when-empty"):
                return cells[s] == "."
            return not (self.fault("corner-hostile-to-defenders") and side == 1)
        if s == self.centre and self.centre_hostile:
            if self.fault("full-centre-is-hostile"):
                return True
            if self.fault("centre-hostile-to-defenders") and side == 1:
                return False
            return cells[s] == "."
        return False

    def supports(self, cells: list[str], s: int, side: int) -> bool:
        if s < 0:
            return self.fault("edge-is-hostile")
        piece = cells[s]
        if piece == "k" and side == 1 and (self.armed or self.fault("unarmed-king-supports")):
            if not self.fault("armed-king-supports-not"):
                return True
        return piece == "ad"[side] or self.hostile(cells, s, side)

    def captured_men(self, cells: list[str], t: int, side: int) -> list[int]:
        """A.10."""
        if cells[t] == "k" and not (self.armed or self.fault("unarmed-king-captures")):
            return []
        if cells[t] == "k" and self.fault("armed-king-captures-not"):
            return []
        enemy = "da"[side]
        places = range(len(cells)) if self.fault("captures-where-nobody-moved") else (t,)
        taken = []
        for place in places:
            if place == t or cells[place] == "ad"[side]:
                for e, b in self.pairs[place]:
                    if cells[e] == enemy and self.supports(cells, b, side):
                        taken.append(e)
        if self.fault("captures-two-at-most"):
            del taken[2:]
        if self.fault("moving-between-is-death") and cells[t] == "ad"[side]:
            near = self.neighbours[t]
            if any(cells[e] == enemy and 2 * t - e in near and cells[2 * t - e] == enemy for e in near):
                taken.append(t)
        return taken

    def king_captured(self, cells: list[str], t: int) -> bool:
        """A.12, for an attacker that moved to t."""
        king = cells.index("k")
        near = self.neighbours[king]
        if t not in near and not self.fault("king-taken-by-any-move"):
            return False
        way = self.king_captured_by
        beside = self.centre in near
        if self.fault("beside-is-diagonal-too"):
            (file, rank), middle = divmod(king, self.height), self.height // 2
            beside = max(abs(file - middle), abs(rank - middle)) == 1
        if way == "four":
            if self.fault("king-on-edge-by-three") and len(near) == 3:
                return all(cells[q] == "a" for q in near)
            centre_counts = self.centre_hostile and not self.fault("four-ignores-hostile-centre")
            return len(near) == 4 and self.closed_in(cells, king, centre_counts or self.fault("four-takes-any-centre"))
        if way == "four-three-two" and king == self.centre:
            if self.fault("three-on-the-centre"):
                return sum(cells[q] == "a" for q in near) >= 3
            return self.closed_in(cells, king, False)
        if way == "four-three-two" and beside:
            return self.closed_in(cells, king, self.centre_hostile or not self.fault("beside-needs-hostile-centre"))
        movers = near if self.fault("king-taken-by-any-move") else [t]
        pairs = [b for mover in movers if cells[mover] == "a" for e, b in self.pairs[mover] if e == king]
        if self.fault("king-by-two-without-hostile"):
            return any(b >= 0 and cells[b] == "a" for b in pairs)
        return any(self.supports(cells, b, 0) for b in pairs)

    def closed_in(self, cells: list[str], king: int, centre_counts: bool) -> bool:
        for q in self.neighbours[king]:
            piece = cells[q]
            if q == self.centre and self.king_captured_by == "four-three-two":
                if self.fault("defender-on-centre-counts") and piece == "d":
                    continue
                if self.fault("attacker-on-centre-does-not") and piece == "a":
                    return False
            if piece != "a" and not (q == self.centre and piece == "." and centre_counts):
                return False
        return True

    def play(self, position: Position, move: Move) -> Position:
        cells, side, (s, t) = list(position.board), position.side, move
        cells[s], cells[t] = ".", cells[s]
        taken = self.captured_men(cells, t, side)
        if side == 0 and self.king_captured(cells, t):
            taken.append(cells.index("k"))
        if self.fault("king-moving-between-is-taken") and cells[t] == "k" and self.king_captured_by == "two":
            near = self.neighbours[t]
            if any(cells[e] == "a" and 2 * t - e in near and cells[2 * t - e] == "a" for e in near):
                taken.append(t)
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
        if self.fault("string-without-move-not-seen") and before is None:
            return None
        if self.fault("no-pieces-goes-on") and position.side == 0 and "a" not in position.board:
            return None
        mine = "a" if position.side == 0 else "dk"
        if self.fault("barred-square-is-a-move"):
            own = [s for s, piece in enumerate(position.board) if piece in mine]
            can_move = any(next(self.destinations(position.board, s, stops_matter=False), -1) >= 0 for s in own)
        else:
            can_move = next(self.moves(position), None) is not None
        if can_move:
            return None
        loser = 1 if self.fault("no-move-loses-for-p2") else position.side
        return Outcome(None if self.no_move == "draw" else 1 - loser, "no-move")

    def worth(self, position: Position) -> int:
        board = position.board
        total = 100 * board.count("a") - 200 * board.count("d")
        king = board.find("k")
        if king >= 0:
            total -= 20 * sum(t in self.escapes for t in self.destinations(board, king))
        return total if position.side == 0 else -total
