"""The exceptions that end a check: a broken clause, or nothing to check."""


class Violation(Exception):
    """The clause is broken. The text says what was seen; `minor` makes it less severe than the check's own severity."""

    def __init__(self, text: str, *, minor: bool = False, cause: str = "", clause: str = "") -> None:
        super().__init__(text)
        self.minor = minor
        self.cause = cause
        """The likely cause, where what was seen says more than the check's own hint."""
        self.clause = clause
        """The broken clause, where it is another than the check's own."""


class IllegalAnswer(Violation):
    """A move was illegal. Many checks meet such a move, but few are about it."""


class NotApplicable(Exception):
    """There is nothing to check: the engine did not announce the feature, or the game does not have it."""


def quoted(line: bytes, most: int = 80) -> str:
    """The start of a line from the engine in quotes. What is no printable ASCII stands as an escape, as in C."""
    return repr(line[:most]).removeprefix("b")
