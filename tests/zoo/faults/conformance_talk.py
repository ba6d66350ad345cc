"""Faults that the conformance checks find and a referee rarely sees: handshake, lines, readiness."""

import os
import time

from tests.zoo.faults.fault import Faulty, Verdict, during, fault_like
from tests.zoo.wire import log

KNOWN = frozenset("ugi isready uginewgame setoption position go stop query gameover quit".split())


class NonConformant(Faulty, abstract=True):
    """The base class of faults that two short games do not show."""

    verdicts = during(Verdict.HARMLESS, "first")

    def die(self) -> None:
        """End with exit status 1 at once."""
        os._exit(1)

    def unread_input(self) -> bytes:
        """The input that has been received but not handled."""
        return self.wire._buffer


class Nameless(NonConformant):
    """Does not say its name."""

    hidden = "name "

    def say(self, kind: str, text: str = "") -> None:
        if not (kind == "id" and text.startswith(self.hidden)):
            super().say(kind, text)


Authorless = fault_like(Nameless, "authorless", "Does not say who wrote it.", hidden="author ")


class GreetsOnce(NonConformant):
    """Does not answer a second `ugi`."""

    greeted = False

    def on_ugi(self) -> None:
        if not self.greeted:
            super().on_ugi()
        self.greeted = True


class SlowGreeting(NonConformant):
    """Takes 1.1 s to answer `ugi`."""

    def on_ugi(self) -> None:
        time.sleep(1.1)
        super().on_ugi()


class NeedsIsready(NonConformant):
    """Does not hear `quit` before the first `isready`."""

    asked = False

    def on_isready(self) -> None:
        self.asked = True
        super().on_isready()

    def on_quit(self) -> None:
        if self.asked:
            super().on_quit()


class NeedsHome(NonConformant):
    """Ends at once where the environment has no HOME."""

    def start(self) -> None:
        if "HOME" not in os.environ:
            self.die()


class KeepsMoves(NonConformant):
    """Keeps its bestmove back until something is said to it."""

    verdicts = during(Verdict.TIME, "first")
    kept = b""

    def write(self, data: bytes) -> None:
        if data.startswith(b"bestmove"):
            self.kept = data
        else:
            super().write(data)

    def handle(self, line: str) -> None:
        kept, self.kept = self.kept, b""
        super().write(kept)
        super().handle(line)


class DeafToCrlf(NonConformant):
    """Does not know a command that ends in CR LF."""

    def handle(self, line: str) -> None:
        if not line.endswith("\r"):
            super().handle(line)


class TakesChunks(NonConformant):
    """Takes what one read brings for whole lines."""

    def listen(self, wait_ms: float | None) -> None:
        super().listen(wait_ms)
        if self.unread_input() and not self.unread_input().endswith(b"\n"):
            self.wire._buffer += b"\n"


class SixLines(NonConformant):
    """Looks at the first six lines of a read and forgets the others."""

    def listen(self, wait_ms: float | None) -> None:
        super().listen(wait_ms)
        lines = self.unread_input().split(b"\n")
        self.wire._buffer = b"\n".join(lines[:6]) + b"\n" if len(lines) > 7 else self.unread_input()


class DiesOfBlanks(NonConformant):
    """Ends at a blank line."""

    def handle(self, line: str) -> None:
        if not line.split():
            self.die()
        super().handle(line)


class SplitsAtBlank(NonConformant):
    """Does not know a command with tabs, or with blanks more than one between two words."""

    def handle(self, line: str) -> None:
        if line.rstrip("\r") == " ".join(line.split()):
            super().handle(line)


class DiesOfUnknown(NonConformant):
    """Ends at a command that it does not know."""

    def handle(self, line: str) -> None:
        if line.split() and line.split()[0] not in KNOWN:
            self.die()
        super().handle(line)


class DiesOfHidden(NonConformant):
    """Ends at a known command behind an unknown word."""

    def handle(self, line: str) -> None:
        words = line.split()
        if words and words[0] not in KNOWN and not KNOWN.isdisjoint(words):
            self.die()
        super().handle(line)


class FixedBuffer(NonConformant):
    """Reads 4 096 bytes of a line and no more."""

    def handle(self, line: str) -> None:
        super().handle(line[:4_096])


class AnswersTails(NonConformant):
    """Takes the tail of a line of more than 4 096 bytes for `isready`."""

    def handle(self, line: str) -> None:
        super().handle(line)
        if len(line) > 4_096:
            self.on_isready()


class Logs(NonConformant):
    """Writes a line on stderr when it starts."""

    def start(self) -> None:
        log("the zoo is open")


class OneReadyABurst(NonConformant):
    """Does not answer `isready` where another one has come already."""

    def on_isready(self) -> None:
        if b"isready\n" not in self.unread_input():
            super().on_isready()


class DeafAfterUnsearched(NonConformant):
    """Does not answer the `isready` behind `uginewgame` where the game before had a position and no search."""

    placed = searched = deaf = False

    def on_position(self, words: list[str]) -> None:
        self.placed, self.deaf = True, False
        super().on_position(words)

    def on_go(self, words: list[str]) -> None:
        self.searched = True
        super().on_go(words)

    def on_newgame(self) -> None:
        self.deaf = self.placed and not self.searched
        self.placed = self.searched = False
        super().on_newgame()

    def on_isready(self) -> None:
        if not self.deaf:
            super().on_isready()


class Heartbeat(NonConformant):
    """Says an info whenever nothing has been said to it for 400 ms."""

    greeted = False

    def on_ugi(self) -> None:
        self.greeted = True
        super().on_ugi()

    def listen(self, wait_ms: float | None) -> None:
        if not self.greeted or self.search is not None:
            super().listen(wait_ms)
            return
        super().listen(400)
        if not self.unread_input() and not self.wire.ended:
            self.say("info", "depth 0")


class AnswersLate(NonConformant):
    """Answers a query behind which another one waits after the next `isready`."""

    kept = ""

    def say(self, kind: str, text: str = "") -> None:
        if kind == "response" and b"query" in self.unread_input():
            self.kept = text
            return
        super().say(kind, text)
        if kind == "readyok" and self.kept:
            kept, self.kept = self.kept, ""
            super().say("response", kept)
