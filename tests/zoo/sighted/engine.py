"""The dialogue and the search of the blind engine with other faults."""

import os
import re
import subprocess
import threading
import time
from collections.abc import Callable
from random import Random

from tests.zoo.blind import callanish, tafl
from tests.zoo.blind.engine import Engine
from tests.zoo.blind.game import Game
from tests.zoo.blind.limits import Limits
from tests.zoo.blind.lines import COMMANDS, Stopped, split_at
from tests.zoo.blind.options import Option
from tests.zoo.blind.queries import swapped
from tests.zoo.blind.rules import Impossible, Position, Rules
from tests.zoo.blind.search import MATE, Root
from tests.zoo.sighted.rules import Callanish, SightedGame, Tafl


class Sighted(Engine):
    def __init__(self, fault_name: str | None) -> None:
        super().__init__(fault_name)
        self.searches = 0
        self.kept: list[bytes] = []
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
        if self.fault("unknown-line-is-answered") and words[0] not in COMMANDS:
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
            name, value = split_at(words[1:], "value")
            if name and name[-1].lower() == "hash":
                self.values["hash"] = str(int(" ".join(value)))
                return
        super().set_option(words)

    def take_value(self, option: Option, value: str) -> None:
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

    def make_rules(self, variant: str, knobs: dict[str, str], board: tuple[int, int, str] | None) -> Rules:
        made = super().make_rules(variant, knobs, board)
        if isinstance(made, tafl.Tafl):
            return Tafl(variant, knobs, self.fault)
        assert isinstance(made, callanish.Callanish)
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
        moves = split_at(words, "moves")[1]
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
        if self.fault("none-when-lost") and root.score < -MATE // 2:
            best = "(none)"
        if self.fault("dash-in-move") and len(best) == 4:
            best = f"{best[:2]}-{best[2:]}"
        if self.fault("blank-in-move") and len(best) == 4:
            best = f"{best[:2]} {best[2:]}"
        if self.fault("targets-descend") and (other := swapped(best)):
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
                raise Stopped
            if self.elapsed_ms() > self.limits.budget_ms:
                time.sleep(0.1 - self.elapsed_ms() % 100 / 1000)
                raise Stopped
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
