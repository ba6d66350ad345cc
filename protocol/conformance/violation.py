"""How a check's function ends where the clause does not hold or there is nothing to look at. Knows nothing else."""


class Violation(Exception):
    """The clause is broken. The text says what was seen; `minor` where it is less than the check's own."""

    def __init__(self, text: str, *, minor: bool = False, cause: str = "") -> None:
        super().__init__(text)
        self.minor = minor
        self.cause = cause
        """What is likely behind it, where what was seen says more than the check's own hint."""


class IllegalMove(Violation):
    """A move that is not legal where it was asked for: many checks come upon one, and few are about it."""


class NotApplicable(Exception):
    """There is nothing to look at: the engine did not announce it, or the game does not have it."""
