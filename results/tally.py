"""Counts wins, draws and losses. Independent of ratings and of display."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from results.record import GameRecord, Result, ResultCount, Winner

Part = Literal["variant", "tc"]
"""What may divide games into parts that are rated by themselves: variants, or time controls."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Decided games from one engine's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of decided games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points: 1 for a win, half for a draw."""
        return self.wins + self.draws / 2

    @property
    def reversed(self) -> "Tally":
        """The same games from the opponent's point of view."""
        return Tally(self.losses, self.draws, self.wins)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


def counted(games: Iterable[Result | ResultCount]) -> list[ResultCount]:
    """Games as counts. Identical games are found among records only: a result without moves counts as distinct."""
    seen: set[tuple[str, str, int]] = set()
    found: dict[ResultCount, list[int]] = {}
    for game in games:
        if isinstance(game, ResultCount):
            key, more, lines = game._replace(games=0, distinct=0), game.games, game.distinct
        else:
            tc = ""
            more = lines = 1
            if isinstance(game, GameRecord):
                place = (game.p1, game.p2, game.line)
                tc, lines = game.tc, int(place not in seen)
                seen.add(place)
            names = (game.variant, tc, game.p1, game.p2)
            key = ResultCount(*names, game.winner, game.termination, game.flagged, game.machine, game.burns_idle, 0, 0)
        sums = found.setdefault(key, [0, 0])
        sums[0] += more
        sums[1] += lines
    return [key._replace(games=more, distinct=lines) for key, (more, lines) in found.items()]


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
    return _grouped(counts, lambda each: each.variant)


def by_time_control(counts: Iterable[ResultCount]) -> dict[str, list[ResultCount]]:
    """The counts of each time control, sorted by its name."""
    return _grouped(counts, lambda each: time_control_name(each.tc))


def time_control_name(tc: str) -> str:
    """The name in tables. A handicap is `10+0.1 | 1+0`, whichever engine has which side."""
    return " | ".join(sorted(tc.split(" | ")))


def _grouped(counts: Iterable[ResultCount], by: Callable[[ResultCount], str]) -> dict[str, list[ResultCount]]:
    found: dict[str, list[ResultCount]] = {}
    for each in counts:
        found.setdefault(by(each), []).append(each)
    return dict(sorted(found.items()))
