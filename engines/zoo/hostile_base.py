"""What the hostile faults share: a deed done once, and a report on whether the system let it be done.

Each is bounded by a count and a time and touches only what the command line names. Before and after it the engine
plays correctly, so that a game shows what the containment did and nothing else.
"""

from engines.zoo.fault import Faulty, Verdict, during

_ANY_TIME = during(Verdict.CONTAINED, "first", "mid", "handshake", "ready", "newgame", "idle")


class HostileFault(Faulty):
    """A deed done once, with a report of whether it could be done."""

    verdicts = _ANY_TIME

    def strike(self) -> None:
        if self.strikes > 1:
            return
        try:
            self.report(True, self.deed())
        except OSError as error:
            self.report(False, error.strerror or str(error))

    def deed(self) -> str:
        """What was done. Raises OSError where the system refused it."""
        raise NotImplementedError
