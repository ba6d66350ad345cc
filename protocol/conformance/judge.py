"""What the conformance checks need of somebody who knows the games. Owns the interface; refuses to know a rule."""

from typing import Protocol


class Line(Protocol):
    """A game being followed move by move."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The canonical words played so far."""

    @property
    def side(self) -> str:
        """`p1` or `p2`, the side to move."""

    @property
    def fen(self) -> str:
        """The position string."""

    @property
    def result(self) -> str:
        """`none`, `p1win`, `p2win` or `draw`, repetition included."""

    def legal(self) -> tuple[str, ...]:
        """All legal moves in canonical words, sorted; none where the game is over."""

    def canonical(self, word: str) -> str | None:
        """The canonical word of the legal move that `word` names, None where it names none."""

    def play(self, word: str) -> None:
        """Play a legal move."""

    def perft(self, depth: int) -> int:
        """The number of sequences of exactly so many moves from here."""


class Judge(Protocol):
    """Knows the rules of every variant. A variant may carry changed knobs: `scottish:king_steps=2`."""

    def knows(self, variant: str) -> bool:
        """Is there a variant of this name?"""

    def wire(self, variant: str) -> tuple[str, str]:
        """The values of UGI_Variant and UGI_Rules that name it."""

    def drawn(self, announced: tuple[str, ...], variant: str) -> str | None:
        """The announced variant by which an engine plays this one as a drawn board, None where none does."""

    def line(self, variant: str, fen: str | None = None, moves: tuple[str, ...] = ()) -> Line:
        """A game from its start, `fen` None being the variant's own."""

    def wellformed(self, variant: str, word: str) -> bool:
        """Does the word belong to the variant's move grammar?"""

    def book(self, variant: str) -> dict[str, object]:
        """Golden positions for a variant that has no file of them, in the form of such a file."""
