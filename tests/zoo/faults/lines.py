"""Faults of output: unexpected lines, forbidden bytes, floods, and lines in pieces."""

import signal
import time

from tests.zoo.faults.fault import LONGEST_LIFE_S, Faulty, Verdict, during, fault_like
from tests.zoo.wire import STDERR, Gone, write_all

_MB = 1_000_000
_CHUNK = b"." * 64_000
_ANYWHERE_HARMLESS = during(Verdict.HARMLESS, "first", "mid", "handshake", "ready", "newgame", "position", "idle")
_HANDSHAKE = during(Verdict.HARMLESS, "handshake")
_FLOODING = during(Verdict.MALFORMED_MOVE, "first", "mid", "handshake", "ready", "idle")


class Trickle(Faulty):
    """Says an info every 100 ms for ever instead of answering, and hears nothing more."""

    verdicts = during(Verdict.TIME, "first", "mid") + during(Verdict.STALL, "handshake", "ready", "idle")

    def trigger(self) -> None:
        signal.alarm(LONGEST_LIFE_S)
        nodes = 0
        while True:
            nodes += 1
            self.say("info", f"depth 1 nodes {nodes} score cp 0")
            time.sleep(0.1)


class _Flood(Faulty, abstract=True):
    """Writes --limit MB."""

    verdicts = _FLOODING
    limit = 100
    limit_most = 1_000


class FloodLine(_Flood):
    """Writes --limit MB, 100 unless told otherwise, without a newline before it answers."""

    def trigger(self) -> None:
        left = self.amount * _MB
        while left > 0:
            self.write(_CHUNK[:left])
            left -= len(_CHUNK)
        self.write(b"\n")


class FloodLines(_Flood):
    """Writes --limit MB, 100 unless told otherwise, of info lines before it answers."""

    def trigger(self) -> None:
        line = b"info depth 1 nodes 1 score cp 0 string " + b"." * 60 + b"\n"
        chunk = line * (len(_CHUNK) // len(line))
        for _ in range(self.amount * _MB // len(chunk) + 1):
            self.write(chunk)


class StderrFlood(_Flood):
    """Writes --limit MB, 100 unless told otherwise, to stderr before it answers."""

    verdicts = during(Verdict.HARMLESS, "first", "handshake", "ready")

    def trigger(self) -> None:
        if self.triggers > 1:
            return
        chunk = _CHUNK[:-1] + b"\n"
        try:
            for _ in range(self.amount * _MB // len(chunk) + 1):
                write_all(STDERR, chunk)
        except Gone:
            # Nobody reads stderr: go on.
            return


class Banner(Faulty):
    """Greets with three lines of advertising as soon as it starts."""

    verdicts = _HANDSHAKE

    def start(self) -> None:
        self.write(b"*** The Zoo, engine of engines ***\n(c) by its keepers\n\n")


class _ExtraLine(Faulty, abstract=True):
    """Writes `extra` before its answer."""

    verdicts = _ANYWHERE_HARMLESS
    extra = b""

    def trigger(self) -> None:
        self.write(self.extra)


BlankLines = fault_like(_ExtraLine, "blank-lines", "Writes two blank lines before it answers.", extra=b"\n  \n")
Chatter = fault_like(
    _ExtraLine, "chatter", "Writes a line of no known word before it answers.", extra=b"hash=16384MB readyok bestmove\n"
)
MisleadingInfo = fault_like(
    _ExtraLine,
    "misleading-info",
    "Writes an info string that holds `readyok`, `ugiok` and a bestmove before it answers.",
    extra=b"info string readyok ugiok bestmove a1a2\n",
)
BadInfo = fault_like(
    _ExtraLine,
    "bad-info",
    "Writes infos whose numbers are no numbers before it answers.",
    verdicts=during(Verdict.HARMLESS, "first", "mid"),
    extra=b"info depth x nodes 1e3 time 0.5 nps inf\ninfo score 54\ninfo score cp -INFINITE pv\ninfo\n",
)
NulLine = fault_like(
    _ExtraLine, "nul-line", "Writes a line with NUL bytes before it answers.", extra=b"info string a\0b\0\n\0\0\n"
)
NonUtf8 = fault_like(
    _ExtraLine,
    "non-utf8",
    "Writes an info string in Latin-1, which is no UTF-8, before it answers.",
    extra=b"info string na\xefve caf\xe9\n",
)
ErrorLine = fault_like(
    _ExtraLine, "error-line", "Writes an error line before it answers.", extra=b"error the zoo complains\n"
)


STEERS = "\x1b]0;owned\x07\x1b[2J\x1b[31m \u202eesrever =HYPERLINK(x) </text><script>"
"""Escape sequences that name the window, clear the screen and change colours; a sign that turns directions around; a
formula and a tag."""


class SteersTerminal(Faulty):
    """Has escape sequences, turned directions, formulas and tags in its name, its options, an info and on stderr."""

    verdicts = _ANYWHERE_HARMLESS

    def title(self) -> str:
        return f"zoo {STEERS}"

    def announced(self) -> list[str]:
        return [*super().announced(), f"{STEERS} type string default {STEERS}"]

    def trigger(self) -> None:
        write_all(STDERR, f"{STEERS}\n".encode())
        self.say("error", STEERS)
        self.say("info", f"depth 1 score cp 1 string {STEERS}")


class Crlf(Faulty):
    """Ends every line with CR and LF."""

    verdicts = _HANDSHAKE

    def write(self, data: bytes) -> None:
        super().write(data.replace(b"\n", b"\r\n"))


class TrailingBlanks(Faulty):
    """Ends every line with a blank and a tab."""

    verdicts = _HANDSHAKE

    def write(self, data: bytes) -> None:
        super().write(data.replace(b"\n", b" \t\n"))


class SplitUgiok(Faulty):
    """Writes `ugiok` in two halves, 50 ms apart."""

    verdicts = _HANDSHAKE

    def write(self, data: bytes) -> None:
        if data == b"ugiok\n":
            super().write(data[:3])
            time.sleep(0.05)
            data = data[3:]
        super().write(data)


class ByteByByte(Faulty):
    """Writes each byte by itself."""

    verdicts = _HANDSHAKE

    def write(self, data: bytes) -> None:
        for at in range(len(data)):
            super().write(data[at : at + 1])


class Drips(Faulty):
    """Writes each byte of its bestmove by itself, 100 ms apart."""

    verdicts = during(Verdict.TIME, "first", "mid")

    def write(self, data: bytes) -> None:
        if not (self.armed and data.startswith(b"bestmove")):
            super().write(data)
            return
        for at in range(len(data)):
            super().write(data[at : at + 1])
            time.sleep(0.1)


class ManyOptions(Faulty):
    """Announces --limit options more, 10000 unless told otherwise."""

    verdicts = _HANDSHAKE
    limit = 10_000
    limit_most = 100_000

    def announced(self) -> list[str]:
        more = (f"Weight {number} type spin default 0 min -9 max 9" for number in range(self.amount))
        return [*super().announced(), *more]


class LongNames(Faulty):
    """Has a name of 60 kB, and 50 options with names and defaults of 30 kB each."""

    verdicts = _HANDSHAKE

    def title(self) -> str:
        return f"zoo {'n' * 60_000}"

    def announced(self) -> list[str]:
        more = (f"{'o' * 30_000}{number} type string default {'d' * 30_000}" for number in range(50))
        return [*super().announced(), *more]


class Unflushed(Faulty):
    """Keeps its output in a buffer until it ends, as a program does that never flushes."""

    verdicts = during(Verdict.STALL, "handshake")

    def start(self) -> None:
        self.kept: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.kept.append(data)

    def status(self) -> int:
        super().write(b"".join(self.kept))
        return super().status()
