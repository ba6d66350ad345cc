"""Static evaluation: one evaluator for each family of games.

Owns the interface of an evaluator. Independent of search and time. It does not know the line of play, so the search
handles repetition.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from arena.games.callanish.rules import CallanishPosition
from arena.games.rules import Move, Position
from arena.games.tafl.rules import TaflPosition
from engines.evaluate_callanish import CallanishEvaluator
from engines.evaluate_tafl import TaflEvaluator


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


def evaluator_for(position: Position) -> Evaluator:
    """A new evaluator for games on this position's board."""
    if isinstance(position, CallanishPosition):
        return CallanishEvaluator(position.board)
    assert isinstance(position, TaflPosition)
    return TaflEvaluator(position.board)
