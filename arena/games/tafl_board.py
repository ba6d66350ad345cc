"""What stays fixed while a game of tafl is played: the knobs of its rules, and every move as a table.

A board is made once for each size and set of knobs and shared by all positions on it. It holds no piece and does not
know whose turn it is. Bits go file by file from a1 upwards with one unused bit after each file, so that shifting a
set of squares by 1 or by `stride` moves it a step without wrapping round an edge (mask with `squares` afterwards).
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import NamedTuple

from arena.games.squares import square_name

_STEPS = ("any", *(str(n) for n in range(1, 25)))

CHOICES: dict[str, tuple[str, ...]] = {
    "escape": ("edge", "corner"),
    "king_armed": ("yes", "no"),
    "king_steps": _STEPS,
    "men_steps": _STEPS,
    "king_captured_by": ("two", "four", "four-three-two"),
    "centre_stop": ("king", "any", "nobody"),
    "centre_hostile": ("yes", "no"),
    "corner_stop": ("king", "any"),
    "corner_hostile": ("yes", "no"),
    "repetition": ("draw", "loses"),
    "no_move": ("loses", "draw"),
}
"""Every knob and the values it may have."""


@dataclass(frozen=True, slots=True)
class Knobs:
    """One set of tafl rules, each knob with one of its `CHOICES`. What is not said is as in `scottish`."""

    escape: str = "edge"
    king_armed: str = "no"
    """Does the king take part in captures, as the moving piece and as the other side?"""
    king_steps: str = "any"
    men_steps: str = "any"
    king_captured_by: str = "two"
    centre_stop: str = "king"
    """Who may come to rest on the centre; `nobody` lets the king leave it, but not return."""
    centre_hostile: str = "no"
    """Does the empty centre stand for an enemy of every man?"""
    corner_stop: str = "any"
    corner_hostile: str = "no"
    """Do the corners stand for an enemy of every man, whoever stands on them?"""
    repetition: str = "draw"
    no_move: str = "loses"

    def items(self) -> tuple[tuple[str, str], ...]:
        """Names and values, sorted by name."""
        return tuple(sorted((field.name, getattr(self, field.name)) for field in fields(self)))


class Slide(NamedTuple):
    """A rook's move from one square to another, for whichever piece stands there."""

    text: str
    start: int
    to: int
    path: int
    """The squares that must be empty: those passed over and `to`."""
    man: bool
    """May a man go so far and rest there? `king` likewise."""
    king: bool
    near: int
    """The squares next to `to`."""
    pairs: tuple[tuple[int, int], ...]
    """Each square next to `to` that has another beyond it, and that one."""


_BLANK = Slide("", 0, 0, -1, False, False, 0, ())
"""It passes over every square there is, so it never fits."""


class Reach(dict[int, tuple[Slide, ...]]):
    """One piece's moves along a file or rank for each set of occupied squares on it, found when first asked for."""

    def __init__(self, rays: tuple[tuple[Slide, ...], ...], king: bool) -> None:
        super().__init__()
        self._rays = rays
        self._king = king

    def __missing__(self, occupied: int) -> tuple[Slide, ...]:
        found = []
        for ray in self._rays:
            for slide in ray:
                if slide.to & occupied:
                    break
                if slide.king if self._king else slide.man:
                    found.append(slide)
        self[occupied] = slides = tuple(found)
        return slides


class Lanes(NamedTuple):
    """A piece's file and rank from one square: the other squares of each, and the moves for what stands on them."""

    file: int
    file_reach: Reach
    rank: int
    rank_reach: Reach


class TaflBoard:
    """Tables of one size and one set of knobs. Equal ones are one object: get it from `board_of`."""

    def __init__(self, size: int, knobs: Knobs) -> None:
        self.size = size
        self.knobs = knobs
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
        """From a bit to the squares next to it."""
        self.escapes = self.edge if knobs.escape == "edge" else self.corners
        """Where the king is free."""
        corners_shut = 0 if knobs.corner_stop == "any" else self.corners
        self.men_stop = self.squares & ~corners_shut & ~(0 if knobs.centre_stop == "any" else self.centre)
        """Where a man may come to rest."""
        self.king_stop = self.squares & ~(self.centre if knobs.centre_stop == "nobody" else 0)
        self.slots = max(
            sum(min(_limit(steps), len(ray)) for ray in self._rays(*square))
            for square in every
            for steps in (knobs.men_steps, knobs.king_steps)
        )
        """The most moves that any piece may have, or a few more."""
        self.king_armed = knobs.king_armed == "yes"
        self.hostile_corners = self.corners if knobs.corner_hostile == "yes" else 0
        self.hostile_centre = self.centre if knobs.centre_hostile == "yes" else 0
        """The centre where it is hostile when empty, else 0."""
        self.king_needs = self._king_needs()

    def __reduce__(self) -> tuple[object, ...]:
        # By name, so that unpickled positions share the receiver's tables instead of carrying a copy.
        return board_of, (self.size, self.knobs)

    def _king_needs(self) -> dict[int, tuple[int, int]]:
        """From the king's bit, where two enemies do not suffice, to the neighbours that attackers must hold and the
        part of them that may be the empty centre instead. (0, 0): he cannot be taken there."""
        mode = self.knobs.king_captured_by
        if mode == "two":
            return {}
        beside = self.neighbours[self.centre]
        if mode == "four-three-two":
            inner = {bit: around for bit, around in self.neighbours.items() if bit & (beside | self.centre)}
            return {bit: (around, around & self.centre) for bit, around in inner.items()}
        return {
            bit: (0, 0) if bit & self.edge else (around, around & self.hostile_centre)
            for bit, around in self.neighbours.items()
        }

    @cached_property
    def words(self) -> dict[str, Slide]:
        """Every rook's move by its word."""
        return {slide.text: slide for rays in self._slides.values() for ray in rays for slide in ray}

    @cached_property
    def lots(self) -> dict[int, tuple[Slide, ...]]:
        """From a bit to a man's moves on an empty board, filled up to `slots` with moves that never fit: so a piece
        drawn by chance and then one of its lots is each move on the board with the same chance."""
        return {
            bit: self._filled(slide for ray in rays for slide in ray if slide.man) for bit, rays in self._slides.items()
        }

    @cached_property
    def king_lots(self) -> dict[int, tuple[Slide, ...]]:
        """The king's lots, as many as a man's."""
        return {
            bit: self._filled(slide for ray in rays for slide in ray if slide.king)
            for bit, rays in self._slides.items()
        }

    @cached_property
    def glances(self) -> list[int]:
        """From the `bit_length` of a side's men to where the last one may step to, whatever stands there."""
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
        """From each bit the slides up, down, right and left, nearest first."""
        return {
            self._bit(file, rank): tuple(tuple(self._ray(file, rank, ray)) for ray in self._rays(file, rank))
            for file in range(self.size)
            for rank in range(self.size)
        }

    def _ray(self, file: int, rank: int, ray: list[tuple[int, int]]) -> Iterator[Slide]:
        start, name, path = self._bit(file, rank), square_name(file, rank), 0
        men_steps, king_steps = _limit(self.knobs.men_steps), _limit(self.knobs.king_steps)
        for distance, square in enumerate(ray, 1):
            to = self._bit(*square)
            path |= to
            man = distance <= men_steps and bool(to & self.men_stop)
            king = distance <= king_steps and bool(to & self.king_stop)
            pairs = tuple(
                (self._bit(*onward[0]), self._bit(*onward[1])) for onward in self._rays(*square) if len(onward) > 1
            )
            yield Slide(name + square_name(*square), start, to, path, man, king, self.neighbours[to], pairs)

    def _filled(self, slides: Iterator[Slide]) -> tuple[Slide, ...]:
        found = tuple(slides)
        return found + (_BLANK,) * (self.slots - len(found))

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
def board_of(size: int, knobs: Knobs) -> TaflBoard:
    """The board of a size, its number of files and of ranks, under a set of knobs."""
    return TaflBoard(size, knobs)


def _limit(steps: str) -> int:
    return 25 if steps == "any" else int(steps)
