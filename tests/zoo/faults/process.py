"""Faults of the process: it dies, never answers, does not end, or closes its pipes."""

import os
import resource
import signal
import threading
import time

from tests.zoo.faults.fault import LONGEST_LIFE_S, Faulty, Verdict, during
from tests.zoo.wire import STDIN, STDOUT

_DYING = during(Verdict.CRASH, "first", "mid", "handshake", "ready", "newgame", "position", "idle")


class ExitZero(Faulty):
    """Ends with exit status 0 instead of answering."""

    name = "exit-0"
    verdicts = _DYING

    def trigger(self) -> None:
        os._exit(0)


class ExitOne(Faulty):
    """Ends with exit status 1 instead of answering."""

    name = "exit-1"
    verdicts = _DYING

    def trigger(self) -> None:
        os._exit(1)


class Segv(Faulty):
    """Dies of a segmentation fault, without a core file, instead of answering."""

    verdicts = _DYING + during(Verdict.HARMLESS, "quit")

    def trigger(self) -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        signal.raise_signal(signal.SIGSEGV)


class ExitsAtStart(Faulty):
    """Ends with exit status 1 at once, before anything has been said to it."""

    verdicts = during(Verdict.CRASH, "handshake")

    def start(self) -> None:
        os._exit(1)


class Silent(Faulty):
    """Reads on and never says anything again; quit and the end of its input do not end it."""

    verdicts = (
        during(Verdict.TIME, "first", "mid")
        + during(Verdict.STALL, "handshake", "ready", "newgame", "position", "idle")
        + during(Verdict.HARMLESS, "quit")
    )

    def trigger(self) -> None:
        self.stop_responding()


class ClosesStdout(Faulty):
    """Closes its stdout instead of answering and lives on."""

    verdicts = _DYING

    def trigger(self) -> None:
        # /dev/null takes its place, since the next opened file would get a free descriptor number.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, STDOUT)
        os.close(nowhere)


class _StopsReading(Faulty, abstract=True):
    """Answers once more and then stops reading."""

    def listen(self, wait_ms: float | None) -> None:
        if not self.triggers:
            super().listen(wait_ms)
        elif self.search is not None and wait_ms is not None:
            time.sleep(wait_ms / 1000)
        else:
            signal.alarm(LONGEST_LIFE_S)
            while True:
                signal.pause()


class ClosesStdin(_StopsReading):
    """Closes its stdin, answers what it was asked last and lives on."""

    # Not at `idle`: input that comes just before the pipe closes is lost silently, so a crash becomes a stall.
    verdicts = during(Verdict.CRASH, "first", "mid", "handshake", "ready")

    def trigger(self) -> None:
        os.close(STDIN)
        os.open(os.devnull, os.O_RDONLY)


class NeverReads(_StopsReading):
    """Answers what it was asked last and never reads its stdin again."""

    verdicts = during(Verdict.STALL, "first", "mid", "handshake", "ready", "idle")


class Sigstop(Faulty):
    """Stops itself with SIGSTOP instead of answering; it dies when its parent does."""

    verdicts = (
        during(Verdict.TIME, "first", "mid")
        + during(Verdict.STALL, "handshake", "ready", "idle")
        + during(Verdict.HARMLESS, "quit")
    )

    def trigger(self) -> None:
        die_with_parent()
        signal.raise_signal(signal.SIGSTOP)


class IgnoresQuit(Faulty):
    """Plays on when it is told to quit, until its input ends."""

    verdicts = during(Verdict.HARMLESS, "quit")

    def on_quit(self) -> None:
        return


class IgnoresEof(Faulty):
    """Waits on when its input has ended."""

    verdicts = during(Verdict.HARMLESS, "quit")

    def on_end(self) -> None:
        self.stop_responding()


class SpinsAtEof(Faulty):
    """Reads the end of its input again and again, with all the CPU it gets, for a minute."""

    verdicts = during(Verdict.HARMLESS, "quit")

    def on_end(self) -> None:
        signal.alarm(60)
        while not os.read(STDIN, 1):
            pass


class IgnoresTerm(Faulty):
    """Ignores SIGTERM."""

    verdicts = during(Verdict.HARMLESS, "quit")

    def start(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


class Immortal(Faulty):
    """Ignores quit, the end of its input and SIGTERM: only SIGKILL ends it."""

    verdicts = during(Verdict.HARMLESS, "quit")

    def start(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def on_quit(self) -> None:
        self.stop_responding()

    def on_end(self) -> None:
        self.stop_responding()


class ExitsDirty(Faulty):
    """Ends with exit status 3 when it is told to quit."""

    verdicts = during(Verdict.HARMLESS, "quit")

    def status(self) -> int:
        return 3


class Threads(Faulty):
    """Starts --limit threads, 50 unless told otherwise, that sleep for as long as it lives."""

    verdicts = during(Verdict.HARMLESS, "first", "handshake", "ready")
    limit = 50
    limit_most = 1_000

    def trigger(self) -> None:
        if self.triggers > 1:
            return
        started = 0
        try:
            for _ in range(self.amount):
                threading.Thread(target=threading.Event().wait, daemon=True).start()
                started += 1
        except RuntimeError as error:
            self.report(False, f"{started} threads, then {error}")
            return
        self.report(True, f"{started} threads")


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent dies, even if it is stopped."""
    import ctypes

    pr_set_pdeathsig = 1
    ctypes.CDLL(None, use_errno=True).prctl(pr_set_pdeathsig, signal.SIGKILL)
