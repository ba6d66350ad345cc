"""The evaluation of Callanish: lines by the number of squares that they lack, and checks that cannot be answered.

Reads the packed lines of `CallanishPosition` instead of playing moves. A turn changes two sums, and the scores of sums
are cached, since the moves of one position share most of them.
"""

from collections.abc import Sequence
from operator import itemgetter

from arena.games.callanish.board import FULL, LINE_BITS, CallanishBoard, Turn, bits_of
from arena.games.callanish.rules import CallanishPosition
from arena.games.rules import Move
from engines.scores import win_score

REMEMBERED = 1 << 17
"""The size at which the cache of line sums is cleared. It takes about 20 MB then."""

_LACKING = (60, 34, 16, 7, 3, 1)
"""The score of a line for its side, by the number of squares that it lacks."""
_BEYOND = 12
"""The score of each square beyond a line's need."""
_COVERED = 9
"""The score of burying an enemy stone, apart from the lines that it held."""

_FEW_STONES = 3
"""A side with fewer exposed stones than this may soon have no turn, so its mobility counts."""
_MOBILITY = 4
"""The score of each square that is a knight's move away from one of its few stones."""
_MOST_TARGETS = 8

_score_of = itemgetter(0)


class CallanishEvaluator:
    """The evaluator of one board."""

    cheap_ranking = True

    def __init__(self, board: CallanishBoard) -> None:
        self._lines = _LineValues()
        self._targets = {bit: targets.bit_count() for bit, targets in board.knights.items()}
        self._fields = [
            (
                FULL << LINE_BITS * field,
                sum(bit for bit in board.knights if board.weights[bit] >> LINE_BITS * field & 1),
            )
            for field in range(len(board.needs))
        ]

    def value(self, position: CallanishPosition) -> int:
        lines = self._lines
        buried = position.other_buried.bit_count() - position.own_buried.bit_count()
        value = lines[position.own_lines] - lines[position.other_lines] + _COVERED * buried
        own, other = position.own, position.other
        if own.bit_count() < _FEW_STONES or other.bit_count() < _FEW_STONES:
            value += _MOBILITY * (self._mobility(own) - self._mobility(other))
        return value

    def threatened(self, position: CallanishPosition) -> bool:
        return position.other_lines & position.board.full != 0

    def forced_plies(self, position: CallanishPosition) -> int:
        return -1 if position.other_lines & position.board.full and not self._answers(position) else 0

    def candidates(self, position: CallanishPosition) -> Sequence[Move]:
        # `ranked` finds the turns that leave a line standing, at a lower cost than a search for them here.
        return position.moves()

    def ranked(self, position: CallanishPosition, moves: Sequence[Turn]) -> list[tuple[int, Move]]:
        board, _own, own_buried, other, other_buried, own_lines, other_lines, _, _, _ = position
        full = board.full
        values = self._lines
        unanswered = other_lines & full
        theirs = values[other_lines]
        buried = _COVERED * (other_buried.bit_count() - own_buried.bit_count())
        crowded = _crowded(position)
        ranked: list[tuple[int, Move]] = []
        for move in moves:
            _, take, add, first, second, gain, take_weight, first_weight, second_weight = move
            mine = own_lines + gain
            if take & other_buried or add & other:
                lines, covered = other_lines, buried
                if take & other_buried:
                    lines += take_weight
                    covered -= _COVERED
                if first & other:
                    lines -= first_weight
                    covered += _COVERED
                if second & other:
                    lines -= second_weight
                    covered += _COVERED
                score = win_score(-1) if lines & full else values[mine] - values[lines] + covered
            elif unanswered:
                score = win_score(-1)
            else:
                score = values[mine] - theirs + buried
            if crowded or mine & full:
                score = self._value_after(position.play(move))
            ranked.append((score, move))
        ranked.sort(key=_score_of, reverse=True)
        return ranked

    def _value_after(self, child: CallanishPosition) -> int:
        """The mover's score of a turn that leads to `child`, computed from the position."""
        if child.outcome is not None:
            return win_score(-1 if child.outcome.winner == child.side else 1)
        return win_score(2) if self.forced_plies(child) else -self.value(child)

    def _mobility(self, stones: int) -> int:
        """The number of squares a knight's move from these stones. With many stones it is a constant."""
        if stones.bit_count() >= _FEW_STONES:
            return _FEW_STONES * _MOST_TARGETS
        return sum(self._targets[bit] for bit in bits_of(stones))

    def _answers(self, position: CallanishPosition) -> bool:
        """True if the side to move can break every full line of the opponent. A turn covers two squares at most."""
        board, own, own_buried, other, other_buried, _, other_lines, _, _, _ = position
        full = board.full
        coverable = 0
        for flag, squares in self._fields:
            if other_lines & flag:
                coverable |= squares & other & ~own_buried
        near = 0
        for bit in bits_of(coverable):
            near |= board.knights[bit]
        free = ~(own | own_buried)
        for bit in bits_of(near & own):
            lines = other_lines + board.weights[bit] if bit & other_buried else other_lines
            targets = board.knights[bit] & free
            covers = [board.weights[target] for target in bits_of(targets & other)]
            if covers and targets & (targets - 1):
                for number, weight in enumerate(covers):
                    if not lines - weight & full:
                        return True
                    if any(not lines - weight - second & full for second in covers[number + 1 :]):
                        return True
        return False


class _LineValues(dict[int, int]):
    """Maps a side's packed lines to their score."""

    def __init__(self) -> None:
        super().__init__()
        self._scores = tuple(_line_score(FULL - field) if field else 0 for field in range(2 * FULL))

    def __missing__(self, lines: int) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        scores, mask, rest, value = self._scores, 2 * FULL - 1, lines, 0
        while rest:
            value += scores[rest & mask]
            rest >>= LINE_BITS
        self[lines] = value
        return value


def _line_score(lacking: int) -> int:
    if lacking <= 0:
        return _LACKING[0] - _BEYOND * lacking
    return _LACKING[lacking] if lacking < len(_LACKING) else 0


def _crowded(position: CallanishPosition) -> bool:
    """True if a turn may leave a side with few stones or without a turn. Only then is every turn played."""
    board, own, _, other, other_buried, _, _, _, _, _ = position
    stones = (other | other_buried).bit_count()
    supply = board.supply
    return (
        own.bit_count() < _FEW_STONES
        or other.bit_count() < _FEW_STONES + 2
        or stones * 4 > board.playable.bit_count() * 3
        or (supply is not None and stones + 1 >= supply)
    )
