"""A book of openings, and which of them a game is played from.

The opening of a game is computed from numbers alone, so a resumed run plays the same ones. This module owns the order
of the openings. It is independent of the rules (`arena.openings.book_reader` has judged every opening) and of who meets
whom: a pairing is a text here. Both games of an encounter have the same opening, so each is played from both sides.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Literal

from arena.timing.time_control import Limit

Order = Literal["sequential", "random"]
_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class Opening:
    """A position string, or None for the variant's own start, and moves from there."""

    fen: str | None
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """Openings, at least one, and the order in which a pairing goes through them.

    `sequential`: every pairing uses the book's order. `random`: every pairing has an order of its own, and a new one
    each time that it has used the whole book. No pairing has an opening twice before it has had all.
    """

    openings: tuple[Opening, ...]
    order: Order = "sequential"
    start: int = 1
    """The number, from 1, of the first opening in the book's or the shuffled order."""
    name: str = field(default="", compare=False)
    """The name of a book that comes with the arena; empty for a user's file."""

    @property
    def sha256(self) -> str:
        """A digest of everything that decides which openings are chosen. It names the book in a run's configuration."""
        text = "\n".join(f"{opening.fen} {' '.join(opening.moves)}" for opening in self.openings)
        return hashlib.sha256(f"{self.order} {self.start}\n{text}".encode()).hexdigest()

    def choose(self, encounter: int, pairing: str, seed: int) -> Opening:
        """The opening of a pairing's encounter. Encounters are counted from 0 within the pairing."""
        size = len(self.openings)
        cycle, index = divmod(encounter, size)
        index = (index + self.start - 1) % size
        if self.order == "random":
            index = permuted(index, size, f"{seed}/book/{pairing}/{cycle}")
        return self.openings[index]


@dataclass(frozen=True, slots=True)
class Start:
    """Where games start: a canonical variant name, and a position string unless it is the variant's own start.

    Each opening of a book starts from its own position string or from the variant's start.
    """

    variant: str
    fen: str | None = None
    book: Book | None = None
    limit: Limit | None = None
    """The time control of its games. None: that of the run."""


def permuted(index: int, size: int, key: str) -> int:
    """The image of `index` under a permutation of range(size) that `key` selects. The rest of it is not computed.

    A Feistel network over the smallest square of a power of two that holds `size`, repeated until back in range
    (Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002).
    """
    bits = max(2, (size.bit_length() + 1) // 2)
    mask = (1 << bits) - 1
    while True:
        left, right = index >> bits, index & mask
        for number in range(_ROUNDS):
            mixed = hashlib.sha256(f"{key}/{number}/{right}".encode()).digest()
            left, right = right, left ^ int.from_bytes(mixed[:8], "big") & mask
        index = left << bits | right
        if index < size:
            return index
