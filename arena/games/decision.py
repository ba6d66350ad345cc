"""Which squares decided a game: a line of Callanish, the square of an escape, a captured king and his captors.
Also which lines are about to decide it.

Owns no rule: the positions have judged already, and this module finds where on the board they saw it. A game that ended
in another way, such as by repetition or without a legal move, has no such squares.
"""

from typing import NamedTuple

from arena.games.callanish import CallanishPosition
from arena.games.callanish_board import FULL, LINE_BITS
from arena.games.game import Game
from arena.games.rules import Position, Reason
from arena.games.tafl import TaflPosition
from arena.games.tafl_board import TaflBoard


class Decision(NamedTuple):
    """The squares that decided a game, by name. Both fields are empty if no squares did."""

    squares: frozenset[str] = frozenset()
    """The winner's squares on each line that he holds, the king's last square, or what captured the king.

    A king is captured by attackers, and in some variants by an empty centre or a corner beside him.
    """
    king: str | None = None
    """Where the king was captured. The square is empty afterwards."""


UNDECIDED = Decision()


def decision(after: Position, before: Position | None = None) -> Decision:
    """What decided the game in the position `after`. Only a captured king needs `before`, one ply earlier."""
    if after.outcome is None:
        return UNDECIDED
    match after.outcome.reason:
        case Reason.LINE:
            return Decision(_lines(after))
        case Reason.KING_ESCAPED:
            assert isinstance(after, TaflPosition)
            return Decision(_names(after.board, after.king))
        case Reason.KING_CAPTURED if before is not None:
            assert isinstance(before, TaflPosition) and isinstance(after, TaflPosition)
            return _capture(before, after)
    return UNDECIDED


def decision_of(game: Game) -> Decision:
    """What decided this game."""
    if game.outcome is None or game.outcome.reason is not Reason.KING_CAPTURED:
        return decision(game.position)
    before = Game(game.rules, game.start)
    for word in game.moves[:-1]:
        before.play(word)
    return decision(game.position, before.position)


def lines_to_break(at: Position) -> list[str]:
    """The lines of Callanish that the side to move must break now, such as `file c`: the other side holds them."""
    if not isinstance(at, CallanishPosition):
        return []
    held = at.other_lines & at.board.full
    return [at.board.line_name(field) for field in range(len(at.board.needs)) if held & FULL << LINE_BITS * field]


def _lines(at: Position) -> frozenset[str]:
    """The squares that the winner controls on the lines that he holds. He is the side to move."""
    assert isinstance(at, CallanishPosition)
    board = at.board
    # A square's weight has the lowest bit of the fields of its file and its rank. A line that is held has the bit FULL.
    return frozenset(
        name for name, bit in board.bits.items() if bit & at.own and board.weights[bit] * FULL & at.own_lines
    )


def _capture(before: TaflPosition, after: TaflPosition) -> Decision:
    board, king = before.board, before.king
    attackers, defenders = after.other, before.other
    need = board.king_needs.get(king)
    if need is not None:
        captors = need.around & (attackers | need.or_empty & ~defenders)
    else:
        # Two enemies on opposite sides of him. Bits on a file or rank are at a constant distance.
        mover = attackers & ~before.own
        captors = mover | 1 << (2 * king.bit_length() - mover.bit_length() - 1)
    (square,) = _names(board, king)
    return Decision(_names(board, captors), square)


def _names(board: TaflBoard, squares: int) -> frozenset[str]:
    return frozenset(name for name, bit in board.bits.items() if bit & squares)
