"""The crosstable: each engine against each, as a square of tallies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from results.ratings.sprt import EloEstimate
from results.record import Result
from results.tally import PairCount, PairTally, Tally, counted, meetings, pairs_by_engines


@dataclass(frozen=True, slots=True)
class Crosstable:
    """`cells[i][j]` has the games of engine i against engine j on both sides, from i's point of view.

    A cell is None if the two never met. It is also None on the diagonal: an engine against itself has no point of view.
    """

    engines: tuple[str, ...]
    cells: tuple[tuple[Tally | None, ...], ...]
    pairs: Mapping[tuple[str, str], PairTally] = field(default_factory=dict)
    """The pairs of games from one opening of each two engines, from the point of view of the first; empty if they
    were not counted."""
    elos: Mapping[str, EloEstimate] = field(default_factory=dict)
    """The Elo points of the rated engines; empty if the table is to have none."""


def crosstable(
    games: Iterable[Result],
    engines: Sequence[str],
    pairs: Iterable[PairCount] = (),
    elos: Mapping[str, EloEstimate] | None = None,
) -> Crosstable:
    """The decided games among `engines`, which come in the order of the standings."""
    met = meetings(counted(games))

    def cell(name: str, opponent: str) -> Tally | None:
        total = met.get((name, opponent), Tally()) + met.get((opponent, name), Tally()).reversed
        return total if total.games and name != opponent else None

    cells = tuple(tuple(cell(name, other) for other in engines) for name in engines)
    return Crosstable(tuple(engines), cells, pairs_by_engines(pairs), elos or {})
