"""Who may say what when: handshake, options, ready, search, stop, quit, as the referee's side of one engine.

Owns the order of the dialogue and its deadlines, and turns every way of breaking it into an EngineFault. Refuses to
know pipes (a Transport is handed in), spelling (`protocol.grammar`) and rules: the word of a bestmove goes up as text.
What costs an engine nothing is counted in `notes`, under the words of SPEC.md chapter 12.

`prepare` and `search` are the inner loop of a tournament: one write each, no message is built for a line that nobody
asked for, an info line is kept as bytes, and an answer that comes `at_once` and has been heard before is taken without
being read: what it means is known.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, NoReturn

from protocol import grammar, notes
from protocol.deadlines import Deadlines
from protocol.faults import EngineFault, Fault, Times
from protocol.messages import (
    BestMove,
    Id,
    Info,
    MalformedBestMove,
    Message,
    OptionLine,
    ReadyOk,
    Response,
    UgiOk,
)
from protocol.search_reply import SearchReply, shown
from protocol.stopwatch import Spent, Stopwatch
from protocol.transcript_tail import LINE_BYTES, TranscriptTail
from protocol.transport import Exit, Transport, TransportClosed, TransportFlooded, TransportTimeout

_KNOWN: Final = 4_096
_KNOWN_BYTES: Final = 64
"""How many bestmoves are known by heart, and how long they may be: half a megabyte of them for a session."""
_THEN_READY: Final = b"\n" + grammar.IS_READY
_READY_OK: Final = b"readyok"
_READY: Final = {_READY_OK + b"\n": True}
_TRANSPORT_FAILS = (TransportTimeout, TransportClosed, TransportFlooded)


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
    """What an engine said in a search that ended in time with one word."""

    word: str
    """In lower case; not yet known to be in any game's move grammar."""
    raw: bytes
    last_info: bytes | None
    """The last info with a score of the first line and, where it is another, the last info; for `grammar.summary`."""
    draw_offered: bool
    notes: tuple[str, ...]
    """What was noted during this search, each word once."""


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
        self._ask = transport.ask
        self._begin_turn = transport.begin_turn
        self._deadlines = deadlines or Deadlines()
        self._now_ns = now_ns
        self._ready_ns = self._deadlines.ready_ms * 1_000_000
        self._searching = False
        self._searched = False
        self._broken = False
        self._tail = TranscriptTail()
        self._remember = self._tail.remember
        self._known: dict[bytes, Reply] = {}
        """From tidy bestmoves that have been heard, with their newlines, to what they say alone: most come again."""

    def overheard(self, hook: Callable[[bytes], None] | None) -> None:
        """Tell `hook`, from now on, all that is said: lines that were sent, each with its newline, as they are sent,
        and a line that was received, without one and cut at 4 KiB, after the time that it took has been taken.
        None: nobody any more, at no cost.
        """
        self._tail.tap(hook)
        self._remember = self._tail.remember

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
        self._begin_turn()
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

    def prepare(self, position: bytes, watch: Stopwatch | None = None) -> None:
        """`position`, a line without its newline, and `isready`, one write, to `readyok`. Raises EngineFault.

        `watch` learns when this began.
        """
        now_ns, remember = self._now_ns(), self._remember
        if watch is not None and now_ns > watch.fresh_until_ns:
            watch.wake(now_ns)
        data = position + _THEN_READY
        ready_ns = self._ready_ns
        remember(data)
        try:
            found = self._ask(data, now_ns + ready_ns, _READY, ready_ns)
        except _TRANSPORT_FAILS as error:
            self._unsent(error, data)
        if found is None:
            self._await_ready(now_ns, self._deadlines.ready_ms)
        else:
            remember(_READY_OK)

    def search(
        self, go_line: bytes, budget_ns: int, fault: Fault, watch: Stopwatch | None = None
    ) -> tuple[Reply, Spent]:
        """`go` to `bestmove`. Raises EngineFault: `fault` where its newline had not come after budget_ns.

        `watch` says how much of the time that has passed counts; without one, all of it. Time is judged before anything
        else about the move. After `fault`, `abort` before the next game. Raises MachineLate where nothing can be said.
        """
        now_ns, remember = self._now_ns, self._remember
        self._searching = self._searched = True
        # Not after the write: on one CPU that wakes the engine, which may run, and even move, before we do.
        start_ns = now_ns()
        if watch is not None:
            watch.begin(start_ns, budget_ns)
        remember(go_line)
        try:
            found = self._ask(go_line, start_ns + self._ready_ns, self._known, budget_ns)
        except _TRANSPORT_FAILS as error:
            self._unsent(error, go_line)
        heard = None
        if found is None:
            heard = SearchReply(self.identity.announced("UGI_Draw"), self.notes)
            line = self._listen(heard, start_ns, budget_ns, fault, watch)
        else:
            line = found.raw
        wall_ns = now_ns() - start_ns
        spent: Spent = (wall_ns, wall_ns, None, None) if watch is None else watch.stop(wall_ns)
        self._searching = False
        remember(line if heard is None else line[:LINE_BYTES])
        if spent[1] > budget_ns:
            self._overdue(fault, budget_ns, _times(watch, budget_ns, wall_ns, spent))
        if found is not None:
            return found, spent
        assert heard is not None
        try:
            word = heard.word(line)
        except EngineFault as broken:
            broken.times = _times(watch, budget_ns, wall_ns, spent)
            raise
        said = Reply(word, line, heard.info, heard.offered, tuple(heard.noted))
        if len(line) <= _KNOWN_BYTES and line == b"bestmove " + word.encode():
            if len(self._known) > _KNOWN:
                self._known.clear()
            self._known[line + b"\n"] = Reply(word, line, None, False, ())
        return said, spent

    def _listen(
        self, heard: SearchReply, start_ns: int, budget_ns: int, fault: Fault, watch: Stopwatch | None
    ) -> bytes:
        """The line with the bestmove; `heard` is told what stands before it."""
        now_ns, receive, remember = self._now_ns, self._receive, self._remember
        self._begin_turn()
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
                if heard.ends(line):
                    return line
                remember(line[:LINE_BYTES])
        except TransportClosed as error:
            times = _times(watch, budget_ns, now_ns() - start_ns)
            self._fail(Fault.CRASH, f"the engine {error} when a bestmove was due", times)
        except TransportFlooded as error:
            times = _times(watch, budget_ns, now_ns() - start_ns)
            self._fail(Fault.MALFORMED_MOVE, f"the engine {error} when a bestmove was due", times)

    def abort(self) -> bool:
        """End a search that is over for the referee: `stop`, its late bestmove, `isready`.

        False where the process must be replaced.
        """
        if self._broken:
            return False
        deadline_ns = self._now_ns() + self._deadlines.stop_ms * 1_000_000
        try:
            if self._searching:
                self._begin_turn()
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
        self._remember(grammar.QUIT)
        return self._transport.close(self._deadlines.quit_ms)

    def kill(self) -> Exit:
        """End the engine and its group at once."""
        return self._transport.kill()

    def transcript_tail(self, name: str = "engine") -> list[str]:
        """The last hundred lines of the dialogue or more, for evidence."""
        return self._tail.lines(name)

    def _barrier(self, data: bytes, wait_ms: int) -> None:
        now_ns = self._now_ns()
        self._say(data, now_ns + wait_ms * 1_000_000)
        self._await_ready(now_ns, wait_ms)

    def _await_ready(self, since_ns: int, wait_ms: int) -> None:
        deadline_ns = since_ns + wait_ms * 1_000_000
        while (line := self._hear(deadline_ns, "readyok", wait_ms)) != _READY_OK:
            message = grammar.parse(line)
            if isinstance(message, ReadyOk):
                self._spelling(line, _READY_OK)
                return
            self._unsolicited(message)

    def _say(self, data: bytes, deadline_ns: int) -> None:
        self._remember(data)
        try:
            self._send(data, deadline_ns)
        except _TRANSPORT_FAILS as error:
            self._unsent(error, data)

    def _unsent(self, error: Exception, data: bytes) -> NoReturn:
        if isinstance(error, TransportTimeout):
            self._fail(Fault.STALL, f"the engine did not read its stdin; it was sent {shown(data)}")
        fault = Fault.CRASH if isinstance(error, TransportClosed) else Fault.MALFORMED_MOVE
        self._fail(fault, f"the engine {error} when it was sent {shown(data)}")

    def _hear(self, deadline_ns: int, due: str, wait_ms: int) -> bytes:
        try:
            line = self._receive(deadline_ns)
        except TransportTimeout:
            hint = "; it has said nothing at all: does it flush its output?" if self._tail.silent else ""
            wall_ns = self._now_ns() - deadline_ns + wait_ms * 1_000_000
            self._fail(Fault.STALL, f"no {due} within {wait_ms} ms{hint}", Times(wait_ms * 1_000_000, wall_ns))
        except TransportClosed as error:
            self._fail(Fault.CRASH, f"the engine {error} when a {due} was due")
        except TransportFlooded as error:
            self._fail(Fault.MALFORMED_MOVE, f"the engine {error} when a {due} was due")
        self._remember(line[:LINE_BYTES])
        return line

    def _fail(self, fault: Fault, detail: str, times: Times | None = None) -> NoReturn:
        self._broken = True
        raise EngineFault(fault, detail, times) from None

    def _overdue(self, fault: Fault, budget_ns: int, times: Times) -> NoReturn:
        late = "no bestmove" if self._searching else "the bestmove came too late: not"
        text = f"{late} within {budget_ns / 1_000_000:.3f} ms of go"
        if times.machine:
            waited_ms = (times.late_ns or 0) / 1_000_000
            text += f"; only the machine was late: the engine waited {waited_ms:.0f} ms of that time for a CPU"
        raise EngineFault(fault, text, times) from None

    def _unsolicited(self, message: Message, unknown: str = "unknown-line") -> None:
        if isinstance(message, BestMove | MalformedBestMove):
            self._note("second-bestmove" if self._searched else "stray-bestmove")
        elif not (isinstance(message, Info) and message.string is not None):
            self._note(notes.unasked(message, unknown))

    def _spelling(self, line: bytes, exact: bytes) -> None:
        word = notes.spelling(line, exact)
        if word:
            self._note(word)

    def _note(self, word: str) -> None:
        self.notes[word] += 1


def _times(watch: Stopwatch | None, budget_ns: int, wall_ns: int, spent: Spent | None = None) -> Times:
    return Times(budget_ns, wall_ns) if watch is None else watch.times(wall_ns, spent)
