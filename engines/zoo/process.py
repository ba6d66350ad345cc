"""Faults of a process's life: dying, staying, never answering, letting go of its pipes."""

import os
import resource
import signal
import threading
import time
from collections.abc import Mapping

from engines.zoo.fault import GO_LOSES_CRASH, LONGEST_LIFE_S, Faulty, Verdict
from engines.zoo.settings import Phase
from engines.zoo.wire import STDIN, STDOUT, leave

_DYING: Mapping[Phase, Verdict] = {
    **GO_LOSES_CRASH,
    "handshake": Verdict.CRASH,
    "ready": Verdict.CRASH,
    "newgame": Verdict.CRASH,
    "position": Verdict.CRASH,
    "idle": Verdict.CRASH,
}


class ExitZero(Faulty):
    """Ends with exit status 0 instead of answering."""

    name = "exit-0"
    verdicts = _DYING

    def strike(self) -> None:
        leave(0)


class ExitOne(Faulty):
    """Ends with exit status 1 instead of answering."""

    name = "exit-1"
    verdicts = _DYING

    def strike(self) -> None:
        leave(1)


class Segv(Faulty):
    """Dies of a segmentation fault, without a core file, instead of answering."""

    name = "segv"
    verdicts = {**_DYING, "quit": Verdict.HARMLESS}

    def strike(self) -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        signal.raise_signal(signal.SIGSEGV)


class ExitsAtStart(Faulty):
    """Ends with exit status 1 at once, before anything has been said to it."""

    name = "exits-at-start"
    verdicts = {"handshake": Verdict.CRASH}

    def start(self) -> None:
        leave(1)


class Silent(Faulty):
    """Reads on and never says anything again; quit and the end of its input do not end it."""

    name = "silent"
    verdicts = {
        "first": Verdict.TIME,
        "mid": Verdict.TIME,
        "handshake": Verdict.STALL,
        "ready": Verdict.STALL,
        "newgame": Verdict.STALL,
        "position": Verdict.STALL,
        "idle": Verdict.STALL,
        "quit": Verdict.HARMLESS,
    }

    def strike(self) -> None:
        self.go_deaf()


class ClosesStdout(Faulty):
    """Closes its stdout instead of answering and lives on."""

    name = "closes-stdout"
    verdicts = _DYING

    def strike(self) -> None:
        # /dev/null in its place: a number left free would be taken by the next file that is opened.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, STDOUT)
        os.close(nowhere)


class _Unhearing(Faulty):
    """Answers once more and then reads nothing."""

    def listen(self, wait_ms: float | None) -> None:
        if not self.strikes:
            super().listen(wait_ms)
        elif self.search is not None and wait_ms is not None:
            time.sleep(wait_ms / 1000)
        else:
            signal.alarm(LONGEST_LIFE_S)
            while True:
                signal.pause()


class ClosesStdin(_Unhearing):
    """Closes its stdin, answers what it was asked last and lives on."""

    name = "closes-stdin"
    verdicts = {
        "first": Verdict.CRASH,
        "mid": Verdict.CRASH,
        "handshake": Verdict.CRASH,
        "ready": Verdict.CRASH,
        "idle": Verdict.CRASH,
    }

    def strike(self) -> None:
        os.close(STDIN)
        os.open(os.devnull, os.O_RDONLY)


class NeverReads(_Unhearing):
    """Answers what it was asked last and never reads its stdin again."""

    name = "never-reads"
    verdicts = {
        "first": Verdict.STALL,
        "mid": Verdict.STALL,
        "handshake": Verdict.STALL,
        "ready": Verdict.STALL,
        "idle": Verdict.STALL,
    }


class Sigstop(Faulty):
    """Stops itself with SIGSTOP instead of answering; it dies when its parent does."""

    name = "sigstop"
    verdicts = {
        "first": Verdict.TIME,
        "mid": Verdict.TIME,
        "handshake": Verdict.STALL,
        "ready": Verdict.STALL,
        "idle": Verdict.STALL,
        "quit": Verdict.HARMLESS,
    }

    def strike(self) -> None:
        die_with_parent()
        signal.raise_signal(signal.SIGSTOP)


class IgnoresQuit(Faulty):
    """Plays on when it is told to quit, until its input ends."""

    name = "ignores-quit"
    verdicts = {"quit": Verdict.HARMLESS}

    def on_quit(self) -> None:
        return


class IgnoresEof(Faulty):
    """Waits on when its input has ended."""

    name = "ignores-eof"
    verdicts = {"quit": Verdict.HARMLESS}

    def on_end(self) -> None:
        self.go_deaf()


class SpinsAtEof(Faulty):
    """Reads the end of its input again and again, with all the CPU it gets, for a minute."""

    name = "spins-at-eof"
    verdicts = {"quit": Verdict.HARMLESS}

    def on_end(self) -> None:
        signal.alarm(60)
        while not os.read(STDIN, 1):
            pass


class IgnoresTerm(Faulty):
    """Ignores SIGTERM."""

    name = "ignores-term"
    verdicts = {"quit": Verdict.HARMLESS}

    def start(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


class Immortal(Faulty):
    """Ignores quit, the end of its input and SIGTERM: only SIGKILL ends it."""

    name = "immortal"
    verdicts = {"quit": Verdict.HARMLESS}

    def start(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def on_quit(self) -> None:
        self.go_deaf()

    def on_end(self) -> None:
        self.go_deaf()


class ExitsDirty(Faulty):
    """Ends with exit status 3 when it is told to quit."""

    name = "exits-dirty"
    verdicts = {"quit": Verdict.HARMLESS}

    def status(self) -> int:
        return 3


class Threads(Faulty):
    """Starts --limit threads, 50 unless told otherwise, that sleep for as long as it lives."""

    name = "threads"
    verdicts = {"first": Verdict.HARMLESS, "handshake": Verdict.HARMLESS, "ready": Verdict.HARMLESS}
    takes = ("limit",)
    limit = 50
    limit_most = 1_000

    def strike(self) -> None:
        if self.strikes > 1:
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
    """Ask the system to kill us, stopped or not, when our parent dies."""
    import ctypes

    pr_set_pdeathsig = 1
    ctypes.CDLL(None, use_errno=True).prctl(pr_set_pdeathsig, signal.SIGKILL)
