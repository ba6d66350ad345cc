"""Pairings that no result decides: round robin, gauntlet and pyramid, each computed from its number alone.

A list of pairings needs nothing here: a tuple of them is what these classes stand for.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt

from arena.formats.base import Pairing


class _Numbered(ABC):
    """Pairings that are known by their number, from 0, as those of a sequence are."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def _pairing(self, k: int) -> Pairing:
        """The k-th of those that there are."""

    def __iter__(self) -> Iterator[Pairing]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, k: int) -> Pairing:
        if not 0 <= k < len(self):
            raise IndexError(k)
        return self._pairing(k)


@dataclass(frozen=True, slots=True)
class RoundRobin(_Numbered):
    """Everybody meets everybody once, by Berger's circle: each cycle of players // 2 pairings names nobody twice.

    Everybody stands first in half of his pairings; with an even number of players, one more or one fewer than that.
    """

    players: int

    def __len__(self) -> int:
        return self.players * (self.players - 1) // 2

    def _pairing(self, k: int) -> Pairing:
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
        # Whoever has the shorter way forward to the other is first: on a wheel of odd size that is half of all ways.
        return Pairing(a, b) if (b - a) % wheel <= wheel // 2 else Pairing(b, a)


@dataclass(frozen=True, slots=True)
class Gauntlet(_Numbered):
    """The first `seeds` players each meet all the others, never one another; nor do the others meet."""

    players: int
    seeds: int = 1

    def __len__(self) -> int:
        return self.seeds * (self.players - self.seeds)

    def _pairing(self, k: int) -> Pairing:
        # Seeds take turns, each beginning with another opponent, so that games at once have other engines.
        turn, seed = divmod(k, self.seeds)
        other = (turn + seed) % (self.players - self.seeds)
        pairing = Pairing(seed, self.seeds + other)
        return pairing if (seed + other) % 2 == 0 else Pairing(*reversed(pairing))


@dataclass(frozen=True, slots=True)
class Pyramid(_Numbered):
    """Each player meets all before him, in their order: who follows at the end changes nothing of what was before.

    Everybody stands first in half of his pairings; with an even number of players, one more or one fewer than that.
    """

    players: int

    def __len__(self) -> int:
        return self.players * (self.players - 1) // 2

    def _pairing(self, k: int) -> Pairing:
        later = (isqrt(8 * k + 1) + 1) // 2  # before this one's pairings there are 1 + 2 + ... + (later - 1)
        earlier = k - later * (later - 1) // 2
        return Pairing(earlier, later) if (later - earlier) % 2 == 1 else Pairing(later, earlier)
