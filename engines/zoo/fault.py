"""What every fault is: a correct engine, one place of it done otherwise, a sentence, and the verdict to expect.

Owns the shape of a fault and the deeds that several share. The faults themselves are in `process`, `lines`, `moves`,
`timing` and `hostile`, one class each; its docstring is its sentence.
"""

import os
import signal
import time
from enum import StrEnum
from typing import ClassVar

from engines.zoo.engine import Engine
from engines.zoo.settings import Phase, Settings
from engines.zoo.wire import STDERR, STDIN, STDOUT, log

LONGEST_LIFE_S = 600
"""After so long a process that neither quits nor reads its input ends by itself, should nobody have killed it."""
ORPHAN_LIFE_S = 60


class Verdict(StrEnum):
    """What a referee makes of a fault. The first five are the words of a forfeit."""

    TIME = "time"
    """Lost on time; under a nodes or depth limit, where there is no clock, it is a stall."""
    STALL = "stall"
    """A deadline other than the clock's passed."""
    CRASH = "crash"
    """The process or its stdout was gone while something was due."""
    MALFORMED_MOVE = "malformed-move"
    """A bestmove that is no word of the move grammar, or too much output."""
    ILLEGAL_MOVE = "illegal-move"
    """A word of the move grammar that is not legal."""
    HARMLESS = "harmless"
    """Noted at most: the game goes on and its result stands."""
    CONTAINED = "contained"
    """The game goes on; the deed succeeds in the open and is to be stopped by a containment that claims to."""


Verdicts = tuple[tuple[Phase, Verdict], ...]
"""The phases at which a fault can strike, each with its verdict."""


def during(verdict: Verdict, *phases: Phase) -> Verdicts:
    """The same verdict at each of some phases."""
    return tuple((phase, verdict) for phase in phases)


class Faulty(Engine):
    """A fault overrides `strike`, for a deed done when its phase is reached, or one other place of Engine."""

    verdicts: ClassVar[Verdicts] = ()
    """When it can strike and what to expect; the first one where no phase is asked for."""
    takes: ClassVar[tuple[str, ...]] = ()
    """The options of the command line that it uses besides --at and --ply."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Those of them without which it cannot be run."""
    limit: ClassVar[int] = 0
    """--limit where the command line has none."""
    limit_most: ClassVar[int] = 1
    """The largest --limit that is accepted."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.armed = False
        """Has the phase been reached, and is its answer still to come?"""
        self.strikes = 0
        """How often the phase has been reached."""
        self.amount = self.limit if settings.limit is None else settings.limit

    def reached(self, phase: Phase) -> None:
        if phase == self.settings.at:
            self.armed = True
            self.strikes += 1
            self.strike()

    def strike(self) -> None:
        """The phase has been reached and its answer is still to come."""

    def finish(self) -> None:
        armed = self.armed
        super().finish()
        # `idle` is reached in there, and its answer is whatever comes next.
        if armed:
            self.armed = False

    def report(self, done: bool, text: str) -> None:
        """Say whether a deed succeeded: `info string zoo NAME done|refused TEXT`, and the same on stderr."""
        line = f"zoo {self.name} {'done' if done else 'refused'} {text}".rstrip()
        log(line)
        self.say("info", f"string {line}")

    def go_deaf(self) -> None:
        """Never answer anything again, not even the end of the input, until somebody kills us."""
        signal.alarm(LONGEST_LIFE_S)
        while not self.wire.ended:
            self.wire.discard()
            self.wire.listen(None)
        while True:
            signal.pause()


def attempt(deed: str, error: OSError) -> str:
    """For a report: what was refused, and by which errno."""
    return f"{deed}: {error.strerror or error}"


def detach() -> None:
    """Let go of stdin, stdout and stderr, as a process does that wants to outlive its parent unseen."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (STDIN, STDOUT, STDERR):
        os.dup2(nowhere, fd)


def child_life() -> None:
    """In a forked child: do nothing until our own alarm ends us, in a minute at the latest."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(ORPHAN_LIFE_S)
    while True:
        time.sleep(ORPHAN_LIFE_S)
