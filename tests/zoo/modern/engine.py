"""The blind engine with the variants, the knobs and the rules of version 1.2."""

from tests.zoo.blind.engine import Engine
from tests.zoo.blind.game import Game
from tests.zoo.blind.rules import Outcome, Position, Rules
from tests.zoo.modern import variants
from tests.zoo.modern.rules import Tafl


class Modern(Engine):
    tafl, knobs_of_tafl, known_knobs = variants.TAFL, variants.DEFAULTS, variants.KNOBS

    def __init__(self, fault_name: str | None) -> None:
        super().__init__(fault_name)
        first, *others = self.options
        self.options = (first._replace(default="scottish", choices=tuple(variants.TAFL)), *others)
        self.values["ugi_variant"] = "scottish"
        self.start_position()

    def make_rules(self, variant: str, knobs: dict[str, str], board: tuple[int, int, str] | None) -> Rules:
        if variant in variants.TAFL:
            return Tafl(variant, knobs, self.fault)
        return super().make_rules(variant, knobs, board)

    def start_position(self) -> None:
        super().start_position()
        self.game = ModernGame(self.game.rules, self.game.position)

    def first_game(self, words: list[str]) -> Game:
        game = super().first_game(words)
        return ModernGame(game.rules, game.position)


class ModernGame(Game):
    def repeated(self, position: Position, times: int) -> Outcome | None:
        rules = self.rules
        assert isinstance(rules, Tafl)
        last = 3 if self.fault("occurrences-are-three") else rules.occurrences
        if times < last:
            return None
        if rules.repetition == "p2-loses" and self.fault("p2-loses-is-a-draw"):
            return Outcome(None, "repetition")
        if rules.repetition == "p2-loses" and not self.fault("p2-loses-if-p2-moved"):
            return Outcome(0, "repetition")
        return Outcome(None if rules.repetition == "draw" else position.side, "repetition")
