"""The tafl family as data: the rule options, the values that each option may have, and the variants made of them.

A new value and a new variant begin here. Names, checks of user input and help texts are derived from the types below.
Every other place that must know a new value is a table, and the tests name those that lack it. What an option does on a
board is in `arena.games.tafl_board`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

from arena.games.rules import Repetition

Escape = Literal["edge", "corner"]
KingCapturedBy = Literal["two", "four", "four-three-two"]
CentreStop = Literal["king", "any", "nobody"]
CornerStop = Literal["king", "any"]
NoMove = Literal["loses", "draw"]
YesNo = Literal["yes", "no"]
"""The two values never grow, so that `== "yes"` suffices where the others need a table."""
Steps = Literal["any", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
                "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24"]  # fmt: skip


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """One set of tafl rules. The defaults are the rules of `scottish`."""

    escape: Escape = "edge"
    """Where the king wins by stopping."""
    king_armed: YesNo = "no"
    """Whether the king takes part in captures, both as the piece that moves and as the piece opposite."""
    king_steps: Steps = "any"
    """How many squares the king may go in one move."""
    men_steps: Steps = "any"
    """How many squares a man may go in one move."""
    king_captured_by: KingCapturedBy = "two"
    """How many attackers capture the king: `KING_CAPTURES` says what each value asks for."""
    centre_stop: CentreStop = "king"
    """Who may stop on the centre. With `nobody` the king may leave the centre but not return."""
    centre_hostile: YesNo = "no"
    """Whether the empty centre counts as an enemy of every man."""
    corner_stop: CornerStop = "any"
    """Who may stop on a corner."""
    corner_hostile: YesNo = "no"
    """Whether the corners count as enemies of every man, whoever stands on them."""
    repetition: Repetition = "draw"
    """What the third occurrence of a position is for the side that completes it."""
    no_move: NoMove = "loses"
    """What it is for the side to move that it has no legal move."""

    def items(self) -> tuple[tuple[str, str], ...]:
        """The names and values, sorted by name."""
        return tuple(sorted((field.name, getattr(self, field.name)) for field in fields(self)))

    def changed(self, values: Mapping[str, str]) -> "RuleOptions":
        """These options with other values, each of which must be in `OPTION_VALUES`."""
        checked: Mapping[str, Any] = values
        return replace(self, **checked)


OPTION_VALUES: dict[str, tuple[str, ...]] = {
    name: get_args(values) for name, values in get_type_hints(RuleOptions).items()
}
"""The values that each rule option may have, by the option's name."""
STEPS: tuple[str, ...] = get_args(Steps)


class KingCapture(NamedTuple):
    """How many of the squares next to the king attackers must hold to capture him, by where he stands.

    With 2 he is captured as a man is, between two enemies on opposite sides of him. With more than 2 any sides count,
    and the empty centre counts as held where it is hostile. An attacker must just have moved next to him.
    """

    on_centre: int
    beside_centre: int
    elsewhere: int
    empty_centre_counts: bool = False
    """Whether the empty centre counts as held even where it is not hostile."""


KING_CAPTURES: dict[KingCapturedBy, KingCapture] = {
    "two": KingCapture(2, 2, 2),
    "four": KingCapture(4, 4, 4),
    # Beside the centre, three attackers and the empty centre hold the four squares.
    "four-three-two": KingCapture(4, 4, 2, empty_centre_counts=True),
}
"""What each value of the option `king_captured_by` asks for."""


@dataclass(frozen=True, slots=True)
class TaflVariant:
    """A start position and the rule options that go with it."""

    start: str
    options: RuleOptions


_CROSS = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"
_ARD_RI = "2aaa2/3a3/a1ddd1a/aadkdaa/a1ddd1a/3a3/2aaa2 p1 1"
_TAWLBWRDD = "4aaa4/4a1a4/5a5/5d5/aa2ddd2aa/a1addkdda1a/aa2ddd2aa/5d5/5a5/4a1a4/4aaa4 p1 1"
_SEA_BATTLE = "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 p1 1"

_BRANDUB = RuleOptions(escape="corner", king_armed="yes", corner_stop="king", corner_hostile="yes")
_NIELSEN = replace(_BRANDUB, king_captured_by="four-three-two", centre_stop="nobody", centre_hostile="yes")
_ONE_STEP = RuleOptions(men_steps="1", king_steps="1", king_armed="yes", king_captured_by="four")

TAFL: dict[str, TaflVariant] = {
    "scottish": TaflVariant(_CROSS, RuleOptions()),
    "scottish-armed": TaflVariant(_CROSS, RuleOptions(king_armed="yes")),
    "scottish-king1": TaflVariant(_CROSS, RuleOptions(king_armed="yes", king_steps="1")),
    "scottish-king2": TaflVariant(_CROSS, RuleOptions(king_armed="yes", king_steps="2")),
    "scottish-king3": TaflVariant(_CROSS, RuleOptions(king_armed="yes", king_steps="3")),
    "brandub": TaflVariant(_CROSS, _BRANDUB),
    "brandub-nielsen": TaflVariant(_CROSS, _NIELSEN),
    "ard-ri": TaflVariant(_ARD_RI, _ONE_STEP),
    "ard-ri-two": TaflVariant(_ARD_RI, replace(_ONE_STEP, king_captured_by="two")),
    "tawlbwrdd": TaflVariant(_TAWLBWRDD, RuleOptions(king_armed="yes", centre_stop="any")),
    "sea-battle-9": TaflVariant(_SEA_BATTLE, RuleOptions(king_captured_by="four", centre_stop="any")),
}
"""The named variants of the family."""
