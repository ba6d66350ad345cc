"""Who did what against whom: a square of tallies, and the two sides of one pairing. Refuses to know display."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from results.record import Result, ResultCount
from results.tally import Tally, counted, meetings


@dataclass(frozen=True, slots=True)
class Crosstable:
    """`cells[i][j]` is engine i against engine j on both sides, from i's point of view; None where they never met."""

    engines: tuple[str, ...]
    cells: tuple[tuple[Tally | None, ...], ...]


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """One pairing from `name`'s point of view, by the side that `name` had."""

    name: str
    opponent: str
    as_p1: Tally
    as_p2: Tally

    @property
    def total(self) -> Tally:
        """Both sides together."""
        return self.as_p1 + self.as_p2


def crosstable(games: Iterable[Result | ResultCount], engines: Sequence[str]) -> Crosstable:
    """The decided games among `engines`, which come in the order of the standings."""
    met = meetings(counted(games))
    return Crosstable(
        tuple(engines),
        tuple(tuple(_total(_pair(met, name, other)) for other in engines) for name in engines),
    )


def head_to_head(games: Iterable[Result | ResultCount], name: str, opponent: str) -> HeadToHead:
    """The decided games of two engines; empty tallies where they never met."""
    return _pair(meetings(counted(games)), name, opponent)


def _pair(met: dict[tuple[str, str], Tally], name: str, opponent: str) -> HeadToHead:
    nothing = Tally()
    return HeadToHead(name, opponent, met.get((name, opponent), nothing), met.get((opponent, name), nothing).reversed)


def _total(pair: HeadToHead) -> Tally | None:
    # An engine against itself would be counted from both ends: it has no point of view.
    return pair.total if pair.total.games and pair.name != pair.opponent else None
