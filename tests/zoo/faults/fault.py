"""The base of all faults: a correct engine with one method changed, a sentence, and the expected verdict.

Each fault is one class in `process`, `lines`, `moves`, `timing`, `burning`, `hostile` or `files`,
written out or made by `fault_like`. Its docstring is its sentence in the lists of faults.
"""

import os
import re
import signal
import time
from enum import StrEnum
from typing import ClassVar

from tests.zoo.engine import Engine
from tests.zoo.settings import Phase, Settings
from tests.zoo.wire import STDERR, STDIN, STDOUT, log

LONGEST_LIFE_S = 600
"""The seconds after which a process that neither quits nor reads its input ends by itself, if nobody kills it."""
ORPHAN_LIFE_S = 60


class Verdict(StrEnum):
    """The result of a fault in a game. The first five are the words of a forfeit."""

    TIME = "time"
    """The engine loses on time. Under a nodes or depth limit, where there is no clock, it is a stall."""
    STALL = "stall"
    """Another deadline than the clock passed."""
    CRASH = "crash"
    """The process had ended or closed its stdout while an answer was due."""
    MALFORMED_MOVE = "malformed-move"
    """The bestmove was no word of the move grammar, or there was too much output."""
    ILLEGAL_MOVE = "illegal-move"
    """The bestmove was a word of the move grammar, but not legal."""
    HARMLESS = "harmless"
    """At most a note: the game goes on and its result stands."""
    CONTAINED = "contained"
    """The game goes on. The attack succeeds without a sandbox; a sandbox that covers it must stop it."""


Verdicts = tuple[tuple[Phase, Verdict], ...]
"""The phases at which a fault can be triggered, each with its verdict."""


def during(verdict: Verdict, *phases: Phase) -> Verdicts:
    """The same verdict at each of these phases."""
    return tuple((phase, verdict) for phase in phases)


class Faulty(Engine):
    """The base class of a fault. It overrides `trigger`, which is called at its phase, or another method of Engine."""

    verdicts: ClassVar[Verdicts] = ()
    """The possible phases and their verdicts; the first one is the default."""
    needs: ClassVar[tuple[str, ...]] = ()
    """The options of the command line that it requires."""
    limit: ClassVar[int] = 0
    """The default of --limit."""
    limit_most: ClassVar[int] = 1
    """More than that is taken for so much."""
    hidden_option: ClassVar[str] = ""
    """A protocol option that it does not announce."""

    def __init_subclass__(cls, abstract: bool = False) -> None:
        """The name of a fault is that of its class, `ExitsAtStart` is `exits-at-start`. An abstract class has none."""
        if abstract:
            cls.name = ""
        elif "name" not in vars(cls):
            cls.name = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.armed = False
        """True between the phase and the answer that belongs to it."""
        self.triggers = 0
        """How often the phase has been reached."""
        self.amount = min(self.limit if settings.limit is None else settings.limit, self.limit_most)

    def phase_reached(self, phase: Phase) -> None:
        if phase == self.settings.at:
            self.armed = True
            self.triggers += 1
            self.trigger()

    def announced(self) -> list[str]:
        return [option for option in super().announced() if option.split()[0] != self.hidden_option]

    def trigger(self) -> None:
        """Called when the phase is reached, before its answer is sent."""

    def finish(self) -> None:
        armed = self.armed
        super().finish()
        # The phase `idle` is reached in there. Its answer is the next output.
        if armed:
            self.armed = False

    def report(self, done: bool, text: str) -> None:
        """Report whether an attack succeeded: `info string zoo NAME done|refused TEXT`, and the same on stderr."""
        line = f"zoo {self.name} {'done' if done else 'refused'} {text}".rstrip()
        log(line)
        self.say("info", f"string {line}")

    def stop_responding(self) -> None:
        """Never answer anything again, not even the end of the input, until a signal ends the process."""
        signal.alarm(LONGEST_LIFE_S)
        while not self.wire.ended:
            self.wire.discard()
            self.wire.listen(None)
        while True:
            signal.pause()


def fault_like(base: type[Faulty], name: str, sentence: str, **attributes: object) -> type[Faulty]:
    """A fault of the module of `base`, from which it differs only by these attributes."""
    own = {"name": name, "__doc__": sentence, "__module__": base.__module__}
    return type(name, (base,), own | attributes)


class HostileFault(Faulty, abstract=True):
    """A fault that attacks once and reports whether the system allowed it.

    Each attack is bounded by a count and a time, and touches only what the command line names. Before and after it the
    engine plays correctly, so that a game shows only what the sandbox did.
    """

    verdicts = during(Verdict.CONTAINED, "first", "mid", "handshake", "ready", "newgame", "idle")

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


def refusal(action: str, error: OSError) -> str:
    """For a report: what was refused, and why."""
    return f"{action}: {error.strerror or error}"


def detach() -> None:
    """Replace stdin, stdout and stderr by /dev/null, as a process does that wants to outlive its parent unseen."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (STDIN, STDOUT, STDERR):
        os.dup2(nowhere, fd)


def child_life() -> None:
    """The life of a forked child: do nothing until an alarm ends it after ORPHAN_LIFE_S."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(ORPHAN_LIFE_S)
    while True:
        time.sleep(ORPHAN_LIFE_S)
