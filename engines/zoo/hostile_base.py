"""The base of the hostile faults: one attack, and a report whether the system allowed it.

Each attack is bounded by a count and a time, and touches only what the command line names. Before and after it the
engine plays correctly, so that a game shows only what the sandbox did.
"""

from engines.zoo.fault import Faulty, Verdict, during

_ANY_TIME = during(Verdict.CONTAINED, "first", "mid", "handshake", "ready", "newgame", "idle")


class HostileFault(Faulty):
    """A fault that attacks once and reports whether the attack succeeded."""

    verdicts = _ANY_TIME

    def trigger(self) -> None:
        if self.triggers > 1:
            return
        try:
            self.report(True, self.attack())
        except OSError as error:
            self.report(False, error.strerror or str(error))

    def attack(self) -> str:
        """Do the attack and describe it. Raises OSError if the system refuses it."""
        raise NotImplementedError
