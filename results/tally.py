"""Counts wins, draws and losses of games, and of pairs.

A pair is two games from one opening, one with each side. It is split if each engine won a game: the same side won both.
So the opening decided, and the pair says nothing of the engines.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeVar

from results.record import Result, ResultCount, Winner

Part = Literal["variant", "tc"]
"""What may divide games into parts that are rated by themselves: variants, or time controls."""


K = TypeVar("K")
_KEY = ResultCount._fields.index("games")
_NONE = (0,) * (len(ResultCount._fields) - _KEY)


class HostCount(NamedTuple):
    """The decided games of one pairing on one machine that ended alike."""

    host: str
    p1: str
    p2: str
    winner: Winner
    games: int


@dataclass(frozen=True, slots=True)
class Tally:
    """Decided games from one engine's point of view; `reversed` from that of its opponent."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points: 1 for a win, half for a draw."""
        return self.wins + self.draws / 2

    @property
    def text(self) -> str:
        """`3-1-0`: wins, draws and losses."""
        return f"{self.wins}-{self.draws}-{self.losses}"

    @property
    def reversed(self) -> "Tally":
        return Tally(self.losses, self.draws, self.wins)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


def counted(games: Iterable[Result]) -> list[ResultCount]:
    """Games as counts. Identical games are found among records only: a result without moves counts as distinct."""
    seen: set[tuple[object, ...]] = set()
    sums: dict[tuple[object, ...], list[Any]] = {}
    for game in games:
        key: tuple[object, ...]
        numbers: tuple[Any, ...]
        if isinstance(game, ResultCount):
            key, numbers = game[:_KEY], game[_KEY:]
        else:
            key = (game.variant, game.tc, game.p1, game.p2, game.winner, str(game.termination))
            is_new = game.identity not in seen
            seen.add(game.identity)
            idle = ("p1" in game.burns_idle, "p2" in game.burns_idle)
            numbers = tuple(map(int, (1, is_new, game.flagged, game.machine, *idle)))
        sums[key] = [one + more for one, more in zip(sums.get(key, _NONE), numbers, strict=True)]
    return [ResultCount._make((*key, *numbers)) for key, numbers in sums.items()]


def meetings(counts: Iterable[ResultCount], distinct: bool = False) -> dict[tuple[str, str], Tally]:
    """The decided games of each pair (p1, p2) that met, from p1's point of view.

    With `distinct`, identical games count once.
    """
    sums: Counter[tuple[str, str, Winner | None]] = Counter()
    for each in counts:
        sums[each.p1, each.p2, each.winner] += each.distinct if distinct else each.games
    return {
        (p1, p2): Tally(sums[p1, p2, "p1"], sums[p1, p2, "draw"], sums[p1, p2, "p2"])
        for p1, p2 in dict.fromkeys((p1, p2) for p1, p2, winner in sums if winner is not None)
    }


def by_variant(counts: Iterable[ResultCount]) -> dict[str, list[ResultCount]]:
    """The counts of each variant, sorted by its name."""
    return _grouped(counts, attrgetter("variant"))


def by_time_control(counts: Iterable[ResultCount]) -> dict[str, list[ResultCount]]:
    """The counts of each time control, sorted by its name."""
    return _grouped(counts, lambda each: time_control_name(each.tc))


def time_control_name(tc: str) -> str:
    """The name in tables. A handicap is `10+0.1 | 1+0`, whichever engine has which side."""
    return " | ".join(sorted(tc.split(" | ")))


def _grouped(counts: Iterable[ResultCount], by: Callable[[ResultCount], str]) -> dict[str, list[ResultCount]]:
    groups: dict[str, list[ResultCount]] = {}
    for each in counts:
        groups.setdefault(by(each), []).append(each)
    return dict(sorted(groups.items()))


@dataclass(frozen=True, slots=True)
class PairTally:
    """Pairs from one engine's point of view; `reversed` from that of its opponent."""

    points: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """The pentanomial counts: how many pairs gave it 0, 1/2, 1, 3/2 and 2 points."""
    split: int = 0
    """Pairs of 1 point in which the same side won both games."""

    @property
    def won(self) -> int:
        """Pairs that gave the engine more points than its opponent: two wins, or a win and a draw."""
        return self.points[3] + self.points[4]

    @property
    def drawn(self) -> int:
        """Pairs of two draws."""
        return self.points[2] - self.split

    @property
    def lost(self) -> int:
        """Pairs that gave the opponent more points."""
        return self.points[0] + self.points[1]

    @property
    def pairs(self) -> int:
        return sum(self.points)

    @property
    def reversed(self) -> "PairTally":
        least, less, even, more, most = self.points
        return PairTally((most, more, even, less, least), self.split)

    def __add__(self, other: "PairTally") -> "PairTally":
        nought, half, one, more, two = (a + b for a, b in zip(self.points, other.points, strict=True))
        return PairTally((nought, half, one, more, two), self.split + other.split)


class PairCount(NamedTuple):
    """The pairs of two engines in a variant at a time control, from the point of view of `one`."""

    variant: str
    tc: str
    one: str
    two: str
    tally: PairTally


class GamesOfOneOpening(NamedTuple):
    """Two games with numbers that follow each other: the same players with swapped sides, the same opening."""

    run: str
    number: int
    """Of the first of them, in which `p1` plays p1."""
    variant: str
    tc: str
    p1: str
    p2: str
    winner: Winner
    next_winner: Winner


_POINTS: dict[Winner, int] = {"p1": 2, "draw": 1, "p2": 0}


def counted_pairs(games: Iterable[GamesOfOneOpening]) -> list[PairCount]:
    """The pairs of these games, which come by run and number. No game is in two pairs."""
    tallies = _summed(((each.variant, each.tc, each.p1, each.p2), _tally(each)) for each in _disjoint(games))
    return [PairCount(*key, tally) for key, tally in tallies.items()]


def all_pairs(counts: Iterable[PairCount]) -> PairTally:
    """All of them from the point of view of the engine that each names first."""
    return sum((each.tally for each in counts), PairTally())


def pairs_by_engine(counts: Iterable[PairCount]) -> dict[str, PairTally]:
    """The pairs of each engine that has any."""
    return _summed((key[0], tally) for key, tally in _both_views(counts))


def pairs_by_engines(counts: Iterable[PairCount]) -> dict[tuple[str, str], PairTally]:
    """The pairs of each two engines, from the point of view of the first; every two are there in both orders."""
    return _summed(_both_views(counts))


def _both_views(counts: Iterable[PairCount]) -> Iterator[tuple[tuple[str, str], PairTally]]:
    for each in counts:
        yield (each.one, each.two), each.tally
        yield (each.two, each.one), each.tally.reversed


def _summed(tallies: Iterable[tuple[K, PairTally]]) -> dict[K, PairTally]:
    sums: dict[K, PairTally] = {}
    for key, tally in tallies:
        sums[key] = sums.get(key, PairTally()) + tally
    return sums


def pairs_note(tally: PairTally) -> str:
    """`20 pairs: 7 split (the same side won both games), 11 won by an engine, 2 drawn`."""
    count = "1 pair" if tally.pairs == 1 else f"{tally.pairs} pairs"
    won = tally.won + tally.lost
    return f"{count}: {tally.split} split (the same side won both games), {won} won by an engine, {tally.drawn} drawn"


def _disjoint(games: Iterable[GamesOfOneOpening]) -> Iterator[GamesOfOneOpening]:
    """Where games 1, 2 and 3 have one opening, the first pair has games 1 and 2."""
    used: tuple[str, int] | None = None
    for each in games:
        if (each.run, each.number) != used:
            used = (each.run, each.number + 1)
            yield each


def _tally(games: GamesOfOneOpening) -> PairTally:
    points = _POINTS[games.winner] + 2 - _POINTS[games.next_winner]
    nought, half, one, more, two = (int(points == each) for each in range(5))
    return PairTally((nought, half, one, more, two), int(points == 2 and games.winner != "draw"))


def percent(share: float, digits: int = 1) -> str:
    """A share from 0 to 1 in per cent: `57.5`. The shares of two sides add up to 100, also where both end in a half."""
    # An exact half goes to the even digit, so of two such halves one goes up and the other down. Binary fractions hold
    # few of these halves: the inner rounding restores them.
    unit = 10**digits
    return f"{round(round(100 * unit * share, 6)) / unit:.{digits}f}"
