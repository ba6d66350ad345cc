"""The handshake, `setoption` and `uginewgame`."""

import re
from random import Random

from tests.zoo.spec.lines import split_at
from tests.zoo.spec.options import Option, read_knobs
from tests.zoo.spec.positions import Positions
from tests.zoo.spec.rules import Impossible, Move


class Handshake(Positions):
    """Announces options, takes their values and begins games."""

    def __init__(self, fault_name: str | None) -> None:
        super().__init__(fault_name)
        self.table: dict[str, Move] = {}
        self.random = Random(1)
        self.handshakes = 0
        self.games = 0

    def shake_hands(self) -> None:
        self.handshakes += 1
        if self.handshakes > 1 and self.fault("identifies-unasked"):
            return
        self.say("id name Spec")
        if self.fault("name-twice"):
            self.say("id name Spec 1.0")
        self.say("id author A. Author")
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
        option = next((option for option in self.options if option.name.lower() == name.lower()), None)
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
            family = {"supply"} if self.values["ugi_variant"] not in self.tafl else set(self.knobs_of_tafl)
            if not set(read_knobs(value, self.known_knobs)) <= family:
                raise Impossible("UGI_Rules has a knob of another variant")
        if self.fault("bad-rules-clear-rules"):
            self.knobs = {}
        if self.fault("rules-are-added"):
            self.knobs = (self.knobs if value else {}) | read_knobs(value, self.known_knobs)
        else:
            self.knobs = read_knobs(value, self.known_knobs)

    def is_on(self, option: str) -> bool:
        return self.values[option.lower()] == "true"

    def new_game(self) -> None:
        self.games += 1
        if not self.fault("table-outlives-game"):
            self.table.clear()
        self.random = Random(int(self.values["seed"]))
        if self.fault("new-game-clears-rules"):
            self.knobs = {}
        self.start_position()
