"""The types that every format speaks: rounds and pairings out, what came of them in.

Owns no rule of any format. Players are numbers from 0, in the order of the tournament's engines, the strongest first
where seeds count. Points are half points (a win 2, a draw 1), so that sums are exact.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class Pairing(NamedTuple):
    """Two that meet. `first` is p1 in the first of their games, then sides swap game by game."""

    first: int
    second: int


class Pairings(Protocol):
    """Pairings by number, from 0: a tuple, or something that computes the one that is asked for."""

    def __len__(self) -> int: ...
    def __getitem__(self, k: int, /) -> Pairing: ...
    def __iter__(self) -> Iterator[Pairing]: ...


@dataclass(frozen=True, slots=True)
class Round:
    """What is played next: each pairing for `games` games from each start.

    `number` counts from 1 and may repeat: a match of a knockout takes several goes in one round. `swapped` lets p1 and
    p2 change places in all games.
    """

    number: int
    pairings: Pairings
    games: int
    swapped: bool = False
    byes: tuple[int, ...] = ()
    """Who has nobody to meet, and is credited with a full score."""


class PairScore(NamedTuple):
    """What came of one pairing, as its first player saw it. A game that somebody missed is the other's win."""

    first: int
    second: int
    won: int
    drawn: int
    lost: int

    @property
    def points(self) -> tuple[int, int]:
        """Half points of the two."""
        return 2 * self.won + self.drawn, 2 * self.lost + self.drawn


class Played(NamedTuple):
    """A round and what came of it, in the order of its pairings; `out`: who missed a game since the beginning."""

    round: Round
    met: tuple[PairScore, ...]
    out: frozenset[int] = frozenset()


class Format(Protocol):
    """A way to hold a tournament."""

    @property
    def players(self) -> int:
        """How many take part."""

    @property
    def most(self) -> int:
        """How many games there are at most from each start."""

    def next(self, past: Sequence[Played]) -> Round | None:
        """The round after those; None: it is over. The same past has the same next round on every machine."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A format that asks for no results: the same pairings in each round, sides swapped from round to round.

    `pairings` may be computed as it is asked for. With an even number of `games` each pairing is balanced in itself;
    with an odd one the rounds balance each other.
    """

    players: int
    pairings: Pairings
    rounds: int
    games: int = 2

    @property
    def most(self) -> int:
        """In all rounds."""
        return self.rounds * len(self.pairings) * self.games

    def round(self, index: int) -> Round:
        """The round with this index, from 0."""
        return Round(index + 1, self.pairings, self.games, swapped=index * self.games % 2 == 1)

    def next(self, past: Sequence[Played]) -> Round | None:
        """The results do not matter, only how many rounds there were."""
        return self.round(len(past)) if len(past) < self.rounds else None
