"""Which variant two engines of a ladder play next: each engine is to have as much of one as of another.

Pure: games in, a start out, the same for the same. Refuses to know results, and why these two meet.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.planning.schedule import Start


@dataclass(slots=True)
class Tally:
    """How many games of each variant two engines had with each other, one had in all, and everybody had."""

    _games: Counter[tuple[frozenset[str], str]] = field(default_factory=Counter)
    """Of a set of two engines, of one, and of none, which stands for everybody."""

    def add(self, one: str, two: str, variant: str, games: int) -> None:
        """Count games of these two."""
        for who in ((one, two), (one,), (two,), ()):
            self._games[frozenset(who), variant] += games

    def of(self, variant: str, *who: str) -> int:
        """Games of these: two engines with each other, one with anybody, or nobody named: all."""
        return self._games[frozenset(who), variant]

    def copy(self) -> "Tally":
        """One that is counted on by itself."""
        return Tally(self._games.copy())

    def start(self, one: str, two: str, starts: Sequence[Start]) -> Start:
        """Where these two begin next: at what they had least with each other; else in all; else what all had least.

        Those of each engine count as a share of what it played: a newcomer's few weigh as much as the many of others.
        """

        def share(name: str, variant: str) -> float:
            return self.of(variant, name) / max(1, sum(self.of(start.variant, name) for start in starts))

        def had(start: Start) -> tuple[int, float, int]:
            variant = start.variant
            return self.of(variant, one, two), share(one, variant) + share(two, variant), self.of(variant)

        return min(starts, key=had)
