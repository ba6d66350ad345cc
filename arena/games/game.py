"""A line of play: where it started, what was played, how it ended. Repetition is judged here and nowhere else."""

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from random import Random
from traceback import extract_tb

from arena.games.rules import IllegalMove, Move, Outcome, Position, Repetition, Rules, RulesError, Winner


class GameFailed(Exception):
    """The code of a game raised an exception where it may not: the game is void, and no engine is to blame."""

    exit_code = 2


RAISED = (Exception, SystemExit)
"""Whatever a stranger's module may raise: when it is loaded, or when its rules are asked."""
_TRIES, _TRIED_PLIES = 20, 200


@contextmanager
def beginning(rules: Rules) -> Iterator[None]:
    """Raises GameFailed for whatever these rules raise before a game, unless they refuse what they are given."""
    try:
        yield
    except (RulesError, GameFailed):
        raise
    except RAISED as error:
        raise GameFailed(f"the rules of {rules.base} failed at the start: {raised(error)}") from error


class Game:
    """A game that is played from `start`. It changes with every move; its positions do not."""

    __slots__ = ("_boards", "_occurrences", "_seen", "before", "moves", "outcome", "position", "rules", "start")

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
        counted = rules.repetition not in (None, "forbidden-p2")
        self._seen: dict[Hashable, int] | None = {position.key: 1} if counted else None
        self._boards: set[str] | None = {_board(position)} if rules.repetition == "forbidden-p2" else None
        """The boards so far, if the rules forbid p2 to bring about one of them."""

    def find(self, word: str) -> Move | None:
        """The legal move of the present position that `word` names, else None. Raises GameFailed."""
        try:
            move = self.position.find(word)
        except RAISED as error:
            raise self._failure(f"find({word!r})", error) from error
        return move if move is None or self._boards is None or self._allows(move) else None

    def choices(self) -> Sequence[Move]:
        """All legal moves, in the order of `Position.moves`; none once the game is over, be it by repetition."""
        if self.outcome is not None:
            return ()
        try:
            moves = self.position.moves()
        except RAISED as error:
            raise self._failure("moves()", error) from error
        return moves if self._boards is None else [move for move in moves if self._allows(move)]

    def _allows(self, move: Move) -> bool:
        """False for a move of p2 to a board that has been before, where the rules forbid that."""
        return self.position.side == "p1" or _board(self.position.play(move)) not in (self._boards or ())

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
            outcome, repeated = position.outcome, self._repeated(position)
        except RAISED as error:
            raise self._failure(f"play({move.text})", error) from error
        self.moves.append(move.text)
        if outcome is not None and outcome.winner not in ("p1", "p2", "draw"):
            raise self._failed(f"the winner is {outcome.winner!r}, and not p1, p2 or draw")
        self.outcome = repeated if outcome is None else outcome
        return self.outcome

    def _repeated(self, position: Position) -> Outcome | None:
        """Count a position that has just come about. Returns how its repetition ends the game, None if it does not."""
        if self._seen is not None:
            key = position.key
            self._seen[key] = count = self._seen.get(key, 0) + 1
            if count == self._occurrences:
                # The side to move is not the side that completed the repetition.
                winners: dict[Repetition | None, Winner] = {"draw": "draw", "loses": position.side, "p2-loses": "p1"}
                return Outcome(winners[self.rules.repetition], "repetition")
        elif self._boards is not None:
            self._boards.add(_board(position))
            if not any(map(self._allows, position.moves())):
                return Outcome("p1", "repetition")
        return None

    def try_rules(self, chance: Random) -> None:
        """Play on at random some times, and take nothing of it over. Raises GameFailed where the rules fail.

        An engine that uses the same rules may have met their fault before the game did.
        """
        try:
            for _ in range(_TRIES if self.outcome is None else 0):
                self.position.playout(chance, _TRIED_PLIES)
        except RAISED as error:
            raise self._failure("a random continuation", error) from error

    def _failure(self, call: str, error: BaseException) -> GameFailed:
        return self._failed(f"{call} raised {raised(error)}")

    def _failed(self, what: str) -> GameFailed:
        return GameFailed(f"the rules of {self.rules.base} failed at ply {len(self.moves) + 1}: {what}")


def raised(error: BaseException) -> str:
    """An exception of a stranger's code with the line that raised it: `KeyError: 'a1' (three.py, line 12)`."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    at = extract_tb(error.__traceback__)[-1]
    return f"{what} ({PurePath(at.filename).name}, line {at.lineno})"


def _board(position: Position) -> str:
    """The board of a position, whoever is to move."""
    return position.fen().partition(" ")[0]
