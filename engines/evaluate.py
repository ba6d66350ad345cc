"""What a position is worth without searching: one judge for each family, chosen by the position.

Owns what a judge can be asked. It knows neither search nor time nor the line of play, so repetition is the search's.
"""

from collections.abc import Sequence
from typing import Protocol

from arena.games.callanish import CallanishPosition
from arena.games.rules import Move, Position
from arena.games.tafl import TaflPosition
from engines.evaluate_callanish import CallanishJudge
from engines.evaluate_tafl import TaflJudge


class Judge(Protocol):
    """Scores positions of one family, that go on. What it remembers saves time and changes no answer."""

    @property
    def cheap(self) -> bool:
        """Does `ranked` cost less than playing the moves would?"""

    def value(self, position: Position) -> int:
        """The worth to the side to move, in hundredths of a stone."""

    def foreseen(self, position: Position) -> int:
        """Where it is seen at a glance how the game ends: in n plies, won (n) or lost (-n) for the side to move.
        Else 0."""

    def pressing(self, position: Position) -> bool:
        """Does the opponent threaten to win next, so that `value` is not to be trusted?"""

    def answers(self, position: Position) -> Sequence[Move]:
        """The moves that are worth a look: where others are left out, the opponent would win at once after them."""

    def ranked(self, position: Position, moves: Sequence[Move]) -> list[tuple[int, Move]]:
        """These of the position's moves with their worth to the mover, on the scale of `scores`, best first."""


def judge_of(position: Position) -> Judge:
    """A new judge for the games on this position's board."""
    if isinstance(position, CallanishPosition):
        return CallanishJudge(position.board)
    assert isinstance(position, TaflPosition)
    return TaflJudge(position.board)
