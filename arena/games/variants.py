"""The variants by name: data only. What a variant means is in `callanish` and `tafl`; here is which ones there are.

A name is a variant, or a variant with changed knobs, `scottish:king_armed=yes,king_steps=2`.
"""

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches

from arena.games.callanish import CallanishRules
from arena.games.callanish_board import Shape
from arena.games.rules import Position, Rules, UnknownVariant
from arena.games.tafl import TaflRules
from arena.games.tafl_board import CHOICES, Knobs

ANY_BOARD = "callanish"
"""The variant of every drawn board; without a position string it is `DEFAULT`."""
DEFAULT = "callanish-9"

CORNERS = Shape(9, 9, frozenset("a1 a2 b1 h1 i1 i2 a8 a9 b9 h9 i8 i9".split()))

CALLANISH: dict[str, Shape] = {
    ANY_BOARD: Shape(9, 9),
    "callanish-corners": CORNERS,
    **{f"callanish-{side}": Shape(side, side) for side in range(5, 26, 2)},
}


@dataclass(frozen=True, slots=True)
class TaflVariant:
    """A start position and the rules that go with it."""

    start: str
    knobs: Knobs


_CROSS = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"
_ARD_RI = "2aaa2/3a3/a1ddd1a/aadkdaa/a1ddd1a/3a3/2aaa2 p1 1"
_TAWLBWRDD = "4aaa4/4a1a4/5a5/5d5/aa2ddd2aa/a1addkdda1a/aa2ddd2aa/5d5/5a5/4a1a4/4aaa4 p1 1"
_SEA_BATTLE = "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 p1 1"

_SCOTTISH = Knobs()
_BRANDUB = Knobs(escape="corner", king_armed="yes", corner_stop="king", corner_hostile="yes")
_NIELSEN = replace(_BRANDUB, king_captured_by="four-three-two", centre_stop="nobody", centre_hostile="yes")
_ONE_STEP = Knobs(men_steps="1", king_steps="1", king_armed="yes", king_captured_by="four")

TAFL: dict[str, TaflVariant] = {
    "scottish": TaflVariant(_CROSS, _SCOTTISH),
    "scottish-armed": TaflVariant(_CROSS, Knobs(king_armed="yes")),
    "scottish-king1": TaflVariant(_CROSS, Knobs(king_armed="yes", king_steps="1")),
    "scottish-king2": TaflVariant(_CROSS, Knobs(king_armed="yes", king_steps="2")),
    "scottish-king3": TaflVariant(_CROSS, Knobs(king_armed="yes", king_steps="3")),
    "brandub": TaflVariant(_CROSS, _BRANDUB),
    "brandub-nielsen": TaflVariant(_CROSS, _NIELSEN),
    "ard-ri": TaflVariant(_ARD_RI, _ONE_STEP),
    "ard-ri-two": TaflVariant(_ARD_RI, replace(_ONE_STEP, king_captured_by="two")),
    "tawlbwrdd": TaflVariant(_TAWLBWRDD, Knobs(king_armed="yes", centre_stop="any")),
    "sea-battle-9": TaflVariant(_SEA_BATTLE, Knobs(king_captured_by="four", centre_stop="any")),
}

_SUPPLY = re.compile(r"[1-9][0-9]{0,3}")


def names() -> tuple[str, ...]:
    """All variants that have a name of their own, Callanish first."""
    return (*CALLANISH, *TAFL)


def find(name: str, knobs: str = "") -> Rules:
    """The rules of a variant.

    `name` is `variant` or `variant:knob=value,...`; `knobs` are more of them, split by blanks or commas.
    Raises UnknownVariant, with the nearest names where some are near.
    """
    base, _, more = name.strip().partition(":")
    wanted = _read_knobs(base, f"{more} {knobs}")
    if base in CALLANISH:
        return _callanish(base, wanted)
    if base in TAFL:
        return _tafl(base, wanted)
    raise UnknownVariant(f"there is no variant {base!r}{_near(base, names())}")


def resolve(name: str, knobs: str = "", fen: str | None = None) -> tuple[Rules, Position]:
    """The rules that a game is played and recorded under, and the position it starts from.

    Without a position string the variant `callanish` is `callanish-9`. Raises UnknownVariant and BadPosition.
    """
    rules = find(name, knobs)
    if fen is not None:
        return rules, rules.parse(fen)
    if rules.base == ANY_BOARD:
        rules = find(DEFAULT, rules.knobs)
    return rules, rules.start()


def _read_knobs(base: str, text: str) -> dict[str, str]:
    wanted: dict[str, str] = {}
    for part in text.replace(",", " ").split():
        knob, equals, value = part.partition("=")
        if not (knob and equals and value):
            raise UnknownVariant(f"{part!r} is no knob for {base}: write knob=value, with no blank round the sign")
        if wanted.setdefault(knob, value) != value:
            raise UnknownVariant(f"the knob {knob} of {base} is given twice, as {wanted[knob]} and as {value}")
    return wanted


def _callanish(base: str, wanted: dict[str, str]) -> CallanishRules:
    supply = wanted.pop("supply", None)
    for knob in wanted:
        raise UnknownVariant(f"{base} has no knob {knob!r}; it has supply")
    if supply is not None and not _SUPPLY.fullmatch(supply):
        raise UnknownVariant(f"supply={supply} of {base} is no number of stones from 1 to 9999")
    return CallanishRules(base, CALLANISH[base], base == ANY_BOARD, int(supply) if supply else None)


def _tafl(base: str, wanted: dict[str, str]) -> TaflRules:
    for knob, value in wanted.items():
        if knob not in CHOICES:
            raise UnknownVariant(f"{base} has no knob {knob!r}{_near(knob, tuple(CHOICES))}")
        if value not in CHOICES[knob]:
            allowed = "any or a number from 1 to 24" if knob.endswith("steps") else " or ".join(CHOICES[knob])
            raise UnknownVariant(f"{knob}={value} of {base} is out of range: {knob} is {allowed}")
    variant = TAFL[base]
    return TaflRules(base, variant.start, variant.knobs, replace(variant.knobs, **wanted))


def _near(word: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(word, known, n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else f"; there are {', '.join(known)}"
