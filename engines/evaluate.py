"""Static evaluation: an evaluator for Callanish, one for the tafl family, and one for all other games.

It does not know the line of play, so the search handles repetition.
"""

from collections.abc import Callable, Sequence
from operator import itemgetter
from random import Random
from typing import Any, Protocol

from arena.games.kind import GameKind
from arena.games.rules import Move, Position, Rules
from arena.games.variants import kind_of
from engines.evaluate_callanish import CallanishEvaluator
from engines.evaluate_tafl import TaflEvaluator
from engines.scores import DECIDED, WIN

_PLAYOUTS, _PLIES = 4, 60
"""A position without an evaluation is played out so often, and for so many plies at most."""


class Evaluator(Protocol):
    """Scores unfinished positions of one family, which `Any` stands for. Its caches save time and change no result."""

    @property
    def cheap_ranking(self) -> bool:
        """True if `ranked` costs less than playing the moves."""

    def value(self, position: Any) -> int:
        """The score for the side to move, in hundredths of a stone."""

    def forced_plies(self, position: Any) -> int:
        """The plies to a forced end that is visible without a search: n for a win of the side to move, -n for a loss.
        0 if none is visible."""

    def threatened(self, position: Any) -> bool:
        """True if the opponent threatens to win with its next move, so that `value` is unreliable."""

    def candidates(self, position: Any) -> Sequence[Move]:
        """The moves to search. It leaves out only moves after which the opponent wins at once."""

    def ranked(self, position: Any, moves: Sequence[Any]) -> list[tuple[int, Move]]:
        """These moves of the position with their scores for the mover, best first."""


class PlainEvaluator:
    """The evaluator of a game by what its kind says, or by random playouts."""

    cheap_ranking = False

    def __init__(self, kind: GameKind) -> None:
        self._kind = kind

    def value(self, position: Position) -> int:
        score = self._kind.evaluate(position)
        return self._played_out(position) if score is None else max(1 - DECIDED, min(DECIDED - 1, score))

    def forced_plies(self, position: Position) -> int:
        return 0

    def threatened(self, position: Position) -> bool:
        return False

    def candidates(self, position: Position) -> Sequence[Move]:
        return position.moves()

    def ranked(self, position: Position, moves: Sequence[Move]) -> list[tuple[int, Move]]:
        scored = [(self._after(position.play(move)), move) for move in moves]
        scored.sort(key=itemgetter(0), reverse=True)
        return scored

    def _after(self, child: Position) -> int:
        """The score of the move that led to `child`."""
        outcome = child.outcome
        if outcome is None:
            return -self.value(child)
        return 0 if outcome.winner == "draw" else 1 - WIN if outcome.winner == child.side else WIN - 1

    def _played_out(self, position: Position) -> int:
        chance = Random(position.fen())  # the same position has the same value in every search
        ends = [position.playout(chance, _PLIES).outcome for _ in range(_PLAYOUTS)]
        won = sum(1 if end.winner == position.side else -1 for end in ends if end is not None and end.winner != "draw")
        return won * 100


def evaluator_for(rules: Rules, start: Position) -> Evaluator:
    """A new evaluator for games of these rules that began like `start`."""
    kind = kind_of(rules)
    own: dict[str, Callable[[Any], Evaluator]] = {"callanish": CallanishEvaluator, "tafl": TaflEvaluator}
    board: Any = start
    return own[kind.name](board.board) if kind.name in own else PlainEvaluator(kind)
