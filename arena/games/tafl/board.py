"""What stays fixed while a game of tafl is played: what the rule options mean on a board, and every move as a table.

A board is made once for each size and set of rule options, and all positions on it share it. It holds no piece and does
not know whose turn it is. Bits go file by file from a1 upwards, with one unused bit after each file: so a shift by 1 or
by `stride` moves a set of squares one step without wrapping round an edge (mask with `squares` afterwards).
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from arena.games.squares import MAX_SIDE, square_name
from arena.games.tafl.variants import KING_CAPTURES, RuleOptions, Steps


class EdgeRow(NamedTuple):
    """The squares along an edge from one square of it to the corner, for captures by a shieldwall.

    A piece moves to the edge. Behind it along the edge stand two enemies or more without a gap, each with one of the
    mover's pieces in front of it. The row is closed by another of the mover's pieces, or by an empty corner where
    `closing_corners` has it. Then all of the row are captured but a king.
    """

    squares: tuple[tuple[int, int], ...]
    """Each square after the first, the nearest first, with the square in front of it."""


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
    """Each square next to `to` that has another square beyond it, with that other square.

    Without the pairs inside one camp: no piece is captured there.
    """
    rows: tuple[EdgeRow, ...]
    """The rows along the edge from `to` where a shieldwall may capture; none without that rule."""
    ring: int
    """The squares around `to`, diagonals included, where a ring of attackers goes on; 0 without encirclement."""


_BLANK = Slide("", 0, 0, -1, False, False, 0, (), (), 0)
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
        self.camps = self._camps() if options.camps == "yes" else ()
        """The squares of each camp; no camps where the variant has none."""
        self.camp_squares = sum(self.camps)
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
        self.hostile = self.camp_squares
        """The squares that are hostile whoever stands on them."""
        if options.corner_hostile == "yes":
            self.hostile |= self.corners
        if options.centre_hostile == "always":
            self.hostile |= self.centre
        self.hostile_centre = self.centre if options.centre_hostile == "yes" else 0
        """The centre if it is hostile while empty, else 0."""
        self.closing_corners = self.corners if options.shieldwall == "corner" else 0
        """The corners that close a row while they are empty."""
        self.fort_edge = self.edge if options.fort == "wins" else 0
        """The squares where a king in a fort wins."""
        self.encirclement = options.encirclement == "wins"
        self.king_needs = self._king_needs()
        """What captures the king, by his bit. Where he is not in here, two attackers capture him as they do a man."""

    def __reduce__(self) -> tuple[object, ...]:
        # Pickled by name, so that unpickled positions share the receiver's tables instead of carrying a copy.
        return board_of, (self.size, self.options)

    def spread(self, squares: int) -> int:
        """The squares, and all that are next to one of them."""
        stride = self.stride
        return (squares | squares << 1 | squares >> 1 | squares << stride | squares >> stride) & self.squares

    def flood(self, start: int, through: int) -> int:
        """`start`, and the squares of `through` that can be reached from it by steps along files and ranks."""
        reached, before = start, 0
        while reached != before:
            before, reached = reached, start | self.spread(reached) & through
        return reached

    def _around(self, bit: int) -> int:
        """The squares next to this one along a file, a rank or a diagonal."""
        file = bit | bit << 1 | bit >> 1
        return self.squares & (file | file << self.stride | file >> self.stride) & ~bit

    def _camps(self) -> tuple[int, ...]:
        middle, last = self.size // 2, self.size - 1
        camps = []
        for end, before_it in ((0, 1), (last, last - 1)):
            camp = [(middle - 1, end), (middle, end), (middle + 1, end), (middle, before_it)]
            camps.append(sum(self._bit(file, rank) for file, rank in camp))
            camps.append(sum(self._bit(rank, file) for file, rank in camp))
        return tuple(camps)

    def _stops(self) -> tuple[int, int]:
        centre, corners = self.centre, self.corners
        men, king = {"any": (0, 0), "king": (centre, 0), "nobody": (centre, centre)}[self.options.centre_stop]
        men |= {"any": 0, "king": corners}[self.options.corner_stop]
        return self.squares & ~men, self.squares & ~king

    def _king_needs(self) -> dict[int, KingNeed]:
        capture = KING_CAPTURES[self.options.king_captured_by]
        or_empty = self.hostile_centre | self.hostile
        if capture.empty_centre_counts:
            or_empty |= self.centre
        needs = {}
        for bit, around in self.neighbours.items():
            if bit == self.centre:
                held = capture.on_centre
            elif around & self.centre:
                held = capture.beside_centre
            else:
                held = capture.elsewhere
            if capture.edge_helps:
                held = min(held, around.bit_count())
            if held > 2 or capture.edge_helps:
                helping = or_empty & ~self.camp_squares if bit & self.camp_squares else or_empty
                needs[bit] = KingNeed(around, around & helping, held)
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
    def men_steps(self) -> dict[int, int]:
        """Where a man may go from each bit by one step on an empty board."""
        return {bit: sum(ray[0].to for ray in rays if ray and ray[0].man) for bit, rays in self._slides.items()}

    @cached_property
    def last_man_steps(self) -> list[int]:
        """The same for a side's last man, by the `bit_length` of the side's men."""
        steps = [0] * (self.size * self.stride + 1)
        for bit, squares in self.men_steps.items():
            steps[bit.bit_length()] = squares
        return steps

    @cached_property
    def rows(self) -> dict[int, tuple[EdgeRow, ...]]:
        """The rows along the edge from each square of it that have two squares or more and a square to close them."""
        last, rows = self.size - 1, {bit: list[EdgeRow]() for bit in self.neighbours if bit & self.edge}
        for edge, front in ((0, 1), (last, last - 1)):
            for place in range(self.size):
                for line in (range(place + 1, self.size), range(place - 1, -1, -1)):
                    if len(line) > 2:
                        along_rank = tuple((self._bit(file, edge), self._bit(file, front)) for file in line)
                        along_file = tuple((self._bit(edge, rank), self._bit(front, rank)) for rank in line)
                        rows[self._bit(place, edge)].append(EdgeRow(along_rank))
                        rows[self._bit(edge, place)].append(EdgeRow(along_file))
        return {bit: tuple(found) for bit, found in rows.items()}

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
        closed = self.camp_squares & ~sum(camp for camp in self.camps if start & camp)
        closed_to_men, closed_to_king = {"any": (0, 0), "king": (self.centre, 0), "nobody": (self.centre,) * 2}[
            self.options.centre_pass
        ]
        for distance, square in enumerate(ray, 1):
            to = self._bit(*square)
            man = (
                distance <= men_steps
                and bool(to & self.men_stop)
                and not (path & closed_to_men or (path | to) & closed)
            )
            king = (
                distance <= king_steps
                and bool(to & self.king_stop)
                and not (path & closed_to_king or (path | to) & closed)
            )
            path |= to
            pairs = tuple(
                (self._bit(*onward[0]), self._bit(*onward[1]))
                for onward in self._rays(*square)
                if len(onward) > 1 and not all(self._bit(*step) & self.camp_squares for step in onward[:2])
            )
            rows = () if self.options.shieldwall == "no" else self.rows.get(to, ())
            ring = self._around(to) if self.encirclement else 0
            yield Slide(name + square_name(*square), start, to, path, man, king, self.neighbours[to], pairs, rows, ring)

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
