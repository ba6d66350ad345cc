"""Which variant two engines of a ladder play next, so that each engine plays all variants equally often.

Pure: games in, a start out. Independent of results, and of why these two meet.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.openings.book import Start


@dataclass(slots=True)
class VariantCounts:
    """How many games of each variant a pair played, an engine played, and all engines played."""

    _games: Counter[tuple[frozenset[str], str]] = field(default_factory=Counter)
    """By a set of two engines, of one engine, or the empty set, which stands for all engines."""

    def add(self, one: str, two: str, variant: str, games: int) -> None:
        for who in ((one, two), (one,), (two,), ()):
            self._games[frozenset(who), variant] += games

    def of(self, variant: str, *who: str) -> int:
        """Games of a pair, of one engine against anybody, or, where none is named, of all."""
        return self._games[frozenset(who), variant]

    def copy(self) -> "VariantCounts":
        return VariantCounts(self._games.copy())

    def start(self, one: str, two: str, starts: Sequence[Start]) -> Start:
        """The start that this pair played least; among equals, what both engines, then all engines, played least.

        The games of each engine count as a share of its games, so that a newcomer's few weigh as much as others' many.
        """

        def share(name: str, variant: str) -> float:
            return self.of(variant, name) / max(1, sum(self.of(start.variant, name) for start in starts))

        def had(start: Start) -> tuple[int, float, int]:
            variant = start.variant
            return self.of(variant, one, two), share(one, variant) + share(two, variant), self.of(variant)

        return min(starts, key=had)
