"""Who may say what when: handshake, options, ready, search, stop, quit, as the referee's side of one engine.

Owns the order of the dialogue and its deadlines, and turns every way of breaking it into an EngineFault. Refuses to
know pipes (a Transport is handed in), spelling (`protocol.grammar`) and rules: the word of a bestmove goes up as text.
What costs an engine nothing is counted in `notes`, under the words of SPEC.md chapter 12.

`prepare` and `search` are the inner loop of a tournament: one write each, no message is built for a line that nobody
asked for, and an info line is kept as bytes.
"""

import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from protocol import grammar, transcript
from protocol.faults import EngineFault, Fault, Times
from protocol.messages import (
    BestMove,
    ErrorLine,
    Id,
    Info,
    MalformedBestMove,
    Message,
    OfferDraw,
    OptionLine,
    ReadyOk,
    Response,
    UgiOk,
    Unknown,
)
from protocol.stopwatch import Spent, Stopwatch
from protocol.transport import Exit, Transport, TransportClosed, TransportFlooded, TransportTimeout

_TAIL_LINES = 400
_TAIL_LINE_BYTES = 4_096


@dataclass(frozen=True, slots=True)
class Deadlines:
    """How long each wait may take (SPEC.md chapter 10)."""

    start_ms: int = 10_000
    ready_ms: int = 10_000
    newgame_ms: int = 60_000
    quit_ms: int = 2_000
    stop_ms: int = 2_000


@dataclass(frozen=True, slots=True)
class Identity:
    """What the handshake told. `options` by name in lower case."""

    name: str
    author: str
    version: str
    options: dict[str, OptionLine]

    def announced(self, option: str) -> bool:
        """Was there an option of this name, in any case?"""
        return option.lower() in self.options


class Reply(NamedTuple):
    """A search that ended in time with one word."""

    word: str
    """In lower case; not yet known to be in any game's move grammar."""
    raw: bytes
    elapsed_ns: int
    """From `go` written to the newline of `bestmove` read."""
    last_info: bytes | None
    """The last info with a score of the first line and, where it is another, the last info; for `grammar.summary`."""
    draw_offered: bool
    notes: tuple[str, ...]
    """What was noted during this search, each word once."""
    spent: Spent
    """What the move is judged by."""


class Session:
    """The dialogue with one engine over `transport`. `now_ns` is the clock that the transport's deadlines are in."""

    def __init__(
        self,
        transport: Transport,
        deadlines: Deadlines | None = None,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.identity = Identity("", "", "", {})
        self.notes: Counter[str] = Counter()
        self._transport = transport
        self._send = transport.send
        self._receive = transport.receive
        self._deadlines = deadlines or Deadlines()
        self._now_ns = now_ns
        self._ready_ns = self._deadlines.ready_ms * 1_000_000
        self._searching = False
        self._searched = False
        self._broken = False
        self._tail: deque[tuple[transcript.Direction, bytes]] = deque(maxlen=_TAIL_LINES)

    # Before and between games

    def handshake(self) -> Identity:
        """`ugi` to `ugiok`. Raises EngineFault."""
        name = author = version = ""
        options: dict[str, OptionLine] = {}
        known = False
        wait_ms = self._deadlines.start_ms
        deadline_ns = self._now_ns() + wait_ms * 1_000_000
        self._say(grammar.UGI, deadline_ns)
        while True:
            line = self._hear(deadline_ns, "ugiok", wait_ms)
            message = grammar.parse(line)
            if isinstance(message, UgiOk):
                self._spelling(line, b"ugiok")
                self.identity = Identity(name, author, version, options)
                return self.identity
            if isinstance(message, Id):
                name = message.value if message.key == "name" else name
                author = message.value if message.key == "author" else author
                version = message.value if message.key == "version" else version
            elif isinstance(message, OptionLine):
                if message.name.lower() in options:
                    self._note("option-twice")
                options[message.name.lower()] = message
            elif not (isinstance(message, Info) and message.string is not None):
                self._unsolicited(message, "unknown-line" if known else "banner")
            known = known or isinstance(message, Id | OptionLine)

    def set_option(self, name: str, value: str | None) -> bool:
        """Set an option that the engine announced, None for a button. False, and nothing sent, where it did not."""
        option = self.identity.options.get(name.lower())
        if option is None:
            return False
        self._say(grammar.setoption(option.name, value), self._now_ns() + self._ready_ns)
        return True

    def ready(self) -> None:
        """`isready` to `readyok`. Raises EngineFault."""
        self._barrier(grammar.IS_READY, self._deadlines.ready_ms)

    def new_game(self) -> None:
        """`uginewgame` and `isready` to `readyok`. Raises EngineFault."""
        self._searched = False
        self._transport.begin_turn()
        self._barrier(grammar.NEW_GAME + grammar.IS_READY, self._deadlines.newgame_ms)

    def query(self, words: str) -> str:
        """`query words` to the text of its `response`. Raises EngineFault."""
        wait_ms = self._deadlines.ready_ms
        deadline_ns = self._now_ns() + wait_ms * 1_000_000
        self._say(grammar.query(words), deadline_ns)
        while True:
            message = grammar.parse(self._hear(deadline_ns, "response", wait_ms))
            if isinstance(message, Response):
                return message.text
            self._unsolicited(message)

    def game_over(self, result: grammar.Result, reason: str) -> None:
        """`gameover`, such as `p1win line`, where the engine announced UGI_GameOver; else nothing."""
        if self.identity.announced("UGI_GameOver"):
            self._say(grammar.gameover(result, reason), self._now_ns() + self._ready_ns)

    # In a game

    def prepare(self, position_line: bytes) -> None:
        """`position` and `isready`, one write, to `readyok`. Raises EngineFault."""
        self._barrier(position_line + grammar.IS_READY, self._deadlines.ready_ms)

    def search(self, go_line: bytes, budget_ns: int, fault: Fault, watch: Stopwatch | None = None) -> Reply:
        """`go` to `bestmove`. Raises EngineFault: `fault` where its newline had not come after budget_ns.

        `watch` says how much of the time that has passed counts; without one, all of it. Time is judged before anything
        else about the move. After `fault`, `abort` before the next game. Raises MachineLate where nothing can be said.
        """
        scored = last = None
        offered = False
        noted: list[str] = []
        now_ns, receive, remember = self._now_ns, self._receive, self._tail.append
        self._transport.begin_turn()
        self._searching = self._searched = True
        if watch is not None:
            watch.begin()
        self._say(go_line, now_ns() + self._ready_ns)
        start_ns = now_ns()
        if watch is not None:
            watch.start(budget_ns)
        deadline_ns = start_ns + budget_ns
        try:
            while True:
                try:
                    line = receive(deadline_ns)
                except TransportTimeout:
                    wall_ns = now_ns() - start_ns
                    more_ns = 0 if watch is None else watch.more(wall_ns)
                    if more_ns <= 0:
                        self._overdue(fault, budget_ns, _times(watch, budget_ns, wall_ns))
                    deadline_ns = now_ns() + more_ns
                    continue
                remember(("->", line if len(line) < _TAIL_LINE_BYTES else line[:_TAIL_LINE_BYTES]))
                if line.startswith(b"bestmove "):
                    break
                if line.startswith(b"info "):
                    offered = False
                    if b" score " in line and (b" multipv " not in line or b" multipv 1 " in line):
                        scored = last = line
                    elif not line.startswith(b"info string "):
                        last = line
                    continue
                message = grammar.parse(line)
                if isinstance(message, BestMove | MalformedBestMove):
                    break
                offered = self._during_search(message, offered, noted)
        except TransportClosed as error:
            times = _times(watch, budget_ns, now_ns() - start_ns)
            self._fail(Fault.CRASH, f"the engine {error} when a bestmove was due", times)
        except TransportFlooded as error:
            times = _times(watch, budget_ns, now_ns() - start_ns)
            self._fail(Fault.MALFORMED_MOVE, f"the engine {error} when a bestmove was due", times)
        elapsed_ns = now_ns() - start_ns
        self._searching = False
        spent = Spent(elapsed_ns, None, None) if watch is None else watch.stop(elapsed_ns)
        if spent.think_ns > budget_ns:
            self._overdue(fault, budget_ns, _times(watch, budget_ns, elapsed_ns, spent))
        word = line[9:]
        if not (word.islower() and word.isalnum() and line.startswith(b"bestmove ")):
            try:
                word = self._word(line, noted)
            except EngineFault as broken:
                broken.times = _times(watch, budget_ns, elapsed_ns, spent)
                raise
        info = last if scored is None or scored is last else scored + b"\n" + (last or b"")
        return Reply(word.decode(), line, elapsed_ns, info, offered, tuple(noted), spent)

    def abort(self) -> bool:
        """End a search that is over for the referee: `stop`, its late bestmove, `isready`.

        False where the process must be replaced.
        """
        if self._broken:
            return False
        deadline_ns = self._now_ns() + self._deadlines.stop_ms * 1_000_000
        try:
            if self._searching:
                self._transport.begin_turn()
                self._say(grammar.STOP, deadline_ns)
                while self._searching:
                    message = grammar.parse(self._hear(deadline_ns, "bestmove after stop", self._deadlines.stop_ms))
                    self._searching = not isinstance(message, BestMove | MalformedBestMove)
            self.ready()
        except EngineFault:
            self._broken = True
            return False
        return True

    # The end

    def quit(self) -> Exit:
        """Ask the engine to quit and make sure that it has gone with all its group."""
        self._tail.append(("<-", grammar.QUIT))
        return self._transport.close(self._deadlines.quit_ms)

    def kill(self) -> Exit:
        """End the engine and its group at once."""
        return self._transport.kill()

    def transcript_tail(self, name: str = "engine") -> list[str]:
        """The last few hundred lines of the dialogue, for evidence."""
        return [line for direction, data in self._tail for line in transcript.show(name, direction, data)]

    def _barrier(self, data: bytes, wait_ms: int) -> None:
        deadline_ns = self._now_ns() + wait_ms * 1_000_000
        self._say(data, deadline_ns)
        while True:
            line = self._hear(deadline_ns, "readyok", wait_ms)
            if line == b"readyok":
                return
            message = grammar.parse(line)
            if isinstance(message, ReadyOk):
                self._spelling(line, b"readyok")
                return
            self._unsolicited(message)

    def _say(self, data: bytes, deadline_ns: int) -> None:
        self._tail.append(("<-", data))
        try:
            self._send(data, deadline_ns)
        except TransportTimeout:
            self._fail(Fault.STALL, f"the engine did not read its stdin; it was sent {_shown(data)}")
        except TransportClosed as error:
            self._fail(Fault.CRASH, f"the engine {error} when it was sent {_shown(data)}")
        except TransportFlooded as error:
            self._fail(Fault.MALFORMED_MOVE, f"the engine {error} when it was sent {_shown(data)}")

    def _hear(self, deadline_ns: int, due: str, wait_ms: int) -> bytes:
        try:
            line = self._receive(deadline_ns)
        except TransportTimeout:
            silent = all(direction == "<-" for direction, _ in self._tail)
            hint = "; it has said nothing at all: does it flush its output?" if silent else ""
            wall_ns = self._now_ns() - deadline_ns + wait_ms * 1_000_000
            self._fail(Fault.STALL, f"no {due} within {wait_ms} ms{hint}", Times(wait_ms * 1_000_000, wall_ns))
        except TransportClosed as error:
            self._fail(Fault.CRASH, f"the engine {error} when a {due} was due")
        except TransportFlooded as error:
            self._fail(Fault.MALFORMED_MOVE, f"the engine {error} when a {due} was due")
        self._tail.append(("->", line[:_TAIL_LINE_BYTES]))
        return line

    def _fail(self, fault: Fault, detail: str, times: Times | None = None) -> NoReturn:
        self._broken = True
        raise EngineFault(fault, detail, times) from None

    def _word(self, line: bytes, noted: list[str]) -> bytes:
        """The word of a bestmove that is not spelt as it should be. Raises EngineFault where it has no word."""
        message = grammar.parse(line)
        if not isinstance(message, BestMove):
            why = message.why if isinstance(message, MalformedBestMove) else "is no bestmove"
            raise EngineFault(Fault.MALFORMED_MOVE, f"the bestmove {why}: {_shown(line)}")
        if message.upper:
            self._note("upper-case", noted)
        if line.endswith(b"\r"):
            self._note("crlf", noted)
        elif not line.startswith(b"bestmove ") or line != grammar.clean(line):
            self._note("blanks-or-odd-bytes", noted)
        return message.word.encode()

    def _overdue(self, fault: Fault, budget_ns: int, times: Times) -> NoReturn:
        late = "no bestmove" if self._searching else "the bestmove came too late: not"
        text = f"{late} within {budget_ns / 1_000_000:.3f} ms of go"
        if times.machine:
            waited_ms = (times.late_ns or 0) / 1_000_000
            text += f"; only the machine was late: the engine waited {waited_ms:.0f} ms of that time for a CPU"
        raise EngineFault(fault, text, times) from None

    def _during_search(self, message: Message, offered: bool, noted: list[str]) -> bool:
        """Deal with a line that is neither info nor bestmove. Whether a draw offer stands after it."""
        if isinstance(message, OfferDraw):
            if not self.identity.announced("UGI_Draw"):
                self._note("unannounced-offer", noted)
                return False
            return True
        if isinstance(message, Unknown) and message.why == "blank line":
            self._note("blank-line", noted)
            return offered
        if not isinstance(message, Info):
            self._note(_word_for(message, "unknown-line"), noted)
        return False

    def _unsolicited(self, message: Message, unknown: str = "unknown-line") -> None:
        if isinstance(message, BestMove | MalformedBestMove):
            self._note("second-bestmove" if self._searched else "stray-bestmove")
        elif not (isinstance(message, Info) and message.string is not None):
            self._note(_word_for(message, unknown))

    def _spelling(self, line: bytes, exact: bytes) -> None:
        if line == exact + b"\r":
            self._note("crlf")
        elif line != exact:
            self._note("blanks-or-odd-bytes")

    def _note(self, word: str, here: list[str] | None = None) -> None:
        """Count it, and put it down once in `here`, which an engine must not be able to fill."""
        self.notes[word] += 1
        if here is not None and word not in here:
            here.append(word)


def _times(watch: Stopwatch | None, budget_ns: int, wall_ns: int, spent: Spent | None = None) -> Times:
    return Times(budget_ns, wall_ns) if watch is None else watch.times(wall_ns, spent)


def _word_for(message: Message, unknown: str) -> str:
    """The word under which a line that nobody asked for is counted."""
    match message:
        case Unknown(why="blank line"):
            return "blank-line"
        case ErrorLine():
            return "error"
        case Info():
            return "stray-info"
        case ReadyOk():
            return "stray-readyok"
        case Response():
            return "stray-response"
        case OfferDraw():
            return "stray-offer"
        case Id() | OptionLine() | UgiOk():
            return "stray-handshake"
        case _:
            return unknown


def _shown(data: bytes) -> str:
    text = data[:80].decode("ascii", "backslashreplace").strip()
    return f"'{text}{'...' if len(data) > 80 else ''}'"
