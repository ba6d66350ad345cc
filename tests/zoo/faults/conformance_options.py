"""Faults that the conformance checks find: options."""

from typing import ClassVar

from tests.zoo.faults.conformance_talk import NonConformant
from tests.zoo.faults.fault import fault_like
from tests.zoo.game_state import BadRequest


class _OneOption(NonConformant, abstract=True):
    """Announces one more option, which does nothing."""

    more: ClassVar[str] = ""

    def announced(self) -> list[str]:
        return [*super().announced(), self.more]

    def on_setoption(self, words: list[str]) -> None:
        if [word.lower() for word in words[1:2]] == [self.more.split()[0].lower()]:
            self.set_more(words[3:])
        else:
            super().on_setoption(words)

    def set_more(self, value: list[str]) -> None:
        """Called when this option is set."""


OptionWithoutType = fault_like(
    _OneOption, "option-without-type", "Announces an option that has no type.", more="Style default solid"
)
DefaultOutOfRange = fault_like(
    _OneOption,
    "default-out-of-range",
    "Announces an option whose default is below its least value.",
    more="Level type spin default 0 min 1 max 9",
)
OptionTwice = fault_like(
    _OneOption,
    "option-twice",
    "Announces an option twice, in other letter case.",
    more="UGI_DRAW type check default true",
)


OwnBook = fault_like(
    _OneOption,
    "own-book",
    "Announces an option OwnBook that is true by default.",
    more="OwnBook type check default true",
)


class SmallSeed(NonConformant):
    """Takes seeds up to 1000 only."""

    def announced(self) -> list[str]:
        return [
            "Seed type spin default 0 min 0 max 1000" if option.startswith("Seed ") else option
            for option in super().announced()
        ]


class DiesOfEmpty(_OneOption):
    """Ends when the empty string is set, which is the default."""

    more = "Book type string default <empty>"

    def set_more(self, value: list[str]) -> None:
        if value == ["<empty>"]:
            self.die()


class DiesOfMaximum(_OneOption):
    """Ends when an option is set to the most that it announced."""

    more = "Hash type spin default 16 min 1 max 256"

    def set_more(self, value: list[str]) -> None:
        if value == ["256"]:
            self.die()


class DiesOfBadValue(NonConformant):
    """Ends when an option is set to something that is no value of it."""

    def on_setoption(self, words: list[str]) -> None:
        try:
            super().on_setoption(words)
        except BadRequest as error:
            if "takes a whole number" in str(error):
                self.die()
            raise


class CasesMatter(NonConformant):
    """Knows its options in its own letter case only."""

    def on_setoption(self, words: list[str]) -> None:
        if words[1:2] and words[1] not in {option.split()[0] for option in self.announced()}:
            raise BadRequest(f"there is no option {words[1]}")
        super().on_setoption(words)


class EchoesOptions(NonConformant):
    """Answers when its Seed is set."""

    def on_setoption(self, words: list[str]) -> None:
        super().on_setoption(words)
        if "Seed" in words:
            self.say("Seed", "is set")


class FirstVariantOnly(NonConformant):
    """Keeps to the first variant that it is told."""

    told = False

    def on_setoption(self, words: list[str]) -> None:
        variant = [word.lower() for word in words[1:2]] == ["ugi_variant"]
        if not (variant and self.told):
            super().on_setoption(words)
        self.told = self.told or variant


class IgnoresRules(NonConformant):
    """Announces UGI_Rules and does not heed it."""

    def on_setoption(self, words: list[str]) -> None:
        if words[1:2] != ["UGI_Rules"]:
            super().on_setoption(words)


class OptionsAtStart(NonConformant):
    """Heeds no option after its third `uginewgame`."""

    games = 0

    def on_newgame(self) -> None:
        self.games += 1
        super().on_newgame()

    def on_setoption(self, words: list[str]) -> None:
        if self.games < 3:
            super().on_setoption(words)
