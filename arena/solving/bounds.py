"""Which positions cannot be won within some plies, as a quick look tells: a search need not go into them.

A bound must never be wrong. It may say that a win is possible where there is none.
"""

from typing import Protocol

from arena.games.callanish import CallanishPosition
from arena.games.callanish_board import LINE_BITS, CallanishBoard
from arena.games.rules import Position
from arena.games.tafl import TaflPosition
from arena.games.tafl_board import TaflBoard

_LONGEST = 8
"""In more plies than these nearly everything is possible, and the packed lines would overflow at last."""


class Bound(Protocol):
    """Whether a position may be decided within so many plies."""

    own_moves_win: bool
    """Whether a side can win by its own moves only, never by one of the opponent's."""

    def may_win(self, position: Position, plies: int) -> bool:
        """Whether the side to move may win."""

    def may_lose(self, position: Position, plies: int) -> bool:
        """Whether the side to move may lose."""


def bound_of(start: Position) -> Bound:
    """The bound for all positions that come after `start`."""
    return CallanishBound(start.board) if isinstance(start, CallanishPosition) else TaflBound()


class CallanishBound:
    """A line needs so many squares more. A turn gives it at most two, and each reply uncovers at most one of it."""

    own_moves_win = False

    def __init__(self, board: CallanishBoard) -> None:
        self._supply = board.supply is not None
        self._full = board.full
        self._unit = sum(1 << LINE_BITS * field for field, need in enumerate(board.needs) if need)

    def may_win(self, position: Position, plies: int) -> bool:
        assert isinstance(position, CallanishPosition)
        if plies > _LONGEST:
            return True
        _, _, own_buried, other, other_buried, own_lines, _, _, _, _ = position
        gain = 2 * ((plies + 1) // 2) + min(plies // 2, own_buried.bit_count())
        if plies > 1 and (own_lines + gain * self._unit) & self._full:
            return True
        if plies > 2 or self._supply:
            return True
        # The opponent has no turn after the next one only if it covers all stones of his that can move: at most two.
        return _count_mobile(position, other, other | other_buried, 2) <= 2

    def may_lose(self, position: Position, plies: int) -> bool:
        assert isinstance(position, CallanishPosition)
        if plies > _LONGEST:
            return True
        _, own, own_buried, _, other_buried, _, other_lines, _, _, _ = position
        gain = 2 * (plies // 2) + min((plies + 1) // 2, other_buried.bit_count())
        if (other_lines + gain * self._unit) & self._full:
            return True
        if plies == 1:
            return False
        if plies > 3 or self._supply:
            return True
        # The own turn moves one stone and takes at most two targets from each other one. The reply covers two.
        return _count_mobile(position, own, own | own_buried, 4) <= 3


def _count_mobile(position: CallanishPosition, exposed: int, stones: int, targets: int) -> int:
    """How many of the exposed stones of a side have so many free targets; counted up to 4."""
    knights, count = position.board.knights, 0
    while exposed and count < 4:
        bit = exposed & -exposed
        exposed ^= bit
        count += (knights[bit] & ~stones).bit_count() >= targets
    return count


class TaflBound:
    """With one move left, the king must be next to an escape or to his captors, or the opponent nearly stuck."""

    own_moves_win = True

    def may_win(self, position: Position, plies: int) -> bool:
        assert isinstance(position, TaflPosition)
        if plies > 2:
            return True
        board, own, other, king, side, _, _ = position
        free = board.men_stop & ~(own | other | king)
        if side == "p1":
            if board.encirclement and not board.edge & (other | king):
                return True
            # A king with two free neighbours has one left after any move, so his side is not stuck.
            return (board.neighbours[king] & free).bit_count() < 2 or _may_fall(board, own, other, king)
        file, file_reach, rank, rank_reach = board.king_lanes[king]
        occupied, escapes = own | other | king, board.escapes
        for slide in (*file_reach[occupied & file], *rank_reach[occupied & rank]):
            if slide.to & (escapes | board.fort_edge):
                return True
        if king & board.fort_edge or board.options.shieldwall != "no":
            return True
        # One move captures at most three men and takes one free neighbour from each other one.
        count = 0
        while other and count < 4:
            bit = other & -other
            other ^= bit
            count += (board.men_steps[bit] & free).bit_count() >= 2
        return count < 4

    def may_lose(self, position: Position, plies: int) -> bool:
        return plies > 1


def _may_fall(board: TaflBoard, attackers: int, defenders: int, king: int) -> bool:
    """Whether one move might capture the king."""
    need = board.king_needs.get(king)
    if need is None:
        return board.neighbours[king] & (attackers | board.hostile | board.centre) != 0
    around, or_empty, held = need
    # An attacker who comes holds one square more, and one who leaves the centre may leave it held.
    return (around & (attackers | or_empty & ~defenders)).bit_count() >= held - 2
