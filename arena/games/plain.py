"""What most small games write alike: base classes that a plug-in may use for its positions and rules."""

from collections.abc import Hashable, Sequence
from operator import attrgetter
from random import Random
from typing import Any

from arena.games.rules import Move, OwnVariant, Playout, Position, Repetition


class PlainPosition:
    """A position that knows `side`, `turn`, `outcome`, `moves`, `play` and `fen`, and gets the rest from here."""

    def moves(self) -> Sequence[Any]:
        """All legal moves; none once the game is over."""
        raise NotImplementedError

    @property
    def key(self) -> Hashable:
        """What two occurrences of one position have in common. Override it where the turn number is compared."""
        return self

    def find(self, word: str) -> Any:
        """The legal move that `word` names, else None."""
        return next((move for move in self.moves() if move.text == word), None)

    def legal_moves(self) -> Sequence[Any]:
        """All legal moves, sorted by their words."""
        return sorted(self.moves(), key=attrgetter("text"))

    def playout(self, chance: Random, plies: int) -> Playout:
        """The game continued at random from here."""
        position: Any = self
        line = list[Move]()
        while position.outcome is None and len(line) < plies:
            move = chance.choice(position.moves())
            line.append(move)
            position = position.play(move)
        return Playout(position.outcome, line)


class PlainRules:
    """Rules without options, repetition and boards of one's own, in which players may agree on a draw."""

    changed_options: str = ""
    own: OwnVariant | None = None
    draws: bool = True
    repetition: Repetition | None = None
    occurrences: int = 0

    def warnings(self, position: Position) -> list[str]:
        """No board is advised against."""
        return []
