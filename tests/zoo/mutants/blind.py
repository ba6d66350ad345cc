"""An engine that keeps every clause of the specification, or breaks one of them on request.

It was written from protocol/SPEC.md alone, by an author who had not seen the checks. So it shows whether the checks
find what authors do wrong. `--fault NAME` names one of the faults of blind_faults.py. Without it the engine is
conformant.
Each fault stands where an author would make it, as `if self.fault(NAME)`.
"""

import argparse
import os
import queue
import re
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

Fault = Callable[[str], bool]
Move = tuple[int, ...]

FILES = "abcdefghijklmnopqrstuvwxy"
MATE = 100_000
DEEPEST = 24
LONGEST_LINE = 65_536


WHOLE_BUDGET = (
    "thinks-at-least-120",
    "increment-spent-in-advance",
    "last-of-period-and-more",
    "period-counts-increments",
    "movetime-at-least-250",
    "movetime-and-a-tenth",
)
"""Faults of time whose moves take all that they plan to take."""


class Impossible(Exception):
    """A position, a move or an option that cannot be (6.7, 4.3)."""


class Stopped(Exception):
    """The search must end, with a bestmove."""


class Quit(Exception):
    """The engine must end, without a bestmove."""


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


# Rules


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
        if self.fault("turn-number-each-ply"):
            return position.number + 1
        if self.fault("turn-number-after-p1"):
            return position.number + (position.side == 0)
        return position.number + (position.side == 1)

    def fen(self, position: Position) -> str:
        rows = []
        for rank in reversed(range(self.height)):
            row = position.board[rank :: self.height]
            if self.fault("fen-hole-as-empty"):
                row = row.replace("*", ".")
            if self.fault("fen-runs-of-nine"):
                row = re.sub(r"\.{1,9}", lambda run: str(len(run[0])), row)
            rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), row))
        number = "" if self.fault("fen-first-number-left-out") and position.number == 1 else f" {position.number}"
        return f"{'/'.join(rows)} p{position.side + 1}{number}"


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
    most = 19 if fault("drawn-board-at-most-19") else 25
    if not (1 <= width <= most and height <= most) or any(len(row) != width for row in rows):
        raise Impossible("the rows do not make a board")
    return width, height, "".join(rows[height - 1 - rank][file] for file in range(width) for rank in range(height))


TOP = ("wW", "bB")
HAS = ("wWB", "bBW")
LIFT = ({"w": ".", "W": "b", "B": "b"}, {"b": ".", "B": "w", "W": "w"})
PUT = ({".": "w", "*": "w", "b": "W", "B": "W"}, {".": "b", "*": "b", "w": "B", "W": "B"})
CORNERS = "a1 a2 b1 h1 i1 i2 a8 a9 b9 h9 i8 i9".split()


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


SMALL = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3"
ARD_RI = "2aaa2/3a3/a1ddd1a/aadkdaa/a1ddd1a/3a3/2aaa2"
LARGE = "4aaa4/4a1a4/5a5/5d5/aa2ddd2aa/a1addkdda1a/aa2ddd2aa/5d5/5a5/4a1a4/4aaa4"
SEA = "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3"
SCOTTISH = {
    "escape": "edge",
    "king_armed": "no",
    "king_steps": "any",
    "men_steps": "any",
    "king_captured_by": "two",
    "centre_stop": "king",
    "centre_hostile": "no",
    "corner_stop": "any",
    "corner_hostile": "no",
    "repetition": "draw",
    "no_move": "loses",
}
ARMED = {"king_armed": "yes"}
BRANDUB = ARMED | {"escape": "corner", "corner_stop": "king", "corner_hostile": "yes"}
CLOSE = ARMED | {"men_steps": "1", "king_steps": "1", "king_captured_by": "four"}
NIELSEN = BRANDUB | {"king_captured_by": "four-three-two", "centre_stop": "nobody", "centre_hostile": "yes"}
TAFL: dict[str, tuple[str, dict[str, str]]] = {
    "scottish": (SMALL, {}),
    "scottish-armed": (SMALL, ARMED),
    "scottish-king1": (SMALL, ARMED | {"king_steps": "1"}),
    "scottish-king2": (SMALL, ARMED | {"king_steps": "2"}),
    "scottish-king3": (SMALL, ARMED | {"king_steps": "3"}),
    "brandub": (SMALL, BRANDUB),
    "brandub-nielsen": (SMALL, NIELSEN),
    "ard-ri": (ARD_RI, CLOSE),
    "ard-ri-two": (ARD_RI, CLOSE | {"king_captured_by": "two"}),
    "tawlbwrdd": (LARGE, ARMED | {"centre_stop": "any"}),
    "sea-battle-9": (SEA, {"king_captured_by": "four", "centre_stop": "any"}),
}
CALLANISH = ("callanish-9", "callanish-7", *(f"callanish-{n}" for n in (5, *range(11, 26, 2))))
VARIANTS = (*CALLANISH, "callanish-corners", "callanish", *TAFL)
KNOBS = {
    "escape": "edge|corner",
    "king_armed": "yes|no",
    "king_steps": "any|[1-9]|1[0-9]|2[0-4]",
    "men_steps": "any|[1-9]|1[0-9]|2[0-4]",
    "king_captured_by": "two|four|four-three-two",
    "centre_stop": "king|any|nobody",
    "centre_hostile": "yes|no",
    "corner_stop": "king|any",
    "corner_hostile": "yes|no",
    "repetition": "draw|loses",
    "no_move": "loses|draw",
    "supply": "[1-9][0-9]{0,3}",
}


class Tafl(Rules):
    letters = "adk"

    def __init__(self, variant: str, knobs: dict[str, str], fault: Fault) -> None:
        text, differs = TAFL[variant]
        width, height, self.first = read_rows(text, self.letters, fault=lambda _: False)
        super().__init__(width, height, fault)
        knobs = SCOTTISH | self.misread_variant(variant, differs) | knobs
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


class Game:
    """A position with the game that led to it, since repetition counts from its start (6.1)."""

    def __init__(self, rules: Rules, start: Position, seen: dict[str, int] | None = None) -> None:
        self.rules, self.position, self.fault = rules, start, rules.fault
        self.plies = 0
        self.keys = [self.key(start)]
        self.seen: dict[str, int] = {} if seen is None else seen
        if not self.fault("repetition-without-start"):
            self.seen[self.keys[0]] = self.seen.get(self.keys[0], 0) + 1
        self.outcome = rules.outcome(start, None)

    def key(self, position: Position) -> str:
        if self.fault("repetition-without-side"):
            return position.board
        if self.fault("repetition-with-number"):
            return f"{position.board} {position.side} {position.number}"
        return f"{position.board} {position.side}"

    def play(self, word: str) -> None:
        if self.outcome:
            raise Impossible(f"the game is over before {word[:20]}")
        move = self.rules.parse(word)
        if move is None or not self.rules.legal(self.position, move):
            raise Impossible(f"illegal move {word[:20]}")
        before = self.position
        self.position = self.rules.play(before, move)
        self.plies += 1
        key = self.key(self.position)
        self.keys.append(key)
        self.seen[key] = self.seen.get(key, 0) + 1
        self.outcome = self.rules.outcome(self.position, before) or self.repeated(self.position, self.seen[key])

    def repeated(self, position: Position, times: int) -> Outcome | None:
        if not self.rules.repetition or times < 3:
            return None
        if self.fault("repetition-looks-back-16") and self.keys[-17:].count(self.key(position)) < 3:
            return None
        if self.fault("repetition-in-a-row") and not self.keys[-1] == self.keys[-5:][0] == self.keys[-9:][0]:
            return None
        if self.rules.repetition == "draw" or self.fault("repetition-loses-is-draw"):
            return Outcome(None, "repetition")
        side_to_move_wins = not self.fault("repetition-loses-for-other")
        return Outcome(position.side if side_to_move_wins else 1 - position.side, "repetition")


# Options


class Option(NamedTuple):
    name: str
    kind: str
    default: str
    low: int = 0
    high: int = 0

    def line(self, fault: Fault) -> str:
        if self.kind == "button":
            return f"option name {self.name} type button" + (" default false" if fault("button-with-default") else "")
        default = self.default
        if self.name == "UGI_Variant" and fault("default-is-no-choice"):
            default = "standard"
        shown = default if default or fault("empty-default-left-out") else "<empty>"
        text = f"option name {self.name} type {self.kind} default {shown}".rstrip()
        if self.kind == "spin" and not (fault("spin-without-range") and self.name == "Hash"):
            text += f" min {self.low} max {self.high}"
        if self.kind == "combo":
            text += "".join(f" var {value}" for value in VARIANTS)
        return text

    def takes(self, value: str) -> bool:
        if self.kind == "spin":
            return bool(re.fullmatch("-?[0-9]{1,12}", value)) and self.low <= int(value) <= self.high
        if self.kind == "combo":
            return value in VARIANTS
        if self.kind == "check":
            return value in ("true", "false")
        return True


def all_options(fault: Fault) -> tuple[Option, ...]:
    most_seed = 65_535 if fault("seed-of-16-bits") else 2**31 - 1
    queries = "legalmoves islegal fen perft"
    options = (
        Option("UGI_Variant", "combo", "callanish-9"),
        Option("UGI_Rules", "string", ""),
        Option("UGI_Queries", "string", queries + (" movenumber" if fault("queries-names-too-much") else "")),
        Option("Seed", "spin", "1", 0, most_seed),
        Option("Hash", "spin", "16", 1, 1024),
        Option("Move Overhead", "spin", "15", 0, 1000),
        Option("Clear Hash", "button", ""),
        Option("OwnBook", "check", "true" if fault("own-book-at-first") else "false"),
        Option("UGI_MovesToGo", "check", "true"),
        Option("UGI_Resign", "check", "false"),
        Option("UGI_Draw", "check", "false"),
        Option("UGI_GameOver", "check", "true"),
    )
    return (*options, Option("hash", "spin", "16", 1, 1024)) if fault("names-differ-in-case") else options


def read_knobs(text: str) -> dict[str, str]:
    knobs = {}
    for pair in text.split():
        knob, _, value = pair.partition("=")
        if knob not in KNOBS or not re.fullmatch(KNOBS[knob], value):
            raise Impossible(f"UGI_Rules takes no {pair[:40]}")
        knobs[knob] = value
    return knobs


class Limits(NamedTuple):
    """What a `go` asks for. No `budget_ms` is no limit of time."""

    budget_ms: float | None = None
    depth: int = DEEPEST
    nodes: int | None = None
    infinite: bool = False


# The engine

COMMANDS = ("ugi", "isready", "setoption", "uginewgame", "position", "go", "stop", "query", "gameover", "quit")


class Engine:
    def __init__(self, fault_name: str | None) -> None:
        self.fault_name = fault_name
        self.inbox: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
        self.waiting: deque[list[str]] = deque()
        self.ending = threading.Event()
        self.options = all_options(self.fault)
        self.values = {option.name.lower(): option.default for option in self.options}
        self.knobs: dict[str, str] = {}
        self.known_rules: dict[str, Rules] = {}
        self.table: dict[str, Move] = {}
        self.random = Random(1)
        self.stopped = False
        self.late_stop = False
        self.handshakes = 0
        self.games = 0
        self.searching = False
        self.unsaid = ""
        self.next_look = 0.0
        self.unready = False
        self.last_best = ""
        self.start_position()

    def fault(self, name: str) -> bool:
        return name == self.fault_name

    # Input and output

    def say(self, text: str) -> None:
        if self.fault("blank-after-line"):
            text += " "
        if self.fault("response-waits-for-next-line") and text.startswith("response"):
            self.unsaid += text + "\n"
            return
        line, self.unsaid = (self.unsaid + text + "\n").encode(), ""
        self.write(line)

    def write(self, line: bytes) -> None:
        try:
            while line:
                line = line[os.write(1, line) :]
        except OSError:
            if not self.fault("lives-without-stdout"):
                os._exit(0)

    def read_input(self) -> None:
        rest = b""
        while data := os.read(0, 65_536):
            if self.fault("one-read-is-one-line"):
                lines, rest = [data.split(b"\n")[0]], b""
            elif self.fault("half-line-is-a-line"):
                lines, rest = data.split(b"\n"), b""
            elif self.fault("cuts-at-return"):
                *lines, rest = (rest + data).replace(b"\r", b"\n").split(b"\n")
            elif self.fault("cuts-at-page-feed"):
                *lines, rest = (rest + data).replace(b"\f", b"\n").split(b"\n")
            else:
                *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if not self.take_line(line):
                    return
        if self.fault("end-of-input-ignored"):
            return
        if not self.fault("end-of-input-after-search"):
            self.ending.set()
        self.inbox.put(["quit"])

    def take_line(self, line: bytes) -> bool:
        """Hands over the words of a line. False after `quit`."""
        if self.fault("line-of-4096"):
            line = line[:4096]
        text = line.decode("ascii", "replace")
        if not self.fault("return-kept"):
            text = text.removesuffix("\r")
        if not self.fault("tab-is-no-blank"):
            text = text.replace("\t", " ")
        words = [word for word in text.split(" ") if word]
        if self.fault("leading-blank-not-skipped") and text.startswith(" "):
            words.insert(0, "")
        if self.fault("blank-line-ends-input") and not words:
            words = ["quit"]
        if words == ["quit"]:
            if not self.fault("quit-after-search"):
                self.ending.set()
            self.inbox.put(words)
            return False
        if self.fault("readyok-overtakes") and words == ["isready"] and not self.searching:
            self.say("readyok")
        elif words:
            self.inbox.put(words)
        return True

    def run(self) -> int:
        if self.fault("needs-home"):
            os.environ["HOME"]
        if self.fault("banner-at-start"):
            self.say("Blind, an engine for board games")
        if self.fault("identifies-unasked"):
            self.shake_hands()
        if self.fault("log-in-directory"):
            with open("blind.log", "a") as log:
                log.write("started\n")
        if self.fault("lock-in-directory"):
            try:
                os.close(os.open("blind.lock", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return 1
        threading.Thread(target=self.read_input, daemon=True).start()
        status = self.obey_lines()
        if self.fault("lock-in-directory"):
            os.unlink("blind.lock")
        if self.fault("slow-to-quit"):
            time.sleep(6)
        return status

    def obey_lines(self) -> int:
        while True:
            if self.fault("idle-turns-round"):
                while not self.waiting and self.inbox.empty():
                    pass
            words = self.waiting.popleft() if self.waiting else self.inbox.get()
            if words == ["quit"]:
                return 1 if self.fault("status-of-quit") else 0
            try:
                self.obey(words)
            except Quit:
                return 0

    def obey(self, words: list[str]) -> None:
        match words[0]:
            case "ugi":
                self.shake_hands()
            case "isready":
                self.ready(words)
            case "setoption":
                self.set_option(words[1:])
            case "uginewgame":
                self.new_game()
            case "position":
                self.set_position(words[1:])
            case "go":
                self.go(words[1:])
            case "query":
                self.query(words[1:])
            case "stop":
                self.late_stop = True
                if self.fault("stop-outside-is-answered"):
                    self.say(f"bestmove {self.last_best or '0000'}")
            case "gameover":
                if self.fault("gameover-is-answered"):
                    self.say("readyok")
            case word:
                if self.fault("unknown-line-ends-engine"):
                    raise SystemExit(f"unknown command {word}")

    def ready(self, words: list[str]) -> None:
        if self.unready:
            self.unready = False
            return
        self.say("readyok")
        if self.fault("isready-twice-is-once"):
            while not self.inbox.empty() and not self.waiting:
                if (following := self.inbox.get()) != words:
                    self.waiting.append(following)

    def listen(self) -> None:
        """Looks at the input during a search (2.9, 6.5, 7.2)."""
        if self.ending.is_set() and not (self.fault("perft-does-not-listen") and not self.searching):
            raise Quit
        while not self.inbox.empty():
            self.hear(self.inbox.get())
        if time.monotonic() > self.next_look:
            self.next_look = time.monotonic() + 0.25
            self.look_at_stdout()

    def look_at_stdout(self) -> None:
        """A search that has nothing to say would not notice that nobody listens any more (14.4)."""
        poll = select.poll()
        poll.register(1, 0)
        if poll.poll(0) and not self.fault("lives-without-stdout"):
            raise Quit

    def hear(self, words: list[str]) -> None:
        """Takes a line that comes during a search or a count. What is not for the search waits its turn."""
        asked = self.stopped or any(line[0] == "query" for line in self.waiting)
        match words[0]:
            case "isready" if self.searching and not asked and not self.fault("isready-waits-for-search"):
                self.say("readyok")
                self.stopped |= self.fault("isready-ends-search")
            case "stop" if self.searching:
                self.stopped |= not (self.fault("stop-behind-lines-not-seen") and self.waiting)
            case "go" if self.searching and self.fault("second-go-ends-search"):
                self.stopped = True
                self.waiting.append(words)
            case "setoption" | "query" if self.searching and self.fault("lines-in-search-dropped"):
                pass
            case word if word in COMMANDS:
                self.waiting.append(words)

    # Handshake and options

    def shake_hands(self) -> None:
        self.handshakes += 1
        if self.handshakes > 1 and (self.fault("second-ugi-not-answered") or self.fault("identifies-unasked")):
            return
        self.say("id name Blind")
        if self.fault("name-twice"):
            self.say("id name Blind 1.0")
        if not self.fault("no-author"):
            self.say("id author A. Author")
        if self.fault("debug-in-handshake"):
            self.say("loading tables")
        for option in self.options[:-1]:
            self.say(option.line(self.fault))
        if self.fault("ugiok-before-last-option"):
            self.say("ugiok")
            self.say(self.options[-1].line(self.fault))
            return
        self.say(self.options[-1].line(self.fault))
        self.say("ugiok")

    def set_option(self, words: list[str]) -> None:
        name_words, value_words = split_at(words[1:], "value")
        if self.fault("option-of-one-word"):
            (name,) = name_words
        name = " ".join(name_words)
        value = " ".join(value_words)
        if self.fault("options-locked-in-first-game") and self.games:
            return
        known = name in [option.name for option in self.options] or not self.fault("option-in-exact-case")
        option = next((option for option in self.options if option.name.lower() == name.lower() and known), None)
        if option is None:
            if self.fault("unknown-option-ends-engine"):
                raise SystemExit(f"no option {name}")
            self.say("error no such option")
            return
        try:
            self.take_value(option, value)
        except Impossible as why:
            self.say(f"error {why}")

    def take_value(self, option: Option, value: str) -> None:
        key = option.name.lower()
        if value == "<empty>" and not self.fault("empty-rules-not-known"):
            value = ""
        if self.fault("number-not-checked") and option.kind == "spin":
            int(value)
        if self.fault("out-of-range-is-taken") and re.fullmatch("-?[0-9]+", value) and key == "seed":
            self.values[key] = value
            self.random = Random(int(value))
            return
        if not option.takes(value):
            if self.fault("unknown-variant-is-default") and key == "ugi_variant":
                self.values[key] = option.default
                self.start_position()
            raise Impossible(f"{option.name} takes no {value[:40]}")
        if self.fault("option-is-echoed"):
            self.say(f"option {option.name} {value}")
        if key == "clear hash":
            self.table.clear()
        if key == "ugi_rules":
            self.take_rules(value)
        self.values[key] = value
        if key == "ugi_variant" and self.fault("variant-clears-rules"):
            self.knobs = {}
        if key == "seed":
            self.random = Random(int(value))
        if key in ("ugi_variant", "ugi_rules") and not self.fault("variant-keeps-position"):
            self.start_position()

    def take_rules(self, value: str) -> None:
        if self.fault("rules-first-pair-only"):
            value = " ".join(value.split()[:1])
        if self.fault("rules-fit-variant-at-once"):
            family = {"supply"} if self.values["ugi_variant"] not in TAFL else set(SCOTTISH)
            if not set(read_knobs(value)) <= family:
                raise Impossible("UGI_Rules has a knob of another variant")
        if self.fault("bad-rules-clear-rules"):
            self.knobs = {}
        if self.fault("rules-are-added"):
            self.knobs = (self.knobs if value else {}) | read_knobs(value)
        else:
            self.knobs = read_knobs(value)

    def is_on(self, option: str) -> bool:
        return self.values[option.lower()] == "true"

    def new_game(self) -> None:
        self.games += 1
        if not self.fault("table-outlives-game"):
            self.table.clear()
        if not self.fault("random-outlives-game"):
            self.random = Random(int(self.values["seed"]))
        if self.fault("new-game-clears-rules"):
            self.knobs = {}
        if not self.fault("new-game-keeps-position"):
            self.start_position()

    # Positions

    def rules(self, board: tuple[int, int, str] | None) -> Rules:
        """The rules of the variant set. `board` is what a position string draws."""
        variant = self.values["ugi_variant"]
        family = set(SCOTTISH) if variant in TAFL else {"supply"}
        knobs = {knob: value for knob, value in self.knobs.items() if knob in family}
        key = f"{variant} {knobs} {board if variant == 'callanish' or self.fault('string-of-any-size') else None}"
        if key not in self.known_rules:
            if len(self.known_rules) > 50:
                self.known_rules.clear()
            self.known_rules[key] = self.make_rules(variant, knobs, board)
        return self.known_rules[key]

    def make_rules(self, variant: str, knobs: dict[str, str], board: tuple[int, int, str] | None) -> Rules:
        if variant in TAFL:
            return Tafl(variant, knobs, self.fault)
        supply = int(knobs["supply"]) if "supply" in knobs else None
        if board and (variant == "callanish" or self.fault("string-of-any-size")):
            return Callanish(*board, supply, self.fault)
        size = int(variant.removeprefix("callanish-")) if variant[-1].isdigit() else 9
        if variant == "callanish" and self.fault("callanish-is-7-by-7"):
            size = 7
        holes = {FILES.index(hole[0]) * 9 + int(hole[1:]) - 1 for hole in CORNERS} if "corners" in variant else set()
        if self.fault("corners-without-h9"):
            holes.discard(71)
        empty = "".join("*" if s in holes else "." for s in range(size * size))
        return Callanish(size, size, empty, supply, self.fault)

    def start_position(self) -> None:
        rules = self.rules(None)
        self.game = Game(rules, rules.start())
        self.game_words: list[str] = []
        self.game_start = "startpos"

    def set_position(self, words: list[str]) -> None:
        family = set(SCOTTISH) if self.values["ugi_variant"] in TAFL else {"supply"}
        if strange := set(self.knobs) - family:
            self.say(f"error {min(strange)} is no knob of this variant, so it is not used")
        try:
            self.read_position(words)
        except Impossible as why:
            if self.fault("illegal-list-ends-engine") and "illegal move" in str(why):
                raise SystemExit(str(why)) from None
            self.say(f"error {why}")
            self.unready = self.fault("no-readyok-after-error")
        if self.fault("searches-at-position") and not self.game.outcome:
            until = time.monotonic() + 0.3
            while time.monotonic() < until and self.inbox.empty():
                next(self.game.rules.moves(self.game.position), None)

    def read_position(self, words: list[str]) -> None:
        before, moves = split_at(words, "moves")
        if self.fault("empty-moves-refused") and before != words and not moves:
            raise Impossible("moves without a move")
        if self.fault("list-of-256-moves"):
            moves = moves[:256]
        start = " ".join(before)
        if self.fault("list-without-number-lost") and before[:1] == ["fen"] and len(before) == 3:
            moves = []
        extends = start == self.game_start and self.game_words and len(moves) >= len(self.game_words)
        if self.fault("longer-list-goes-on") and extends:
            moves, game = moves[len(self.game_words) :], self.game
            self.game_words = self.game_words + moves
        else:
            game = self.first_game(before)
            self.game_words = moves
        for word in moves:
            game.play(word)
        self.game, self.game_start = game, start

    def first_game(self, words: list[str]) -> Game:
        seen = self.game.seen if self.fault("repetition-across-positions") and self.game.plies else None
        if words == ["startpos"]:
            if self.fault("startpos-goes-back-to-string") and self.game_start.startswith("fen"):
                words = self.game_start.split()
            else:
                rules = self.rules(None)
                return Game(rules, rules.start(), seen)
        if words[:1] != ["fen"] or not 3 <= len(words) <= 4:
            raise Impossible("position needs startpos, or fen and a position string")
        tafl = self.values["ugi_variant"] in TAFL
        width, height, board = read_rows(words[1], "adk" if tafl else "wbWB*", self.fault)
        empty = re.sub("[a-zA-Z]", ".", board)
        if self.fault("drawn-board-is-square") and width != height:
            raise Impossible("the board is not square")
        if self.fault("drawn-board-at-least-5") and min(width, height) < 5:
            raise Impossible("the board is too small")
        if empty.count(".") < 2:
            raise Impossible("a board has at least two squares")
        rules = self.rules((width, height, empty))
        if (width, height) != (rules.width, rules.height):
            raise Impossible("the variant has another size")
        if isinstance(rules, Callanish) and empty != rules.empty and self.values["ugi_variant"] != "callanish":
            raise Impossible("the variant has other holes")
        if isinstance(rules, Tafl):
            self.check_king(rules, board)
        if words[2] not in ("p1", "p2"):
            raise Impossible("the side to move is p1 or p2")
        number = words[3] if len(words) == 4 else "0" if self.fault("number-left-out-is-0") else "1"
        if len(words) == 4 and not re.fullmatch("[1-9][0-9]{0,8}", number):
            raise Impossible("the turn number is a number from 1")
        if self.fault("number-of-string-lost"):
            number = "1"
        return Game(rules, Position(board, int(words[2] == "p2"), int(number)), seen)

    def check_king(self, rules: Tafl, board: str) -> None:
        if self.fault("board-without-king-ends-engine"):
            board.index("k")
        kings = board.count("k")
        if kings == 0 or (kings > 1 and not self.fault("two-kings-taken")):
            raise Impossible("a position has one king")
        if board.index("k") in rules.escapes and not self.fault("escaped-king-taken"):
            raise Impossible("the king has escaped")

    # Queries

    def query(self, words: list[str]) -> None:
        if self.fault("query-takes-a-random-number"):
            self.random.random()
        answer = self.answer(words)
        if len(answer) > LONGEST_LINE - 20:
            answer = "error the answer is longer than a line may be"
        self.say(answer)

    def answer(self, words: list[str]) -> str:
        game, position = self.game, self.game.position
        over = game.outcome is not None
        if self.fault("turn-by-parity") and words == ["p1turn"]:
            return f"response {truth(game.plies % 2 == 0)}"
        if self.fault("booleans-of-python") and words == ["p1turn"]:
            return f"response {position.side == 0}"
        match words:
            case ["p1turn"]:
                return f"response {truth(position.side == 0)}"
            case ["gameover"]:
                if self.fault("draw-is-not-gameover") and game.outcome and game.outcome.winner is None:
                    return "response false"
                return f"response {truth(over)}"
            case ["result"]:
                return f"response {self.result()}"
            case ["legalmoves"]:
                return "response " + self.legal_moves()
            case ["islegal", word, *_]:
                return f"response {truth(self.is_legal(word))}"
            case ["fen"]:
                return f"response {game.rules.fen(position)}"
            case ["perft", number, *_]:
                return self.perft_answer(number)
        if self.fault("unknown-query-ends-engine"):
            raise SystemExit("no such query")
        return "response none" if self.fault("unknown-query-gets-response") else "error no such query"

    def result(self) -> str:
        outcome = self.game.outcome
        if outcome is None:
            return "none"
        if self.fault("result-names-mover") and outcome.reason == "no-turn":
            return f"p{self.game.position.side + 1}win"
        if self.fault("result-without-win") and outcome.winner is not None:
            return f"p{outcome.winner + 1}"
        return outcome.text()

    def legal_moves(self) -> str:
        game = self.game
        reason = game.outcome.reason if game.outcome else ""
        goes_on = not reason
        goes_on |= self.fault("moves-after-repetition") and reason == "repetition"
        goes_on |= self.fault("moves-after-line") and reason == "line"
        moves = [game.rules.text(move) for move in game.rules.moves(game.position)] if goes_on else []
        if self.fault("both-orders-listed"):
            moves += [word for word in map(swapped, moves) if word]
        return " ".join(moves if self.fault("moves-without-count") else [str(len(moves)), *moves])

    def is_legal(self, word: str) -> bool:
        game = self.game
        if game.outcome and not self.fault("islegal-after-end"):
            return False
        if self.fault("islegal-in-any-case"):
            word = word.lower()
        move = game.rules.parse(word)
        if move is None:
            return False
        if self.fault("islegal-in-one-order") and game.rules.text(move) != word:
            return False
        if self.fault("islegal-same-target") and len(move) == 3 and move[1] == move[2]:
            return any(played[0] == move[0] and move[1] in played[1:] for played in game.rules.moves(game.position))
        if self.fault("islegal-empty-from") and len(move) == 3 and game.position.board[move[0]] == ".":
            return isinstance(game.rules, Callanish) and set(move[1:]) < set(game.rules.targets(game.position, move[0]))
        return game.rules.legal(game.position, move)

    def perft_answer(self, number: str) -> str:
        if not self.fault("perft-depth-not-checked") and not re.fullmatch("[0-9]{1,4}", number):
            return "error perft needs a depth from 0"
        self.perft_end = time.monotonic() + 30
        try:
            return f"response {self.perft(self.game.position, None, int(number))}"
        except Stopped:
            return "error perft is too deep to count"

    def perft(self, position: Position, before: Position | None, depth: int) -> int:
        rules = self.game.rules
        if depth == 0:
            return 0 if self.fault("perft-0-is-0") and before is None else 1
        self.listen()
        if time.monotonic() > self.perft_end:
            raise Stopped
        if rules.outcome(position, before):
            return int(self.fault("perft-counts-shorter-games"))
        if before and self.fault("perft-minds-repetition") and self.game.seen.get(self.game.key(position), 0) >= 2:
            return 0
        if depth == 1:
            return sum(1 for _ in rules.moves(position))
        return sum(self.perft(rules.play(position, move), position, depth - 1) for move in rules.moves(position))

    # The search

    def read_limits(self, words: list[str]) -> Limits:
        """The limits of a `go`. One that is asked otherwise than 7.1 says gets a short time."""
        soon = Limits(budget_ms=40)
        given: dict[str, int] = {}
        kinds = ("p1time", "p2time", "p1inc", "p2inc", "movestogo", "movetime", "nodes", "depth")
        if self.fault("clocks-in-fixed-order") and set(words[:8:2]) == set(kinds[:4]):
            words[:8:2] = kinds[:4]
        infinite = False
        rest = deque(words)
        while rest:
            word = rest.popleft()
            if word in kinds:
                value = rest.popleft() if rest else ""
                if self.fault("word-for-number-ends-engine"):
                    int(value)
                if not re.fullmatch("[0-9]{1,15}", value) or (int(value) < 1 and not word.endswith("inc")):
                    return self.bad_number(word) or soon
                given[word] = int(value)
            elif word == "infinite":
                infinite = True
            elif self.fault("unknown-word-ends-go"):
                break
        clock = any(word.endswith("time") and word != "movetime" for word in given)
        asked = clock + infinite + sum(kind in given for kind in ("movetime", "nodes", "depth"))
        if asked == 0 and self.fault("go-alone-is-infinite"):
            return Limits(infinite=True)
        if asked != 1:
            return soon
        if infinite:
            return Limits(infinite=True)
        if clock:
            return self.clock_limits(given) or soon
        overhead = int(self.values["move overhead"])
        if "movetime" in given:
            movetime = given["movetime"]
            if self.fault("movetime-at-least-250"):
                movetime = max(movetime, 250)
            if self.fault("movetime-and-a-tenth"):
                return Limits(budget_ms=movetime * 1.1)
            return Limits(budget_ms=max(0, movetime - overhead))
        longest = None if self.fault("depth-without-end") else 20_000.0
        if "depth" in given:
            depth = given["depth"] + self.fault("depth-one-more")
            deepest = 1000 if self.fault("depth-without-end") else DEEPEST
            return Limits(budget_ms=longest, depth=min(depth, deepest))
        return Limits(budget_ms=longest, nodes=given["nodes"])

    def bad_number(self, word: str) -> Limits | None:
        if self.fault("depth-0-finds-nothing") and word == "depth":
            return Limits(depth=0)
        return None

    def clock_limits(self, given: dict[str, int]) -> Limits | None:
        side = self.game.position.side + 1
        if self.fault("clock-of-p1"):
            side = 1
        if self.fault("clock-of-parity"):
            side = self.game.plies % 2 + 1
        if f"p{side}time" not in given:
            return None
        left = given[f"p{side}time"]
        inc = given[f"p{side}inc"] if self.fault("increment-must-be-there") else given.get(f"p{side}inc", 0)
        if self.fault("increment-spent-in-advance"):
            return Limits(budget_ms=left / 30 + inc)
        usable = max(0, left - int(self.values["move overhead"]))
        parts = given.get("movestogo", 30)
        if self.fault("last-of-period-and-more") and given.get("movestogo") == 1:
            return Limits(budget_ms=left * 1.2)
        if self.fault("period-counts-increments") and "movestogo" in given:
            return Limits(budget_ms=(left + parts * inc) / parts)
        if self.fault("thinks-at-least-120"):
            return Limits(budget_ms=max(120, min(usable, usable / 30 + 0.7 * inc)))
        return Limits(budget_ms=min(usable, usable / min(parts, 30) + 0.7 * inc))

    def go(self, words: list[str]) -> None:
        try:
            started = time.monotonic()
            limits = self.read_limits(words)
            self.search(limits, started)
        finally:
            self.searching = False

    def search(self, limits: Limits, started: float) -> None:
        self.searching = True
        self.stopped = self.fault("stop-outside-kept") and self.late_stop
        self.late_stop = False
        if self.fault("stop-right-behind-go-lost"):
            self.drop_stops()
        came_before = list(self.waiting)
        self.waiting.clear()
        for words in came_before:
            self.hear(words)
        game = self.game
        if game.outcome:
            best = self.finished_move()
            if limits.infinite and not self.fault("finished-game-answered-at-once"):
                self.wait_for_stop()
            self.say(f"bestmove {best}")
            return
        root = self.new_root(limits, started)
        best = root.run()
        if self.fault_name in WHOLE_BUDGET and limits.budget_ms is not None:
            # Nobody keeps a CPU from an engine that sleeps, so these faults show on a busy machine, too.
            time.sleep(max(0, limits.budget_ms - root.elapsed_ms()) / 1000)
        if limits.infinite and not self.fault("infinite-ends-with-search"):
            if self.fault("isready-not-answered-at-rest"):
                self.wait_deaf()
            self.wait_for_stop()
        self.last_best = best
        self.finish(root, best)

    def new_root(self, limits: Limits, started: float) -> "Root":
        return Root(self, limits, started)

    def finish(self, root: "Root", best: str) -> None:
        offers = root.offers and (self.is_on("UGI_Draw") or self.fault("draw-offered-unasked"))
        if offers:
            self.say("offer draw")
            if self.fault("draw-offered-twice"):
                self.say("offer draw")
            if self.fault("info-behind-offer"):
                self.say("info string a draw is offered")
        if root.resigns and (self.is_on("UGI_Resign") or self.fault("resigns-unasked")):
            best = "resign"
        if self.fault("debug-before-bestmove"):
            self.say("thinking done")
        line = f"bestmove {best}"
        if self.fault("ponder-without-word"):
            line += " ponder" + "".join(f" {word}" for word in root.pv[1:2])
        if self.fault("score-behind-move"):
            line += f" score {root.score}"
        if self.fault("capture-with-sign") and root.captures(best):
            line = f"bestmove {best[:2]}x{best[2:]}"
        if self.fault("bestmove-in-upper-case"):
            line = f"bestmove {best.upper()}"
        self.say(line)
        if self.fault("info-behind-bestmove"):
            self.say(f"info nodes {root.nodes}")
        if self.fault("stopped-search-answers-twice") and self.stopped and root.limits.infinite:
            self.say(line)
        if self.fault("stderr-is-flooded"):
            os.write(2, b"x" * 79 + b"\n")
            for _ in range(1000):
                os.write(2, b"node " * 20 + b"\n")
        if self.fault("ponders"):
            end = time.monotonic() + 2
            while time.monotonic() < end and self.inbox.empty():
                next(self.game.rules.moves(self.game.position), None)

    def drop_stops(self) -> None:
        """The flag is cleared when the search has started, after a moment."""
        time.sleep(0.01)
        while not self.inbox.empty():
            if (words := self.inbox.get()) != ["stop"]:
                self.hear(words)

    def finished_move(self) -> str:
        if self.fault("finished-game-ends-engine"):
            raise SystemExit("there is no move")
        if self.fault("finished-game-gets-a-move"):
            return next(map(self.game.rules.text, self.game.rules.moves(self.game.position)), "0000")
        return "0000"

    def wait_for_stop(self) -> None:
        while not self.stopped:
            self.listen()
            try:
                self.hear(self.inbox.get(timeout=0.25))
            except queue.Empty:
                continue

    def wait_deaf(self) -> None:
        while not self.stopped:
            if self.ending.is_set():
                raise Quit
            if (words := self.inbox.get()) == ["stop"]:
                self.stopped = True
            else:
                self.waiting.append(words)


class Root:
    """One search: alpha-beta, deeper and deeper. The moves of the root are shuffled, so that equal ones take turns."""

    def __init__(self, engine: Engine, limits: Limits, started: float) -> None:
        self.engine, self.limits, self.started, self.fault = engine, limits, started, engine.fault
        self.game, self.rules = engine.game, engine.game.rules
        self.seen = dict(self.game.seen)
        self.nodes = 0
        self.score = 0
        self.pv: list[str] = []
        self.depth = 0
        self.offers = self.resigns = False
        self.most_entries = 1000 * int(engine.values["hash"])

    def elapsed_ms(self) -> float:
        return (time.monotonic() - self.started) * 1000

    def captures(self, word: str) -> bool:
        move = self.rules.parse(word)
        if move is None or len(move) != 2:
            return False
        after = self.rules.play(self.game.position, move).board
        return sum(map(after.count, "adk")) < sum(map(self.game.position.board.count, "adk"))

    def run(self) -> str:
        position = self.game.position
        first = next(self.rules.moves(position))
        budget = self.limits.budget_ms
        if self.engine.is_on("OwnBook") and self.game.plies < 2 and isinstance(self.rules, Callanish):
            return self.book_move(position, first)
        best = first
        try:
            if budget is not None and budget < 10 and not self.fault("first-depth-always"):
                raise Stopped
            moves = self.root_moves(position)
            best = moves[0]
            if self.limits.depth == 0:
                return "0000"
            self.deepen(position, moves)
        except Stopped:
            pass
        if not self.pv:
            if self.fault("stopped-early-finds-nothing"):
                return "0000"
            if self.fault("stale-move-when-late") and self.engine.last_best:
                return self.engine.last_best
            self.pv, self.score = [self.rules.text(best)], self.rules.worth(position)
            self.inform(1)
        if self.fault("best-of-unfinished-depth") and self.unfinished:
            return self.unfinished
        return self.pv[0]

    unfinished = ""

    def book_move(self, position: Position, first: Move) -> str:
        middle = len(position.board) // 2
        move = (middle,) if self.rules.legal(position, (middle,)) else first
        self.pv = [self.rules.text(move)]
        self.inform(1)
        return self.pv[0]

    def root_moves(self, position: Position) -> list[Move]:
        if self.fault("order-of-a-set"):
            words = {self.rules.text(move) for move in self.rules.moves(position)}
            return [move for word in words if (move := self.rules.parse(word))]
        moves = list(self.rules.moves(position))
        random = Random() if self.fault("seed-not-used") else self.engine.random
        random.shuffle(moves)
        return moves

    def deepen(self, position: Position, moves: list[Move]) -> None:
        for depth in range(1, self.limits.depth + 1):
            self.depth, budget = depth, self.limits.budget_ms
            if self.engine.stopped:
                raise Stopped
            if self.depth > 1 and budget is not None and self.elapsed_ms() > budget / 2:
                return
            best, best_move, pv = -MATE - 1, moves[0], [""]
            for move in moves:
                score, line = self.child(position, move, self.depth - 1, 1, -MATE - 1, -best)
                if score > best:
                    best, best_move, pv = score, move, [self.rules.text(move), *line]
                    self.unfinished = pv[0]
                if self.fault("info-for-each-move"):
                    self.engine.say(f"info depth {self.depth} nodes {self.nodes} string {self.rules.text(move)}")
            moves.remove(best_move)
            moves.insert(0, best_move)
            self.score, self.pv = best, pv
            self.resigns = best <= -(MATE - 2)
            self.offers = abs(best) <= 20 and bool(self.rules.repetition) and self.game.plies >= 8
            self.inform(self.depth)
            if abs(best) > MATE - 1000:
                return
            if self.nodes >= (self.limits.nodes or self.nodes + 1):
                return

    def inform(self, depth: int) -> None:
        if self.fault("never-informs"):
            return
        ms = int(self.elapsed_ms())
        left = MATE - abs(self.score)
        if self.fault("mate-in-moves"):
            left = (left + 1) // 2
        sign = -1 if self.fault("score-of-p1") and self.game.position.side == 1 else 1
        sign *= -1 if self.score < 0 else 1
        score = f"mate {sign * left}" if abs(self.score) > MATE - 1000 else f"cp {sign * abs(self.score)}"
        if self.fault("score-in-stones") and "cp" in score:
            score = f"cp {sign * abs(self.score) / 100:.2f}"
        pv = "" if self.resigns and self.engine.is_on("UGI_Resign") else " pv " + " ".join(self.shown_pv())
        line = 0 if self.fault("lines-from-0") else 1
        words = f"multipv {line} score {score} nodes {self.nodes} time {ms} nps {self.nodes * 1000 // max(ms, 1)}"
        if self.fault("info-without-nodes"):
            words = f"multipv {line} score {score} time {ms}"
        if self.fault("time-with-fraction"):
            words = words.replace(f" time {ms} ", f" time {self.elapsed_ms():.3f} ")
        if self.fault("pv-before-score"):
            self.engine.say(f"info depth {depth}{pv} {words}")
        else:
            self.engine.say(f"info depth {depth} {words}{pv}")

    def shown_pv(self) -> list[str]:
        if self.fault("pv-begins-with-reply") and len(self.pv) > 1:
            return self.pv[1:]
        if self.fault("pv-past-the-end") and abs(self.score) > MATE - 1000:
            return [*self.pv, self.pv[0]]
        return self.pv

    def check_limits(self) -> None:
        engine, limits = self.engine, self.limits
        engine.listen()
        if engine.stopped and not self.fault("stop-between-depths"):
            raise Stopped
        if limits.nodes is not None and self.nodes >= limits.nodes and not self.fault("nodes-between-depths"):
            raise Stopped
        if self.fault("first-depth-always") and self.depth == 1:
            return
        if limits.budget_ms is not None and self.elapsed_ms() >= limits.budget_ms:
            raise Stopped
        if limits.depth < DEEPEST and self.nodes >= 100_000 and not self.fault("depth-without-end"):
            raise Stopped

    def child(
        self, position: Position, move: Move, depth: int, ply: int, alpha: int, beta: int
    ) -> tuple[int, list[str]]:
        """The value of a move for the side that plays it, and the best line behind it."""
        self.check_limits()
        after = self.rules.play(position, move)
        self.nodes += 1
        key = self.game.key(after)
        self.seen[key] = self.seen.get(key, 0) + 1
        try:
            outcome = self.rules.outcome(after, position) or self.game.repeated(after, self.seen[key])
            if outcome:
                if outcome.winner is None:
                    return 0, []
                return (MATE - ply if outcome.winner == position.side else ply - MATE), []
            if depth == 0:
                return -self.rules.worth(after), []
            score, line = self.node(after, key, depth, ply, alpha, beta)
            return -score, line
        finally:
            self.seen[key] -= 1

    def node(self, position: Position, key: str, depth: int, ply: int, alpha: int, beta: int) -> tuple[int, list[str]]:
        best, best_line, best_move = -MATE - 1, [""], None
        for move in self.ordered(position, key):
            score, line = self.child(position, move, depth - 1, ply + 1, -beta, -max(alpha, best))
            if score > best:
                best, best_line, best_move = score, [self.rules.text(move), *line], move
            if best >= beta:
                break
        if best_move and len(self.engine.table) < self.most_entries:
            self.engine.table[key] = best_move
        return best, best_line

    def ordered(self, position: Position, key: str) -> Iterator[Move]:
        """The best move of an earlier search comes first."""
        known = self.engine.table.get(key)
        if known is not None and self.rules.legal(position, known):
            yield known
        else:
            known = None
        for move in self.rules.moves(position):
            if move != known:
                yield move


def split_at(words: list[str], word: str) -> tuple[list[str], list[str]]:
    if word not in words:
        return words, []
    at = words.index(word)
    return words[:at], words[at + 1 :]


def truth(value: bool) -> str:
    return "true" if value else "false"


def swapped(word: str) -> str:
    squares = re.findall("[a-y][0-9]+", word)
    return squares[0] + squares[2] + squares[1] if len(squares) == 3 else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--fault", metavar="NAME", help="break the clause that this fault of blind_faults.py stands for"
    )
    sys.setswitchinterval(0.001)
    return Engine(parser.parse_args().fault).run()


def end(status: int) -> None:
    """Threads that wait for input would keep the process alive."""
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    end(main())
