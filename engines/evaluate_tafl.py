"""What a position of tafl is worth: men, the king's ways out, and who can end the game with the next move.

Works for every knob: it reads the tables of `tafl_board`, which have the knobs built in, and remembers for each square
and each pattern on its file or rank what a king can reach and which men can come.
"""

from collections.abc import Sequence
from operator import itemgetter

from arena.games.rules import Move, Position
from arena.games.tafl import TaflPosition
from arena.games.tafl_board import Board, Lanes, Slide
from engines.scores import won_in

REMEMBERED = 1 << 16
"""Positions whose worth is remembered before the memory starts anew: some 20 MB."""

_ATTACKER = 90
_DEFENDER = 110
_KING_STEP = 4
"""For each square that the king can go to."""
_WAY_OUT = 150
"""For each way to an escape square that stands open."""
_NEXT_WAY_OUT = 12
"""For each escape that would stand open after one more king's move."""
_FORK = 45
"""For each king's move after which two escapes would stand open."""
_BESIDE_KING = 14
"""For each attacker next to the king."""
_CLOSE = 3
"""For each attacker within two steps of the king."""

_score_of = itemgetter(0)


class TaflJudge:
    """The judge of one board with its knobs."""

    cheap = False

    def __init__(self, board: Board) -> None:
        self._board = board
        self._king = {bit: _Lookups(lanes, _Targets) for bit, lanes in board.king_lanes.items()}
        self._comers = {bit: _Lookups(lanes, _Comers) for bit, lanes in _unrestricted(board).items()}
        self._close = {bit: _within_two(board, bit) for bit in board.neighbours}
        self._values: dict[tuple[int, int, int], int] = {}

    def value(self, position: Position) -> int:
        assert isinstance(position, TaflPosition)
        _, own, other, king, side, _, _ = position
        key = (own, other, king) if side == "p1" else (other, own, king)
        value = self._values.get(key)
        if value is None:
            if len(self._values) >= REMEMBERED:
                self._values.clear()
            self._values[key] = value = self._for_king(*key)
        return value if side == "p2" else -value

    def pressing(self, position: Position) -> bool:
        assert isinstance(position, TaflPosition)
        _, own, other, king, side, _, _ = position
        if side == "p1":
            return self._escapes(own, other, king) != 0
        return self._can_capture(other, own, king)

    def foreseen(self, position: Position) -> int:
        assert isinstance(position, TaflPosition)
        _, own, other, king, side, _, _ = position
        if side == "p2":
            return 1 if self._escapes(other, own, king) else 0
        if self._can_capture(own, other, king):
            return 1
        return 0

    def ranked(self, position: Position, moves: Sequence[Move]) -> list[tuple[int, Move]]:
        ranked: list[tuple[int, Move]] = []
        for move in moves:
            child = position.play(move)
            outcome = child.outcome
            if outcome is not None:
                score = 0 if outcome.winner == "draw" else won_in(1 if outcome.winner == position.side else -1)
            else:
                score = won_in(-2) if self.foreseen(child) > 0 else -self.value(child)
            ranked.append((score, move))
        ranked.sort(key=_score_of, reverse=True)
        return ranked

    def _escapes(self, attackers: int, defenders: int, king: int) -> int:
        """The escape squares that the king can go to now."""
        return self._king[king].reach(attackers | defenders) & self._board.escapes

    def _can_capture(self, attackers: int, defenders: int, king: int) -> bool:
        """Can the attackers, to move, capture the king?"""
        board = self._board
        occupied = attackers | defenders | king
        needs = board.king_needs.get(king)
        if needs is not None:
            around, or_empty = needs
            missing = around & ~attackers & ~(or_empty & ~occupied)
            if not around or missing & (missing - 1):
                return False
            if not missing:
                # The ring is whole, but only a man who comes next to the king captures: one of it steps out no more.
                return False
            return self._comes(missing, attackers & ~around, occupied)
        hostile = attackers | board.hostile_corners | (board.hostile_centre & ~occupied)
        stride = board.stride
        for step in (1, stride):
            one, two = king << step & board.squares, king >> step & board.squares
            if not (one and two):
                continue
            if two & hostile and self._comes(one, attackers & ~two, occupied):
                return True
            if one & hostile and self._comes(two, attackers & ~one, occupied):
                return True
        return False

    def _comes(self, square: int, men: int, occupied: int) -> bool:
        """Can one of these men come to the empty square with one move?"""
        if square & occupied or not square & self._board.men_stop:
            return False
        return self._comers[square].reach(occupied) & men != 0

    def _for_king(self, attackers: int, defenders: int, king: int) -> int:
        """The worth of the board to the king's side, whoever moves."""
        board = self._board
        occupied = attackers | defenders
        reach = self._king[king].reach(occupied)
        escapes = board.escapes
        value = (
            _DEFENDER * defenders.bit_count()
            - _ATTACKER * attackers.bit_count()
            + _KING_STEP * reach.bit_count()
            + _WAY_OUT * (reach & escapes).bit_count()
            - _BESIDE_KING * (board.neighbours[king] & attackers).bit_count()
            - _CLOSE * (self._close[king] & attackers).bit_count()
        )
        rest = reach & ~escapes
        while rest:
            bit = rest & -rest
            rest ^= bit
            ways = (self._king[bit].reach(occupied) & escapes).bit_count()
            if ways:
                value += _NEXT_WAY_OUT * ways
                if ways > 1:
                    value += _FORK
        return value


class _Targets(dict[int, int]):
    """From the occupied squares of a lane to the squares that a king on its square can go to."""

    def __init__(self, lane: "_Lane") -> None:
        super().__init__()
        self._lane = lane

    def __missing__(self, occupied: int) -> int:
        self[occupied] = found = sum(slide.to for slide in self._lane.reach[occupied])
        return found
