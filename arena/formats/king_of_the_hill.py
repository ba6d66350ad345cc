"""King of the hill: the rest queue for the one who sits there, a challenge a round."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.formats.base import Pairing, Played, Round


@dataclass(frozen=True, slots=True)
class KingOfTheHill:
    """The first player begins as king. Whoever scores more in a challenge is king; a drawn one changes nothing.

    The loser goes to the end of the queue; who has missed a game leaves it.
    """

    players: int
    challenges: int
    games: int = 2

    @property
    def most(self) -> int:
        """In all challenges."""
        return self.challenges * self.games

    def next(self, past: Sequence[Played]) -> Round | None:
        """The next challenge, the king first; None after the last, or where nobody is left."""
        king, *queue = self.order(past)
        if len(past) >= self.challenges or not queue:
            return None
        return Round(len(past) + 1, (Pairing(king, queue[0]),), self.games)

    def order(self, past: Sequence[Played]) -> tuple[int, ...]:
        """The king, then the queue; who is out is left out, unless nobody else were left."""
        king, *queue = range(self.players)
        out: frozenset[int] = frozenset()
        for played in past:
            challenger = queue.pop(queue.index(played.met[0].second))
            held, taken = played.met[0].points
            out = played.out
            if taken > held or (king in out and challenger not in out):
                king, challenger = challenger, king
            queue.append(challenger)
            queue = [player for player in queue if player not in out]
        if king in out and queue:
            king = queue.pop(0)
        return (king, *queue)
