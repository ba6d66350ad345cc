"""What a game is to everyone above it: positions that are values, moves that are words, one outcome.

Both families, Callanish and tafl, fulfil `Rules` and `Position`; nothing above `arena.games` knows which one it has.
A `Position` is history-free (board, side to move, turn number), so it can be hashed, compared, shared and searched
without undo. What needs the line of play, the third occurrence of a position, is judged by `arena.games.game.Game`.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Literal, NamedTuple, Protocol

Side = Literal["p1", "p2"]
Winner = Literal["p1", "p2", "draw"]


class Reason(StrEnum):
    """Why the rules ended a game."""

    LINE = "line"
    """A player controls enough squares of a rank or file after the opponent's turn (Callanish)."""
    NO_TURN = "no-turn"
    """The side to move has no complete turn and loses (Callanish)."""
    KING_ESCAPED = "king-escaped"
    """The king reached an edge or corner square, as the variant asks (tafl)."""
    KING_CAPTURED = "king-captured"
    """The attackers took the king (tafl)."""
    REPETITION = "repetition"
    """A position occurred for the third time (tafl)."""
    NO_MOVE = "no-move"
    """The side to move has no legal move (tafl)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended by the rules: who won, and why."""

    winner: Winner
    reason: Reason


class RulesError(ValueError):
    """Bad input from outside, said in one sentence that names the field or square and the remedy."""


class UnknownVariant(RulesError):
    """No variant has this name, or a knob of it is unknown or out of range."""


class BadPosition(RulesError):
    """A position string or a drawn board that the variant does not allow."""


class IllegalMove(RulesError):
    """A word that names no legal move where it was played."""

    def __init__(self, word: str, position: str) -> None:
        super().__init__(f"{word!r} is no legal move in {position}")
        self.word = word


class Move(Protocol):
    """A move of some position; two moves are the same when their words are."""

    @property
    def text(self) -> str:
        """The canonical word, as stored and sent."""


class Playout(NamedTuple):
    """A game played on at random."""

    outcome: Outcome | None
    """How it ended; None where the limit of plies came first."""
    moves: Sequence[Move]


class Position(Protocol):
    """A board with a side to move: an immutable value, equal to and hashed as its content."""

    def __hash__(self) -> int:
        """Equal positions have equal ones."""

    @property
    def side(self) -> Side:
        """The side to move."""

    @property
    def turn(self) -> int:
        """The turn number: 1 at the start, one more after each turn of p2."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended here, None while it goes on. Repetition is not seen: `Game` judges that."""

    @property
    def key(self) -> Hashable:
        """What must be equal for a position to have occurred again: the board and the side to move."""

    def find(self, word: str) -> Move | None:
        """The legal move that `word` names, None where it names none or the game is over. Generates no other move."""

    def play(self, move: Move) -> "Position":
        """The position after `move`, which must come from `find` or `legal_moves` of this very position."""

    def moves(self) -> Sequence[Move]:
        """All legal moves in whatever order comes cheapest, for engines; none where the game is over."""

    def legal_moves(self) -> Sequence[Move]:
        """All legal moves, sorted by their words; none where the game is over."""

    def playout(self, chance: Random, plies: int) -> Playout:
        """The game played on at random from here, to its end or for at most so many plies.

        Each legal move is as likely as the others at every ply. Repetition is not seen, as nowhere in a position.
        """

    def fen(self) -> str:
        """The position string: board, side to move, turn number."""


class Rules(Protocol):
    """One variant's rules: a value, too."""

    def __hash__(self) -> int:
        """Equal rules have equal ones."""

    @property
    def name(self) -> str:
        """The canonical name: the variant, then `:knob=value,...` sorted by knob where knobs were changed."""

    @property
    def base(self) -> str:
        """The variant alone, without knobs: what goes into UGI_Variant."""

    @property
    def knobs(self) -> str:
        """The knobs that were changed, `name=value` sorted and split by blanks: what goes into UGI_Rules."""

    @property
    def draws(self) -> bool:
        """May players agree on a draw? Where not, draw offers are void."""

    @property
    def repetition(self) -> Literal["draw", "loses"] | None:
        """What the third occurrence of a position is to the side that completes it; None where it cannot occur."""

    def start(self) -> Position:
        """The variant's start position."""

    def parse(self, fen: str) -> Position:
        """The position that a position string draws. Raises BadPosition."""

    def wellformed(self, word: str) -> bool:
        """Does `word` belong to the variant's move grammar, whether or not it is legal anywhere?"""

    def warnings(self, position: Position) -> list[str]:
        """What is allowed on this board and yet unwise, one sentence each; usually none."""
