"""Counts wins, draws and losses. Knows nothing of ratings, order and display."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from results.record import Result, Winner


@dataclass(frozen=True, slots=True)
class Tally:
    """Decided games from one engine's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games were decided."""
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


def meetings(results: Iterable[Result]) -> dict[tuple[str, str], Tally]:
    """For each pair (p1, p2) that met, the decided games from p1's point of view. Unfinished games do not count."""
    counts: Counter[tuple[str, str, Winner | None]] = Counter((game.p1, game.p2, game.winner) for game in results)
    return {
        (p1, p2): Tally(counts[p1, p2, "p1"], counts[p1, p2, "draw"], counts[p1, p2, "p2"])
        for p1, p2 in dict.fromkeys((p1, p2) for p1, p2, winner in counts if winner is not None)
    }
