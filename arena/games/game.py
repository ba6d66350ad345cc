"""A line of play: where it started, what was played, how it ended. Repetition is judged here and nowhere else.

Independent of clocks, players and engines, which are the referee's.
"""

from collections.abc import Hashable

from arena.games.rules import IllegalMove, Move, Outcome, Position, Repetition, Rules, Winner


class GameFailed(Exception):
    """The code of a game raised an exception where it may not: the game is void, and no engine is to blame."""


class Game:
    """A game that is played from `start`. It changes with every move; its positions do not."""

    __slots__ = ("_occurrences", "_seen", "before", "moves", "outcome", "position", "rules", "start")

    def __init__(self, rules: Rules, position: Position) -> None:
        self.rules = rules
        self.start = position
        self.position = position
        self.before: Position | None = None
        """The position before the last move; None before the first."""
        self.moves: list[str] = []
        """The canonical words played so far."""
        self.outcome: Outcome | None = position.outcome
        """How the game ended, by repetition too. None while it goes on."""
        self._occurrences = rules.occurrences
        self._seen: dict[Hashable, int] | None = None if rules.repetition is None else {position.key: 1}

    def find(self, word: str) -> Move | None:
        """The legal move of the present position that `word` names, else None. Raises GameFailed."""
        try:
            return self.position.find(word)
        except Exception as error:  # whatever a stranger's rules raise
            raise self._failure(f"find({word!r})", error) from error

    def play(self, word: str) -> None:
        """Play the move that `word` names. Raises IllegalMove and leaves the game unchanged if it names none."""
        move = None if self.outcome is not None else self.find(word)
        if move is None:
            raise IllegalMove(word, self.position.fen())
        self.advance(move)

    def advance(self, move: Move) -> Outcome | None:
        """Play a legal move of the present position and return how the game ended, None while it goes on.

        The move is not checked again: it must come from `self.position`, and the game must not be over.
        """
        self.before = self.position
        try:
            self.position = position = self.before.play(move)
            self.outcome = position.outcome
        except Exception as error:  # whatever a stranger's rules raise
            raise self._failure(f"play({move.text})", error) from error
        self.moves.append(move.text)
        if self._seen is not None:
            key = position.key
            self._seen[key] = count = self._seen.get(key, 0) + 1
            if count == self._occurrences and self.outcome is None:
                # The side to move is not the side that completed the repetition.
                winners: dict[Repetition | None, Winner] = {"draw": "draw", "loses": position.side, "p2-loses": "p1"}
                self.outcome = Outcome(winners[self.rules.repetition], "repetition")
        return self.outcome

    def _failure(self, call: str, error: Exception) -> GameFailed:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return GameFailed(f"the rules of {self.rules.base} failed at ply {len(self.moves) + 1}, in {call}: {what}")
