"""Swiss: players with similar scores meet; no rematches.

The rules, each before all that follow: no two players meet twice, unless every pairing has a rematch; nobody is p1 two
games more than p2, or the reverse; the sum of the squared score differences within pairs is least, so that few players
float and none far; within a score group the upper half meets the lower half. For the last two rules players stand in a
line in which neighbours should meet: score groups from the top, in each the first of the upper half beside the first of
the lower half. So a player that cannot be paired in its group stands next to the group below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Self

from arena.formats import base
from arena.formats.matching import pair_off
from arena.formats.tie_breaks import BREAKS, TieBreaks, strange_tie_breaks, table, tally


@dataclass(frozen=True, slots=True)
class Swiss(base.TournamentFormat):
    """`rounds` rounds of `games` games from each of `starts` starts. Players are ranked by points, then by seed."""

    name = "swiss"
    can_grow, counts_captures = True, False
    keys = (base.ROUNDS, base.GAMES_PER_PAIRING, base.TIE_BREAKS)
    summary = "others of about the same score"
    players: int
    rounds: int
    games: int = 2
    starts: int = 1

    @classmethod
    def make(cls, values: base.Values, names: Sequence[str], starts: int) -> Self:
        return cls(len(names), values["rounds"], values["games_per_pairing"], starts)

    @classmethod
    def default_rounds(cls, players: int) -> int:
        return max(1, (players - 1).bit_length())

    @classmethod
    def faults(cls, values: base.Values, names: Sequence[str]) -> base.Faults:
        players, rounds = len(names), values["rounds"]
        if rounds > base.MOST_ROUNDS:
            yield "rounds", f"must be at most {base.MOST_ROUNDS} in the format {cls.name!r}"
        longest = players - 1 + players % 2
        if rounds > longest:
            yield "rounds", f"after {longest} rounds of {players} engines all have met: ask for fewer, or a round robin"
        yield from strange_tie_breaks(values, BREAKS)

    @classmethod
    def outcome(
        cls, values: base.Values, names: Sequence[str], starts: int, progress: base.Progression
    ) -> base.FormatOutcome:
        breaks = tuple(dict.fromkeys(values["tie_breaks"] or BREAKS))
        rows = [
            {"name": names[place.player], "points": place.points, **dict(zip(breaks, place.values, strict=True))}
            for place in table(len(names), values["games_per_pairing"] * starts, progress.past, breaks)
        ]
        shown = base.OutcomeTable(f"Swiss, after {len(progress.past)} rounds", rows)
        return base.FormatOutcome({"rounds": len(progress.past), "table": rows}, [shown])

    @property
    def most(self) -> int:
        return self.rounds * (self.players // 2) * self.games

    def next(self, past: Sequence[base.Played], withdrawn: frozenset[int] = frozenset()) -> base.Round | None:
        """The next round. Where players are odd in number, the lowest of those with the fewest byes gets a bye."""
        scores = tally(self.players, self.games * self.starts, past)
        withdrawn |= past[-1].withdrawn if past else frozenset()
        ranked = sorted(set(range(self.players)) - withdrawn, key=lambda player: (-scores[player].points, player))
        if len(past) >= self.rounds or len(ranked) < 2:
            return None
        if len(ranked) % 2 == 0:
            return self._round(len(past), self.paired(ranked, scores), (), scores)
        # Where that bye forces a rematch, the first player whose bye forces none gets it.
        byes = sorted(reversed(ranked), key=lambda player: scores[player].byes)
        tried = ((self.paired([p for p in ranked if p != bye], scores), bye) for bye in byes)
        first = pairs, bye = next(tried)
        if self._again(pairs, scores):
            pairs, bye = next((pairing for pairing in tried if not self._again(pairing[0], scores)), first)
        return self._round(len(past), pairs, (bye,), scores)

    def paired(self, ranked: Sequence[int], scores: Sequence[TieBreaks]) -> list[tuple[int, int]]:
        """Pairs of an even number of players; the best pair comes first."""
        line = self._line(ranked, scores)
        # Each weight is larger than all sums of the next one.
        most = max(score.points for score in scores) + 1
        gap = len(line) ** 3 + 1
        sides = len(line) * most**2 * gap
        again = len(line) * sides

        def distance(i: int, j: int) -> int:
            return (scores[line[i]].points - scores[line[j]].points) ** 2 * gap + (j - i) ** 2

        def obstacle(i: int, j: int) -> int:
            one, two = scores[line[i]], scores[line[j]]
            return (line[j] in one.against) * again + (one.extra_p1 * two.extra_p1 > 0) * sides

        return [(line[i], line[j]) for i, j in pair_off(len(line), distance, obstacle).pairs]

    def _line(self, ranked: Sequence[int], scores: Sequence[TieBreaks]) -> list[int]:
        """The players in the order in which neighbours should meet."""
        line: list[int] = []
        for _, members in groupby(ranked, key=lambda player: scores[player].points):
            group = list(members)
            upper, lower = group[: len(group) // 2], group[len(group) // 2 :]
            if self.games * self.starts % 2:  # sides matter: a player due to be p1 meets one due to be p2
                order = sorted(group, key=lambda player: scores[player].extra_p1)
                half = len(order) // 2
                upper, lower = sorted(order[:half], key=group.index), sorted(order[half:], key=group.index)
            line += [player for pair in zip_longest(upper, lower) for player in pair if player is not None]
        return line

    def _again(self, pairs: Sequence[tuple[int, int]], scores: Sequence[TieBreaks]) -> bool:
        return any(two in scores[one].against for one, two in pairs)

    def _round(
        self, index: int, pairs: Sequence[tuple[int, int]], byes: tuple[int, ...], scores: Sequence[TieBreaks]
    ) -> base.Round:
        pairings = []
        for board, (one, two) in enumerate(pairs):
            # First is the player that was p1 less often, then that stood first less often; else boards alternate.
            key = [(scores[each].extra_p1, scores[each].firsts) for each in (one, two)]
            turned = key[1] < key[0] or (key[0] == key[1] and (index + board) % 2 == 1)
            pairings.append(base.Pairing(two, one) if turned else base.Pairing(one, two))
        return base.Round(index + 1, tuple(pairings), self.games, byes=byes)
