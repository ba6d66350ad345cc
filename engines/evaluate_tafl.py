"""The evaluation of tafl: men, the king's ways out, and who can end the game with the next move.

Works for every rule option, since the tables of `tafl_board` include them. For each square and each pattern of its file
or rank it caches where a king can go and which men can come.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from arena.games.rules import Move
from arena.games.tafl.board import Reach, Slide, TaflBoard
from arena.games.tafl.rules import TaflPosition
from engines.scores import win_score

REMEMBERED = 1 << 16
"""The size at which the cache of positions is cleared. It takes about 20 MB then."""

_ATTACKER = 90
_DEFENDER = 110
_KING_STEP = 4
"""Per square that the king can go to."""
_WAY_OUT = 150
"""Per escape square that the king can go to."""
_NEXT_WAY_OUT = 12
"""Per escape square that the king could go to after one more king's move."""
_FORK = 45
"""Per king's move after which the king could go to two escape squares."""
_BESIDE_KING = 14
"""Per attacker next to the king."""
_CLOSE = 3
"""Per attacker within two steps of the king."""

_score_of = itemgetter(0)


class TaflEvaluator:
    """The evaluator of one board with its rule options."""

    cheap_ranking = False

    def __init__(self, board: TaflBoard) -> None:
        self._board = board
        self._king = {
            bit: _Lines(lanes.file, _Targets(lanes.file_reach), lanes.rank, _Targets(lanes.rank_reach))
            for bit, lanes in board.king_lanes.items()
        }
        slides: dict[int, list[Slide]] = {bit: [] for bit in board.neighbours}
        for slide in board.words.values():
            if slide.man:
                slides[slide.to].append(slide)
        self._king_paths = {(slide.start, slide.to): slide.path for slide in board.words.values() if slide.king}
        self._movers = {
            bit: _Lines(lanes.file, _Movers(lanes.file, slides[bit]), lanes.rank, _Movers(lanes.rank, slides[bit]))
            for bit, lanes in board.men_lanes.items()
        }
        self._close = {bit: _within_two(board, bit) for bit in board.neighbours}
        self._values: dict[tuple[int, int, int], int] = {}

    def value(self, position: TaflPosition) -> int:
        _, own, other, king, side, _, _ = position
        key = (own, other, king) if side == "p1" else (other, own, king)
        value = self._values.get(key)
        if value is None:
            if len(self._values) >= REMEMBERED:
                self._values.clear()
            self._values[key] = value = self._for_king(*key)
        return value if side == "p2" else -value

    def threatened(self, position: TaflPosition) -> bool:
        _, own, other, king, side, _, _ = position
        if side == "p1":
            return self._escapes(own, other, king) != 0
        return self._can_capture(other, own, king)

    def forced_plies(self, position: TaflPosition) -> int:
        _, own, other, king, side, _, _ = position
        if side == "p2":
            return 1 if self._escapes(other, own, king) else 0
        if self._can_capture(own, other, king):
            return 1
        # One man cannot block two ways.
        escapes = self._escapes(own, other, king)
        return -2 if escapes & (escapes - 1) else 0

    def candidates(self, position: TaflPosition) -> Sequence[Move]:
        _board, own, other, king, side, _, _ = position
        moves = position.moves()
        escapes = self._escapes(own, other, king) if side == "p1" else 0
        if not escapes or escapes & (escapes - 1) or self._can_capture(own, other, king):
            return moves
        way = self._king_paths[king, escapes]
        return [move for move in moves if move.to & way]

    def ranked(self, position: TaflPosition, moves: Sequence[Move]) -> list[tuple[int, Move]]:
        ranked: list[tuple[int, Move]] = []
        for move in moves:
            child = position.play(move)
            outcome = child.outcome
            if outcome is not None:
                score = 0 if outcome.winner == "draw" else win_score(1 if outcome.winner == position.side else -1)
            else:
                plies = self.forced_plies(child)
                # The opponent's n plies are n + 1 plies from here, and its win is a loss here.
                score = win_score(-plies - 1 if plies > 0 else 1 - plies) if plies else -self.value(child)
            ranked.append((score, move))
        ranked.sort(key=_score_of, reverse=True)
        return ranked

    def _escapes(self, attackers: int, defenders: int, king: int) -> int:
        """The escape squares that the king can go to with one move."""
        file, up_down, rank, across = self._king[king]
        occupied = attackers | defenders
        return (up_down[occupied & file] | across[occupied & rank]) & self._board.escapes

    def _can_capture(self, attackers: int, defenders: int, king: int) -> bool:
        """True if the attackers, to move, can capture the king.

        A man next to the king cannot reach another square next to the king, since the king stands between them.
        """
        board = self._board
        occupied = attackers | defenders | king
        need = board.king_needs.get(king)
        if need is not None:
            held = need.around & (attackers | need.or_empty & ~occupied)
            if held.bit_count() + 1 < need.held:
                return False
            # Attackers that already stand there capture nobody: one must come next to the king.
            free = need.around & ~occupied
            while free:
                square = free & -free
                free ^= square
                if (held | square).bit_count() >= need.held and self._can_reach(square, attackers, occupied):
                    return True
            return False
        hostile = attackers | board.hostile | (board.hostile_centre & ~occupied)
        stride = board.stride
        for step in (1, stride):
            one, two = king << step & board.squares, king >> step & board.squares
            if not (one and two):
                continue
            if two & hostile and self._can_reach(one, attackers, occupied):
                return True
            if one & hostile and self._can_reach(two, attackers, occupied):
                return True
        return False

    def _can_reach(self, square: int, men: int, occupied: int) -> bool:
        """True if one of these men can move to the empty square."""
        if square & occupied:
            return False
        file, up_down, rank, across = self._movers[square]
        return (up_down[occupied & file] | across[occupied & rank]) & men != 0

    def _for_king(self, attackers: int, defenders: int, king: int) -> int:
        """The score of the board for the king's side, whoever is to move."""
        board = self._board
        occupied = attackers | defenders
        lines = self._king
        file, up_down, rank, across = lines[king]
        reach = up_down[occupied & file] | across[occupied & rank]
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
            file, up_down, rank, across = lines[bit]
            ways = ((up_down[occupied & file] | across[occupied & rank]) & escapes).bit_count()
            if ways:
                value += _NEXT_WAY_OUT * ways
                if ways > 1:
                    value += _FORK
        return value


class _Targets(dict[int, int]):
    """Maps the occupied squares of a file or rank to the squares on it that the king can go to."""

    def __init__(self, reach: Reach) -> None:
        super().__init__()
        self._reach = reach

    def __missing__(self, occupied: int) -> int:
        self[occupied] = squares = sum(slide.to for slide in self._reach[occupied])
        return squares


class _Movers(dict[int, int]):
    """Maps the occupied squares of a file or rank to those on it whose man can move to one square."""

    def __init__(self, line: int, slides: list[Slide]) -> None:
        super().__init__()
        self._slides = [slide for slide in slides if slide.start & line]

    def __missing__(self, occupied: int) -> int:
        self[occupied] = squares = sum(
            slide.start for slide in self._slides if slide.start & occupied and not slide.path & occupied
        )
        return squares


class _Lines(NamedTuple):
    """A square's file and rank without the square, each with its table by occupied squares."""

    file: int
    on_file: dict[int, int]
    rank: int
    on_rank: dict[int, int]


def _within_two(board: TaflBoard, bit: int) -> int:
    """The squares at most two steps away, diagonal steps included."""
    near = 0
    for neighbour, around in board.neighbours.items():
        if board.neighbours[bit] & (neighbour | around):
            near |= neighbour
    return near & ~bit
