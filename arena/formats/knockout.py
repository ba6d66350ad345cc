"""Knockout: a bracket by seeds, matches best of so many games, and what decides a drawn match."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

from arena.formats import base
from arena.formats.tie_breaks import strange_tie_breaks

BREAKS = ("extra-games", "seed")
"""What decides a drawn match: pairs of extra games until one decides; the better seed."""
EXTRA_PAIRS = 4
"""At most so many pairs of extra games are played; then the better seed decides."""


@dataclass(frozen=True, slots=True)
class Duel:
    """One match of the bracket so far. `better` is the better seed and stands first in odd games."""

    better: int
    worse: int | None
    """The worse seed; None: a bye."""
    games: int = 0
    """How many games were played from each start."""
    lead: int = 0
    """By how many half points the better seed leads."""
    missed: bool = False
    """True where a player missed a game."""

    def after(self, games: int, score: base.PairScore, withdrawn: frozenset[int]) -> "Duel":
        ours, theirs = score.points
        missed = self.better in withdrawn or self.worse in withdrawn
        return Duel(self.better, self.worse, self.games + games, self.lead + ours - theirs, missed)


@dataclass(frozen=True, slots=True)
class Knockout(base.TournamentFormat):
    """Players are seeded in their order: seeds 1 and 2 can only meet in the final. Missing places are byes of the best.

    A match is over when a player has more than half of the points of `best_of` games from each of `starts` starts. As
    many games are played at once as no decision can make needless.
    """

    name = "knockout"
    keys = (base.Key("best_of", int, 2, "knockout: games of a match, from each start", 1, 1_000), base.TIE_BREAKS)
    summary = "the winners of the round before"

    players: int
    best_of: int = 2
    starts: int = 1
    extra: bool = True
    """True where extra games decide a drawn match before seeds do."""

    @classmethod
    def make(cls, values: base.Values, names: Sequence[str], starts: int) -> Self:
        breaks = values["tie_breaks"]
        return cls(len(names), values["best_of"], starts, breaks is None or "extra-games" in breaks)

    @classmethod
    def faults(cls, values: base.Values, names: Sequence[str]) -> base.Faults:
        yield from strange_tie_breaks(values, BREAKS)

    @classmethod
    def outcome(
        cls, values: base.Values, names: Sequence[str], starts: int, past: Sequence[base.Played]
    ) -> base.FormatOutcome:
        knockout = cls.make(values, names, starts)
        bracket: list[list[dict[str, Any]]] = []
        lines: list[str] = []
        for number, (_, duels) in enumerate(knockout.bracket(past), 1):
            bracket.append([knockout._duel_values(duel, names) for duel in duels])
            lines += [f"round {number}", *(f"  {_sentence(duel)}" for duel in bracket[-1])]
        return base.FormatOutcome({"bracket": bracket}, lines=lines)

    def _duel_values(self, duel: Duel, names: Sequence[str]) -> dict[str, Any]:
        winner = self.winner(duel)
        return {
            "better": names[duel.better],
            "worse": None if duel.worse is None else names[duel.worse],
            "lead": duel.lead / 2,
            "winner": None if winner is None else names[winner],
        }

    @property
    def most(self) -> int:
        """The games of all matches, extra games included."""
        return (self.players - 1) * (self.best_of + (2 * EXTRA_PAIRS if self.extra else 0))

    def next(self, past: Sequence[base.Played]) -> base.Round | None:
        """The next games of each undecided match of this round; None when the final is decided."""
        *_, (number, duels) = self.bracket(past)
        open_ = [duel for duel in duels if self.winner(duel) is None]
        if not open_:
            return None
        # All open matches have had the same number of games.
        pairings = tuple(base.Pairing(duel.better, duel.worse) for duel in open_ if duel.worse is not None)
        byes = tuple(duel.better for duel in duels if duel.worse is None) if open_[0].games == 0 else ()
        return base.Round(number, pairings, min(map(self._needed, open_)), swapped=open_[0].games % 2 == 1, byes=byes)

    def bracket(self, past: Sequence[base.Played]) -> Iterator[tuple[int, tuple[Duel, ...]]]:
        """Each round by number with its matches, up to the final or to the round that is being played."""
        number, duels = 1, self._first()
        rest = iter(past)
        while True:
            while any(self.winner(duel) is None for duel in duels) and (played := next(rest, None)) is not None:
                scores = {score.first: score for score in played.scores}
                duels = tuple(
                    duel.after(played.round.games, scores[duel.better], played.withdrawn)
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
        """The winner of the match; None while it is open."""
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
        """How many games from each start can be played before one could be needless. Even, except at the end."""
        left = self.best_of - duel.games
        if left <= 0:
            return 2
        # After g more games from each start the lead is at most |lead| + 2 g starts, and 2 (left - g) starts remain.
        fewest = next(
            g for g in range(1, left + 1) if abs(duel.lead) + 2 * g * self.starts > 2 * (left - g) * self.starts
        )
        return min(left, fewest + fewest % 2)

    def _first(self) -> tuple[Duel, ...]:
        """The first round. Each doubling of the bracket adds beside each seed the one that makes all sums equal."""
        order, size = [0], 1
        while size < self.players:
            size *= 2
            order = [place for seed in order for place in (seed, size - 1 - seed)]
        pairs = zip(order[::2], order[1::2], strict=True)
        return tuple(Duel(min(pair), max(pair) if max(pair) < self.players else None) for pair in pairs)


def _sentence(duel: dict[str, Any]) -> str:
    if duel["worse"] is None:
        return f"{duel['better']} has a bye"
    lead = duel["lead"]
    score = "level" if lead == 0 else f"{duel['better'] if lead > 0 else duel['worse']} leads by {abs(lead):g}"
    return f"{duel['better']} - {duel['worse']}: {score}, {duel['winner'] or 'nobody'} goes on"
