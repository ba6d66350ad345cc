"""The engine of blind.py with other faults, which were written by somebody who knows the checks.

They are what real engines get wrong, and what the checks are said to find. `--fault NAME` names one of the faults of
sighted_faults.py. Without it the engine is conformant, as that of blind.py is. Each fault changes one method.
"""

import argparse
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from random import Random

from tests.zoo.mutants import blind
from tests.zoo.mutants.blind import Game, Impossible, Limits, Move, Outcome, Position, Root

# Rules


class Callanish(blind.Callanish):
    def __init__(self, width: int, height: int, empty: str, supply: int | None, fault: blind.Fault) -> None:
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
            found = [t for t in found if position.board[t] != blind.TOP[1 - position.side][0]]
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
            cells[move[2]] = blind.TOP[position.side][0]
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


class Tafl(blind.Tafl):
    def __init__(self, variant: str, knobs: dict[str, str], fault: blind.Fault) -> None:
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


# The engine


class Sighted(blind.Engine):
    def __init__(self, fault_name: str | None) -> None:
        super().__init__(fault_name)
        self.searches = 0
        self.asked_results: dict[str, str] = {}
        changes = {
            "seed-to-1000": ("Seed", {"high": 1000}),
            "seed-from-1": ("Seed", {"low": 1}),
            "spin-with-empty-default": ("Hash", {"default": ""}),
            "default-out-of-range": ("Hash", {"default": "4096"}),
            "check-is-on": ("OwnBook", {"default": "on"}),
        }
        if fault_name in changes:
            name, change = changes[fault_name]
            self.options = tuple(o._replace(**change) if o.name == name else o for o in self.options)  # type: ignore[arg-type]

    # Lines

    def say(self, text: str) -> None:
        super().say(self.change(text))

    change: Callable[[str], str] = staticmethod(str)

    def write(self, line: bytes) -> None:
        if self.fault("nul-behind-line"):
            line = line.replace(b"\n", b"\0\n")
        if self.fault("info-without-newline") and line.startswith(b"info depth 1"):
            line = line.replace(b"\n", b" ")
        if self.fault("latin-author") and line.startswith(b"id author"):
            line = "id author José Núñez\n".encode("latin-1")
        if self.fault("infos-are-flooded") and line.startswith(b"info depth 1 "):
            line *= 400
        if self.fault("line-of-70000") and line.startswith(b"info depth 2 "):
            line = b"info string " + b"x" * 70_000 + b"\n" + line
        super().write(line)

    def take_line(self, line: bytes) -> bool:
        if self.fault("line-of-8192"):
            line = line[:8192]
        if self.fault("long-line-ends-engine") and len(line) > 10_000:
            os._exit(1)
        if self.fault("echoes-its-input"):
            self.say(line.decode("ascii", "replace"))
        if self.fault("two-blanks-are-a-word") and b"  " in line.strip():
            return True
        if self.fault("trailing-blank-kept") and line.endswith(b" "):
            return True
        return super().take_line(line)

    def obey(self, words: list[str]) -> None:
        if self.fault("unknown-line-is-answered") and words[0] not in blind.COMMANDS:
            self.say("readyok")
        if self.fault("gameover-ends-engine") and words[0] == "gameover":
            raise SystemExit("the game is over")
        if self.fault("quit-needs-new-game") and words[0] == "ugi":
            super().obey(words)
            while self.inbox.get()[:1] == ["quit"]:
                pass
            return
        super().obey(words)

    def run(self) -> int:
        if self.fault("child-stays"):
            subprocess.Popen(["sleep", "20"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=2)
        if self.fault("polls-its-input"):
            threading.Thread(target=self.poll, daemon=True).start()
        return super().run()

    def poll(self) -> None:
        while True:
            for _ in range(20_000):
                self.inbox.empty()
            time.sleep(0.001)

    def ready(self, words: list[str]) -> None:
        if self.fault("ready-after-bestmove-only") and self.searches == 0 and self.game.plies > 20:
            return
        super().ready(words)

    def hear(self, words: list[str]) -> None:
        if self.fault("ready-once-in-search") and words == ["isready"] and self.searching:
            if self.answered_in_search:
                return
            self.answered_in_search = True
        if self.fault("option-in-search-ends-engine") and words[0] == "setoption" and self.searching:
            raise SystemExit("not now")
        super().hear(words)

    answered_in_search = False

    # Options and games

    def shake_hands(self) -> None:
        if self.fault("version-before-name"):
            self.say("Sighted 1.0 by A. Author")
        super().shake_hands()
        if self.fault("ready-with-ugiok"):
            self.say("readyok")

    def set_option(self, words: list[str]) -> None:
        if self.fault("option-by-last-word"):
            name, value = blind.split_at(words[1:], "value")
            if name and name[-1].lower() == "hash":
                self.values["hash"] = str(int(" ".join(value)))
                return
        super().set_option(words)

    def take_value(self, option: blind.Option, value: str) -> None:
        if self.fault("most-is-one-too-many") and option.kind == "spin" and value == str(option.high):
            raise SystemExit("out of range")
        if self.fault("check-as-number") and option.kind == "check":
            int(value)
        if self.fault("rules-in-order-only") and option.name == "UGI_Rules" and "=" in value:
            value = " ".join(pair for pair in value.split() if pair.partition("=")[0] != "no_move")
        super().take_value(option, value)

    def new_game(self) -> None:
        variant = self.values["ugi_variant"]
        super().new_game()
        if self.fault("new-game-is-default-game"):
            self.values["ugi_variant"] = self.options[0].default
            self.start_position()
        if self.fault("ten-games-at-most") and self.games > 10:
            raise SystemExit("too many games")
        if self.fault("leaks-each-game"):
            self.kept.append(b"x" * 3_000_000)
        if self.fault("seed-and-time"):
            self.random = Random(f"{self.values['seed']} {time.monotonic_ns()}")
        if self.fault("ninth-variant-is-first") and variant == "sea-battle-9":
            self.values["ugi_variant"] = "brandub"
            self.start_position()

    @property
    def kept(self) -> list[bytes]:
        return self.__dict__.setdefault("_kept", [])  # type: ignore[no-any-return]

    def make_rules(self, variant: str, knobs: dict[str, str], board: tuple[int, int, str] | None) -> blind.Rules:
        made = super().make_rules(variant, knobs, board)
        if isinstance(made, blind.Tafl):
            return Tafl(variant, knobs, self.fault)
        assert isinstance(made, blind.Callanish)
        return Callanish(made.width, made.height, made.empty, made.supply, self.fault)

    # Positions

    def start_position(self) -> None:
        super().start_position()
        self.game = SightedGame(self.game.rules, self.game.position)

    def first_game(self, words: list[str]) -> Game:
        if self.fault("number-of-two-digits") and len(words) == 4 and len(words[3]) > 2:
            words = [*words[:3], words[3][-2:].lstrip("0") or "1"]
        if self.fault("number-of-three-digits") and len(words) == 4 and len(words[3]) > 3:
            raise Impossible("the turn number is too great")
        if self.fault("side-lost-with-moves") and words[:1] == ["fen"] and self.with_moves:
            words = [*words[:2], "p1", *words[3:]]
        game = super().first_game(words)
        return SightedGame(game.rules, game.position)

    with_moves = False

    def read_position(self, words: list[str]) -> None:
        moves = blind.split_at(words, "moves")[1]
        self.with_moves = bool(moves)
        if self.fault("same-length-is-the-same") and moves and len(moves) == len(self.game_words):
            return
        if self.fault("shorter-list-is-old") and moves and len(moves) < len(self.game_words):
            return
        if self.fault("empty-moves-end-engine") and words[-1:] == ["moves"]:
            raise SystemExit("no moves")
        if self.fault("at-most-300-moves") and len(moves) > 300:
            raise SystemExit("too many moves")
        if self.fault("last-move-not-played") and len(moves) > 60:
            words = words[:-1]
        if self.fault("bad-board-ends-engine") and words[:1] == ["fen"] and "/" not in words[1]:
            raise SystemExit("no rows")
        if self.fault("short-row-is-filled") and words[:1] == ["fen"]:
            self.check_rows(words[1])
        super().read_position(words)

    def check_rows(self, text: str) -> None:
        widths = [sum(int(p) if p.isdigit() else 1 for p in re.findall("[0-9]+|.", row)) for row in text.split("/")]
        if len(set(widths)) > 1:
            raise SystemExit("index out of range")

    def set_position(self, words: list[str]) -> None:
        if self.fault("position-takes-40"):
            time.sleep(0.04)
        if self.fault("illegal-move-passes-silently"):
            try:
                self.read_position(words)
            except Impossible:
                return
            return
        super().set_position(words)

    # Queries

    def answer(self, words: list[str]) -> str:
        key = f"{self.game.position.board} {self.game.position.side}"
        if self.fault("result-is-remembered") and words == ["result"]:
            return self.asked_results.setdefault(key, super().answer(words))
        if self.fault("answers-without-response") and words == ["p1turn"]:
            return super().answer(words).removeprefix("response ")
        if self.fault("fen-of-the-start") and words == ["fen"] and self.game.plies > 100:
            return f"response {self.game.rules.fen(self.game.rules.start())}"
        if self.fault("islegal-empty-ends-engine") and words == ["islegal"]:
            return words[1]
        return super().answer(words)

    def legal_moves(self) -> str:
        text = super().legal_moves()
        if self.fault("at-most-64-moves"):
            words = text.split()[1:65]
            return " ".join([str(len(words)), *words])
        if self.fault("count-is-of-pieces"):
            words = text.split()[1:]
            return " ".join([str(len({word[:2] for word in words})), *words])
        return text

    def is_legal(self, word: str) -> bool:
        if self.fault("islegal-for-either-side"):
            game = self.game
            move = game.rules.parse(word)
            other = game.position._replace(side=1 - game.position.side)
            if move and not game.outcome and game.rules.legal(other, move):
                return True
        if self.fault("islegal-by-form") and self.game.rules.parse(word) and not self.game.outcome:
            return len(word) > 3
        return super().is_legal(word)

    def perft(self, position: Position, before: Position | None, depth: int) -> int:
        if self.fault("perft-past-the-end") and depth == 1 and before is not None:
            return sum(1 for _ in self.game.rules.moves(position))
        if self.fault("perft-of-start") and before is None and self.game.plies:
            position = self.game.rules.start()
        return super().perft(position, before, depth)

    # The search

    def clock_limits(self, given: dict[str, int]) -> Limits | None:
        limits = super().clock_limits(given)
        side = self.game.position.side + 1
        left = given.get(f"p{side}time", 0)
        if limits is None or limits.budget_ms is None:
            return limits
        if self.fault("at-least-200-ms"):
            return self.slept(max(200, limits.budget_ms))
        if self.fault("at-least-30-ms"):
            return self.slept(max(30, limits.budget_ms))
        if self.fault("slow-after-ply-60") and self.game.plies > 60:
            return self.slept(800)
        if self.fault("all-before-last-of-period") and given.get("movestogo", 9) <= 2:
            return self.slept(left + 60)
        if self.fault("period-is-one-move-short") and "movestogo" in given:
            return self.slept(left / max(1, given["movestogo"] - 1) + 20)
        if self.fault("clock-of-the-other"):
            return self.slept(given.get(f"p{3 - side}time", left) / 30)
        if self.fault("no-time-is-no-limit") and left <= int(self.values["move overhead"]):
            return Limits()
        if self.fault("short-clock-ends-engine") and left < 20:
            raise SystemExit(f"{1 // max(0, left - 20)} ms")
        if self.fault("whole-clock-with-increment") and given.get(f"p{side}inc", 0) > 0:
            return self.slept(left + given[f"p{side}inc"] / 2)
        return limits

    least_ms = 0.0

    def slept(self, ms: float) -> Limits:
        """A move that takes so long on a busy machine, too: nobody keeps a CPU from an engine that sleeps."""
        self.least_ms = ms
        return Limits(budget_ms=ms / 2)

    def read_limits(self, words: list[str]) -> Limits:
        if self.fault("short-movetime-ends-engine") and words[:2] == ["movetime", "1"]:
            raise SystemExit("division by zero")
        if self.fault("nodes-are-thousands") and words[:1] == ["nodes"] and words[1:2] and words[1].isdigit():
            words = ["nodes", str(1000 * int(words[1]))]
        if self.fault("depth-at-most-2") and words[:1] == ["depth"] and words[1:2] and words[1].isdigit():
            words = ["depth", str(min(2, int(words[1])))]
        if self.fault("infinite-is-a-second") and words == ["infinite"]:
            return Limits(budget_ms=1000)
        limits = super().read_limits(words)
        if self.fault("movetime-is-doubled") and words[:1] == ["movetime"] and limits.budget_ms:
            return self.slept(2 * limits.budget_ms + 60)
        return limits

    def go(self, words: list[str]) -> None:
        self.searches += 1
        self.answered_in_search = False
        if self.fault("first-search-loads-tables") and self.searches == 1:
            time.sleep(1.2)
        if self.fault("each-game-loads-tables") and self.game.plies < 2 and words[:1] != ["nodes"]:
            time.sleep(0.4)
        self.least_ms = 0
        super().go(words)

    def new_root(self, limits: Limits, started: float) -> Root:
        return SightedRoot(self, limits, started)

    def finish(self, root: Root, best: str) -> None:
        if self.fault("none-when-lost") and root.score < -blind.MATE // 2:
            best = "(none)"
        if self.fault("dash-in-move") and len(best) == 4:
            best = f"{best[:2]}-{best[2:]}"
        if self.fault("blank-in-move") and len(best) == 4:
            best = f"{best[:2]} {best[2:]}"
        if self.fault("targets-descend") and (other := blind.swapped(best)):
            best = other
        if self.fault("stop-needs-3-s") and self.stopped:
            time.sleep(3)
        if self.fault("move-of-ply-before") and self.game.plies > 40 and self.last_move:
            best = self.last_move
        self.last_move = best
        time.sleep(max(0, self.least_ms - root.elapsed_ms()) / 1000)
        super().finish(root, best)
        if self.fault("offer-behind-bestmove") and self.game.plies > 4:
            self.say("offer draw")
        if self.fault("late-info"):
            time.sleep(0.02)
            self.say("info string done")

    last_move = ""


class SightedRoot(Root):
    def check_limits(self) -> None:
        if self.fault("clock-every-100-ms") and self.limits.budget_ms is not None:
            self.engine.listen()
            if self.engine.stopped:
                raise blind.Stopped
            if self.elapsed_ms() > self.limits.budget_ms:
                time.sleep(0.1 - self.elapsed_ms() % 100 / 1000)
                raise blind.Stopped
            return
        super().check_limits()

    def inform(self, depth: int) -> None:
        engine = self.engine
        assert isinstance(engine, Sighted)
        engine.change = self.changed
        super().inform(depth)
        engine.change = str

    def changed(self, line: str) -> str:
        if self.fault("mate-without-sign"):
            return line.replace("score mate -", "score mate ")
        if self.fault("time-in-seconds"):
            return re.sub(r" time (\d+)", lambda found: f" time {int(found[1]) // 1000}", line)
        if self.fault("nodes-are-negative"):
            return re.sub(r" nodes (\d+)", r" nodes -\1", line)
        if self.fault("score-without-kind"):
            return line.replace("score cp ", "score ")
        if self.fault("pv-in-capitals"):
            head, _, pv = line.partition(" pv ")
            return f"{head} pv {pv.upper()}" if pv else line
        if self.fault("pv-of-own-moves"):
            head, _, pv = line.partition(" pv ")
            return f"{head} pv {' '.join(pv.split()[::2])}" if pv else line
        if self.fault("depth-is-left-out"):
            return re.sub(r"depth \d+ ", "", line)
        if self.fault("nps-is-infinite"):
            return re.sub(r"nps \d+", "nps inf", line)
        if self.fault("score-of-opponent"):
            return re.sub(r"score cp (-?)(\d+)", lambda f: f"score cp {'' if f[1] else '-'}{f[2]}", line)
        return line


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fault", metavar="NAME", help="do what this fault of sighted_faults.py says")
    sys.setswitchinterval(0.001)
    return Sighted(parser.parse_args().fault).run()


if __name__ == "__main__":
    blind.end(main())
