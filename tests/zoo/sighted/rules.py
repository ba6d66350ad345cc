"""The rules of the blind engine with other faults."""

import re
from collections.abc import Iterator

from tests.zoo.blind import callanish, tafl
from tests.zoo.blind.game import Game
from tests.zoo.blind.rules import Fault, Move, Outcome, Position


class Callanish(callanish.Callanish):
    def __init__(self, width: int, height: int, empty: str, supply: int | None, fault: Fault) -> None:
        if fault("supply-of-one-digit") and supply is not None:
            supply = int(str(supply)[0])
        if fault("supply-is-twenty") and supply is None:
            supply = 20
        super().__init__(width, height, empty, supply, fault)

    def parse(self, word: str) -> Move | None:
        if self.fault("ranks-of-one-digit") and (found := re.findall("[a-y][0-9]+", word)):
            word = "".join(name[:2] for name in found)
        return super().parse(word)

    def jumps(self, s: int) -> tuple[int, ...]:
        found = super().jumps(s)
        file, rank = divmod(s, self.height)
        if self.fault("jumps-short-of-last-file"):
            return tuple(t for t in found if t // self.height < self.width - 1 or self.width < 9)
        if self.fault("jumps-past-the-foot") and rank == 0 and file > 0:
            wrapped = (file - 1) * self.height + self.height - 1
            return tuple(sorted({*found, wrapped})) if self.empty[wrapped] != "*" else found
        return found

    def need(self, where: slice) -> int:
        need = super().need(where)
        holes = self.empty[where].count("*")
        if self.fault("need-rounded-down") and need > 1:
            return (len(self.empty[where]) - holes) // 2
        if self.fault("need-one-less-with-holes") and holes and need > 1:
            return need - 1
        if self.fault("short-lines-do-not-count") and len(self.empty[where]) - holes < 4:
            return 0
        return need

    def targets(self, position: Position, s: int) -> list[int]:
        found = super().targets(position, s)
        if self.fault("covers-no-lone-stone"):
            found = [t for t in found if position.board[t] != callanish.TOP[1 - position.side][0]]
        if self.fault("stone-in-the-way"):
            return [t for t in found if position.board[self.leg(s, t)] in ".*"]
        return found

    def leg(self, s: int, t: int) -> int:
        """The square beside s on the way to t."""
        (file, rank), (to_file, to_rank) = divmod(s, self.height), divmod(t, self.height)
        return (file + int((to_file - file) / 2)) * self.height + rank + int((to_rank - rank) / 2)

    def moves(self, position: Position) -> Iterator[Move]:
        for move in super().moves(position):
            if not (len(move) == 1 and self.forbidden_first(position, move[0])):
                yield move

    def forbidden_first(self, position: Position, s: int) -> bool:
        if self.fault("first-stone-not-on-centre"):
            return s == len(position.board) // 2 and self.width == self.height
        if self.fault("second-stone-not-beside-first"):
            near = (s - 1, s + 1, s - self.height, s + self.height)
            return any(0 <= t < len(position.board) and position.board[t] in "wb" for t in near)
        return False

    def play(self, position: Position, move: Move) -> Position:
        after = super().play(position, move)
        if self.fault("third-stone-covers-nothing") and len(move) == 3 and position.board[move[2]] in "wb":
            cells = list(after.board)
            cells[move[2]] = callanish.TOP[position.side][0]
            return after._replace(board="".join(cells))
        return after

    def next_number(self, position: Position) -> int:
        if self.fault("number-at-most-255"):
            return min(255, super().next_number(position))
        return super().next_number(position)

    def fen(self, position: Position) -> str:
        text = super().fen(position)
        if self.fault("fen-without-covered"):
            return text.replace("W", "w").replace("B", "b")
        return text

    def outcome(self, position: Position, before: Position | None) -> Outcome | None:
        found, side = super().outcome(position, before), position.side
        if self.fault("two-lines-draw") and found and found.reason == "line" and self.holds_line(position, 1 - side):
            return Outcome(None, "line")
        if self.fault("lines-of-p1-first") and found and found.reason == "line" and self.holds_line(position, 0):
            return Outcome(0, "line")
        if self.fault("no-turn-wins") and found and found.reason == "no-turn":
            return Outcome(side, "no-turn")
        if self.fault("out-of-supply-is-draw") and found and found.reason == "no-turn" and self.supply:
            return Outcome(None, "no-turn") if self.out_of_stones(position) else found
        if self.fault("side-without-stones-loses") and before is None and position.number > 1:
            if self.must_place(position) and found is None:
                return Outcome(1 - side, "no-turn")
        if self.fault("full-board-is-draw") and "." not in position.board:
            return Outcome(None, "full")
        return found


class Tafl(tafl.Tafl):
    def __init__(self, variant: str, knobs: dict[str, str], fault: Fault) -> None:
        if fault("two-steps-are-any"):
            knobs = {knob: "any" if value == "2" and knob == "men_steps" else value for knob, value in knobs.items()}
        if fault("escape-always-edge") and variant == "scottish":
            knobs = {knob: value for knob, value in knobs.items() if knob != "escape"}
        super().__init__(variant, knobs, fault)
        if fault("every-corner-is-hostile"):
            self.corner_hostile = True
        if fault("every-centre-is-hostile"):
            self.centre_hostile = True

    def destinations(self, board: str, s: int, stops_matter: bool = True) -> Iterator[int]:
        piece = board[s]
        yield from super().destinations(board, s, stops_matter)
        if self.fault("king-jumps-a-defender") and piece == "k":
            for ray in self.rays[s]:
                if len(ray) > 1 and board[ray[0]] == "d" and board[ray[1]] == "." and ray[1] not in self.barred["k"]:
                    yield ray[1]
        if self.fault("short-steps-jump") and piece == "k" and 1 < self.king_steps < self.width:
            for ray in self.rays[s]:
                if len(ray) > 1 and board[ray[0]] != "." and board[ray[1]] == "." and ray[1] not in self.barred["k"]:
                    yield ray[1]

    def moves(self, position: Position) -> Iterator[Move]:
        for s, t in super().moves(position):
            piece = position.board[s]
            if self.fault("king-stays-beside-attackers") and piece == "k":
                if any(position.board[q] == "a" for q in self.neighbours[t]):
                    continue
            if self.fault("attackers-keep-off-edge-corners") and piece == "a" and t in self.corners:
                continue
            yield s, t

    def hostile(self, cells: list[str], s: int, side: int) -> bool:
        found = super().hostile(cells, s, side)
        if self.fault("centre-hostile-to-attackers-not") and s == self.centre and side == 1:
            return found and cells.count("k") == 0
        return found

    def supports(self, cells: list[str], s: int, side: int) -> bool:
        if self.fault("own-king-is-hostile") and s >= 0 and side == 0 and cells[s] == "k":
            return True
        if self.fault("armed-king-needs-a-man") and side == 1 and s >= 0 and self.mover_is_king:
            return cells[s] == "d"
        if self.fault("hostile-corner-spares-king") and s in self.corners and side == 0 and self.taking_king:
            return cells[s] == "a"
        if self.fault("hostile-centre-spares-king") and s == self.centre and side == 0 and self.taking_king:
            return cells[s] == "a"
        return super().supports(cells, s, side)

    mover_is_king = False
    taking_king = False

    def captured_men(self, cells: list[str], t: int, side: int) -> list[int]:
        self.mover_is_king, self.taking_king = cells[t] == "k", False
        taken = super().captured_men(cells, t, side)
        if self.fault("captures-one-only"):
            return taken[:1]
        if self.fault("no-capture-on-the-edge"):
            return [e for e in taken if len(self.neighbours[e]) == 4]
        if self.fault("no-capture-beside-last-file"):
            return [e for e in taken if e // self.height != self.width - 2]
        if self.fault("no-capture-downwards"):
            return [e for e in taken if e != t - 1]
        if self.fault("king-beside-saves-men"):
            return [e for e in taken if cells[e] != "d" or all(cells[q] != "k" for q in self.neighbours[e])]
        if self.fault("first-captures-second") and len(taken) > 1:
            return [e for e in taken if e != max(taken)]
        return taken

    def king_captured(self, cells: list[str], t: int) -> bool:
        self.taking_king = True
        king = cells.index("k")
        near = self.neighbours[king]
        taken = super().king_captured(cells, t)
        if self.fault("defenders-close-in-too") and self.king_captured_by == "four" and t in near and len(near) == 4:
            return taken or all(cells[q] in "ad" for q in near)
        if self.fault("four-need-only-three") and self.king_captured_by == "four" and t in near and len(near) == 4:
            return taken or sum(cells[q] == "a" for q in near) >= 3
        if self.fault("armed-king-not-by-two") and self.king_captured_by == "two" and self.armed:
            return taken and sum(cells[q] == "a" for q in near) > 2
        if self.fault("king-not-taken-on-edge"):
            return taken and len(near) == 4
        if self.fault("men-first-then-king") and taken:
            return not self.captured_men(cells, t, 0)
        return taken

    def outcome(self, position: Position, before: Position | None) -> Outcome | None:
        board = position.board
        found = super().outcome(position, before)
        if self.fault("bare-king-loses") and found is None and "d" not in board:
            return Outcome(0, "bare")
        if self.fault("one-attacker-loses") and found is None and board.count("a") < 2:
            return Outcome(1, "bare")
        if self.fault("escape-wins-next-turn") and found and found.reason == "king-escaped" and position.side == 0:
            return None if any(True for _ in self.moves(position)) else found
        if self.fault("king-move-is-no-move") and found is None and position.side == 1:
            if all(board[s] == "k" for s, _ in self.moves(position)):
                return Outcome(0, "no-move")
        if self.fault("no-move-draw-for-p2-only") and found and found.reason == "no-move" and position.side == 0:
            return Outcome(1, "no-move")
        return found

    def fen(self, position: Position) -> str:
        text = super().fen(position)
        if self.fault("fen-side-of-mover"):
            return re.sub(r" p([12]) ", lambda found: f" p{3 - int(found[1])} ", text)
        return text


class SightedGame(Game):
    def key(self, position: Position) -> str:
        board, rules = position.board, self.rules
        if self.fault("king-is-like-a-man-in-repetition"):
            board = board.replace("k", "d")
        if self.fault("mirrored-is-repeated"):
            height = rules.height
            files = [board[at : at + height] for at in range(0, len(board), height)]
            board = min(board, "".join(reversed(files)))
        if self.fault("attackers-alone-repeat"):
            board = board.replace("d", ".").replace("k", ".")
        return f"{board} {position.side}"

    def repeated(self, position: Position, times: int) -> Outcome | None:
        if self.fault("second-time-is-enough") and self.rules.repetition and times == 2:
            times = 3
        if self.fault("fourth-time-is-needed") and times == 3:
            return None
        if self.fault("repetition-of-p2-only") and position.side == 0:
            return None
        if self.fault("repetition-within-50") and self.keys[-50:].count(self.key(position)) < min(3, times):
            return None
        if self.fault("repetition-after-captures-only") and position.board.count("a") == self.rules.start().board.count(
            "a"
        ):
            return None
        return super().repeated(position, times)
