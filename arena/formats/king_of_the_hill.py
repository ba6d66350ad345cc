"""King of the hill: the other players queue to challenge the king, one challenge a round."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from arena.formats import base


@dataclass(frozen=True, slots=True)
class KingOfTheHill(base.TournamentFormat):
    """The first player begins as king. The player who scores more in a challenge is king; a draw changes nothing.

    The loser goes to the end of the queue. A player that missed a game leaves the queue.
    """

    name = "king-of-the-hill"
    summary = "the king and the next in the queue"

    players: int
    challenges: int
    games: int = 2

    @classmethod
    def make(cls, values: base.Values, names: Sequence[str], starts: int) -> Self:
        return cls(len(names), values["rounds"], values["games_per_pairing"])

    @classmethod
    def default_rounds(cls, players: int) -> int:
        return players - 1

    @classmethod
    def faults(cls, values: base.Values, names: Sequence[str]) -> base.Faults:
        if values["rounds"] > base.MOST_ROUNDS:
            yield "rounds", f"must be at most {base.MOST_ROUNDS} in the format {cls.name!r}"

    @classmethod
    def outcome(
        cls, values: base.Values, names: Sequence[str], starts: int, progress: base.Progression
    ) -> base.FormatOutcome:
        king, *queue = (names[player] for player in cls.make(values, names, starts).order(progress.past))
        return base.FormatOutcome(
            {"challenges": len(progress.past), "king": king, "queue": queue},
            lines=(f"king of the hill after {len(progress.past)} challenges: {king}",),
        )

    @property
    def most(self) -> int:
        return self.challenges * self.games

    def next(self, past: Sequence[base.Played], withdrawn: frozenset[int] = frozenset()) -> base.Round | None:
        """The next challenge, the king first; None after the last one, or where no challenger is left."""
        king, *queue = self.order(past)
        if len(past) >= self.challenges or not queue:
            return None
        return base.Round(len(past) + 1, (base.Pairing(king, queue[0]),), self.games)

    def order(self, past: Sequence[base.Played]) -> tuple[int, ...]:
        """The king, then the queue, without withdrawn players unless only they are left."""
        king, *queue = range(self.players)
        withdrawn: frozenset[int] = frozenset()
        for played in past:
            challenger = queue.pop(queue.index(played.scores[0].second))
            held, taken = played.scores[0].points
            withdrawn = played.withdrawn
            if taken > held or (king in withdrawn and challenger not in withdrawn):
                king, challenger = challenger, king
            queue.append(challenger)
            queue = [player for player in queue if player not in withdrawn]
        if king in withdrawn and queue:
            king = queue.pop(0)
        return (king, *queue)
