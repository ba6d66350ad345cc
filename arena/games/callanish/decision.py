"""Which squares decided a game: those of a line. Also which lines are about to decide it."""

from arena.games.callanish.board import FULL, LINE_BITS
from arena.games.callanish.rules import CallanishPosition
from arena.games.kind import UNDECIDED, Decision


def decision(at: CallanishPosition) -> Decision:
    """The squares that the winner controls on the lines that he holds. He is the side to move."""
    if at.outcome is None or at.outcome.reason != "line":
        return UNDECIDED
    board = at.board
    # A square's weight has the lowest bit of the fields of its file and its rank. A line that is held has the bit FULL.
    names = [name for name, bit in board.bits.items() if bit & at.own and board.weights[bit] * FULL & at.own_lines]
    listed = " ".join(sorted(names, key=lambda name: (-int(name[1:]), name)))
    return Decision(frozenset(names), what="winning line", sentence=f"Decided by a line: {listed}.")


def lines_to_break(at: CallanishPosition) -> list[str]:
    """The lines that the side to move must break now, such as `file c`: the other side holds them."""
    held = at.other_lines & at.board.full
    return [at.board.line_name(field) for field in range(len(at.board.needs)) if held & FULL << LINE_BITS * field]
