"""Random positions and lines of play for the comparison of an engine's rules with ours, by theme.

One seed gives the same cases for ever. Every position is one that its variant allows, and a man never stands where he
may not stop. What is true of a case is for `arena.games` to say.
"""

import contextlib
import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.conformance.judge.fuzz_callanish import CALLANISH
from arena.conformance.judge.fuzz_formations import formations
from arena.conformance.judge.fuzz_tafl import CLOSED_IN, TAFL
from arena.conformance.judge.fuzz_walks import circle, shuttle, walk
from arena.games.callanish.rules import CallanishRules
from arena.games.game import Game
from arena.games.rules import Rules, RulesError
from arena.games.tafl.rules import TaflRules
from arena.games.tafl.variants import OPTION_VALUES
from arena.games.variants import find

_EPOCH = 5
"""So many cases in a row have the same rule options, since it takes time to set them."""
_STEPS = ("1", "2", "3", "5", "10", "any")
_TRIES = 60
_SINCE_1_2: Mapping[str, tuple[str, ...]] = {
    "king_captured_by": ("four-two", "all-sides"),
    "centre_pass": ("king", "nobody"),
    "centre_hostile": ("always",),
    "camps": ("yes",),
    "shieldwall": ("corner", "yes"),
    "encirclement": ("wins",),
    "fort": ("wins",),
    "repetition": ("p2-loses",),
    "occurrences": ("2",),
}
"""The values of rule options that version 1.1 of SPEC.md did not have (E.4)."""
OptionValues = Mapping[str, Sequence[str]]
"""The values of each rule option that an engine can be told."""
_VALUES_OF_1_1: OptionValues = {
    name: older
    for name, values in OPTION_VALUES.items()
    if len(older := [value for value in values if value not in _SINCE_1_2.get(name, ())]) > 1
}


class FuzzCase(NamedTuple):
    """A random line of play. The variant's name carries the rule options."""

    variant: str
    fen: str
    moves: tuple[str, ...]
    theme: str


def option_values(variants: Iterable[str]) -> OptionValues:
    """The values that an engine of these variants must know: those of SPEC.md 1.2 if a variant has one of them."""
    options = [rules.options for name in variants if isinstance(rules := find(name), TaflRules)]
    newer = any(getattr(each, name) in values for each in options for name, values in _SINCE_1_2.items())
    return OPTION_VALUES if newer else _VALUES_OF_1_1


def fuzz_cases(variant: str, seed: int, known: OptionValues) -> Iterator[FuzzCase]:
    """Cases without end. The rule options change among the known values, too."""
    chance = random.Random(f"fuzz {variant} {seed}")
    rules = own = find(variant)
    for number in itertools.count():
        epoch = number // _EPOCH
        if known and own.own is None and number % _EPOCH == 0:
            # Who knows the newer values hears of them in every second epoch, so that the older ones keep a share.
            rules = own if epoch % 4 == 0 else _changed(own, chance, known if epoch % 2 else _VALUES_OF_1_1)
        case = _case(rules, number, chance)
        if case is not None:
            yield case


def _changed(rules: Rules, chance: random.Random, known: OptionValues) -> Rules:
    """The variant with some rule options drawn at random."""
    if isinstance(rules, CallanishRules):
        return find(rules.base, f"supply={chance.choice((1, 2, 3, 4, 6, 9, 12, 20, 100))}")
    for _ in range(_TRIES):
        # Half of the time all of them: some rules show only where two or three others are changed as well.
        count = chance.choice((1, 2, 4, *[len(known)] * 3))
        names = chance.sample(sorted(known), count)
        values = {name: chance.choice(_STEPS if name.endswith("_steps") else known[name]) for name in names}
        if "centre_stop" in values and values.get("king_captured_by") == "four-three-two" and chance.random() < 0.5:
            values["centre_stop"] = "any"  # only then can a man on the centre count against the king
        with contextlib.suppress(RulesError):  # some options do not go together
            return find(rules.base, " ".join(f"{name}={value}" for name, value in values.items()))
    return rules


def _case(rules: Rules, number: int, chance: random.Random) -> FuzzCase | None:
    themes = TAFL if isinstance(rules, TaflRules) else CALLANISH
    made = formations(rules.options) if isinstance(rules, TaflRules) else {}
    if made and number % 3:
        themes = made
        theme = chance.choice(tuple(made))
    elif (
        isinstance(rules, TaflRules)
        and rules.options.king_captured_by != "two"
        and (chance.random() < 0.4 if made else number % 3)
    ):
        # Few other positions show how many attackers a king needs, and which of the squares beside him count.
        theme = CLOSED_IN
    else:
        theme = chance.choice(tuple(themes)) if made else tuple(themes)[number % len(themes)]
    for _ in range(_TRIES):
        try:
            fen, moves = themes[theme](rules, chance)
            game = Game(rules, rules.parse(fen))
            for word in moves.split():
                if game.outcome is None:
                    game.play(word)
        except RulesError:
            continue
        if "circle" in theme:
            circle(game, chance)
        elif "repetition" in theme:
            shuttle(game, chance)
        else:
            walk(game, chance)
        if chance.random() < 0.15:
            fen = fen.rpartition(" ")[0]  # a position string may come without its turn number
        elif chance.random() < 0.3:
            fen = f"{fen.rpartition(' ')[0]} {chance.choice((chance.randint(2, 300), 999, 1000, 70_000))}"
        return FuzzCase(rules.name, fen, tuple(game.moves), theme)
    return None
