"""What stays fixed while a game of Callanish is played: squares, lines, what they need, and every turn as a table.

A board is made once for each shape and shared by all positions on it; it holds no stone and does not know whose turn
it is. Bits are numbered file by file from a1 upwards, so that ascending bits are the order of targets in a word.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

from arena.games.squares import FILES, square_name

LINE_BITS = 6
"""Width of one line's field. 25 squares at a bias of at most 31 stay below 64, so no field spills into the next."""
FULL = 1 << (LINE_BITS - 1)
"""The bit of a field that is set as soon as the line holds what it needs."""

LOTS = 28
"""The lots of a square: as many as the most turns that a square can have, two targets out of eight."""

_LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class Shape(NamedTuple):
    """A rectangle of squares without its holes, which are square names."""

    width: int
    height: int
    holes: frozenset[str] = frozenset()


class Turn(NamedTuple):
    """A turn, or a first placement (then `take` and `second` are 0): what it changes, worked out beforehand."""

    text: str
    take: int
    """The bit of the square that the stone leaves."""
    add: int
    """The bits of both targets."""
    first: int
    second: int
    gain: int
    """Added to the mover's lines."""
    take_weight: int
    """One square of control on the lines through `take`; the two that follow likewise."""
    first_weight: int
    second_weight: int


_BLANK = Turn("", 0, -1, 0, 0, 0, 0, 0, 0)
"""It adds a stone on every square there is, so it never fits."""


class _Choices(dict[int, tuple[Turn, ...]]):
    """The turns from one square for each set of free targets, found when first asked for: at most 256 sets."""

    def __init__(self, turns: tuple[Turn, ...]) -> None:
        super().__init__()
        self._turns = turns

    def __missing__(self, free: int) -> tuple[Turn, ...]:
        self[free] = found = tuple(turn for turn in self._turns if turn.add & free == turn.add)
        return found


class CallanishBoard:
    """Tables of one shape. Equal shapes and supplies are one object: get it from `board_of`.

    Lines are packed into one int, a field of `LINE_BITS` bits for each file, then for each rank; a field holds the
    number of squares controlled plus `FULL - need`. So `lines & board.full` says whether any line is held.
    """

    def __init__(self, shape: Shape, supply: int | None) -> None:
        self.shape = shape
        self.supply = supply
        squares = [
            (file, rank)
            for file in range(shape.width)
            for rank in range(shape.height)
            if square_name(file, rank) not in shape.holes
        ]
        at = {square: 1 << (square[0] * shape.height + square[1]) for square in squares}
        self.bits = {square_name(*square): bit for square, bit in at.items()}
        """The bit of each playable square, by name."""
        self.playable = sum(at.values())
        self.knights = {
            bit: sum(at.get((file + right, rank + up), 0) for right, up in _LEAPS) for (file, rank), bit in at.items()
        }
        """From a bit to the squares a knight's move away."""
        self.weights = {
            bit: 1 << LINE_BITS * file | 1 << LINE_BITS * (shape.width + rank) for (file, rank), bit in at.items()
        }
        """From a bit to one square of control on its file and its rank."""
        self.line_sizes = tuple(
            [sum(square[0] == file for square in squares) for file in range(shape.width)]
            + [sum(square[1] == rank for square in squares) for rank in range(shape.height)]
        )
        self.needs = tuple((size + 1) // 2 for size in self.line_sizes)
        """How many squares win a line, by field; 0 where a line has no squares and cannot be won."""
        self.no_lines = sum(FULL - need << LINE_BITS * field for field, need in enumerate(self.needs) if need)
        """The lines of a side that controls nothing."""
        self.full = sum(FULL << LINE_BITS * field for field in range(len(self.needs)))

    def __reduce__(self) -> tuple[object, ...]:
        # By name, so that unpickled positions share the receiver's tables instead of carrying a copy.
        return board_of, (self.shape, self.supply)

    def line_name(self, field: int) -> str:
        """The name of a line's field: `file c` or `rank 3`."""
        return f"file {FILES[field]}" if field < self.shape.width else f"rank {field - self.shape.width + 1}"

    def lines_of(self, controlled: int) -> int:
        """The packed lines of a side that controls these squares."""
        return self.no_lines + sum(self.weights[bit] for bit in bits_of(controlled))

    @cached_property
    def placements(self) -> dict[int, Turn]:
        """The first placement on each bit."""
        weights = self.weights
        return {bit: Turn(name, 0, bit, bit, 0, weights[bit], 0, weights[bit], 0) for name, bit in self.bits.items()}

    @cached_property
    def firsts(self) -> tuple[Turn, ...]:
        """All first placements."""
        return tuple(self.placements.values())

    @cached_property
    def turns(self) -> dict[int, tuple[Turn, ...]]:
        """All turns from each bit on an otherwise empty board."""
        return {bit: tuple(self._turns_from(name, bit)) for name, bit in self.bits.items()}

    @cached_property
    def choices(self) -> dict[int, _Choices]:
        """From a bit and the free squares among its targets to the turns."""
        return {bit: _Choices(turns) for bit, turns in self.turns.items()}

    @cached_property
    def lots(self) -> dict[int, tuple[Turn, ...]]:
        """From a bit to its turns, filled up to `LOTS` with turns that never fit: so a stone drawn by chance and then
        one of its lots is each turn on the board with the same chance."""
        return {bit: turns + (_BLANK,) * (LOTS - len(turns)) for bit, turns in self.turns.items()}

    @cached_property
    def glances(self) -> list[tuple[int, int]]:
        """From the `bit_length` of a side's exposed stones to the targets of the last one and how many of them may
        hold stones of the side if it is still to have a turn; less than 0 where a glance does not tell."""
        glances = [(0, -1)] * (self.shape.width * self.shape.height + 1)
        if self.supply is None:
            for bit, targets in self.knights.items():
                glances[bit.bit_length()] = targets, targets.bit_count() - 2
        return glances

    @cached_property
    def words(self) -> dict[str, Turn]:
        """Every word, targets in either order, to the turn or placement that it names."""
        names = self._names
        words = {turn.text: turn for turn in self.placements.values()}
        for bit, turns in self.turns.items():
            start = names[bit]
            for turn in turns:
                words[turn.text] = turn
                words[start + names[turn.second] + names[turn.first]] = turn
        return words

    def _turns_from(self, name: str, bit: int) -> Iterator[Turn]:
        weights = self.weights
        lost = weights[bit]
        targets = [(target, self._names[target], weights[target]) for target in bits_of(self.knights[bit])]
        for (first, first_name, first_weight), (second, second_name, second_weight) in combinations(targets, 2):
            yield Turn(
                name + first_name + second_name,
                bit,
                first | second,
                first,
                second,
                first_weight + second_weight - lost,
                lost,
                first_weight,
                second_weight,
            )

    @cached_property
    def _names(self) -> dict[int, str]:
        return {bit: name for name, bit in self.bits.items()}


@lru_cache(maxsize=64)
def board_of(shape: Shape, supply: int | None = None) -> CallanishBoard:
    """The board of a shape. `supply`: a side with so many stones has no complete turn; None is no limit."""
    return CallanishBoard(shape, supply)


def bits_of(squares: int) -> Iterator[int]:
    """The single bits of a set of squares, lowest first."""
    while squares:
        bit = squares & -squares
        yield bit
        squares ^= bit
