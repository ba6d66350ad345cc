"""The facts about a variant that its page states: sizes, counts and needs, without sentences.

Both languages are written from these facts, so that neither says more than the other.
"""

from dataclasses import dataclass, replace

from arena.games.callanish.rules import CallanishRules
from arena.games.rules import Side
from arena.games.squares import square_name


@dataclass(frozen=True, slots=True)
class Need:
    """How many squares win a line, for these files (letters) and ranks (numbers from 1)."""

    squares: int
    files: tuple[str, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CallanishFacts:
    """Callanish on one board."""

    name: str
    width: int
    height: int
    holes: tuple[str, ...]
    needs: tuple[Need, ...]
    """The needs of the lines, the smallest first."""
    any_board: bool
    """Whether users draw the board themselves."""
    supply: int | None
    """A side with so many stones on the board has no complete turn. None is no limit."""
    stones: tuple[int, int] = (0, 0)
    """How many stones White and Black have on the board at the start."""
    first: Side = "p1"
    """The side that moves first."""

    @property
    def small(self) -> bool:
        """Whether the board is smaller than the published rules recommend."""
        return min(self.width, self.height) < 7


def facts(rules: CallanishRules) -> CallanishFacts:
    """The facts about these rules."""
    start = rules.start()
    board, shape = start.fen().split()[0], rules.start_shape
    stacks = board.count("W") + board.count("B")
    return CallanishFacts(
        replace(rules, own=None).name,
        shape.width,
        shape.height,
        tuple(sorted(shape.holes)),
        _needs(rules),
        rules.any_shape,
        rules.supply,
        (board.count("w") + stacks, board.count("b") + stacks),
        start.side,
    )


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
