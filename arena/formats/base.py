"""What every format has: its declaration, and the types in which it speaks: rounds and pairings out, scores in.

Players are numbers from 0, in the order of the tournament's engines, the strongest first where seeds count. Points are
half points (a win 2, a draw 1), so that sums are exact.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol


class Pairing(NamedTuple):
    """Two players that meet. `first` is p1 in the first of their games; then sides swap game by game."""

    first: int
    second: int


class Pairings(Protocol):
    """Pairings by number, from 0: a tuple, or a sequence that computes each pairing when it is asked for."""

    def __len__(self) -> int: ...
    def __getitem__(self, k: int, /) -> Pairing: ...
    def __iter__(self) -> Iterator[Pairing]: ...


@dataclass(frozen=True, slots=True)
class Round:
    """What is played next: each pairing for `games` games from each start.

    `number` counts from 1 and may repeat: a match of a knockout may need several of these in one round. With `swapped`
    p1 and p2 change places in all games.
    """

    number: int
    pairings: Pairings
    games: int
    swapped: bool = False
    byes: tuple[int, ...] = ()
    """Players without an opponent; each is credited with a full score."""
    absent: frozenset[int] = frozenset()
    """Players that were withdrawn before the first round, in a format that must know them later."""


class PairScore(NamedTuple):
    """The score of one pairing, from its first player's view. A missed game is a win of the opponent.

    What follows the score has two values, that of the first and that of the second player.
    """

    first: int
    second: int
    won: int
    drawn: int
    lost: int
    captures: tuple[int, int] = (0, 0)
    """Men captured, where the format counts them."""
    shortest: tuple[int, int] = (0, 0)
    """The plies of the shortest win without a fault of the loser; 0: no such win."""
    missed: tuple[int, int] = (0, 0)
    """Missed games."""

    @property
    def points(self) -> tuple[int, int]:
        """Half points of the first and of the second player."""
        return self.worth(2)

    def worth(self, win: int) -> tuple[int, int]:
        """Points of both players where a draw counts 1 and a win `win`."""
        return win * self.won + self.drawn, win * self.lost + self.drawn


class Played(NamedTuple):
    """A round and the scores of its pairings, in their order."""

    round: Round
    scores: tuple[PairScore, ...]
    withdrawn: frozenset[int] = frozenset()
    """Players that have missed a game since the beginning."""


class Progression(NamedTuple):
    """The rounds that are over, and the one that is being played, with the scores so far."""

    past: Sequence[Played]
    current: Played | None = None

    @property
    def absent(self) -> frozenset[int]:
        """The players that were withdrawn before the first round."""
        first = next(iter(self.past), self.current)
        return frozenset() if first is None else first.round.absent


class Format(Protocol):
    """A tournament in a format: who meets whom next."""

    @property
    def players(self) -> int:
        """How many players take part."""

    @property
    def most(self) -> int:
        """The number of games from each start, at most."""

    @property
    def counts_captures(self) -> bool:
        """Whether the scores of its pairings must have the captures. To count them, each game is played through."""

    def next(self, past: Sequence[Played], withdrawn: frozenset[int] = frozenset()) -> Round | None:
        """The round after those; None: it is over. The same past has the same next round on every machine.

        `withdrawn` are the players who are out by now; those of the last round of `past` are among them.
        """


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a tournament file that formats use: the file is checked by it, and the template is made from it."""

    name: str
    type: Any
    """The annotation of its values, such as `int | None`."""
    default: Any
    help: str
    """The comment in the template."""
    least: int | None = None
    most: int | None = None
    example: str = ""
    """TOML for the template, where the default is not to be shown."""


ROUNDS = Key(
    *("rounds", int | None, None, "Times everybody meets; Swiss: about log2 of the engines"),
    *(1, 1_000_000, "1"),
)
GAMES_PER_PAIRING = Key(
    "games_per_pairing", int, 2, "from each start; even numbers balance sides and openings", 1, 1_000
)
TIE_BREAKS = Key(
    *("tie_breaks", list[str] | None, None, "Swiss; knockout: extra-games, seed"),
    example='["buchholz", "sonneborn-berger", "direct-encounter", "wins"]',
)
"""Two formats use it, each with words of its own; None: all of them, in their order."""
MOST_ROUNDS = 10_000
"""The limit of rounds of a format that looks at all rounds before each."""

Values = Mapping[str, Any]
"""The values of a format's keys, defaults included, and in `make` and `outcome` the `seed` of the run."""
Faults = Iterator[tuple[str, str]]
"""What is wrong in a file: the key, and a sentence that goes on after it."""


class OutcomeTable(NamedTuple):
    """A table for people: each row has a value for each heading."""

    title: str
    rows: Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class FormatOutcome:
    """The outcome of a format that pairs by results: as values for JSON, and as tables and lines for people."""

    values: Mapping[str, Any]
    tables: Sequence[OutcomeTable] = ()
    lines: Sequence[str] = ()


class TournamentFormat(ABC):
    """What a format declares about itself; everything else about formats is made from these declarations."""

    __slots__ = ()
    name: ClassVar[str]
    """Its name in files."""
    keys: ClassVar[tuple[Key, ...]] = (ROUNDS, GAMES_PER_PAIRING)
    """The keys that it uses; any other key of a format is an error."""
    is_fixed: ClassVar[bool] = False
    """Whether it makes a `Fixed`, which needs no results."""
    can_grow: ClassVar[bool] = False
    """Whether engines may join after it began."""
    summary: ClassVar[str]
    """Who meets whom, in a few words for docs/organisers/FORMATS.md."""

    @classmethod
    @abstractmethod
    def make(cls, values: Values, names: Sequence[str], starts: int) -> Format:
        """A tournament of these engines from so many starts; `values` has no faults."""

    @classmethod
    def default_rounds(cls, players: int) -> int:
        """How many rounds there are where the file names none."""
        return 1

    @classmethod
    def faults(cls, values: Values, names: Sequence[str]) -> Faults:
        """What is wrong with the values for these engines."""
        yield from ()

    @classmethod
    def outcome(cls, values: Values, names: Sequence[str], starts: int, progress: Progression) -> FormatOutcome | None:
        """What came of the tournament so far; None where that is the standings."""
        return None


@dataclass(frozen=True, slots=True)
class Fixed:
    """A format that needs no results: the same pairings in each round, sides swapped from round to round.

    With an even number of `games` each pairing is balanced in itself; with an odd one the rounds balance each other.
    """

    counts_captures: ClassVar[bool] = False
    players: int
    pairings: Pairings
    rounds: int
    games: int = 2

    @property
    def most(self) -> int:
        return self.rounds * len(self.pairings) * self.games

    def round(self, index: int) -> Round:
        """The round with this index, from 0."""
        return Round(index + 1, self.pairings, self.games, swapped=index * self.games % 2 == 1)

    def next(self, past: Sequence[Played], withdrawn: frozenset[int] = frozenset()) -> Round | None:
        """The next round; only the number of past rounds matters."""
        return self.round(len(past)) if len(past) < self.rounds else None
