"""The variants by name: what a user writes as a name, and the rules that it stands for.

A name is a variant, or a variant with changed rule options, such as `scottish:king_armed=yes,king_steps=2`. A variant
of a user's own has its name and its board there, too: `callanish:name=two-lochs,board=7/7/2*1*2/7/2*1*2/7/7`. Its file
is read by `arena.games.variant_file`. The boards of Callanish are listed here, the tafl variants in
`arena.games.tafl_variants`.
"""

import re
from dataclasses import replace
from difflib import get_close_matches

from arena.games.callanish import CallanishRules
from arena.games.callanish_board import Shape
from arena.games.rules import BadPosition, OwnVariant, Position, Rules, UnknownVariant
from arena.games.tafl import TaflRules
from arena.games.tafl_variants import OPTION_VALUES, STEPS, TAFL, conflict

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
_OWN_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
MAX_OWN_NAME = 40
"""The most characters of the name of a user's own variant."""


def names() -> tuple[str, ...]:
    """All variants that have a name of their own, Callanish first."""
    return (*CALLANISH, *TAFL)


def find(name: str, options: str = "") -> Rules:
    """The rules of a variant.

    `name` is `variant` or `variant:option=value,...`. `options` are more such pairs, separated by blanks or commas.
    Raises UnknownVariant, with the nearest names if some are near.
    """
    base, _, more = name.strip().partition(":")
    wanted: dict[str, str] = {}
    _read_options(base, more, wanted)
    own = _own(base, wanted)
    if own is not None and options.strip():
        raise UnknownVariant(
            f"{own.name} has rules of its own, so {options.strip()} cannot change them: write a file with another name"
        )
    _read_options(base, options, wanted)
    if base in CALLANISH:
        return _callanish(base, wanted, own)
    if base in TAFL:
        return _tafl(base, wanted, own)
    raise UnknownVariant(f"there is no variant {base!r}{_near(base, names())}")


def is_variant(name: str) -> bool:
    """Is there a variant of this name, and has it the rule options that the name has?"""
    try:
        find(name)
    except UnknownVariant:
        return False
    return True


def resolve(name: str, options: str = "", fen: str | None = None) -> tuple[Rules, Position]:
    """The rules that a game is played and recorded under, and the position it starts from.

    Without a position string the variant `callanish` is `callanish-9`. Raises UnknownVariant and BadPosition.
    """
    rules = find(name, options)
    if fen is not None:
        return rules, rules.parse(fen)
    if rules.base == ANY_BOARD and rules.own is None:
        rules = find(DEFAULT, rules.changed_options)
    return rules, rules.start()


def _read_options(base: str, text: str, wanted: dict[str, str]) -> None:
    """Add the pairs in `text` to what is wanted."""
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


def _own(base: str, wanted: dict[str, str]) -> OwnVariant | None:
    """Takes out of `wanted` what makes a variant of a user's own. None where it is no such variant."""
    if "name" not in wanted:
        return None
    name, board, side = wanted.pop("name"), wanted.pop("board", None), wanted.pop("side", None)
    if reason := own_name_fault(name):
        raise UnknownVariant(f"name={name} of {base} {reason}")
    if board is None and side is not None:
        raise UnknownVariant(f"side={side} of {name} says who moves on a board: give the board, too")
    return OwnVariant(name, None if board is None else f"{board} {side or 'p1'} 1")


def own_name_fault(name: str) -> str:
    """Why a variant of a user's own cannot have this name; empty where it can."""
    if not _OWN_NAME.fullmatch(name):
        return "is no name of a variant: take small letters, digits and single hyphens, such as two-lochs"
    if len(name) > MAX_OWN_NAME:
        return f"is too long for a name: take at most {MAX_OWN_NAME} characters"
    if name in names():
        return "is the name of a variant that the arena has: take another name"
    return ""


def _callanish(base: str, wanted: dict[str, str], own: OwnVariant | None) -> CallanishRules:
    supply = wanted.pop("supply", None)
    for option in wanted:
        raise UnknownVariant(f"{base} has no rule option {option!r}; it has supply")
    if supply is not None and not _SUPPLY.fullmatch(supply):
        raise UnknownVariant(f"supply={supply} of {base} is no number of stones from 1 to 9999")
    rules = CallanishRules(base, CALLANISH[base], base == ANY_BOARD, int(supply) if supply else None)
    if own is None:
        return rules
    if own.start is None:
        if rules.any_shape:
            raise UnknownVariant(f"{base} has no board of its own: draw one, or take {DEFAULT} as the base")
        return replace(rules, own=own)
    start = rules.parse(own.start)
    starts_alike = not rules.any_shape and start == rules.start()
    own = own._replace(start=None if starts_alike else start.fen())
    return replace(rules, start_shape=start.board.shape, any_shape=False, own=own)


def _tafl(base: str, wanted: dict[str, str], own: OwnVariant | None) -> TaflRules:
    for option, value in wanted.items():
        values = OPTION_VALUES.get(option)
        if values is None:
            raise UnknownVariant(f"{base} has no rule option {option!r}{_near(option, tuple(OPTION_VALUES))}")
        if value not in values:
            allowed = "any or a number from 1 to 24" if values == STEPS else " or ".join(values)
            raise UnknownVariant(f"{option}={value} of {base} is out of range: {option} is {allowed}")
    variant = TAFL[base]
    rules = TaflRules(base, variant.start, variant.options, variant.options.changed(wanted))
    if reason := conflict(rules.options, rules.size):
        raise UnknownVariant(f"{base}: {reason}")
    if own is None or own.start is None:
        return replace(rules, own=own)
    try:
        start = rules.parse(own.start)
    except BadPosition as error:
        raise BadPosition(f"{error}{_of_size(own.start, rules.size)}") from None
    if start == rules.start():
        return replace(rules, own=own._replace(start=None))
    return replace(rules, start_fen=start.fen(), own=own._replace(start=start.fen()))


def _of_size(fen: str, size: int) -> str:
    """What to do about a tafl board that has another size than its base; empty where it has the same."""
    ranks = fen.count("/") + 1
    if ranks == size:
        return ""
    fitting = [name for name in TAFL if TAFL[name].start.count("/") + 1 == ranks]
    if fitting:
        return f": take {' or '.join(fitting)} as the base, and change its rule options"
    sizes = sorted({variant.start.count("/") + 1 for variant in TAFL.values()})
    return f"; a tafl board has {', '.join(map(str, sizes[:-1]))} or {sizes[-1]} ranks, and as many files"


def _near(word: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(word, known, n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else f"; there are {', '.join(known)}"
