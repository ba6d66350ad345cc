"""Faults of the CPU clock: an engine that computes where it hopes that nobody counts.

The engine asks for the CPU all the time, so that it looks as if others kept it waiting. Every helper ends by itself.
"""

import os
import signal
import time
from collections.abc import Callable

from tests.zoo.faults.fault import Faulty, Verdict, detach, during
from tests.zoo.search import Go, Plan

_HELPERS = 4
_LIFE_S = 30


class BurnsInHelpers(Faulty):
    """Lets four processes that left it use --cpu ms of CPU, 2 000 unless told otherwise, over a move."""

    verdicts = during(Verdict.TIME, "first", "mid")

    def plan(self, go: Go) -> Plan:
        return Plan(endless=go.infinite)

    def trigger(self) -> None:
        cpu_ms = 2_000 if self.settings.cpu_ms is None else self.settings.cpu_ms
        ends, ended = os.pipe()
        for _ in range(_HELPERS):
            os.waitpid(_forked(lambda: _leave(lambda: _compute(cpu_ms / _HELPERS))), 0)
        os.close(ended)
        _expect_end(ends)


class StarvesOpponent(Faulty):
    """Has --limit processes, 20 unless told otherwise, compute while its opponent thinks."""

    verdicts = during(Verdict.HARMLESS, "idle")
    limit = 20
    limit_most = 60

    def trigger(self) -> None:
        engine = os.getpid()

        def compute() -> None:
            os.setsid()  # the kernel shares the CPU evenly among sessions
            _compute(_LIFE_S * 1_000, engine)

        self._running = [_forked(compute) for _ in range(self.amount)]

    def on_go(self, words: list[str]) -> None:
        running, self._running = self._running, []
        for pid in running:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        super().on_go(words)

    _running: list[int] = []  # noqa: RUF012  # replaced, never changed


def _forked(life: Callable[[], object]) -> int:
    """Fork a child that lives so and ends. Returns its pid."""
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(_LIFE_S)
        detach()
        life()
    finally:
        os._exit(0)


def _leave(life: Callable[[], object]) -> None:
    """Live so in a session of its own, without a parent of the engine."""
    os.setsid()
    _forked(life)


def _compute(cpu_ms: float, parent: int | None = None) -> None:
    """Use this CPU time, at most until `parent` is not our parent any more."""
    end_ns = time.process_time_ns() + int(cpu_ms * 1_000_000)
    while time.process_time_ns() < end_ns and parent in (None, os.getppid()):
        pass


def _expect_end(fd: int) -> None:
    """Ask for the CPU until all writers of a pipe have ended."""
    os.set_blocking(fd, False)
    while True:
        try:
            if not os.read(fd, 1):
                break
        except BlockingIOError:
            os.sched_yield()
    os.close(fd)
