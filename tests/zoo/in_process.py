"""The engines of the mutants in this process: the checks of rules speak with an object, without a pipe or a clock.

The engine of `spec` reads one line, does all that it asks for, and then the next. So only checks that wait for
each answer can be run here, and none that stops a search. They take a tenth of the time, and no load disturbs them.
"""

from collections import deque
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

from arena.conformance import runner
from arena.conformance.check import Check, Finding
from arena.conformance.checked_engine import CheckedEngine
from arena.conformance.context import CheckRun, CheckSettings
from arena.conformance.subject import ProbedProcess
from protocol.process import Command
from protocol.transport import Exit, TransportClosed, TransportTimeout

MakeEngine = Callable[[], Any]
"""Makes an engine of `spec`."""


class LocalSubject:
    """What a checker needs of a process, for an engine that is an object."""

    unfinished = b""
    sandbox = SimpleNamespace(policy=SimpleNamespace(level=None), scratch=None)

    def __init__(self, make: MakeEngine) -> None:
        self._said: deque[bytes] = deque()
        self._engine = make()
        self._engine.write = self._said.append
        self._rest = b""
        self._ended = False

    def send(self, data: bytes, deadline_ns: int) -> None:
        if self._ended:
            raise TransportClosed(Exit(1, "exit status 1"))
        *lines, self._rest = (self._rest + data).split(b"\n")
        engine = self._engine
        for line in lines:
            engine.take_line(line)
        try:
            while engine.waiting or not engine.inbox.empty():
                words = engine.waiting.popleft() if engine.waiting else engine.inbox.get()
                if words == ["quit"]:
                    self._ended = True
                    return
                engine.obey(words)
        except (Exception, SystemExit):
            self._ended = True

    def receive(self, deadline_ns: int) -> bytes:
        if self._said:
            line = self._said.popleft()
            first, _, others = line.partition(b"\n")
            if others:
                self._said.appendleft(others)
            return first
        if self._ended:
            raise TransportClosed(Exit(1, "exit status 1"))
        raise TransportTimeout

    def begin_turn(self) -> None:
        """Nothing is measured here."""

    def wait(self, deadline_ns: int) -> bool:
        return self._ended

    def asleep(self) -> bool:
        return True

    def cpu_ns(self) -> int | None:
        return None

    def exit_status(self) -> int | None:
        return 1 if self._ended else None

    def kill(self) -> Exit:
        self._ended = True
        return Exit(0, "exit status 0")

    def stderr_tail(self) -> bytes:
        return b""


class LocalRun(CheckRun):
    """A run whose engines are objects."""

    make: MakeEngine

    def start(self, name: str, command: Command | None = None) -> CheckedEngine:
        return CheckedEngine(cast(ProbedProcess, LocalSubject(self.make)), name, self.settings.slow)


def findings(make: MakeEngine, checks: Sequence[Check], variants: Sequence[str], main: str) -> list[Finding]:
    """What some checks find in an engine, one after the other."""
    # A busy machine may take as long as it likes, and the engine's CPU time counts as the check's here: the number of
    # positions is what limits F10.
    settings = CheckSettings(Command(("local",)), {}, slow=20)
    check_run = LocalRun(settings, main)
    check_run.make = make
    return [runner.perform(check_run, task).finding for task in runner.tasks(checks, variants, main)]
