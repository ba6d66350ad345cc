"""The tafl family as data: the rule options, the values that each option may have, and the variants made of them.

A new value and a new variant begin here. Names, checks of user input and help texts are derived from the types below.
Every other place that must know a new value is a table, and the tests name those that lack it. What an option does on a
board is in `arena.games.tafl.board`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

from arena.games.rules import Repetition

Escape = Literal["edge", "corner"]
KingCapturedBy = Literal["two", "four", "four-three-two", "four-two", "all-sides"]
CentrePass = Literal["any", "king", "nobody"]
CentreStop = Literal["king", "any", "nobody"]
CentreHostile = Literal["yes", "no", "always"]
CornerStop = Literal["king", "any"]
Wins = Literal["no", "wins"]
Shieldwall = Literal["no", "corner", "yes"]
Occurrences = Literal["3", "2"]
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
    centre_pass: CentrePass = "any"
    """Who may pass over the centre."""
    centre_stop: CentreStop = "king"
    """Who may stop on the centre. With `nobody` the king may leave the centre but not return."""
    centre_hostile: CentreHostile = "no"
    """Whether the centre counts as an enemy of every man: while it is empty, or always, whoever stands on it."""
    corner_stop: CornerStop = "any"
    """Who may stop on a corner."""
    corner_hostile: YesNo = "no"
    """Whether the corners count as enemies of every man, whoever stands on them."""
    camps: YesNo = "no"
    """Whether the middle three squares of each edge and the one before them are a camp.

    Only a piece that stands in a camp may stop on its squares or pass over them. A camp square counts as an enemy of
    every piece outside the camps, whoever stands on it.
    """
    shieldwall: Shieldwall = "no"
    """Whether a row of enemies on the edge is captured at once, as `tafl_board.EdgeRow` says.

    With `corner` an empty corner can close the row.
    """
    encirclement: Wins = "no"
    """Whether the attackers win by surrounding the king and all defenders."""
    fort: Wins = "no"
    """Whether the defenders win by a fort on the edge, with the king in it."""
    repetition: Repetition = "draw"
    """How the last of the occurrences of a position ends the game."""
    occurrences: Occurrences = "3"
    """How often a position occurs, the start included, until the game ends by repetition."""
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
CAMPS_FROM = 9
"""The ranks of the smallest board with camps. On a smaller one they would reach the squares around the centre."""


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
    edge_helps: bool = False
    """Whether he is captured beside an edge, too, once all squares next to him are held."""


KING_CAPTURES: dict[KingCapturedBy, KingCapture] = {
    "two": KingCapture(2, 2, 2),
    "four": KingCapture(4, 4, 4),
    # Beside the centre, three attackers and the empty centre hold the four squares.
    "four-three-two": KingCapture(4, 4, 2, empty_centre_counts=True),
    "four-two": KingCapture(4, 2, 2),
    "all-sides": KingCapture(4, 4, 4, edge_helps=True),
}
"""What each value of the option `king_captured_by` asks for."""


@dataclass(frozen=True, slots=True)
class TaflVariant:
    """A start position and the rule options that go with it."""

    start: str
    options: RuleOptions


_CROSS = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"
_ARD_RI = "2aaa2/3a3/a1ddd1a/aadkdaa/a1ddd1a/3a3/2aaa2 p1 1"
_BELL = "4aaa4/4a1a4/5a5/5d5/aa2ddd2aa/a1addkdda1a/aa2ddd2aa/5d5/5a5/4a1a4/4aaa4"
_LEWIS = "4aaa4/4aaa4/5d5/5d5/aa3d3aa/aadddkdddaa/aa3d3aa/5d5/5d5/4aaa4/4aaa4"
_LINNAEUS = "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3"
_SEA_BATTLE_11 = "3aaaaa3/5a5/5d5/a4d4a/a4d4a/aadddkdddaa/a4d4a/a4d4a/5d5/5a5/3aaaaa3"
_FETLAR = "3aaaaa3/5a5/11/a4d4a/a3ddd3a/aa1ddkdd1aa/a3ddd3a/a4d4a/11/5a5/3aaaaa3"

_BRANDUB_RULES = RuleOptions(escape="corner", king_armed="yes", corner_stop="king", corner_hostile="yes")
_NIELSEN_RULES = replace(_BRANDUB_RULES, king_captured_by="four-three-two", centre_stop="nobody", centre_hostile="yes")
_ONE_STEP = RuleOptions(men_steps="1", king_steps="1", king_armed="yes", king_captured_by="four")
_TAWLBWRDD_RULES = RuleOptions(king_armed="yes", centre_stop="any")
_SEA_BATTLE_RULES = RuleOptions(king_captured_by="four", centre_stop="any")
_FETLAR_RULES = replace(_BRANDUB_RULES, king_captured_by="four", centre_hostile="yes", encirclement="wins")
_COPENHAGEN_RULES = replace(_FETLAR_RULES, shieldwall="corner", fort="wins", repetition="p2-loses")
_FEDERATION = RuleOptions(encirclement="wins", repetition="p2-loses")
"""What the World Tafl Federation's games with an escape to the edge have in common."""
_SAAMI_RULES = replace(_FEDERATION, king_armed="yes", king_captured_by="four-three-two", centre_hostile="yes")
_ASHTON_RULES = RuleOptions(
    king_armed="yes",
    king_captured_by="four-three-two",
    centre_pass="nobody",
    centre_stop="nobody",
    centre_hostile="always",
    camps="yes",
    occurrences="2",
)

TAFL: dict[str, TaflVariant] = {
    "scottish": TaflVariant(_CROSS, RuleOptions()),
    "scottish-armed": TaflVariant(_CROSS, RuleOptions(king_armed="yes")),
    "scottish-king1": TaflVariant(_CROSS, RuleOptions(king_armed="yes", king_steps="1")),
    "scottish-king2": TaflVariant(_CROSS, RuleOptions(king_armed="yes", king_steps="2")),
    "scottish-king3": TaflVariant(_CROSS, RuleOptions(king_armed="yes", king_steps="3")),
    "brandub": TaflVariant(_CROSS, _BRANDUB_RULES),
    "brandub-nielsen": TaflVariant(_CROSS, _NIELSEN_RULES),
    "ard-ri": TaflVariant(_ARD_RI, _ONE_STEP),
    "ard-ri-two": TaflVariant(_ARD_RI, replace(_ONE_STEP, king_captured_by="two")),
    "tawlbwrdd": TaflVariant(f"{_BELL} p1 1", _TAWLBWRDD_RULES),
    "tawlbwrdd-bell": TaflVariant(f"{_BELL} p2 1", _SAAMI_RULES),
    "tawlbwrdd-lewis": TaflVariant(f"{_LEWIS} p2 1", _SAAMI_RULES),
    "sea-battle-9": TaflVariant(f"{_LINNAEUS} p1 1", _SEA_BATTLE_RULES),
    "sea-battle-9-wtf": TaflVariant(
        f"{_LINNAEUS} p1 1", replace(_FEDERATION, king_captured_by="four", centre_stop="any")
    ),
    "sea-battle-11": TaflVariant(
        f"{_SEA_BATTLE_11} p2 1", replace(_FEDERATION, king_captured_by="four", centre_stop="any")
    ),
    "tablut-saami": TaflVariant(f"{_LINNAEUS} p1 1", _SAAMI_RULES),
    "tablut-ashton": TaflVariant(f"{_LINNAEUS} p2 1", _ASHTON_RULES),
    "fetlar": TaflVariant(f"{_FETLAR} p1 1", _FETLAR_RULES),
    "computer-fetlar": TaflVariant(f"{_FETLAR} p1 1", replace(_FETLAR_RULES, repetition="loses")),
    "copenhagen": TaflVariant(f"{_FETLAR} p1 1", _COPENHAGEN_RULES),
}
"""The named variants of the family."""


def conflict(options: RuleOptions, size: int) -> str:
    """What does not go together in these rule options on a board of so many ranks; empty where all does."""
    if options.fort == "wins" and options.escape == "edge":
        return (
            "fort=wins with escape=edge leaves the king no fort, since he wins on every edge square: take escape=corner"
        )
    if options.shieldwall == "corner" and options.escape == "edge":
        return "shieldwall=corner wants corners that are the king's, and escape=edge has none: take shieldwall=yes"
    if options.camps == "yes" and size < CAMPS_FROM:
        return f"camps=yes wants a board of {CAMPS_FROM} ranks or more, and this one has {size}: leave camps out"
    return ""
