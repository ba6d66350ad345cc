"""The rules of the tafl family in version 1.2 (SPEC.md A.9 to A.20), and faults of what is new in them."""

from collections.abc import Iterator

from tests.zoo.blind import tafl
from tests.zoo.blind.rules import Fault, Outcome, Position
from tests.zoo.modern.variants import DEFAULTS, P2_FIRST, TAFL


class Tafl(tafl.Tafl):
    variants, defaults = TAFL, DEFAULTS

    def __init__(self, variant: str, knobs: dict[str, str], fault: Fault) -> None:
        super().__init__(variant, knobs, fault)
        self.knobs = self.defaults | self.variants[variant][1] | knobs
        self.occurrences = int(self.knobs["occurrences"])
        self.edge = {s for s in range(len(self.rays)) if len(self.neighbours[s]) < 4}
        self.beside = [[ray[0] if ray else -1 for ray in rays] for rays in self.rays]
        """Up, down, right and left, -1 off the board."""
        self.camp_of = self.camps() if self.knobs["camps"] == "yes" else {}

    def camps(self) -> dict[int, int]:
        """The number of the camp of each of its squares (A.17)."""
        middle, last = self.width // 2, self.width - 1
        found = {}
        for number, (edge, before) in enumerate(((0, 1), (last, last - 1))):
            camp = [(edge, middle - 1), (edge, middle), (edge, middle + 1), (before, middle)]
            for depth, along in camp[:3] if self.fault("camp-of-three") else camp:
                found[depth * self.height + along] = number
                found[along * self.height + depth] = number + 2
        return found

    def start(self) -> Position:
        p2_first = self.variant in P2_FIRST and not self.fault("p1-always-begins")
        return Position(self.first, int(p2_first), 1)

    # Moves

    def destinations(self, board: str, s: int, stops_matter: bool = True) -> Iterator[int]:
        piece = board[s]
        limit, barred = self.limit(piece), self.barred[piece]
        for ray in self.rays[s]:
            for steps, t in enumerate(ray, 1):
                if board[t] != "." or steps > limit:
                    break
                if t not in barred and self.may_enter(piece, s, t):
                    yield t
                if not self.may_pass(piece, s, t):
                    break

    def may_enter(self, piece: str, s: int, t: int) -> bool:
        camp, own = self.camp_of.get(t), self.camp_of.get(s)
        if camp is None or camp == own or self.fault("camps-are-open"):
            return True
        if self.fault("camps-open-to-defenders") and piece == "d":
            return True
        return self.fault("camp-to-camp") and own is not None

    def may_pass(self, piece: str, s: int, t: int) -> bool:
        if t == self.centre and not self.fault("centre-pass-not-read"):
            who = self.knobs["centre_pass"]
            if who == "king" and self.fault("centre-pass-bars-king"):
                return False
            if who == "nobody" and self.fault("centre-pass-spares-king") and piece == "k":
                return True
            return who == "any" or (who == "king" and piece == "k")
        return self.may_enter(piece, s, t) or self.fault("camps-are-passed")

    # Captures

    def always_hostile(self, cells: list[str], b: int, victim: int) -> bool:
        """Whether the square is hostile to the piece on `victim`, whoever stands on it."""
        if b == self.centre and self.knobs["centre_hostile"] == "always":
            if self.fault("always-is-while-empty") and cells[b] != ".":
                return False
            return not (self.fault("always-spares-attackers") and cells[victim] == "a")
        if b in self.corners:
            return self.corner_hostile
        if b in self.camp_of and (victim not in self.camp_of or self.fault("camp-hostile-to-its-own")):
            if self.fault("camp-hostile-when-empty") and cells[b] != ".":
                return False
            if self.fault("camp-spares-king") and cells[victim] == "k":
                return False
            return not self.fault("camp-is-not-hostile")
        return False

    def is_own(self, piece: str, side: int) -> bool:
        return piece == "ad"[side] or (piece == "k" and side == 1 and self.armed)

    def closes(self, cells: list[str], b: int, side: int, victim: int) -> bool:
        """Whether the square stands for another piece of `side` against the victim (A.10, A.17)."""
        if b < 0:
            return False
        if b in self.camp_of and self.camp_of[b] == self.camp_of.get(victim):
            return self.fault("camp-hostile-to-its-own")
        if b == self.centre and self.knobs["centre_hostile"] == "yes" and cells[b] == ".":
            return True
        return self.is_own(cells[b], side) or self.always_hostile(cells, b, victim)

    def captured_men(self, cells: list[str], t: int, side: int) -> list[int]:
        if not self.is_own(cells[t], side):
            return []
        taken = [e for e, b in self.pairs[t] if cells[e] == "da"[side] and self.closes(cells, b, side, e)]
        if self.knobs["shieldwall"] != "no" and not self.fault("shieldwall-not-read"):
            places = [t]
            if self.fault("shieldwall-by-front"):
                places += [q for q in self.neighbours[t] if q in self.edge and t not in self.edge]
                places += [q for p in places[1:] for q in self.neighbours[p] if self.is_own(cells[q], side)]
            for place in dict.fromkeys(places):
                taken += self.shieldwall(cells, place, side)
        return taken

    def shieldwall(self, cells: list[str], t: int, side: int) -> list[int]:
        """A.18."""
        taken: list[int] = []
        for inward in range(4):
            if self.beside[t][inward ^ 1] >= 0:
                continue
            for along in (0, 1) if inward > 1 else (2, 3):
                row, e = [], self.beside[t][along]
                while e >= 0 and cells[e] in ("dk", "a")[side]:
                    if self.fault("shieldwall-without-king") and cells[e] == "k":
                        break
                    row.append(e)
                    e = self.beside[e][along]
                fronts = [cells[self.beside[q][inward]] for q in row]
                needed = fronts[:-1] if self.fault("shieldwall-last-front-open") else fronts
                closed = all(self.is_front(piece, side) for piece in needed) and self.is_end(cells, e, side)
                if closed and len(row) >= (3 if self.fault("shieldwall-of-three") else 2):
                    if self.fault("shieldwall-takes-three") and len(row) > 3:
                        row = row[:3]
                    taken += row if self.fault("shieldwall-takes-king") else [q for q in row if cells[q] != "k"]
                if taken and self.fault("shieldwall-one-way"):
                    return taken
        return taken

    def is_front(self, piece: str, side: int) -> bool:
        if piece == "k" and side == 1 and self.fault("king-is-no-front"):
            return False
        return self.is_own(piece, side) or (piece == "k" and side == 1 and self.fault("unarmed-king-is-front"))

    def is_end(self, cells: list[str], b: int, side: int) -> bool:
        if b < 0:
            return False
        if b in self.corners and self.knobs["shieldwall"] == "corner" and not self.fault("corner-ends-no-shieldwall"):
            if cells[b] == ".":
                return True
        if b in self.corners and cells[b] == "." and self.fault("corner-ends-every-shieldwall"):
            return True
        if self.fault("shieldwall-open-end"):
            return True
        return self.is_own(cells[b], side) and not (cells[b] == "k" and self.fault("king-ends-no-shieldwall"))

    def king_captured(self, cells: list[str], t: int) -> bool:
        """A.12, for an attacker that moved to t."""
        king = cells.index("k")
        near = self.neighbours[king]
        if t not in near:
            return False
        way = self.king_captured_by
        by_two = way == "two" or (way in ("four-three-two", "four-two") and king != self.centre)
        if way == "four-three-two" and self.centre in near:
            by_two = False
        if way == "four-two" and self.fault("four-two-is-two"):
            by_two = True
        if way == "four-two" and self.fault("four-two-has-three") and self.centre in near:
            by_two = False
        if by_two:
            far = next(b for e, b in self.pairs[t] if e == king)
            return self.closes(cells, far, 0, king)
        if len(near) < 4 and (way != "all-sides" or self.fault("all-sides-not-on-edge")):
            return False
        if self.fault("all-sides-on-edge-by-two") and len(near) < 4:
            return sum(self.holds(cells, q, king) for q in near) >= 2
        return all(self.holds(cells, q, king) for q in near)

    def holds(self, cells: list[str], q: int, king: int) -> bool:
        piece = cells[q]
        if q == self.centre and piece == ".":
            return self.king_captured_by == "four-three-two" or self.knobs["centre_hostile"] != "no"
        if piece == "a":
            return True
        return piece != "d" and self.always_hostile(cells, q, king)

    # The end

    def outcome(self, position: Position, before: Position | None) -> Outcome | None:
        """A.13, with A.19 and A.20 before the lack of a move."""
        board = position.board
        if "k" in board and board.find("k") not in self.escapes:
            if self.knobs["encirclement"] == "wins" and self.encircled(board, position, before):
                return Outcome(0, "encircled")
            if self.knobs["fort"] == "wins" and self.has_fort(board, position, before):
                return Outcome(1, "fort")
        return super().outcome(position, before)

    def flood(self, board: str, start: set[int], through: str, diagonally: bool = False) -> set[int]:
        found, todo = set(start), list(start)
        while todo:
            s = todo.pop()
            near = list(self.neighbours[s])
            if diagonally:
                file = s // self.height
                near += [
                    t
                    for q in near
                    for t in self.neighbours[q]
                    if t // self.height != file and abs(t - s) != 2 * self.height
                ]
            for t in near:
                if t not in found and board[t] in through:
                    found.add(t)
                    todo.append(t)
        return found

    def encircled(self, board: str, position: Position, before: Position | None) -> bool:
        if self.fault("encirclement-not-read"):
            return False
        if position.side == 0 and not self.fault("encircled-after-p2"):
            return False
        if before is None and self.fault("encircled-string-goes-on"):
            return False
        open_edge = {s for s in self.edge if board[s] != "a"}
        if self.fault("edge-defender-is-encircled"):
            open_edge = {s for s in self.edge if board[s] == "."}
        reached = self.flood(board, open_edge, ".dk", self.fault("encirclement-leaks-diagonally"))
        pieces = "k" if self.fault("encirclement-of-king-alone") else "dk"
        return all(board[s] not in pieces for s in reached)

    def has_fort(self, board: str, position: Position, before: Position | None) -> bool:
        if self.fault("fort-not-read") or (position.side == 1 and not self.fault("fort-after-p1")):
            return False
        if before is None and self.fault("fort-string-goes-on"):
            return False
        king = board.index("k")
        if king not in self.edge and not self.fault("fort-off-the-edge"):
            return False
        inside = self.flood(board, {king}, ".")
        if len(inside) < 2 and not self.fault("fort-without-room"):
            return False
        if inside & self.corners and not self.fault("fort-with-corner"):
            return False
        wall = {t for s in inside for t in self.neighbours[s]} - inside
        if any(board[s] == "a" for s in wall) and not self.fault("fort-with-attacker"):
            return False
        return self.fault("fort-can-be-broken") or not any(self.is_exposed(board, s, inside) for s in wall)

    def is_exposed(self, board: str, s: int, inside: set[int]) -> bool:
        cells = list(board)
        exposed = []
        for q in self.beside[s]:
            if q < 0:
                exposed.append(self.fault("fort-falls-on-edge"))
            elif self.fault("fort-forgets-attackers") and board[q] == "a":
                exposed.append(False)
            else:
                free = board[q] == "." and q not in inside
                exposed.append(board[q] == "a" or free or self.always_hostile(cells, q, s))
        return (exposed[0] and exposed[1]) or (exposed[2] and exposed[3])
