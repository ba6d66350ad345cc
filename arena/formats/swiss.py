"""Swiss: in each round players meet others of about their score, and nobody twice.

What is heeded, each before all that follow: nobody meets the same player again, unless no pairing avoids it; nobody is
p1 two games more than p2, or the reverse; the squares of the score differences within pairs have the least sum, so that
few float and none far; within a score group the upper half meets the lower. The last two are a line in which neighbours
should meet: score groups from the top, each pleated, the first of its upper half beside the first of its lower half.
Whoever cannot be paired in his group so stands next to the group below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from arena.formats.base import Pairing, Played, Round
from arena.formats.matching import pair_off
from arena.formats.tie_breaks import TieBreaks, tally


@dataclass(frozen=True, slots=True)
class Swiss:
    """`rounds` rounds; players are ranked by points, then in their own order. `games` from each of `starts` starts."""

    players: int
    rounds: int
    games: int = 2
    starts: int = 1

    @property
    def most(self) -> int:
        """In all rounds."""
        return self.rounds * (self.players // 2) * self.games

    def next(self, past: Sequence[Played]) -> Round | None:
        """The next round: who is out is left out, and of an odd number the lowest with the fewest byes gets one."""
        scores = tally(self.players, self.games * self.starts, past)
        out = past[-1].out if past else frozenset()
        ranked = sorted(set(range(self.players)) - out, key=lambda player: (-scores[player].points, player))
        if len(past) >= self.rounds or len(ranked) < 2:
            return None
        if len(ranked) % 2 == 0:
            return self._round(len(past), self.paired(ranked, scores), (), scores)
        # Where that bye leaves two to meet again, it goes to the next one that does not.
        byes = sorted(reversed(ranked), key=lambda player: scores[player].byes)
        tried = ((self.paired([p for p in ranked if p != bye], scores), bye) for bye in byes)
        first = pairs, bye = next(tried)
        if self._again(pairs, scores):
            pairs, bye = next((found for found in tried if not self._again(found[0], scores)), first)
        return self._round(len(past), pairs, (bye,), scores)

    def paired(self, ranked: Sequence[int], scores: Sequence[TieBreaks]) -> list[tuple[int, int]]:
        """An even number of players, the best first, in pairs."""
        line = self._line(ranked, scores)
        # Each weight outweighs all that the next can add up to.
        most = max(score.points for score in scores) + 1
        gap = len(line) ** 3 + 1
        sides = len(line) * most**2 * gap
        again = len(line) * sides

        def distance(i: int, j: int) -> int:
            return (scores[line[i]].points - scores[line[j]].points) ** 2 * gap + (j - i) ** 2

        def obstacle(i: int, j: int) -> int:
            one, two = scores[line[i]], scores[line[j]]
            return (line[j] in one.against) * again + (one.due * two.due > 0) * sides

        return [(line[i], line[j]) for i, j in pair_off(len(line), distance, obstacle).pairs]

    def _line(self, ranked: Sequence[int], scores: Sequence[TieBreaks]) -> list[int]:
        """The players in the order in which neighbours should meet."""
        line: list[int] = []
        for _, members in groupby(ranked, key=lambda player: scores[player].points):
            group = list(members)
            upper, lower = group[: len(group) // 2], group[len(group) // 2 :]
            if self.games * self.starts % 2:  # sides matter: who was p1 more often meets who was p2
                order = sorted(group, key=lambda player: scores[player].due)
                half = len(order) // 2
                upper, lower = sorted(order[:half], key=group.index), sorted(order[half:], key=group.index)
            line += [player for pair in zip_longest(upper, lower) for player in pair if player is not None]
        return line

    def _again(self, pairs: Sequence[tuple[int, int]], scores: Sequence[TieBreaks]) -> bool:
        return any(two in scores[one].against for one, two in pairs)

    def _round(
        self, index: int, pairs: Sequence[tuple[int, int]], byes: tuple[int, ...], scores: Sequence[TieBreaks]
    ) -> Round:
        pairings = []
        for board, (one, two) in enumerate(pairs):
            # First is who was p1 less often, then who stood first less often; else boards alternate.
            key = [(scores[each].due, scores[each].firsts) for each in (one, two)]
            turned = key[1] < key[0] or (key[0] == key[1] and (index + board) % 2 == 1)
            pairings.append(Pairing(two, one) if turned else Pairing(one, two))
        return Round(index + 1, tuple(pairings), self.games, byes=byes)
