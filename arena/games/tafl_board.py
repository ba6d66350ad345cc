"""What stays fixed while a game of tafl is played: what the rule options mean on a board, and every move as a table.

A board is made once for each size and set of rule options, and all positions on it share it. It holds no piece and does
not know whose turn it is. Bits go file by file from a1 upwards, with one unused bit after each file: so a shift by 1 or
by `stride` moves a set of squares one step without wrapping round an edge (mask with `squares` afterwards).
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from arena.games.squares import MAX_SIDE, square_name
from arena.games.tafl_variants import KING_CAPTURES, RuleOptions, Steps


class Slide(NamedTuple):
    """A rook's move from one square to another, for whichever piece stands there."""

    text: str
    start: int
    to: int
    path: int
    """The squares that must be empty: the squares passed over, and `to`."""
    man: bool
    """Whether a man may go so far and stop there."""
    king: bool
    """Whether the king may go so far and stop there."""
    near: int
    """The squares next to `to`."""
    pairs: tuple[tuple[int, int], ...]
    """Each square next to `to` that has another square beyond it, with that other square."""


_BLANK = Slide("", 0, 0, -1, False, False, 0, ())
"""A move that is never possible, since it passes over every square."""


class KingNeed(NamedTuple):
    """What captures the king on one square where two attackers do not suffice."""

    around: int
    """The squares next to him."""
    or_empty: int
    """The squares of `around` that count as held while they are empty: the centre, or none."""
    held: int
    """How many squares of `around` must be held. Where `around` has fewer, the king cannot be captured."""


class Reach(dict[int, tuple[Slide, ...]]):
    """One piece's moves along a file or rank, by the occupied squares on it. They are worked out when first needed."""

    def __init__(self, rays: tuple[tuple[Slide, ...], ...], king: bool) -> None:
        super().__init__()
        self._rays = rays
        self._king = king

    def __missing__(self, occupied: int) -> tuple[Slide, ...]:
        reached = []
        for ray in self._rays:
            for slide in ray:
                if slide.to & occupied:
                    break
                if slide.king if self._king else slide.man:
                    reached.append(slide)
        self[occupied] = slides = tuple(reached)
        return slides


class Lanes(NamedTuple):
    """The file and the rank of a square: the other squares on each, and a piece's moves along it."""

    file: int
    file_reach: Reach
    rank: int
    rank_reach: Reach


class TaflBoard:
    """The tables of one size and one set of rule options. Equal boards are one object: get it from `board_of`."""

    def __init__(self, size: int, options: RuleOptions) -> None:
        self.size = size
        self.options = options
        self.stride = size + 1
        every = [(file, rank) for file in range(size) for rank in range(size)]
        self.bits = {square_name(*square): self._bit(*square) for square in every}
        """The bit of each square, by name."""
        self.squares = sum(self.bits.values())
        last = size - 1
        self.edge = sum(self._bit(*square) for square in every if {0, last} & set(square))
        self.corners = sum(self._bit(file, rank) for file in (0, last) for rank in (0, last))
        self.centre = self._bit(size // 2, size // 2)
        self.neighbours = {
            self._bit(*square): sum(self._bit(*step[0]) for step in self._rays(*square) if step) for square in every
        }
        """The squares next to each bit."""
        self.escapes = {"edge": self.edge, "corner": self.corners}[options.escape]
        """The squares where the king wins by stopping."""
        self.men_stop, self.king_stop = self._stops()
        """The squares where a man, and where the king, may stop."""
        self.padded_length = max(
            sum(min(step_limit(steps), len(ray)) for ray in self._rays(*square))
            for square in every
            for steps in (options.men_steps, options.king_steps)
        )
        """The length of every entry of `padded_moves`: at least the most moves that a piece can have."""
        self.king_armed = options.king_armed == "yes"
        self.hostile_corners = self.corners if options.corner_hostile == "yes" else 0
        self.hostile_centre = self.centre if options.centre_hostile == "yes" else 0
        """The centre if it is hostile while empty, else 0."""
        self.king_needs = self._king_needs()
        """What captures the king, by his bit. Where he is not in here, two attackers capture him as they do a man."""

    def __reduce__(self) -> tuple[object, ...]:
        # Pickled by name, so that unpickled positions share the receiver's tables instead of carrying a copy.
        return board_of, (self.size, self.options)

    def _stops(self) -> tuple[int, int]:
        centre, corners = self.centre, self.corners
        men, king = {"any": (0, 0), "king": (centre, 0), "nobody": (centre, centre)}[self.options.centre_stop]
        men |= {"any": 0, "king": corners}[self.options.corner_stop]
        return self.squares & ~men, self.squares & ~king

    def _king_needs(self) -> dict[int, KingNeed]:
        capture = KING_CAPTURES[self.options.king_captured_by]
        or_empty = self.centre if capture.empty_centre_counts else self.hostile_centre
        needs = {}
        for bit, around in self.neighbours.items():
            if bit == self.centre:
                held = capture.on_centre
            elif around & self.centre:
                held = capture.beside_centre
            else:
                held = capture.elsewhere
            if held > 2:
                needs[bit] = KingNeed(around, around & or_empty, held)
        return needs

    @cached_property
    def words(self) -> dict[str, Slide]:
        """Every rook's move by its word."""
        return {slide.text: slide for rays in self._slides.values() for ray in rays for slide in ray}

    @cached_property
    def padded_moves(self) -> dict[int, tuple[Slide, ...]]:
        """A man's moves from each bit on an empty board, padded to `padded_length` with moves that are never possible.

        All entries are equally long, so a random piece and then a random entry of it give each move the same chance.
        """
        return {
            bit: self._padded(slide for ray in rays for slide in ray if slide.man) for bit, rays in self._slides.items()
        }

    @cached_property
    def padded_king_moves(self) -> dict[int, tuple[Slide, ...]]:
        """The king's moves from each bit, padded to the same length as a man's."""
        return {
            bit: self._padded(slide for ray in rays for slide in ray if slide.king)
            for bit, rays in self._slides.items()
        }

    @cached_property
    def last_man_steps(self) -> list[int]:
        """Where a side's last man may step to on an empty board, by the `bit_length` of the side's men."""
        steps = [0] * (self.size * self.stride + 1)
        for bit, around in self.neighbours.items():
            steps[bit.bit_length()] = around & self.men_stop
        return steps

    @cached_property
    def men_lanes(self) -> dict[int, Lanes]:
        """The moves of a man from each bit."""
        return {bit: self._lanes(rays, king=False) for bit, rays in self._slides.items()}

    @cached_property
    def king_lanes(self) -> dict[int, Lanes]:
        """The moves of the king from each bit."""
        return {bit: self._lanes(rays, king=True) for bit, rays in self._slides.items()}

    @cached_property
    def _slides(self) -> dict[int, tuple[tuple[Slide, ...], ...]]:
        """The slides up, down, right and left from each bit, the nearest first."""
        return {
            self._bit(file, rank): tuple(tuple(self._ray(file, rank, ray)) for ray in self._rays(file, rank))
            for file in range(self.size)
            for rank in range(self.size)
        }

    def _ray(self, file: int, rank: int, ray: list[tuple[int, int]]) -> Iterator[Slide]:
        start, name, path = self._bit(file, rank), square_name(file, rank), 0
        men_steps, king_steps = step_limit(self.options.men_steps), step_limit(self.options.king_steps)
        for distance, square in enumerate(ray, 1):
            to = self._bit(*square)
            path |= to
            man = distance <= men_steps and bool(to & self.men_stop)
            king = distance <= king_steps and bool(to & self.king_stop)
            pairs = tuple(
                (self._bit(*onward[0]), self._bit(*onward[1])) for onward in self._rays(*square) if len(onward) > 1
            )
            yield Slide(name + square_name(*square), start, to, path, man, king, self.neighbours[to], pairs)

    def _padded(self, slides: Iterator[Slide]) -> tuple[Slide, ...]:
        moves = tuple(slides)
        return moves + (_BLANK,) * (self.padded_length - len(moves))

    def _lanes(self, rays: tuple[tuple[Slide, ...], ...], king: bool) -> Lanes:
        up, down, right, left = rays
        file = sum(slide.to for slide in up + down)
        rank = sum(slide.to for slide in right + left)
        return Lanes(file, Reach((up, down), king), rank, Reach((right, left), king))

    def _rays(self, file: int, rank: int) -> tuple[list[tuple[int, int]], ...]:
        return (
            [(file, up) for up in range(rank + 1, self.size)],
            [(file, down) for down in reversed(range(rank))],
            [(right, rank) for right in range(file + 1, self.size)],
            [(left, rank) for left in reversed(range(file))],
        )

    def _bit(self, file: int, rank: int) -> int:
        return 1 << (file * self.stride + rank)


@lru_cache(maxsize=64)
def board_of(size: int, options: RuleOptions) -> TaflBoard:
    """The board with so many files and as many ranks, under these rule options."""
    return TaflBoard(size, options)


def step_limit(steps: Steps) -> int:
    """How many squares a piece may go in one move: with `any`, as many as the largest board has."""
    return MAX_SIDE if steps == "any" else int(steps)
