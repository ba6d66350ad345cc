"""What stays fixed while a game of Callanish is played: squares, lines, their needs, and every turn as a table.

A board is made once for each shape, and all positions on it share it. It holds no stone and does not know whose turn
it is. Bits are numbered file by file from a1 upwards: so ascending bits are the order of targets in a word.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

from arena.games.squares import FILES, square_name

LINE_BITS = 6
"""The width in bits of one line's field. At most 25 squares and an offset of at most 31 stay below 64, so no field
overflows into the next."""
FULL = 1 << (LINE_BITS - 1)
"""The bit of a field that is set as soon as a side controls as many squares as the line needs."""

PADDED_LENGTH = 28
"""The length of every entry of `padded_turns`: the most turns from one square, which are two targets out of eight."""

_LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class Shape(NamedTuple):
    """A rectangle of squares with holes, which are given by their square names."""

    width: int
    height: int
    holes: frozenset[str] = frozenset()


class Turn(NamedTuple):
    """What a turn changes, worked out beforehand. In a first placement `take` and `second` are 0."""

    text: str
    take: int
    """The bit of the square that the stone leaves."""
    add: int
    """The bits of both targets."""
    first: int
    second: int
    gain: int
    """What is added to the mover's lines."""
    take_weight: int
    """One square of control on each of the lines through `take`."""
    first_weight: int
    """The same for `first`."""
    second_weight: int
    """The same for `second`."""


_BLANK = Turn("", 0, -1, 0, 0, 0, 0, 0, 0)
"""A turn that is never possible, since it adds a stone on every square."""


class _Choices(dict[int, tuple[Turn, ...]]):
    """The turns from one square, by the set of free targets: at most 256 sets, worked out when first needed."""

    def __init__(self, turns: tuple[Turn, ...]) -> None:
        super().__init__()
        self._turns = turns

    def __missing__(self, free: int) -> tuple[Turn, ...]:
        self[free] = turns = tuple(turn for turn in self._turns if turn.add & free == turn.add)
        return turns


class CallanishBoard:
    """The tables of one shape and one supply. Equal boards are one object: get it from `board_of`.

    Lines are packed into one int, with a field of `LINE_BITS` bits for each file, then for each rank. A field holds the
    number of squares that a side controls plus `FULL - need`. So `lines & board.full` says whether it holds any line.
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
        """The squares a knight's move away from each bit."""
        self.weights = {
            bit: 1 << LINE_BITS * file | 1 << LINE_BITS * (shape.width + rank) for (file, rank), bit in at.items()
        }
        """One square of control on the file and the rank of each bit."""
        self.line_sizes = tuple(
            [sum(square[0] == file for square in squares) for file in range(shape.width)]
            + [sum(square[1] == rank for square in squares) for rank in range(shape.height)]
        )
        self.needs = tuple((size + 1) // 2 for size in self.line_sizes)
        """How many squares win each line, by field. 0 means that the line has no squares and cannot be won."""
        self.no_lines = sum(FULL - need << LINE_BITS * field for field, need in enumerate(self.needs) if need)
        """The lines of a side that controls nothing."""
        self.full = sum(FULL << LINE_BITS * field for field in range(len(self.needs)))

    def __reduce__(self) -> tuple[object, ...]:
        # Pickled by name, so that unpickled positions share the receiver's tables instead of carrying a copy.
        return board_of, (self.shape, self.supply)

    def line_name(self, field: int) -> str:
        """The name of the line of a field, such as `file c` or `rank 3`."""
        return f"file {FILES[field]}" if field < self.shape.width else f"rank {field - self.shape.width + 1}"

    def lines_of(self, controlled: int) -> int:
        """The packed lines of a side that controls these squares."""
        return self.no_lines + sum(self.weights[bit] for bit in bits_of(controlled))

    @cached_property
    def placements(self) -> dict[int, Turn]:
        """The first placement on each bit, by the bit."""
        weights = self.weights
        return {bit: Turn(name, 0, bit, bit, 0, weights[bit], 0, weights[bit], 0) for name, bit in self.bits.items()}

    @cached_property
    def all_placements(self) -> tuple[Turn, ...]:
        """All first placements."""
        return tuple(self.placements.values())

    @cached_property
    def turns(self) -> dict[int, tuple[Turn, ...]]:
        """All turns from each bit on an otherwise empty board."""
        return {bit: tuple(self._turns_from(name, bit)) for name, bit in self.bits.items()}

    @cached_property
    def choices(self) -> dict[int, _Choices]:
        """The turns from each bit, by the free squares among its targets."""
        return {bit: _Choices(turns) for bit, turns in self.turns.items()}

    @cached_property
    def padded_turns(self) -> dict[int, tuple[Turn, ...]]:
        """The turns from each bit, padded to `PADDED_LENGTH` with turns that are never possible.

        All entries are equally long, so a random stone and then a random entry of it give each turn the same chance.
        """
        return {bit: turns + (_BLANK,) * (PADDED_LENGTH - len(turns)) for bit, turns in self.turns.items()}

    @cached_property
    def last_stone_targets(self) -> list[tuple[int, int]]:
        """The targets of a side's last exposed stone, by the `bit_length` of the side's exposed stones.

        With them goes how many of these targets may hold stones of the side if that stone is to have a turn. -1 means
        that this one stone does not answer whether the side has a turn.
        """
        targets_of = [(0, -1)] * (self.shape.width * self.shape.height + 1)
        if self.supply is None:
            for bit, targets in self.knights.items():
                targets_of[bit.bit_length()] = targets, targets.bit_count() - 2
        return targets_of

    @cached_property
    def words(self) -> dict[str, Turn]:
        """The turn or placement that each word names. A word may have its targets in either order."""
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
    def square_names(self) -> dict[int, str]:
        """The name of each playable square, by the number of its bit."""
        return {bit.bit_length() - 1: name for name, bit in self.bits.items()}

    @cached_property
    def _names(self) -> dict[int, str]:
        return {bit: name for name, bit in self.bits.items()}


@lru_cache(maxsize=64)
def board_of(shape: Shape, supply: int | None = None) -> CallanishBoard:
    """The board of a shape. A side with `supply` stones on it has no complete turn; None is no limit."""
    return CallanishBoard(shape, supply)


def bits_of(squares: int) -> Iterator[int]:
    """The single bits of a set of squares, the lowest first."""
    while squares:
        bit = squares & -squares
        yield bit
        squares ^= bit
