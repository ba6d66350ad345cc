"""Knockout: a bracket by seeds, best of so many games, and what decides when that decides nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from arena.formats.base import Pairing, PairScore, Played, Round

Break = Literal["extra-games", "seed"]
BREAKS: tuple[Break, ...] = ("extra-games", "seed")
"""What decides a drawn match: more pairs of games until one decides; the better seed."""
EXTRA_PAIRS = 4
"""So many pairs of extra games are played at most; then the better seed decides."""


@dataclass(frozen=True, slots=True)
class Duel:
    """One match of the bracket as far as it has gone; `better` is the better seed and first in the odd games."""

    better: int
    worse: int | None
    """None: nobody, a bye."""
    games: int = 0
    """Played so far from each start."""
    lead: int = 0
    """Half points by which the better seed leads."""
    missed: bool = False

    def after(self, games: int, met: PairScore, out: frozenset[int]) -> "Duel":
        """With these games."""
        ours, theirs = met.points
        gone = self.better in out or self.worse in out
        return Duel(self.better, self.worse, self.games + games, self.lead + ours - theirs, gone)


@dataclass(frozen=True, slots=True)
class Knockout:
    """Players are seeded in their order: 1 and 2 can only meet in the final. Missing places are byes of the best.

    A match is over when one has more than half of what `best_of` games (from each of `starts` starts) can give. As many
    games are played at once as no decision can make needless.
    """

    players: int
    best_of: int = 2
    starts: int = 1
    extra: bool = True
    """Is a drawn match decided by extra games before seeds decide?"""

    @property
    def most(self) -> int:
        """With all extra games of all matches."""
        return (self.players - 1) * (self.best_of + (2 * EXTRA_PAIRS if self.extra else 0))

    def next(self, past: Sequence[Played]) -> Round | None:
        """The next games of every match of the round that is not decided; None when the final is."""
        number, duels = self._stand(past)
        open_ = [duel for duel in duels if self.winner(duel) is None]
        if not open_:
            return None
        # All have had the same number of games.
        pairings = tuple(Pairing(duel.better, duel.worse) for duel in open_ if duel.worse is not None)
        byes = tuple(duel.better for duel in duels if duel.worse is None) if open_[0].games == 0 else ()
        return Round(number, pairings, min(map(self._needed, open_)), swapped=open_[0].games % 2 == 1, byes=byes)

    def bracket(self, past: Sequence[Played]) -> Iterator[tuple[int, tuple[Duel, ...]]]:
        """Each round by number with its matches as they stand, to the final or to the round that is being played."""
        number, duels = 1, self._first()
        rest = iter(past)
        while True:
            while any(self.winner(duel) is None for duel in duels) and (played := next(rest, None)) is not None:
                found = {met.first: met for met in played.met}
                duels = tuple(
                    duel.after(played.round.games, found[duel.better], played.out)
                    if self.winner(duel) is None
                    else duel
                    for duel in duels
                )
            yield number, duels
            winners = [self.winner(duel) for duel in duels]
            if len(duels) == 1 or None in winners:
                return
            survivors = [winner for winner in winners if winner is not None]
            duels = tuple(Duel(min(two), max(two)) for two in zip(survivors[::2], survivors[1::2], strict=True))
            number += 1

    def winner(self, duel: Duel) -> int | None:
        """Who goes on, None while that is open."""
        if duel.worse is None:
            return duel.better
        total = max(self.best_of, duel.games) * self.starts
        left = 2 * (total - duel.games * self.starts)
        if abs(duel.lead) > left:
            return duel.better if duel.lead > 0 else duel.worse
        if left or (self.extra and not duel.missed and duel.games < self.best_of + 2 * EXTRA_PAIRS):
            return None
        return duel.better

    def _needed(self, duel: Duel) -> int:
        """How many games from each start can be played before one could be needless, an even number but at the end."""
        left = self.best_of - duel.games
        if left <= 0:
            return 2
        # With g more games to each start somebody leads by at most |lead| + 2 g starts, and 2 (left - g) starts remain.
        fewest = next(
            g for g in range(1, left + 1) if abs(duel.lead) + 2 * g * self.starts > 2 * (left - g) * self.starts
        )
        return min(left, fewest + fewest % 2)

    def _stand(self, past: Sequence[Played]) -> tuple[int, tuple[Duel, ...]]:
        *_, last = self.bracket(past)
        return last

    def _first(self) -> tuple[Duel, ...]:
        """The first round: each next size of bracket puts, beside each seed, the one who makes the sum of all pairs."""
        order, size = [0], 1
        while size < self.players:
            size *= 2
            order = [place for seed in order for place in (seed, size - 1 - seed)]
        pairs = zip(order[::2], order[1::2], strict=True)
        return tuple(Duel(min(pair), max(pair) if max(pair) < self.players else None) for pair in pairs)
