"""Who is ahead: one line per engine, in order. Knows ratings and forfeits; refuses to know display."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from results.ratings.fit import Estimate, Rating
from results.ratings.online import OnlineRating
from results.ratings.published import PLAIN, RatingOptions, of_meetings
from results.record import Result, ResultCount, Termination
from results.tally import Tally, counted, meetings

FORFEITS = frozenset(
    {
        Termination.TIME,
        Termination.ILLEGAL_MOVE,
        Termination.MALFORMED_MOVE,
        Termination.CRASH,
        Termination.STALL,
    }
)
"""Endings by a fault of the loser."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An engine's place, from 1, what it scored, and what its rating does not say."""

    rank: int
    name: str
    rating: Rating | None
    """The published one; None for an engine without a decided game."""
    p1: Tally
    p2: Tally
    distinct: int
    """Decided games that the rating rests on: of identical ones the first."""
    unfinished: int
    """Games that were stopped from outside; they are neither rated nor counted in the score."""
    forfeits: int
    """Games lost by a fault of this engine; they are rated as any loss."""
    flagged: int
    """Games in which the machine was late, whoever was to move."""
    machine: int
    """Of the forfeits, those that only the machine caused; wall time was asked for."""
    burns_idle: int
    """Games in which this engine burned CPU in its opponent's time."""
    online: OnlineRating | None = None
    """The rating game by game, where it was asked for."""

    @property
    def total(self) -> Tally:
        """Both sides together."""
        return self.p1 + self.p2


@dataclass(frozen=True, slots=True)
class Standings:
    """All engines in order, and what the ratings say of the field."""

    rows: tuple[Standing, ...]
    games: int
    """Decided ones."""
    distinct: int
    """Of these, those that differ."""
    side: Estimate | None
    """What having the first side is worth; None where nothing is rated."""
    groups: tuple[tuple[str, ...], ...]
    """Rated engines that games connect, the largest group first; across groups nothing can be compared."""
    anchor: str | None
    """The engine whose rating is 0; None where it is the mean of the reference."""
    reference: tuple[str, ...]
    """The engines whose mean is 0."""


def standings(
    games: Iterable[Result | ResultCount],
    names: Iterable[str] = (),
    online: Mapping[str, OnlineRating] | None = None,
    by: RatingOptions = PLAIN,
) -> Standings:
    """Every engine of `games` and `names`, by published rating, then name; without a decided game last."""
    counts = counted(games)
    sums = _Sums()
    for each in counts:
        sums.add(each)
    met, distinct = meetings(counts), meetings(counts, distinct=True)
    p1: dict[str, Tally] = {}
    p2: dict[str, Tally] = {}
    lines: Counter[str] = Counter()
    for (first, second), tally in met.items():
        p1[first] = p1.get(first, Tally()) + tally
        p2[second] = p2.get(second, Tally()) + tally.reversed
        for name in {first, second}:
            lines[name] += distinct[first, second].games
    found = of_meetings(distinct, by)
    rated = {} if found is None else {rating.name: rating for rating in found.ratings}
    everybody = dict.fromkeys([*names, *(name for each in counts for name in (each.p1, each.p2))])
    order = [*rated, *sorted(name for name in everybody if name not in rated)]
    rows = tuple(
        Standing(
            rank,
            name,
            rated.get(name),
            p1.get(name, Tally()),
            p2.get(name, Tally()),
            lines[name],
            sums.unfinished[name],
            sums.forfeits[name],
            sums.flagged[name],
            sums.machine[name],
            sums.burns[name],
            None if online is None else online.get(name),
        )
        for rank, name in enumerate(order, 1)
    )
    return Standings(
        rows,
        sum(tally.games for tally in met.values()),
        sum(tally.games for tally in distinct.values()),
        None if found is None else found.side,
        () if found is None else found.groups,
        None if found is None else found.anchor,
        () if found is None else found.reference,
    )


class _Sums:
    """What is counted for each engine beside scores."""

    def __init__(self) -> None:
        self.unfinished: Counter[str] = Counter()
        self.forfeits: Counter[str] = Counter()
        self.flagged: Counter[str] = Counter()
        self.machine: Counter[str] = Counter()
        self.burns: Counter[str] = Counter()

    def add(self, each: ResultCount) -> None:
        for name in {each.p1, each.p2}:
            self.flagged[name] += each.games * each.flagged
            self.unfinished[name] += each.games * (each.winner is None)
        for side in each.burns_idle:
            self.burns[each.p1 if side == "p1" else each.p2] += each.games
        if each.termination in FORFEITS and each.winner in ("p1", "p2"):
            loser = each.p2 if each.winner == "p1" else each.p1
            self.forfeits[loser] += each.games
            self.machine[loser] += each.games * each.machine
