"""The exceptions that end a check: a broken clause, or nothing to check."""

from enum import StrEnum

from arena.conformance.judge.positions import GamePosition


class Symptom(StrEnum):
    """How a check ended, where many checks end so for one cause."""

    NONE = ""
    """The check saw what it is about."""
    ILLEGAL = "illegal move"
    """A move or a board is wrong, in a plain session too."""
    SPELLING = "spelling"
    """A move is no word of the move grammar."""
    NO_READYOK = "no readyok"
    NO_BESTMOVE = "no bestmove"
    NO_ANSWER = "no answer"
    ENDED = "ended"
    """The process has ended, or closed its output."""
    FLOODED = "too much output"
    UNFLUSHED = "not flushed"
    """A bestmove came only behind the next answer."""
    LONG = "long game"
    """A position is wrong after many moves, and no shorter one was found."""
    RULE_OPTIONS = "rule options"
    """A rule is wrong where rule options are changed."""


class Violation(Exception):
    """The clause is broken. The text says what was seen; `minor` makes it less severe than the check's own severity."""

    symptom = Symptom.NONE

    def __init__(
        self, text: str, *, minor: bool = False, cause: str = "", clause: str = "", symptom: Symptom | None = None
    ) -> None:
        super().__init__(text)
        self.symptom = self.symptom if symptom is None else symptom
        self.minor = minor
        self.cause = cause
        """The likely cause, where what was seen says more than the check's own hint."""
        self.clause = clause
        """The broken clause, where it is another than the check's own."""

    def about(self, text: str) -> "Violation":
        """The same violation with another text."""
        self.args = (text,)
        return self


class IllegalAnswer(Violation):
    """A move was illegal, or a board wrong. Many checks meet such a move, but few are about it."""

    symptom = Symptom.ILLEGAL

    def __init__(self, text: str, position: GamePosition, variant: str, symptom: Symptom = Symptom.ILLEGAL) -> None:
        super().__init__(text, symptom=symptom)
        self.position = position
        self.variant = variant


class NotApplicable(Exception):
    """There is nothing to check: the engine did not announce the feature, or the game does not have it."""


def quoted(line: bytes, most: int = 80) -> str:
    """The start of a line from the engine in quotes. What is no printable ASCII stands as an escape, as in C."""
    return repr(line[:most]).removeprefix("b")
