"""Faults of the CPU clock: an engine that computes where it hopes that nobody counts.

The engine asks for the CPU all the time, so that it looks as if others kept it waiting. Every helper ends by itself.
"""

import contextlib
import hashlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from tests.zoo.faults.fault import Faulty, Verdict, detach, during
from tests.zoo.search import Go, Plan

_HELPERS = 4
_THREADS = 7
_SHORT_MS = 8
_LIFE_S = 30


class _Burning(Faulty, abstract=True):
    """Uses --cpu ms of CPU in some place, and then answers."""

    verdicts = during(Verdict.TIME, "first", "mid")
    takes = ("cpu",)

    def plan(self, go: Go) -> Plan:
        return Plan(endless=go.infinite)

    def trigger(self) -> None:
        self.burn(2_000 if self.settings.cpu_ms is None else self.settings.cpu_ms)

    def burn(self, cpu_ms: float) -> None:
        """Use this CPU time."""
        raise NotImplementedError


class BurnsInHelpers(_Burning):
    """Lets four processes that left it use --cpu ms of CPU, 2 000 unless told otherwise, over a move."""

    def burn(self, cpu_ms: float) -> None:
        ends, ended = os.pipe()
        for _ in range(_HELPERS):
            os.waitpid(_forked(lambda: _leave(lambda: _compute(cpu_ms / _HELPERS))), 0)
        os.close(ended)
        _expect_end(ends)


class BurnsInKeptHelpers(_Burning):
    """The same, by processes that left it before its move came."""

    def on_newgame(self) -> None:
        super().on_newgame()
        self._hear, self._call = os.pipe()
        self._ends, ended = os.pipe()
        cpu_ms = (2_000 if self.settings.cpu_ms is None else self.settings.cpu_ms) / _HELPERS

        def wait_and_compute() -> None:
            os.read(self._hear, 1)
            _compute(cpu_ms)

        for _ in range(_HELPERS):
            os.waitpid(_forked(lambda: _leave(wait_and_compute)), 0)
        os.close(ended)

    def burn(self, cpu_ms: float) -> None:
        os.write(self._call, bytes(_HELPERS))
        _expect_end(self._ends)


class BurnsUnwaited(_Burning):
    """Lets short processes that it does not wait for use --cpu ms of CPU, 2 000 unless told otherwise, over a move."""

    def burn(self, cpu_ms: float) -> None:
        # The kernel does not tell the time of children that their parent does not wait for.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for _ in range(int(cpu_ms / _SHORT_MS / _HELPERS)):
            ends, ended = os.pipe()
            for _ in range(_HELPERS):
                _forked(lambda: _compute(_SHORT_MS))
            os.close(ended)
            _expect_end(ends)


class BurnsInThreads(_Burning):
    """Lets seven threads on one CPU use --cpu ms of CPU, 2 000 unless told otherwise, over a move."""

    def burn(self, cpu_ms: float) -> None:
        threads = [threading.Thread(target=_hash_on_one_cpu, args=(cpu_ms / _THREADS,)) for _ in range(_THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


class StarvesOpponent(Faulty):
    """Has --limit processes, 20 unless told otherwise, compute while its opponent thinks."""

    verdicts = during(Verdict.HARMLESS, "idle")
    takes = ("limit",)
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


def _hash_on_one_cpu(cpu_ms: float) -> None:
    """Use this CPU time in this thread, without the lock of the interpreter."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # `strict` refuses it
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    end_ns = time.thread_time_ns() + int(cpu_ms * 1_000_000)
    while time.thread_time_ns() < end_ns:
        hashlib.pbkdf2_hmac("sha256", b"zoo", b"", 2_000)


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
