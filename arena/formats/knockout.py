"""Knockout: a bracket by seeds, matches best of so many games, and what decides a drawn match."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

from arena.formats import base
from arena.formats.tie_breaks import Break, quickness, shorter, strange_tie_breaks

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
    captures: tuple[int, int] = (0, 0)
    """The captures of both."""
    shortest: tuple[int, int] = (0, 0)
    """The plies of the shortest win of both; 0: none."""
    withdrawn: tuple[int, ...] = ()
    """Those of both that have missed a game."""

    def after(self, games: int, score: base.PairScore, withdrawn: frozenset[int]) -> "Duel":
        ours, theirs = score.points
        return replace(
            self,
            games=self.games + games,
            lead=self.lead + ours - theirs,
            captures=(self.captures[0] + score.captures[0], self.captures[1] + score.captures[1]),
            shortest=(shorter(self.shortest[0], score.shortest[0]), shorter(self.shortest[1], score.shortest[1])),
            withdrawn=tuple(player for player in (self.better, self.worse) if player in withdrawn),
        )


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
    extra_pairs: int = EXTRA_PAIRS
    """A drawn match has so many pairs of extra games, at most."""
    breaks: tuple[Break, ...] = ()
    """What decides a drawn match before extra games: captures and the shortest win; other tie-breaks are left out."""
    lots: tuple[str, ...] = ()
    """The lot of each player. The lower one decides in the end, but never for a player that has missed a game.

    Without lots the better seed decides.
    """

    @classmethod
    def make(cls, values: base.Values, names: Sequence[str], starts: int) -> Self:
        breaks = values["tie_breaks"]
        return cls(
            len(names), values["best_of"], starts, EXTRA_PAIRS if breaks is None or "extra-games" in breaks else 0
        )

    @classmethod
    def faults(cls, values: base.Values, names: Sequence[str]) -> base.Faults:
        yield from strange_tie_breaks(values, BREAKS)

    @classmethod
    def outcome(
        cls, values: base.Values, names: Sequence[str], starts: int, progress: base.Progression
    ) -> base.FormatOutcome:
        bracket = cls.make(values, names, starts).bracket_values(progress.past, names, progress.absent)
        lines: list[str] = []
        for number, duels in enumerate(bracket, 1):
            lines += [f"round {number}", *(f"  {sentence(duel)}" for duel in duels)]
        return base.FormatOutcome({"bracket": bracket}, lines=lines)

    def bracket_values(
        self, past: Sequence[base.Played], names: Sequence[str], absent: frozenset[int] = frozenset()
    ) -> list[list[dict[str, Any]]]:
        """The rounds, each with its matches, for JSON."""
        name = [*names, None]  # the last one for nobody
        return [
            [
                {
                    "better": names[duel.better],
                    "worse": name[-1 if duel.worse is None else duel.worse],
                    "lead": duel.lead / 2,
                    "winner": name[-1 if winner is None else winner],
                    "by": by,
                }
                for duel in duels
                for winner, by in [self.decision(duel)]
            ]
            for _, duels in self.bracket(past, absent)
        ]

    @property
    def most(self) -> int:
        """The games of all matches, extra games included."""
        return (self.players - 1) * (self.best_of + 2 * self.extra_pairs)

    @property
    def counts_captures(self) -> bool:
        return "captures" in self.breaks

    def next(self, past: Sequence[base.Played], withdrawn: frozenset[int] = frozenset()) -> base.Round | None:
        """The next games of each undecided match of this round; None when the final is decided."""
        absent = past[0].round.absent if past else withdrawn
        if self.players - len(absent) < 2:
            return None
        *_, (number, duels) = self.bracket(past, absent)
        open_ = [duel for duel in duels if self.winner(duel) is None]
        if not open_:
            return None
        # All open matches have had the same number of games.
        pairings = tuple(base.Pairing(duel.better, duel.worse) for duel in open_ if duel.worse is not None)
        byes = tuple(duel.better for duel in duels if duel.worse is None) if open_[0].games == 0 else ()
        swapped = open_[0].games % 2 == 1
        return base.Round(number, pairings, min(map(self._needed, open_)), swapped, byes, absent)

    def bracket(
        self, past: Sequence[base.Played], absent: frozenset[int] = frozenset()
    ) -> Iterator[tuple[int, tuple[Duel, ...]]]:
        """Each round by number with its matches, up to the final or to the round that is being played.

        `absent` are those who were withdrawn before the first round.
        """
        number, duels = 1, self._first(absent)
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
        return self.decision(duel)[0]

    def decision(self, duel: Duel) -> tuple[int | None, str]:
        """The winner of the match, and by what it won: a bye, points, a tie-break. None while it is open."""
        if duel.worse is None:
            return duel.better, "bye"
        total = max(self.best_of, duel.games) * self.starts
        left = 2 * (total - duel.games * self.starts)
        if abs(duel.lead) > left:
            return duel.better if duel.lead > 0 else duel.worse, "points"
        if left:
            return None, ""
        if self.lots and len(duel.withdrawn) == 1:
            return duel.worse if duel.better in duel.withdrawn else duel.better, "withdrawal"
        worth: dict[str, Sequence[Fraction | int]] = {
            "captures": duel.captures,
            "shortest-win": tuple(map(quickness, duel.shortest)),
        }
        for rule in self.breaks:
            ours, theirs = worth.get(rule, (0, 0))
            if ours != theirs:
                return duel.better if ours > theirs else duel.worse, rule
        if not duel.withdrawn and duel.games < self.best_of + 2 * self.extra_pairs:
            return None, ""
        if self.lots:
            return min(duel.better, duel.worse, key=self.lots.__getitem__), "lot"
        return duel.better, "seed"

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

    def _first(self, absent: frozenset[int]) -> tuple[Duel, ...]:
        """The first round. Each doubling of the bracket adds beside each seed the one that makes all sums equal."""
        seeds: list[int | None] = [player for player in range(self.players) if player not in absent]
        order, size = [0, 1], 2
        while size < len(seeds):
            size *= 2
            order = [place for seed in order for place in (seed, size - 1 - seed)]
        seeds += [None] * (size - len(seeds))
        pairs = (sorted(pair) for pair in zip(order[::2], order[1::2], strict=True))
        return tuple(Duel(better, seeds[two]) for one, two in pairs if (better := seeds[one]) is not None)


def sentence(duel: dict[str, Any]) -> str:
    """A match of the bracket for people."""
    if duel["worse"] is None:
        return f"{duel['better']} has a bye"
    lead = duel["lead"]
    score = "level" if lead == 0 else f"{duel['better'] if lead > 0 else duel['worse']} leads by {abs(lead):g}"
    by = f" by {duel['by']}" if duel["by"] not in ("", "points") else ""
    return f"{duel['better']} - {duel['worse']}: {score}, {duel['winner'] or 'nobody'} goes on{by}"
