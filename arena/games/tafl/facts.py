"""The facts about a variant that its page states: sizes, counts and rule options, without sentences.

Both languages are written from these facts, so that neither says more than the other.
"""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from arena.games.rules import Side
from arena.games.squares import square_name
from arena.games.tafl.board import board_of
from arena.games.tafl.rules import TaflRules
from arena.games.tafl.variants import KING_CAPTURES, RuleOptions

Crossing = Literal["all", "men", "king", "only king", "nobody"]


class Origin(NamedTuple):
    """Who plays a variant, and where its rules are written."""

    played: str
    """The name of the text that says who plays it."""
    source: str


_WALKER = "tafl.cyningstan.com/post/731/reconstructing-the-scottish-game"
_HISTORICAL = "aagenielsen.dk/historical_hnefatafl_rules.php"
_SEA_BATTLE = "aagenielsen.dk/seabattle_rules.php"
TAFL_ORIGINS: dict[str, Origin] = {
    **dict.fromkeys(
        ("scottish", "scottish-armed", "scottish-king1", "scottish-king2", "scottish-king3"),
        Origin("scottish", _WALKER),
    ),
    "brandub": Origin("brandub", _WALKER),
    "brandub-nielsen": Origin("brandub-nielsen", "aagenielsen.dk"),
    **dict.fromkeys(("ard-ri", "ard-ri-two"), Origin("ard-ri", _WALKER)),
    "tawlbwrdd": Origin("tawlbwrdd", "boardgames.cyningstan.org.uk"),
    "tawlbwrdd-bell": Origin("tawlbwrdd-bell", _HISTORICAL),
    "tawlbwrdd-lewis": Origin("tawlbwrdd-lewis", _HISTORICAL),
    "sea-battle-9": Origin("sea-battle-9", _SEA_BATTLE),
    "sea-battle-9-wtf": Origin("sea-battle-wtf", _SEA_BATTLE),
    "sea-battle-11": Origin("sea-battle-wtf", _SEA_BATTLE),
    "tablut-saami": Origin("tablut-saami", "aagenielsen.dk/tablut_regler.php"),
    "tablut-ashton": Origin("tablut-ashton", "github.com/AGalassi/TablutCompetition"),
    "fetlar": Origin("fetlar", "aagenielsen.dk/fetlar_rules_en.php"),
    "computer-fetlar": Origin("computer-fetlar", "github.com/jslater89/OpenTafl"),
    "copenhagen": Origin("copenhagen", "aagenielsen.dk/copenhagen_rules.php"),
}
"""The origin of each named variant of the tafl family."""


@dataclass(frozen=True, slots=True)
class TaflFacts:
    """A tafl variant with its rule options in force and the pieces of its start board."""

    base: str
    name: str
    options: RuleOptions
    changed: str
    """The rule options that differ from the variant's own: `option=value` pairs, separated by blanks."""
    size: int
    attackers: int
    defenders: int
    first: Side = "p1"
    """The side that moves first."""
    camps: tuple[tuple[str, ...], ...] = ()
    """The squares of each camp."""

    @property
    def origin(self) -> Origin:
        """Who plays the variant, and where its rules are written."""
        return TAFL_ORIGINS[self.base]

    @property
    def centre(self) -> str:
        """The name of the central square."""
        return square_name(self.size // 2, self.size // 2)

    @property
    def corners(self) -> tuple[str, ...]:
        """The names of the four corners."""
        last = self.size - 1
        return tuple(square_name(file, rank) for file in (0, last) for rank in (0, last))

    @property
    def king_taken_by_two(self) -> bool:
        """Whether two attackers are enough somewhere on the board."""
        capture = KING_CAPTURES[self.options.king_captured_by]
        return 2 in (capture.on_centre, capture.beside_centre, capture.elsewhere)

    @property
    def crosses_centre(self) -> Crossing | None:
        """Who may pass over the centre; None where nobody goes far enough to pass over a square."""
        men, king = self.options.men_steps != "1", self.options.king_steps != "1"
        if men and self.options.centre_pass != "any":
            return "only king" if king and self.options.centre_pass == "king" else "nobody"
        if king and self.options.centre_pass == "nobody":
            return "nobody"
        return "all" if men and king else "men" if men else "king" if king else None

    @property
    def marked(self) -> frozenset[str]:
        """The squares that have rules of their own."""
        options = self.options
        capture = KING_CAPTURES[options.king_captured_by]
        centre_changes_capture = capture.empty_centre_counts or not (
            capture.on_centre == capture.beside_centre == capture.elsewhere
        )
        centre = (
            centre_changes_capture
            or (options.centre_pass, options.centre_stop) != ("any", "any")
            or options.centre_hostile != "no"
        )
        corners = options.escape == "corner" or options.corner_stop != "any" or options.corner_hostile == "yes"
        return frozenset(((self.centre,) if centre else ()) + (self.corners if corners else ())).union(*self.camps)


def facts(rules: TaflRules) -> TaflFacts:
    """The facts about these rules."""
    start = rules.start()
    board, tables = start.fen().split()[0], board_of(rules.size, rules.options)
    camps = tuple(tuple(name for name, bit in tables.bits.items() if bit & camp) for camp in tables.camps)
    known = TaflFacts(
        *(rules.base, rules.name, rules.options, rules.changed_options, rules.size, board.count("a"), board.count("d"))
    )
    return replace(known, first=start.side, camps=camps)
