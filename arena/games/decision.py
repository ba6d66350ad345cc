"""Which squares decided a game: a line of Callanish, the square of an escape, a captured king and his captors, a ring
around the defenders, a fort. Also what a shieldwall took, and which lines are about to decide a game.

Owns no rule: the positions have judged already, and this module finds where on the board they saw it. A game that ended
in another way, such as by repetition or without a legal move, has no such squares.
"""

from typing import NamedTuple

from arena.games.callanish import CallanishPosition
from arena.games.callanish_board import FULL, LINE_BITS
from arena.games.game import Game
from arena.games.rules import Position, Reason
from arena.games.tafl import TaflPosition, fort_wall, row_captures
from arena.games.tafl_board import TaflBoard


class Decision(NamedTuple):
    """The squares that decided a game, by name, or those of a shieldwall. All fields are empty if there are none."""

    squares: frozenset[str] = frozenset()
    """The winner's squares on each line that he holds, the king's last square, what captured the king, the attackers
    around the defenders, the king and the wall of his fort, or the shieldwall: what stands around the row it took.

    A king is captured by attackers, and in some variants by hostile squares beside him. A corner can be part of a
    shieldwall.
    """
    king: str | None = None
    """Where the king was captured. The square is empty afterwards."""
    taken: frozenset[str] = frozenset()
    """What a shieldwall took with the last move. The squares are empty afterwards."""
    reason: Reason | None = None
    """Why the game ended; None if the squares are those of a shieldwall in a game that goes on."""


UNDECIDED = Decision()


def decision(after: Position, before: Position | None = None) -> Decision:
    """What decided the game in the position `after`, or what a shieldwall took in it.

    Only a captured king and a shieldwall need `before`, one ply earlier.
    """
    wall = UNDECIDED
    if isinstance(before, TaflPosition) and isinstance(after, TaflPosition) and before.board.options.shieldwall != "no":
        wall = _shieldwall(before, after)
    if after.outcome is None:
        return wall
    reason = after.outcome.reason
    match reason:
        case Reason.LINE:
            return Decision(_lines(after), reason=reason)
        case Reason.KING_CAPTURED if before is not None:
            assert isinstance(before, TaflPosition) and isinstance(after, TaflPosition)
            return _capture(before, after)._replace(taken=wall.taken, reason=reason)
        case Reason.KING_ESCAPED | Reason.ENCIRCLED | Reason.FORT:
            assert isinstance(after, TaflPosition)
            fort = fort_wall(after.board, after.own, after.other, after.king) if reason is Reason.FORT else 0
            squares = _ring(after) if reason is Reason.ENCIRCLED else after.king | fort
            return Decision(_names(after.board, squares), taken=wall.taken, reason=reason)
    return wall


def decision_of(game: Game) -> Decision:
    """What decided this game, or what a shieldwall took with its last move."""
    # Only a captured king and a shieldwall need the position before the last move, found by playing the game again.
    at, captured = game.position, game.outcome is not None and game.outcome.reason is Reason.KING_CAPTURED
    if not captured and not (isinstance(at, TaflPosition) and game.moves and at.board.words[game.moves[-1]].rows):
        return decision(at)
    before = Game(game.rules, game.start)
    for word in game.moves[:-1]:
        before.play(word)
    return decision(at, before.position)


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


def _ring(at: TaflPosition) -> int:
    """The attackers that stand next to what they surround and can be reached from the edge without entering it."""
    board, attackers = at.board, at.other
    outside = board.flood(board.edge & ~attackers, board.squares & ~attackers)
    enclosed = board.squares & ~(attackers | outside)
    return attackers & board.spread(enclosed) & board.flood(board.edge & ~enclosed, board.squares & ~enclosed)


def _shieldwall(before: TaflPosition, after: TaflPosition) -> Decision:
    """What the move took by a shieldwall, and the pieces or the corner around the row."""
    board = after.board
    friends, enemies = after.other, before.other
    if before.side == "p1":
        enemies |= before.king
    elif board.king_armed:
        friends |= after.king
    mover = friends & ~(before.own | before.king)
    occupied, taken, wall = friends | enemies | after.king, 0, 0
    for row in board.rows.get(mover, ()):
        fallen = row_captures(board, (row,), friends, enemies, occupied)
        if fallen:
            taken |= fallen & before.other
            wall |= mover
            for square, front in row.squares:
                if not square & fallen:
                    wall |= square
                    break
                wall |= front
    return Decision(_names(board, wall), taken=_names(board, taken)) if taken else UNDECIDED


def _names(board: TaflBoard, squares: int) -> frozenset[str]:
    return frozenset(name for name, bit in board.bits.items() if bit & squares)
