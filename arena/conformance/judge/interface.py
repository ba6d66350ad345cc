"""The interface through which the conformance checks ask about the rules. Owns no rule itself."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol


class Line(Protocol):
    """A line of play, followed move by move."""

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
        """`none`, `p1win`, `p2win` or `draw`; repetition is counted."""

    def legal(self) -> tuple[str, ...]:
        """The canonical words of all legal moves, sorted; none if the game is over."""

    def canonical(self, word: str) -> str | None:
        """The canonical word of the legal move that `word` names, None if it names none."""

    def play(self, word: str) -> None:
        """Play a legal move. Raises an error if it is illegal."""

    def perft(self, depth: int) -> int:
        """The number of move sequences of exactly this length from here. Repetition is not looked at."""


class FuzzCase(NamedTuple):
    """A random line of play. The variant's name carries the rule options."""

    variant: str
    fen: str
    moves: tuple[str, ...]
    theme: str


class NamedRule(NamedTuple):
    """The rule that decides a case: its clause in SPEC.md, and what it says here."""

    clause: str
    text: str


class RulesOracle(Protocol):
    """Knows the rules of every variant. A variant's name may carry changed rule options: `scottish:king_steps=2`."""

    def knows(self, variant: str) -> bool:
        """True if there is a variant of this name."""

    def is_callanish(self, variant: str) -> bool:
        """True for a variant of Callanish, False for a tafl game."""

    def wire(self, variant: str) -> tuple[str, str]:
        """The values of UGI_Variant and UGI_Rules for the variant."""

    def drawn(self, announced: tuple[str, ...], variant: str) -> str | None:
        """The announced variant in which this one can be played from a position string, None if there is none."""

    def line(self, variant: str, fen: str | None = None, moves: tuple[str, ...] = ()) -> Line:
        """A line of play. `fen` None is the variant's start position."""

    def wellformed(self, variant: str, word: str) -> bool:
        """True if the word belongs to the variant's move grammar."""

    def fuzz_cases(self, variant: str, seed: int, change_options: bool) -> Iterator[FuzzCase]:
        """Random lines of play without end, the same for the same seed; the rule options change where they may."""

    def rule(self, case: FuzzCase, query: str, said: str) -> NamedRule:
        """The rule that decides the answer to `query` at the end of a case, where the engine answers `said`."""

    def book(self, variant: str) -> dict[str, object]:
        """Golden positions for a variant without a file of them, in the form of such a file."""
