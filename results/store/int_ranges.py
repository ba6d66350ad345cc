"""A set of whole numbers, kept as ranges: the numbers of a run's stored games, which may be millions."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IntRanges:
    """Sorted ranges, each from its first to its last number. At least one number is missing between two ranges."""

    ranges: tuple[tuple[int, int], ...] = ()

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self.ranges, number, key=lambda bounds: bounds[0]) - 1
        return at >= 0 and number <= self.ranges[at][1]

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self.ranges)

    def __iter__(self) -> Iterator[int]:
        for first, last in self.ranges:
            yield from range(first, last + 1)

    def missing(self, most: int) -> Iterator[int]:
        """The numbers from 1 to `most` that are not in the set, rising. Numbers in the set cost no time."""
        at = 1
        for first, last in self.ranges:
            yield from range(at, min(first, most + 1))
            at = max(at, last + 1)
        yield from range(at, most + 1)
