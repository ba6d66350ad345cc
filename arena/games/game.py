"""A line of play: where it started, what was played, how it ended. The only place that knows repetition.

Refuses to know clocks, players and engines; a referee has those.
"""

from collections.abc import Hashable
from typing import Final

from arena.games.rules import IllegalMove, Move, Outcome, Position, Reason, Rules, Winner

OCCURRENCES: Final = 3
"""The occurrence of a position, the start included, that ends a game where repetition is judged."""


class Game:
    """A game being played from `start`. It changes with every move; its positions do not."""

    __slots__ = ("_seen", "moves", "outcome", "position", "rules", "start")

    def __init__(self, rules: Rules, position: Position) -> None:
        self.rules = rules
        self.start = position
        self.position = position
        self.moves: list[str] = []
        """The canonical words played so far."""
        self.outcome: Outcome | None = position.outcome
        """How the game ended, repetition included; None while it goes on."""
        self._seen: dict[Hashable, int] | None = None if rules.repetition is None else {position.key: 1}

    def play(self, word: str) -> None:
        """Play the move that `word` names. Raises IllegalMove, the game unchanged, where it names none."""
        move = None if self.outcome is not None else self.position.find(word)
        if move is None:
            raise IllegalMove(word, self.position.fen())
        self.advance(move)

    def advance(self, move: Move) -> Outcome | None:
        """Play a move that the position of a game that goes on has just found, which is not looked for again.

        How the game ended, None while it goes on.
        """
        self.position = position = self.position.play(move)
        self.moves.append(move.text)
        self.outcome = position.outcome
        if self._seen is not None:
            key = position.key
            self._seen[key] = count = self._seen.get(key, 0) + 1
            if count == OCCURRENCES and self.outcome is None:
                self.outcome = Outcome(self._repeated(), Reason.REPETITION)
        return self.outcome

    def _repeated(self) -> Winner:
        # The side to move is the one that did not complete the repetition.
        return "draw" if self.rules.repetition == "draw" else self.position.side
