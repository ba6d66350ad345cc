"""The variants by name: what a user writes as a name, and the rules that it stands for.

A name is a variant, or a variant with changed rule options, such as `scottish:king_armed=yes,king_steps=2`. The boards
of Callanish are listed here, the tafl variants in `arena.games.tafl_variants`.
"""

import re
from difflib import get_close_matches

from arena.games.callanish import CallanishRules
from arena.games.callanish_board import Shape
from arena.games.rules import Position, Rules, UnknownVariant
from arena.games.tafl import TaflRules
from arena.games.tafl_variants import OPTION_VALUES, STEPS, TAFL

ANY_BOARD = "callanish"
"""The variant of every drawn board. Without a position string it is the variant `DEFAULT`."""
DEFAULT = "callanish-9"

CORNERS = Shape(9, 9, frozenset("a1 a2 b1 h1 i1 i2 a8 a9 b9 h9 i8 i9".split()))

CALLANISH: dict[str, Shape] = {
    ANY_BOARD: Shape(9, 9),
    "callanish-corners": CORNERS,
    **{f"callanish-{side}": Shape(side, side) for side in range(5, 26, 2)},
}

_SUPPLY = re.compile(r"[1-9][0-9]{0,3}")


def names() -> tuple[str, ...]:
    """All variants that have a name of their own, Callanish first."""
    return (*CALLANISH, *TAFL)


def find(name: str, options: str = "") -> Rules:
    """The rules of a variant.

    `name` is `variant` or `variant:option=value,...`. `options` are more such pairs, separated by blanks or commas.
    Raises UnknownVariant, with the nearest names if some are near.
    """
    base, _, more = name.strip().partition(":")
    wanted = _read_options(base, f"{more} {options}")
    if base in CALLANISH:
        return _callanish(base, wanted)
    if base in TAFL:
        return _tafl(base, wanted)
    raise UnknownVariant(f"there is no variant {base!r}{_near(base, names())}")


def resolve(name: str, options: str = "", fen: str | None = None) -> tuple[Rules, Position]:
    """The rules that a game is played and recorded under, and the position it starts from.

    Without a position string the variant `callanish` is `callanish-9`. Raises UnknownVariant and BadPosition.
    """
    rules = find(name, options)
    if fen is not None:
        return rules, rules.parse(fen)
    if rules.base == ANY_BOARD:
        rules = find(DEFAULT, rules.changed_options)
    return rules, rules.start()


def _read_options(base: str, text: str) -> dict[str, str]:
    wanted: dict[str, str] = {}
    for part in text.replace(",", " ").split():
        option, equals, value = part.partition("=")
        if not (option and equals and value):
            raise UnknownVariant(
                f"{part!r} sets no rule option of {base}: write option=value, without blanks around the equals sign"
            )
        if wanted.setdefault(option, value) != value:
            raise UnknownVariant(
                f"the rule option {option} of {base} is given twice, as {wanted[option]} and as {value}"
            )
    return wanted


def _callanish(base: str, wanted: dict[str, str]) -> CallanishRules:
    supply = wanted.pop("supply", None)
    for option in wanted:
        raise UnknownVariant(f"{base} has no rule option {option!r}; it has supply")
    if supply is not None and not _SUPPLY.fullmatch(supply):
        raise UnknownVariant(f"supply={supply} of {base} is no number of stones from 1 to 9999")
    return CallanishRules(base, CALLANISH[base], base == ANY_BOARD, int(supply) if supply else None)


def _tafl(base: str, wanted: dict[str, str]) -> TaflRules:
    for option, value in wanted.items():
        values = OPTION_VALUES.get(option)
        if values is None:
            raise UnknownVariant(f"{base} has no rule option {option!r}{_near(option, tuple(OPTION_VALUES))}")
        if value not in values:
            allowed = "any or a number from 1 to 24" if values == STEPS else " or ".join(values)
            raise UnknownVariant(f"{option}={value} of {base} is out of range: {option} is {allowed}")
    variant = TAFL[base]
    return TaflRules(base, variant.start, variant.options, variant.options.changed(wanted))


def _near(word: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(word, known, n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else f"; there are {', '.join(known)}"
