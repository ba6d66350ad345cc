"""The dialogue of a checker with one engine. Every wait has a deadline; a missed one becomes a Violation.

`protocol.session` forbids misuse and drops lines; this module does neither, since a checker sends what a referee never
would and judges every line.
"""

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.conformance.judge.positions import GamePosition
from arena.conformance.subject import ProbedProcess
from arena.conformance.violation import BOUNDS, FLUSHING, MOVES, READY, SPELLING, Violation
from protocol import grammar, transcript
from protocol.commands import integer
from protocol.deadlines import DEADLINES
from protocol.messages import BestMove, Id, Info, MalformedBestMove, Message, OptionLine, ReadyOk, Response, UgiOk
from protocol.transport import TransportClosed, TransportFlooded, TransportTimeout

START_MS, READY_MS, NEW_GAME_MS = DEADLINES.start_ms, DEADLINES.ready_ms, DEADLINES.newgame_ms
STOP_MS, QUIT_MS = DEADLINES.stop_ms, DEADLINES.quit_ms
SEARCH_MS = 30_000
"""Deadline of a search whose limit ends it within about a second on any machine."""
LATE_MS = 5_000
"""How long to wait for a bestmove after the clock or the move time has run out."""

_SILENT = "no output: does it flush? Or does it wait for another protocol's word, such as `uci`?"
_UNENDED = "each line ends with a newline: was `print` used instead of `println`?"
_FOREIGN = "it speaks another protocol, such as UCI, and does not know `ugi`"
_NO_END = "it knows `ugi`, and what it says is flushed: the line `ugiok` is missing, or comes too late"
_UNFLUSHED = "the line stays in a buffer until more is written: flush after each line"
_ECHO = "it echoes its input: is this an engine?"

_MISSING = {"readyok": READY, "bestmove": MOVES}
_NEXT_MS = 300
_KEPT = 4_000
_MS = 1_000_000


class EngineLine(NamedTuple):
    """A line from the engine without its newline, the parsed message, and the time of its arrival."""

    raw: bytes
    message: Message
    at_ns: int


class TranscriptEntry(NamedTuple):
    """One write to the engine, or one line from it."""

    at_ns: int
    direction: transcript.Direction
    data: bytes


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The engine's reply to a `go`."""

    limit: str
    position: GamePosition
    lines: tuple[EngineLine, ...]
    """All lines up to the bestmove, which is the last."""
    elapsed_ms: float

    @property
    def word(self) -> str:
        """The move of the bestmove, in lower case. Raises Violation if it cannot be read."""
        message = self.lines[-1].message
        if isinstance(message, BestMove):
            return message.word
        text = f"the bestmove cannot be read: {_shown(self.lines[-1].raw)}"
        raise Violation(text, matter=SPELLING)

    @property
    def infos(self) -> tuple[Info, ...]:
        """The infos before the bestmove, without those that only have a string."""
        return tuple(
            each.message
            for each in self.lines
            if isinstance(each.message, Info)
            and not (each.message.string is not None and each.message == Info(string=each.message.string))
        )

    @property
    def nodes(self) -> int | None:
        """The nodes of the last info, None if there is none."""
        nodes = [each.message.nodes for each in self.lines if isinstance(each.message, Info)]
        return nodes[-1] if nodes else None

    @property
    def exact(self) -> Info | None:
        """The last info with an exact score for the first line of play."""
        for info in reversed(self.infos):
            if info.score is not None and info.score.bound is None and info.multipv in (None, 1):
                return info
        return None


@dataclass(frozen=True, slots=True)
class Greeting:
    """The engine's reply to `ugi`, `ugiok` included."""

    lines: tuple[EngineLine, ...]
    elapsed_ms: float

    @property
    def options(self) -> dict[str, OptionLine]:
        """The announced options by name in lower case."""
        return {each.message.name.lower(): each.message for each in self.lines if isinstance(each.message, OptionLine)}


class CheckedEngine:
    """One running engine and the dialogue with it."""

    def __init__(self, subject: ProbedProcess, name: str, slow: float) -> None:
        self.subject = subject
        self.name = name
        self.record: deque[TranscriptEntry] = deque(maxlen=_KEPT)
        self.slow = slow
        self.start_fen: str | None = None
        """The position string of the start, if the engine's `startpos` is another board; None sends `startpos`."""
        self.said_anything = False
        self.crash = ""
        """How the process ended by itself while the dialogue went on, as a clause; empty if it did not."""

    # Out

    def send(self, *lines: str) -> None:
        """Send some lines in one write."""
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        """Send any bytes in one write. Raises Violation if the engine does not take them."""
        self.record.append(TranscriptEntry(time.monotonic_ns(), "<-", data))
        try:
            self.subject.send(data, self._deadline(READY_MS))
        except TransportTimeout:
            raise Violation(f"it did not read its input for {READY_MS} ms") from None
        except (TransportClosed, TransportFlooded) as error:
            raise self._broken(error, f" when it was sent {_shown(data)}") from None

    def position_command(self, position: GamePosition) -> str:
        """The `position` command for a position."""
        fen = position.fen or self.start_fen
        moves = f" moves {' '.join(position.moves)}" if position.moves else ""
        return f"position {'startpos' if fen is None else 'fen ' + fen}{moves}"

    # In

    def read_until(
        self, kind: type[Message] | tuple[type[Message], ...], within_ms: float, due: str
    ) -> list[EngineLine]:
        """All lines up to the first message of a kind. Raises Violation if none comes in time."""
        deadline_ns = self._deadline(within_ms)
        lines: list[EngineLine] = []
        try:
            while not (lines and isinstance(lines[-1].message, kind)):
                lines.append(self._receive(deadline_ns))
        except TransportTimeout:
            raise self._nothing_came(f"no {due} within {within_ms * self.slow:.0f} ms", due) from None
        except (TransportClosed, TransportFlooded) as error:
            raise self._broken(error, f" when a {due} was due") from None
        return lines

    def drain(self, ms: float) -> list[EngineLine]:
        """All lines that come within `ms`. Raises Violation if the engine ends meanwhile."""
        deadline_ns = time.monotonic_ns() + int(ms * _MS)
        lines: list[EngineLine] = []
        while True:
            try:
                lines.append(self._receive(deadline_ns))
            except TransportTimeout:
                return lines
            except (TransportClosed, TransportFlooded) as error:
                raise self._broken(error) from None

    def _broken(self, error: TransportClosed | TransportFlooded, when: str = "") -> Violation:
        """The Violation for a dialogue that cannot go on. It is noted if the process failed."""
        if isinstance(error, TransportClosed) and self.subject.has_failed():
            self.crash = f"{error}"
        return Violation(f"it {error}{when}", matter=BOUNDS if isinstance(error, TransportFlooded) else "")

    def _nothing_came(self, waited: str, due: str) -> Violation:
        """The Violation for a line that did not come. Its likely cause depends on what came instead."""
        begun = self.subject.unfinished
        # An unfinished line after whole lines may be a prompt, which explains nothing.
        if begun and (begun.split()[:1] == due.encode().split()[:1] or not self.said_anything):
            return Violation(f"{waited}; it wrote {_shown(begun)} without a newline", cause=_UNENDED)
        matter = _MISSING.get(due.split()[0], "")
        if not self.said_anything:
            return Violation(f"{waited}; it has said nothing at all", cause=_SILENT, matter=matter)
        if matter == MOVES and self._comes_after_the_next():
            text = f"{waited}; it came after the answer to an `isready`"
            return Violation(text, cause=_UNFLUSHED, matter=FLUSHING)
        lines = [entry.data.strip() for entry in self.record if entry.direction == "->"]
        knows_us = any(isinstance(grammar.parse(line), Id | OptionLine | UgiOk) for line in lines)
        if due == "ugiok" and knows_us:
            return Violation(f"{waited}; the last line that came is {_shown(lines[-1])}", cause=_NO_END)
        if due != "ugiok" or not any(lines):
            return Violation(waited, matter=matter)
        lines = [line for line in lines if line]
        sent = {line.strip() for entry in self.record if entry.direction == "<-" for line in entry.data.split(b"\n")}
        others = f"{len(lines)} other lines, the first" if len(lines) > 1 else "one other line,"
        text = f"{waited}; it said {others} {_shown(lines[0])}"
        return Violation(text, cause=_ECHO if sent.issuperset(lines) else _FOREIGN)

    def _comes_after_the_next(self) -> bool:
        """Whether the bestmove that was missed comes together with the answer to an `isready`."""
        try:
            self.send("isready")
            lines = self.drain(_NEXT_MS)
        except Violation:
            return False
        return [type(each.message) for each in lines if isinstance(each.message, BestMove | ReadyOk)] == [
            BestMove, ReadyOk,
        ]  # fmt: skip

    def says(self, word: str, asked: str, within_ms: float) -> bool:
        """Send a line of another protocol. True if a line with this one word comes in time."""
        deadline_ns = self._deadline(within_ms)
        try:
            self.send(asked)
            while self._receive(deadline_ns).raw.strip() != word.encode():
                pass
        except (Violation, TransportTimeout, TransportClosed, TransportFlooded):
            return False
        return True

    def _receive(self, deadline_ns: int) -> EngineLine:
        raw = self.subject.receive(deadline_ns)
        now_ns = time.monotonic_ns()
        self.said_anything = True
        self.record.append(TranscriptEntry(now_ns, "->", raw))
        return EngineLine(raw, grammar.parse(raw), now_ns)

    def _deadline(self, ms: float) -> int:
        return time.monotonic_ns() + int(ms * self.slow * _MS)

    # Whole exchanges

    def handshake(self) -> Greeting:
        """Send `ugi` and read up to `ugiok`."""
        start_ns = time.monotonic_ns()
        self.send("ugi")
        # A busy machine starts an engine as slowly whatever its deadlines are, so those of `slow` below 1 do not count.
        lines = self.read_until(UgiOk, START_MS / min(1.0, self.slow), "ugiok")
        return Greeting(tuple(lines), (lines[-1].at_ns - start_ns) / _MS)

    def ready(self, *before: str, within_ms: float = READY_MS) -> list[EngineLine]:
        """Send some lines and `isready` in one write. All lines before the `readyok`."""
        self.send(*before, "isready")
        return self.read_until(ReadyOk, within_ms, "readyok")[:-1]

    def new_game(self) -> None:
        """Send `uginewgame` and `isready`; wait for `readyok`."""
        self.ready("uginewgame", within_ms=NEW_GAME_MS)

    def set_option(self, name: str, value: str | None) -> list[EngineLine]:
        """Set an option and wait for `readyok`. All lines before it."""
        return self.ready(grammar.setoption(name, value).decode().rstrip("\n"), within_ms=NEW_GAME_MS)

    def set_position(self, position: GamePosition) -> list[EngineLine]:
        """Set a position up and wait for `readyok`. All lines before it."""
        return self.ready(self.position_command(position))

    def go(self, limit: str, position: GamePosition, within_ms: float | None = None) -> SearchAnswer:
        """Send `go` and read up to `bestmove`. `position` is the one set up; `within_ms` defaults to a late answer."""
        self.subject.begin_turn()
        self.send(f"go {limit}".rstrip())
        allowed_ms = _allowed_ms(limit) if within_ms is None else within_ms
        return self.read_answer(limit, position, time.monotonic_ns(), allowed_ms)

    def search(self, position: GamePosition, limit: str) -> SearchAnswer:
        """Set a position up and search it."""
        self.set_position(position)
        return self.go(limit, position)

    def read_answer(self, limit: str, position: GamePosition, start_ns: int, within_ms: float) -> SearchAnswer:
        """The reply to a `go` that was sent at `start_ns`."""
        lines = self.read_until((BestMove, MalformedBestMove), within_ms, f"bestmove for `go {limit}`")
        return SearchAnswer(limit, position, tuple(lines), (lines[-1].at_ns - start_ns) / _MS)

    def stop(self, limit: str, position: GamePosition) -> SearchAnswer:
        """Send `stop` to a running search and read up to its bestmove."""
        start_ns = time.monotonic_ns()
        self.send("stop")
        return self.read_answer(limit, position, start_ns, STOP_MS)

    def ask(self, words: str) -> str | None:
        """Send `query words` and `isready`. The text of the response, None if none came before the `readyok`."""
        return self.ask_all((words,))[0]

    def ask_all(self, queries: Sequence[str], position: GamePosition | None = None) -> list[str | None]:
        """Send a position, if there is one, and some queries with an `isready` after each, in one write; the responses.

        Each wait for an answer costs more time than the answer, so nobody waits for them one by one.
        """
        before = () if position is None else (self.position_command(position),)
        self.send(*before, *(line for words in queries for line in (f"query {words}", "isready")))
        answers = (self.read_until(ReadyOk, READY_MS, "readyok") for _ in queries)
        return [
            next((each.message.text for each in lines if isinstance(each.message, Response)), None) for lines in answers
        ]

    def wait_exit(self, within_ms: float) -> float | None:
        """Wait for the engine's exit. The ms that it took, None if it did not come."""
        start_ns = time.monotonic_ns()
        gone = self.subject.wait(self._deadline(within_ms))
        return (time.monotonic_ns() - start_ns) / _MS if gone else None

    def last_lines(self, direction: transcript.Direction, most: int, end: int | None = None) -> tuple[str, ...]:
        """The last lines in one direction, for evidence, of the first `end` entries of the record or of all."""
        lines: list[str] = []
        for entry in reversed([*self.record][:end]):
            if entry.direction == direction:
                lines[:0] = [
                    line.removeprefix(f"{self.name} {direction} ")
                    for line in transcript.show(self.name, direction, entry.data[:4096])
                ]
            if len(lines) >= most:
                break
        return tuple(line if len(line) < 400 else f"{line[:397]}..." for line in lines[-most:])


def _allowed_ms(limit: str) -> float:
    """How long to wait for an answer under a limit. Generous: a check finds a late answer, this ends a missing one."""
    words = limit.split()
    if not words or words[0] in ("nodes", "depth"):
        return SEARCH_MS
    return LATE_MS + max((integer(word) or 0 for word in words[1::2]), default=0)


def is_remark(lines: EngineLine) -> bool:
    """True for what an engine may write unasked: an info string, an error, a blank line."""
    message = lines.message
    if isinstance(message, Info):
        return message.string is not None
    return lines.raw.split()[:1] == [b"error"] or not lines.raw.strip()


def _shown(data: bytes) -> str:
    text = data[:80].decode("ascii", "backslashreplace").strip()
    return f"'{text}{'...' if len(data) > 80 else ''}'"
