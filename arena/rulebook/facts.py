"""What there is to tell about a variant, read off its rules: sizes, counts and knobs, no sentences.

Both languages tell these facts, so that neither knows more than the other. How the rules are carried out stays in
`arena.games`.
"""

from dataclasses import dataclass

from arena.games import variants
from arena.games.callanish import CallanishRules
from arena.games.rules import Rules
from arena.games.squares import square_name
from arena.games.tafl import TaflRules
from arena.games.tafl_board import Knobs


@dataclass(frozen=True, slots=True)
class Need:
    """How many squares win on these files (letters) and ranks (numbers from 1)."""

    squares: int
    files: tuple[str, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CallanishFacts:
    """Callanish on one board. `needs` has the smallest first; `any_board`: users draw the board themselves."""

    name: str
    width: int
    height: int
    holes: tuple[str, ...]
    needs: tuple[Need, ...]
    any_board: bool
    supply: int | None

    @property
    def small(self) -> bool:
        """Is a side shorter than the published rules advise?"""
        return min(self.width, self.height) < 7


@dataclass(frozen=True, slots=True)
class TaflFacts:
    """A tafl variant: its knobs as they are now, and what its start board holds."""

    base: str
    name: str
    knobs: Knobs
    changed: str
    """The knobs that differ from the variant's own, `name=value` split by blanks."""
    size: int
    attackers: int
    defenders: int

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
        """Are two attackers enough somewhere on the board?"""
        return self.knobs.king_captured_by != "four"

    @property
    def centre_counts_for_king(self) -> bool:
        """Does the empty centre stand for an attacker where four are needed, without this being said of the centre?"""
        return self.knobs.king_captured_by == "four" and self.knobs.centre_hostile == "yes"

    @property
    def may_cross_centre(self) -> tuple[bool, bool]:
        """Does any man, and does the king, go far enough to pass over a square?"""
        return self.knobs.men_steps != "1", self.knobs.king_steps != "1"

    @property
    def marked(self) -> frozenset[str]:
        """The squares on which rules of their own lie."""
        knobs = self.knobs
        beside = knobs.king_captured_by == "four-three-two"
        centre = beside or knobs.centre_stop != "any" or knobs.centre_hostile == "yes"
        corners = knobs.escape == "corner" or knobs.corner_stop == "king" or knobs.corner_hostile == "yes"
        return frozenset(((self.centre,) if centre else ()) + (self.corners if corners else ()))


def facts(rules: Rules) -> CallanishFacts | TaflFacts:
    """What there is to tell about these rules."""
    if isinstance(rules, TaflRules):
        board = rules.start().fen().split()[0]
        return TaflFacts(
            rules.base, rules.name, rules.changed, rules.knobs, rules.size, board.count("a"), board.count("d")
        )
    assert isinstance(rules, CallanishRules)
    shape = rules.start_shape
    return CallanishFacts(
        rules.name,
        shape.width,
        shape.height,
        tuple(sorted(shape.holes)),
        _needs(rules),
        rules.base == variants.ANY_BOARD,
        rules.supply,
    )


def marked(rules: Rules) -> frozenset[str]:
    """The squares of a variant on which rules of their own lie; none in Callanish."""
    known = facts(rules)
    return known.marked if isinstance(known, TaflFacts) else frozenset()


def _needs(rules: CallanishRules) -> tuple[Need, ...]:
    board = rules.start().board
    width = board.shape.width
    fields = range(len(board.needs))
    return tuple(
        Need(
            need,
            tuple(square_name(field, 0)[0] for field in fields if field < width and board.needs[field] == need),
            tuple(field - width + 1 for field in fields if field >= width and board.needs[field] == need),
        )
        for need in sorted(set(board.needs) - {0})
    )
