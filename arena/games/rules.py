"""The interface of every game: `Rules`, `Position`, `Move` and `Outcome`.

Every game implements it, and a referee does not know which of them it has. A `Position` has no
history, only a board, the side to move and a turn number: so it can be hashed, compared, shared and searched without
undo. The repetition of a position needs the history, so `arena.games.game.Game` judges it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple, Protocol

Side = Literal["p1", "p2"]
Winner = Literal["p1", "p2", "draw"]
Repetition = Literal["draw", "loses", "p2-loses", "forbidden-p2"]
"""What the last occurrence of a position that is allowed is: a draw, or lost for the side that completes it, or lost
for p2, whoever completes it. With `forbidden-p2` p2 may make no move to a board that has been before, and has lost
where all its moves lead to one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended by the rules: who won, and why."""

    winner: Winner
    reason: str
    """A word that the kind of the game declares, such as `king-escaped`."""


class RulesError(ValueError):
    """Bad input from outside. The message is one sentence that names the field or square and the remedy."""

    exit_code = 2


class UnknownVariant(RulesError):
    """No variant has this name, or one of its rule options is unknown or out of range."""


class BadPosition(RulesError):
    """A position string or a drawn board that the variant does not allow."""


class IllegalMove(RulesError):
    """A word that names no legal move in its position."""

    def __init__(self, word: str, position: str) -> None:
        super().__init__(f"{word!r} is no legal move in {position}")
        self.word = word


class Move(Protocol):
    """A move of some position. Two moves are the same if their words are."""

    @property
    def text(self) -> str:
        """The canonical word, which is stored and sent."""


class Playout(NamedTuple):
    """A game that was continued at random."""

    outcome: Outcome | None
    """How it ended. None if the limit of plies came first."""
    moves: Sequence[Move]


class Position(Protocol):
    """A board with a side to move: an immutable value, compared and hashed by its content."""

    def __hash__(self) -> int:
        """The hash, equal for equal positions."""

    @property
    def side(self) -> Side:
        """The side to move."""

    @property
    def turn(self) -> int:
        """The turn number. It is 1 at the start and grows by 1 after each turn of p2."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended here, None while it goes on. Repetition is not seen: `Game` judges it."""

    @property
    def key(self) -> Hashable:
        """What two occurrences of one position have in common: the board and the side to move."""

    def find(self, word: str) -> Move | None:
        """The legal move that `word` names, else None. Finds it without generating the other moves."""

    def play(self, move: Move) -> "Position":
        """The position after `move`, which must be a legal move that this position has given."""

    def moves(self) -> Sequence[Move]:
        """All legal moves in the order that is fastest to make, for engines. There are none once the game is over."""

    def legal_moves(self) -> Sequence[Move]:
        """All legal moves, sorted by their words. There are none once the game is over."""

    def playout(self, chance: Random, plies: int) -> Playout:
        """The game continued at random from here, to its end or for at most so many plies.

        At every ply all legal moves are equally likely. Repetition is not seen.
        """

    def fen(self) -> str:
        """The position string: board, side to move, turn number."""


def plies_before(position: Position) -> int:
    """How many plies came before a position, by its turn number and its side to move: odd where p2 is to move."""
    return 2 * (position.turn - 1) + (position.side == "p2")


class OwnVariant(NamedTuple):
    """What makes a variant of a user's own of a variant that every engine knows. Changed rule options come on top."""

    name: str
    """A word such as `two-lochs`."""
    start: str | None = None
    """The position string of its start; None where it starts as its base does."""

    @property
    def title(self) -> str:
        """The name as a heading has it, without the user's file: `Two lochs`."""
        return self.name.replace("-", " ").capitalize()

    def text(self, base: str, changed_options: str) -> str:
        """The canonical name, which says all that a record of a game needs to be read without the user's file."""
        parts = [f"name={self.name}", *changed_options.split()]
        if self.start is not None:
            board, side, _ = self.start.split()
            parts += [f"board={board}", *(["side=p2"] if side == "p2" else [])]
        return f"{base}:{','.join(parts)}"


class Rules(Protocol):
    """The rules of one variant: an immutable value, too."""

    def __hash__(self) -> int:
        """The hash, equal for equal rules."""

    @property
    def name(self) -> str:
        """The canonical name: the variant, and `:option=value,...`, sorted by option, if rule options were changed.

        A variant of a user's own also has its name and its board there, as `OwnVariant.text` writes them.
        """

    @property
    def base(self) -> str:
        """The variant without changed rule options: what is sent as UGI_Variant."""

    @property
    def changed_options(self) -> str:
        """The changed rule options: `option=value` pairs, sorted and separated by blanks, as sent in UGI_Rules."""

    @property
    def own(self) -> OwnVariant | None:
        """What makes it a variant of a user's own; None for a variant that every engine knows."""

    @property
    def draws(self) -> bool:
        """Whether players may agree on a draw. If not, draw offers have no effect."""

    @property
    def repetition(self) -> Repetition | None:
        """How a game ends by the repetition of a position; None if there is no such rule."""

    @property
    def occurrences(self) -> int:
        """A position that occurs for this number of times, the start included, ends the game by repetition."""

    def start(self) -> Position:
        """The start position of the variant."""

    def parse(self, fen: str) -> Position:
        """The position that a position string describes. Raises BadPosition."""

    def wellformed(self, word: str) -> bool:
        """Whether `word` is in the variant's move grammar. It need not be legal in any position."""

    def warnings(self, position: Position) -> list[str]:
        """What is allowed on this board but not recommended, one sentence each; usually none."""
