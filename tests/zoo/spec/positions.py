"""The variant, its rules, and the game that `position` sets up."""

import re
import time

from tests.zoo.spec.callanish import Callanish
from tests.zoo.spec.game import Game
from tests.zoo.spec.lines import Lines, split_at
from tests.zoo.spec.options import all_options
from tests.zoo.spec.rules import FILES, Impossible, Position, Rules, read_rows
from tests.zoo.spec.tafl import Tafl
from tests.zoo.spec.variants import CORNERS, KNOBS, SCOTTISH, TAFL


class Positions(Lines):
    """Hears `position`."""

    tafl, knobs_of_tafl, known_knobs = TAFL, SCOTTISH, KNOBS

    def __init__(self, fault_name: str | None) -> None:
        super().__init__(fault_name)
        self.options = all_options(self.fault)
        self.values = {option.name.lower(): option.default for option in self.options}
        self.knobs: dict[str, str] = {}
        self.known_rules: dict[str, Rules] = {}
        self.unready = False
        self.start_position()

    def rules(self, board: tuple[int, int, str] | None) -> Rules:
        """The rules of the variant set. `board` is what a position string draws."""
        variant = self.values["ugi_variant"]
        family = set(self.knobs_of_tafl) if variant in self.tafl else {"supply"}
        knobs = {knob: value for knob, value in self.knobs.items() if knob in family}
        key = f"{variant} {knobs} {board if variant == 'callanish' else None}"
        if key not in self.known_rules:
            if len(self.known_rules) > 50:
                self.known_rules.clear()
            self.known_rules[key] = self.make_rules(variant, knobs, board)
        return self.known_rules[key]

    def make_rules(self, variant: str, knobs: dict[str, str], board: tuple[int, int, str] | None) -> Rules:
        if variant in self.tafl:
            return Tafl(variant, knobs, self.fault)
        supply = int(knobs["supply"]) if "supply" in knobs else None
        if board and variant == "callanish":
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
        family = set(self.knobs_of_tafl) if self.values["ugi_variant"] in self.tafl else {"supply"}
        if strange := set(self.knobs) - family:
            self.say(f"error {min(strange)} is no knob of this variant, so it is not used")
        try:
            self.read_position(words)
        except Impossible as why:
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
        tafl = self.values["ugi_variant"] in self.tafl
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
        return Game(rules, Position(board, int(words[2] == "p2"), int(number)), seen)

    def check_king(self, rules: Tafl, board: str) -> None:
        kings = board.count("k")
        if kings != 1:
            raise Impossible("a position has one king")
        if board.index("k") in rules.escapes and not self.fault("escaped-king-taken"):
            raise Impossible("the king has escaped")
