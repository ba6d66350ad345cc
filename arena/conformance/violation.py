"""The exceptions that end a check: a broken clause, or nothing to check."""

from arena.conformance.judge.positions import GamePosition

READY, MOVES, FLUSHING, BOUNDS, LEGALITY, SPELLING, LEFT_OVER = "D1", "G1", "B1", "B15", "G2", "G23", "E6"
"""The checks that are about what every check may meet: no `readyok`, no bestmove, one that is not flushed, too much
output, an illegal move, a move that cannot be read, a board that is wrong after another one."""


class Violation(Exception):
    """The clause is broken. The text says what was seen; `minor` makes it less severe than the check's own severity."""

    def __init__(self, text: str, *, minor: bool = False, cause: str = "", clause: str = "", matter: str = "") -> None:
        super().__init__(text)
        self.matter = matter
        """The check that is about what was seen, if many checks meet it."""
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

    def __init__(self, text: str, position: GamePosition, variant: str, matter: str = LEGALITY) -> None:
        super().__init__(text, matter=matter)
        self.position = position
        self.variant = variant


class NotApplicable(Exception):
    """There is nothing to check: the engine did not announce the feature, or the game does not have it."""


def quoted(line: bytes, most: int = 80) -> str:
    """The start of a line from the engine in quotes. What is no printable ASCII stands as an escape, as in C."""
    return repr(line[:most]).removeprefix("b")
