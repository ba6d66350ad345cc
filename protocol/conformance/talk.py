"""One engine talked to by a checker: lines out, lines in, each wait with a deadline that becomes a sentence.

Owns the dialogue and its record. Unlike `protocol.session` it forbids nothing, since a checker says what a referee
never would, and it hears every line, since a checker judges those too. Refuses to know rules: legality is not its
business.
"""

import time
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from protocol import grammar, transcript
from protocol.conformance.positions import Place
from protocol.conformance.subject import Subject
from protocol.conformance.violation import Violation
from protocol.messages import BestMove, Id, Info, MalformedBestMove, Message, OptionLine, ReadyOk, Response, UgiOk
from protocol.transport import TransportClosed, TransportFlooded, TransportTimeout

START_MS = 10_000
READY_MS = 10_000
NEW_GAME_MS = 60_000
SEARCH_MS = 30_000
"""For a search under a limit that bounds it in a second or so on any machine."""
LATE_MS = 5_000
"""How long a bestmove that is overdue under a clock or a move time is waited for."""
STOP_MS = 2_000
QUIT_MS = 2_000

_SILENT = "no output: does it flush? Or does it wait for another protocol's word, such as `uci`?"
_UNENDED = "each line ends with a newline: is it `print` where `println` was meant?"
_FOREIGN = "it speaks another protocol, such as UCI, and does not know `ugi`"
_ECHO = "it echoes its input: is this an engine?"

_KEPT = 4_000
_MS = 1_000_000


class EngineLine(NamedTuple):
    """A line from the engine, without its newline, what it says, and when it came."""

    raw: bytes
    message: Message
    at_ns: int


class Moment(NamedTuple):
    """A line of the record."""

    at_ns: int
    direction: transcript.Direction
    data: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What came for a `go`."""

    limit: str
    place: Place
    heard: tuple[EngineLine, ...]
    """All lines up to the bestmove, which is the last."""
    elapsed_ms: float

    @property
    def word(self) -> str:
        """The word of the bestmove, in lower case. Raises Violation where there is none."""
        message = self.heard[-1].message
        if isinstance(message, BestMove):
            return message.word
        raise Violation(f"the bestmove cannot be read: {_shown(self.heard[-1].raw)}")

    @property
    def infos(self) -> tuple[Info, ...]:
        """The infos before it, those of text alone left out."""
        return tuple(
            each.message
            for each in self.heard
            if isinstance(each.message, Info)
            and not (each.message.string is not None and each.message == Info(string=each.message.string))
        )

    @property
    def exact(self) -> Info | None:
        """The last info with an exact score of the first line."""
        for info in reversed(self.infos):
            if info.score is not None and info.score.bound is None and info.multipv in (None, 1):
                return info
        return None


@dataclass(frozen=True, slots=True)
class Greeting:
    """What came for `ugi`, `ugiok` included."""

    heard: tuple[EngineLine, ...]
    elapsed_ms: float

    @property
    def options(self) -> dict[str, OptionLine]:
        """By name in lower case."""
        return {each.message.name.lower(): each.message for each in self.heard if isinstance(each.message, OptionLine)}


class Talk:
    """The dialogue with one engine."""

    def __init__(self, subject: Subject, name: str, slow: float) -> None:
        self.subject = subject
        self.name = name
        self.record: deque[Moment] = deque(maxlen=_KEPT)
        self.slow = slow
        self.start_fen: str | None = None
        """The position string to send for the start, where `startpos` would be another board."""
        self.heard_anything = False

    # Out

    def say(self, *lines: str) -> None:
        """Some lines in one write."""
        self.write("".join(f"{line}\n" for line in lines).encode())

    def write(self, data: bytes) -> None:
        """Any bytes in one write."""
        self.record.append(Moment(time.monotonic_ns(), "<-", data))
        try:
            self.subject.send(data, self._deadline(READY_MS))
        except TransportTimeout:
            raise Violation(f"it did not read its input for {READY_MS} ms") from None
        except (TransportClosed, TransportFlooded) as error:
            raise Violation(f"it {error} when it was sent {_shown(data)}") from None

    def position(self, place: Place, extra: str = "") -> str:
        """The command that sets a place up."""
        fen = place.fen or self.start_fen
        moves = f" moves {' '.join(place.moves)}" if place.moves else ""
        return f"position {'startpos' if fen is None else 'fen ' + fen}{extra}{moves}"

    # In

    def hear(self, within_ms: float, due: str) -> EngineLine:
        """The next line. Raises Violation where none comes."""
        return self._hear(self._deadline(within_ms), within_ms, due)

    def until(
        self, kind: type[Message] | tuple[type[Message], ...], within_ms: float, due: str, *, scaled: bool = True
    ) -> list[EngineLine]:
        """All lines up to the first of a kind, in time. Raises Violation where it does not come."""
        deadline_ns = self._deadline(within_ms) if scaled else time.monotonic_ns() + int(within_ms * _MS)
        heard: list[EngineLine] = []
        while not (heard and isinstance(heard[-1].message, kind)):
            heard.append(self._hear(deadline_ns, within_ms, due))
        return heard

    def drain(self, ms: float) -> list[EngineLine]:
        """Everything that comes in so many ms. Raises Violation where it ends meanwhile."""
        deadline_ns = time.monotonic_ns() + int(ms * _MS)
        heard: list[EngineLine] = []
        while True:
            try:
                heard.append(self._take(deadline_ns))
            except TransportTimeout:
                return heard
            except (TransportClosed, TransportFlooded) as error:
                raise Violation(f"it {error}") from None

    def silent(self, ms: float, when: str) -> None:
        """Nothing comes in so many ms but info strings and errors. Raises Violation."""
        for each in self.drain(ms):
            if not is_remark(each):
                raise Violation(f"it said {_shown(each.raw)} {when}")

    def _hear(self, deadline_ns: int, within_ms: float, due: str) -> EngineLine:
        try:
            return self._take(deadline_ns)
        except TransportTimeout:
            raise self._overdue(f"no {due} within {within_ms * self.slow:.0f} ms", due) from None
        except (TransportClosed, TransportFlooded) as error:
            raise Violation(f"it {error} when a {due} was due") from None

    def _overdue(self, waited: str, due: str) -> Violation:
        """What is said where nothing came that was due, by what came instead."""
        begun = self.subject.unfinished
        # A prompt behind whole lines is nothing that was due.
        if begun and (begun.split()[:1] == due.encode().split()[:1] or not self.heard_anything):
            return Violation(f"{waited}; it wrote {_shown(begun)} without a newline", cause=_UNENDED)
        if not self.heard_anything:
            return Violation(f"{waited}; it has said nothing at all", cause=_SILENT)
        said = [moment.data.strip() for moment in self.record if moment.direction == "->"]
        knows_us = any(isinstance(grammar.parse(line), Id | OptionLine | UgiOk) for line in said)
        if due != "ugiok" or knows_us or not any(said):
            return Violation(waited)
        said = [line for line in said if line]
        sent = {line.strip() for moment in self.record if moment.direction == "<-" for line in moment.data.split(b"\n")}
        others = f"{len(said)} other lines, the first" if len(said) > 1 else "one other line,"
        text = f"{waited}; it said {others} {_shown(said[0])}"
        return Violation(text, cause=_ECHO if sent.issuperset(said) else _FOREIGN)

    def _take(self, deadline_ns: int) -> EngineLine:
        raw = self.subject.receive(deadline_ns)
        now_ns = time.monotonic_ns()
        self.heard_anything = True
        self.record.append(Moment(now_ns, "->", raw))
        return EngineLine(raw, grammar.parse(raw), now_ns)

    def _deadline(self, ms: float) -> int:
        return time.monotonic_ns() + int(ms * self.slow * _MS)

    # Whole exchanges

    def greet(self) -> Greeting:
        """`ugi` to `ugiok`."""
        start_ns = time.monotonic_ns()
        self.say("ugi")
        heard = self.until(UgiOk, START_MS, "ugiok")
        return Greeting(tuple(heard), (heard[-1].at_ns - start_ns) / _MS)

    def ready(self, *before: str, within_ms: float = READY_MS) -> list[EngineLine]:
        """Some lines and `isready` in one write, to `readyok`: all that came, without the readyok."""
        self.say(*before, "isready")
        return self.until(ReadyOk, within_ms, "readyok")[:-1]

    def new_game(self) -> None:
        """`uginewgame`, `isready`, `readyok`."""
        self.ready("uginewgame", within_ms=NEW_GAME_MS)

    def set_option(self, name: str, value: str | None) -> list[EngineLine]:
        """Set an option and get ready: all that came."""
        return self.ready(grammar.setoption(name, value).decode().rstrip("\n"))

    def place(self, place: Place) -> list[EngineLine]:
        """Set a place up and get ready: all that came."""
        return self.ready(self.position(place))

    def go(self, limit: str, place: Place, within_ms: float | None = None, *, scaled: bool = True) -> Answer:
        """`go` to `bestmove`; `place` is what was set up. Without within_ms: what the limit allows and more."""
        if within_ms is None:
            within_ms = _allowed_ms(limit)
        self.subject.begin_turn()
        self.say(f"go {limit}".rstrip())
        return self.answer(limit, place, time.monotonic_ns(), within_ms, scaled=scaled)

    def answer(self, limit: str, place: Place, start_ns: int, within_ms: float, *, scaled: bool = True) -> Answer:
        """What comes for a `go` that was written at start_ns."""
        heard = self.until((BestMove, MalformedBestMove), within_ms, f"bestmove for `go {limit}`", scaled=scaled)
        return Answer(limit, place, tuple(heard), (heard[-1].at_ns - start_ns) / _MS)

    def stop(self, limit: str, place: Place, within_ms: float = STOP_MS) -> Answer:
        """`stop` to the bestmove of a search that runs."""
        start_ns = time.monotonic_ns()
        self.say("stop")
        return self.answer(limit, place, start_ns, within_ms)

    def ask(self, words: str) -> str | None:
        """`query words` and `isready`: the text of the response, None where none came before the readyok."""
        for each in self.ready(f"query {words}"):
            if isinstance(each.message, Response):
                return each.message.text
        return None

    def exits(self, within_ms: float) -> float | None:
        """Wait for its exit: after how many ms it came, None where it did not."""
        start_ns = time.monotonic_ns()
        gone = self.subject.wait(self._deadline(within_ms))
        return (time.monotonic_ns() - start_ns) / _MS if gone else None

    def shown(self, direction: transcript.Direction, most: int) -> tuple[str, ...]:
        """The last lines that went one way, for evidence."""
        lines: list[str] = []
        for moment in reversed(self.record):
            if moment.direction == direction:
                lines[:0] = [
                    line.removeprefix(f"{self.name} {direction} ")
                    for line in transcript.show(self.name, direction, moment.data[:4096])
                ]
            if len(lines) >= most:
                break
        return tuple(line if len(line) < 400 else f"{line[:397]}..." for line in lines[-most:])


def _allowed_ms(limit: str) -> float:
    """Until when an answer to a limit is worth waiting for: late is what a check finds, never is what this ends."""
    words = limit.split()
    if not words or words[0] in ("nodes", "depth"):
        return SEARCH_MS
    return LATE_MS + max((int(word) for word in words[1::2] if word.isdigit()), default=0)


def is_remark(heard: EngineLine) -> bool:
    """Is it something that may be said without being asked: an info string, an error, a blank line?"""
    message = heard.message
    if isinstance(message, Info):
        return message.string is not None
    return heard.raw.split()[:1] == [b"error"] or not heard.raw.strip()


def _shown(data: bytes) -> str:
    text = data[:80].decode("ascii", "backslashreplace").strip()
    return f"'{text}{'...' if len(data) > 80 else ''}'"
