"""Which squares decided a game: an escape, a captured king and his captors, a ring around the defenders, a fort.

Also what a shieldwall took. The positions have judged already; this module finds where on the board they saw it. A game
that ended in another way, such as by repetition or without a legal move, has no such squares.
"""

from collections.abc import Iterable

from arena.games.kind import UNDECIDED, Decision
from arena.games.tafl.board import TaflBoard
from arena.games.tafl.rules import TaflPosition, fort_wall, row_captures


def decision(before: TaflPosition | None, after: TaflPosition) -> Decision:
    """What decided the game in the position `after`, or what a shieldwall took in it.

    Only a captured king and a shieldwall need `before`, one ply earlier.
    """
    wall = UNDECIDED
    if before is not None and before.board.options.shieldwall != "no":
        wall = _shieldwall(before, after)
    if after.outcome is None:
        return wall
    match after.outcome.reason:
        case "king-captured" if before is not None:
            return _capture(before, after, wall.taken)
        case "king-escaped":
            names = _names(after.board, after.king)
            return Decision(names, None, wall.taken, "where the king escaped", f"The king escaped on {_listed(names)}.")
        case "encircled":
            names = _names(after.board, _ring(after))
            sentence = f"The king and all defenders are surrounded by {_listed(names)}."
            return Decision(names, None, wall.taken, "the ring around the defenders", sentence)
        case "fort":
            names = _names(after.board, after.king | _wall(after))
            return Decision(names, None, wall.taken, "the fort", f"The king won by a fort on {_listed(names)}.")
    return wall


def _capture(before: TaflPosition, after: TaflPosition, taken: frozenset[str]) -> Decision:
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
    names = _names(board, captors)
    row = f" A shieldwall took {_listed(taken)}." if taken else ""
    sentence = f"The king was captured on {square} between {_listed(names)}.{row}"
    return Decision(names, square, taken, "what captured the king", sentence)


def _wall(at: TaflPosition) -> int:
    return fort_wall(at.board, at.own, at.other, at.king)


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
    if not taken:
        return UNDECIDED
    names, men = _names(board, wall), _names(board, taken)
    sentence = f"A shieldwall on {_listed(names)} took {_listed(men)}."
    return Decision(names, taken=men, what="shieldwall", sentence=sentence)


def _names(board: TaflBoard, squares: int) -> frozenset[str]:
    return frozenset(name for name, bit in board.bits.items() if bit & squares)


def _listed(names: Iterable[str]) -> str:
    """The squares in reading order."""
    return " ".join(sorted(names, key=lambda name: (-int(name[1:]), name)))
