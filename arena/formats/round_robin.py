"""Formats that need no results: round robin, gauntlet, pyramid, and a list of pairings.

They differ only in their pairings. The k-th pairing is computed from k alone.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Annotated, Self

from pydantic import Field

from arena.formats.base import GAMES_PER_PAIRING, ROUNDS, Faults, Fixed, Key, Pairing, TournamentFormat, Values


@dataclass(frozen=True, slots=True)
class ComputedPairings(TournamentFormat):
    """Pairings by number, from 0, and the format that plays them. Here everybody meets everybody once."""

    is_fixed = can_grow = True
    players: int

    @classmethod
    def of(cls, values: Values, players: int) -> Self:
        """The pairings of so many players."""
        return cls(players)

    @classmethod
    def make(cls, values: Values, names: Sequence[str], starts: int) -> Fixed:
        return Fixed(len(names), cls.of(values, len(names)), values["rounds"], values["games_per_pairing"])

    def __len__(self) -> int:
        return self.players * (self.players - 1) // 2

    @abstractmethod
    def __getitem__(self, k: int) -> Pairing:
        """The pairing number k, where there is one."""

    def __iter__(self) -> Iterator[Pairing]:
        return (self[k] for k in range(len(self)))


@dataclass(frozen=True, slots=True)
class RoundRobin(ComputedPairings):
    """Everybody meets everybody once, by Berger's circle: each cycle of players // 2 pairings names nobody twice.

    Each player stands first in half of its pairings; with an even number of players, one more or one fewer than that.
    """

    name = "round-robin"
    summary = "everybody meets everybody in each round, by Berger's tables"

    def __getitem__(self, k: int) -> Pairing:
        even = self.players % 2 == 0
        wheel = self.players - even
        cycle, board = divmod(k, self.players // 2)
        if even and board == 0:
            # The last player stands still and changes sides from cycle to cycle.
            return Pairing(cycle, wheel) if cycle % 2 == 0 else Pairing(wheel, cycle)
        # Opposite each other at the same distance from where the wheel points. With an odd number the one it points
        # at has a bye.
        step = board if even else board + 1
        a, b = (cycle + step) % wheel, (cycle - step) % wheel
        # The one with the shorter way forward to the other is first: on a wheel of odd size that is half of all ways.
        return Pairing(a, b) if (b - a) % wheel <= wheel // 2 else Pairing(b, a)


@dataclass(frozen=True, slots=True)
class Gauntlet(ComputedPairings):
    """The first `seeds` players each meet all other players. No two of these and no two of the others meet."""

    name = "gauntlet"
    keys = (
        ROUNDS,
        GAMES_PER_PAIRING,
        Key("seeds", int, 1, "gauntlet: how many engines, from the first, meet all the others", 1),
    )
    summary = "each of the first `seeds` engines meets all the others"
    seeds: int = 1

    @classmethod
    def of(cls, values: Values, players: int) -> Self:
        return cls(players, values["seeds"])

    @classmethod
    def faults(cls, values: Values, names: Sequence[str]) -> Faults:
        players = len(names)
        if not 1 <= values["seeds"] < players:
            yield "seeds", f"must leave somebody to meet them: from 1 to {players - 1} of {players} engines"

    def __len__(self) -> int:
        return self.seeds * (self.players - self.seeds)

    def __getitem__(self, k: int) -> Pairing:
        # Seeds take turns, each beginning with another opponent, so that games at once have other engines.
        turn, seed = divmod(k, self.seeds)
        other = (turn + seed) % (self.players - self.seeds)
        pairing = Pairing(seed, self.seeds + other)
        return pairing if (seed + other) % 2 == 0 else Pairing(*reversed(pairing))


@dataclass(frozen=True, slots=True)
class Pyramid(ComputedPairings):
    """Each player meets all players before it, in their order. A player added at the end changes no earlier pairing.

    Each player stands first in half of its pairings; with an even number of players, one more or one fewer than that.
    """

    name = "pyramid"
    summary = "each engine meets all before it, in the order of the file"

    def __getitem__(self, k: int) -> Pairing:
        later = (isqrt(8 * k + 1) + 1) // 2  # before this one's pairings there are 1 + 2 + ... + (later - 1)
        earlier = k - later * (later - 1) // 2
        return Pairing(earlier, later) if (later - earlier) % 2 == 1 else Pairing(later, earlier)


_Pair = Annotated[list[str], Field(min_length=2, max_length=2)]


class ListedPairings(TournamentFormat):
    """The pairings that the file lists, in its order."""

    is_fixed = can_grow = True
    name = "pairings"
    keys = (
        ROUNDS,
        GAMES_PER_PAIRING,
        Key(
            *("pairings", list[_Pair], [], "pairings: who meets whom, first the one who is p1 in the first game"),
            example='[["random", "greedy"]]',
        ),
    )
    summary = 'the listed pairs of names, `[["a", "b"], ["c", "a"]]`, in their order'

    @classmethod
    def make(cls, values: Values, names: Sequence[str], starts: int) -> Fixed:
        there = [
            pair for pair in values["pairings"] if set(pair) <= set(names)
        ]  # before engines joined there were fewer
        pairs = tuple(Pairing(names.index(one), names.index(two)) for one, two in there)
        return Fixed(len(names), pairs, values["rounds"], values["games_per_pairing"])

    @classmethod
    def faults(cls, values: Values, names: Sequence[str]) -> Faults:
        if not values["pairings"]:
            yield "pairings", 'is missing: list them, such as [["a", "b"], ["a", "c"]]'
        for number, pair in enumerate(values["pairings"], 1):
            for name in pair:
                if name not in names:
                    yield f"pairings.{number}", f"there is no engine {name!r}; there are {', '.join(names)}"
            if pair[0] == pair[1]:
                yield f"pairings.{number}", f"{pair[0]!r} cannot meet itself"
