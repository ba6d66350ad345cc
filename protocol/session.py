"""The referee's side of the dialogue with one engine: handshake, options, ready, search, stop, quit.

Owns the order of the dialogue and its deadlines, and turns every violation into an EngineFault. Independent of pipes (a
Transport is handed in), spelling (`protocol.grammar`) and rules: the move of a bestmove is text.

`prepare` and `search` are the inner loop of a tournament. Each makes one write. Info lines are kept as bytes, and no
message is built for them.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, NoReturn

from protocol import grammar, transcript
from protocol.deadlines import DEADLINES, Deadlines
from protocol.faults import EngineFault, Fault, Times
from protocol.messages import Id, OptionLine, ReadyOk, UgiOk
from protocol.search_reply import SearchReply, move_word, quote
from protocol.stopwatch import SETTLE_NS, Spent, Stopwatch
from protocol.transport import Exit, Transport, TransportClosed, TransportFlooded, TransportTimeout

_THEN_READY: Final = b"\n" + grammar.IS_READY
_READY_OK: Final = b"readyok"
KEPT_LINES: Final = 60
"""How much of the dialogue is kept: as many lines as a record keeps. More would only fill the CPU's cache."""
LINE_BYTES: Final = 4_096
"""The number of kept bytes of a received line."""


class Identity(NamedTuple):
    """The result of the handshake. The keys of `options` are names in lower case.

    It travels between machines.
    """

    name: str
    author: str
    version: str
    options: dict[str, OptionLine]

    def announced(self, option: str) -> bool:
        """True if the engine announced an option of this name, in any case."""
        return option.lower() in self.options


class Reply(NamedTuple):
    """The reply of a search that ended in time with a well-formed bestmove."""

    word: str
    """The move in lower case. It is not checked against a move grammar yet."""
    raw: bytes
    last_info: bytes | None
    """The last info with a score for the first line and, if it is another one, the last info (`grammar.summary`)."""
    draw_offered: bool


class Session:
    """The dialogue with one engine over `transport`. `now_ns` is the clock of the transport's deadlines."""

    def __init__(
        self, transport: Transport, deadlines: Deadlines | None = None, now_ns: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self.identity = Identity("", "", "", {})
        self._transport = transport
        self._send = transport.send
        self._receive = transport.receive
        self._take_unread = transport.take_unread
        self._deadlines = deadlines or DEADLINES
        self._now_ns = now_ns
        self._ready_ns = self._deadlines.ready_ms * 1_000_000
        self._may_offer = False
        self._searching = False
        self._options_set = False
        self._kept: deque[bytes] = deque(maxlen=KEPT_LINES)
        self._log: Callable[[bytes], None] = self._kept.append
        """Keeps sent lines, each with its newline, or one received line, without one."""

    def observe(self, hook: Callable[[bytes], None]) -> None:
        """Pass the dialogue to `hook` from now on.

        Sent lines have their newlines and come when they are sent. A received line has none, is cut to 4 KiB and comes
        after its time was taken.
        """
        keep = self._kept.append

        def log(data: bytes) -> None:
            keep(data)
            hook(data)

        self._log = log

    # Before and between games

    def handshake(self) -> Identity:
        """Send `ugi` and read up to `ugiok`. Raises EngineFault."""
        words = {"name": "", "author": "", "version": ""}
        options: dict[str, OptionLine] = {}
        wait_ms = self._deadlines.start_ms
        deadline_ns = self._now_ns() + wait_ms * 1_000_000
        self._write(grammar.UGI, deadline_ns)
        while True:
            message = grammar.parse(self._read_line(deadline_ns, "ugiok", wait_ms, "start_ms"))
            if isinstance(message, UgiOk):
                self.identity = Identity(words["name"], words["author"], words["version"], options)
                self._may_offer = self.identity.announced("UGI_Draw")
                return self.identity
            if isinstance(message, Id):
                words[message.key] = message.value
            elif isinstance(message, OptionLine):
                options[message.name.lower()] = message

    def set_option(self, name: str, value: str) -> bool:
        """Set an announced option. False, without a command, if it is not announced or cannot take the value."""
        option = self.identity.options.get(name.lower())
        if option is None or option.refuses(value) is not None:
            return False
        if command := grammar.set_as_asked(option, value):
            self._options_set = True
            self._write(command, self._now_ns() + self._ready_ns)
        return True

    def ready(self) -> None:
        """Send `isready` and wait for `readyok`. Raises EngineFault.

        An engine may allocate its table for an option, as it does for a new game. So after options it has as long.
        """
        ready_ms, newgame_ms = self._deadlines.ready_ms, self._deadlines.newgame_ms
        longer = self._options_set and newgame_ms > ready_ms
        self._options_set = False
        wait_ms, key = (newgame_ms, "newgame_ms") if longer else (ready_ms, "ready_ms")
        deadline_ns = self._now_ns() + wait_ms * 1_000_000
        self._write(grammar.IS_READY, deadline_ns)
        self._await_ready(deadline_ns, wait_ms, key)

    def announce_game(self, options: Iterable[tuple[str, str]]) -> None:
        """Set those options that were announced, then send `uginewgame` and `isready`, all in one write.

        `await_game` must follow. Raises EngineFault.
        """
        self._options_set = False
        lines = b""
        for name, value in options:
            option = self.identity.options.get(name.lower())
            if option is not None:
                lines += grammar.setoption(option.name, value)
        wait_ms = self._deadlines.newgame_ms
        self._write(lines + grammar.NEW_GAME + grammar.IS_READY, self._now_ns() + wait_ms * 1_000_000)

    def await_game(self) -> None:
        """Wait for the `readyok` of `announce_game`, from now on as long as is allowed. Raises EngineFault.

        From now on: the referee may have waited for the other engine meanwhile.
        """
        wait_ms = self._deadlines.newgame_ms
        self._await_ready(self._now_ns() + wait_ms * 1_000_000, wait_ms, "newgame_ms")

    def game_over(self, result: grammar.Result, reason: str) -> None:
        """Send `gameover`, such as `p1win line`, if the engine announced UGI_GameOver."""
        if self.identity.announced("UGI_GameOver"):
            self._write(grammar.gameover(result, reason), self._now_ns() + self._ready_ns)

    # In a game

    def prepare(self, position: bytes, stopwatch: Stopwatch | None = None, free_ns: int = 0) -> Spent | None:
        """Send `position`, a line without its newline, with `isready`, and wait for `readyok`. Raises EngineFault.

        This ends the idle time of the engine on `stopwatch`. Returns the time until `readyok` if, by the stopwatch, it
        was more than `free_ns`, else None.
        """
        if stopwatch is not None:
            stopwatch.begin(self._now_ns())
        # Directly before the write: we may have waited for a CPU since, and that is not the engine's time.
        start_ns = self._now_ns()
        deadline_ns = start_ns + self._ready_ns
        self._write(position + _THEN_READY, deadline_ns)
        self._await_ready(deadline_ns, self._deadlines.ready_ms, "ready_ms")
        if stopwatch is None:
            return None
        spent = stopwatch.stop(self._now_ns() - start_ns)  # also where it is free: it was no idle time
        return spent if spent[1] > free_ns else None

    def search(
        self, go_line: bytes, budget_ns: int, fault: Fault, stopwatch: Stopwatch | None = None
    ) -> tuple[Reply, Spent]:
        """Send `go` and read up to `bestmove`. Raises EngineFault, with `fault` if the line took more than budget_ns.

        `stopwatch` decides how much of the passed time counts; without one, all of it. Time is judged before the move.
        Raises MachineLate if the machine was too late to judge.
        """
        now_ns = self._now_ns
        begin_ns = now_ns()
        if stopwatch is not None:
            stopwatch.begin(begin_ns, budget_ns)
        # Directly before the write: what the engine wrote until now is no answer to this `go` (SPEC.md 8.1).
        unread = self._unread()
        self._searching = True
        # After the preparations, in which we may have waited for a CPU: that is not the engine's time. Before the
        # write: on one CPU it may wake the engine, which then may run and move before we go on. But an engine that
        # gives us lines to drop knows its position already, and pays for the time that this takes.
        start_ns = begin_ns if unread else now_ns()
        self._write(go_line, start_ns + self._ready_ns)
        deadline_ns = start_ns + budget_ns
        heard: SearchReply | None = None
        while True:
            try:
                line = self._receive(deadline_ns)
            except TransportTimeout:
                deadline_ns = self._more_time(start_ns, budget_ns, fault, stopwatch)
                continue
            except (TransportClosed, TransportFlooded) as error:
                times = _times(stopwatch, budget_ns, now_ns() - start_ns)
                self._fail(_fault_of(error), f"the engine {error} when a bestmove was due", times)
            if line.startswith(b"bestmove "):
                break
            heard = heard or SearchReply(self._may_offer)
            if heard.add_line(line):
                break
            self._log(line[:LINE_BYTES])
        wall_ns = now_ns() - start_ns
        spent: Spent = (wall_ns, wall_ns, None, None) if stopwatch is None else stopwatch.stop(wall_ns)
        self._searching = False
        self._log(line[:LINE_BYTES])
        if spent[1] > budget_ns:
            self._overdue(fault, budget_ns, _times(stopwatch, budget_ns, wall_ns, spent))
        try:
            word = move_word(line)
        except EngineFault as broken:
            broken.times = _times(stopwatch, budget_ns, wall_ns, spent)
            raise
        if heard is None:
            return Reply(word, line, None, False), spent
        return Reply(word, line, heard.info, heard.draw_offered), spent

    def _unread(self) -> Sequence[bytes]:
        """The lines that came before `go` was written. Raises EngineFault if a cap was exceeded."""
        try:
            unread = self._take_unread()
        except TransportFlooded as error:
            self._fail(Fault.MALFORMED_MOVE, f"the engine {error} before it was sent go")
        for line in unread:
            self._log(line[:LINE_BYTES])
        return unread

    def _more_time(self, start_ns: int, budget_ns: int, fault: Fault, stopwatch: Stopwatch | None) -> int:
        """The new deadline of a search whose deadline has passed. Raises EngineFault if its time is used up."""
        wall_ns = self._now_ns() - start_ns
        more_ns = 0 if stopwatch is None else stopwatch.extra_wait_ns(wall_ns)
        if more_ns <= 0:
            # These are the figures of the verdict. They are newer than those that led to it, and may have a wait for
            # a CPU that ended in between. So they decide.
            times = _times(stopwatch, budget_ns, wall_ns)
            if wall_ns - (times.late_ns or 0) >= budget_ns:
                self._overdue(fault, budget_ns, times)
            more_ns = SETTLE_NS
        return self._now_ns() + more_ns

    # The end

    def quit(self) -> Exit:
        """Send `quit` and make sure that the engine and its group end."""
        self._log(grammar.QUIT)
        return self._transport.close(self._deadlines.quit_ms)

    @property
    def last_data(self) -> list[bytes]:
        """The last lines of the dialogue: a sent one ends in a newline, a received one does not.

        Another thread may ask while lines come.
        """
        return list(self._kept)

    def transcript_tail(self, name: str = "engine") -> list[str]:
        """The last lines of the dialogue, for evidence: KEPT_LINES or more."""
        return [line for data in self._kept for line in transcript.show(name, _direction(data), data)]

    def _await_ready(self, deadline_ns: int, wait_ms: int, key: str) -> None:
        while (line := self._read_line(deadline_ns, "readyok", wait_ms, key)) != _READY_OK:
            if isinstance(grammar.parse(line), ReadyOk):
                return

    def _write(self, data: bytes, deadline_ns: int) -> None:
        self._log(data)
        try:
            self._send(data, deadline_ns)
        except TransportTimeout:
            self._fail(Fault.STALL, f"the engine did not read its stdin; it was sent {quote(data)}")
        except (TransportClosed, TransportFlooded) as error:
            self._fail(_fault_of(error), f"the engine {error} when it was sent {quote(data)}")

    def _read_line(self, deadline_ns: int, due: str, wait_ms: int, key: str = "") -> bytes:
        """The next line. A missed deadline is named by its `key` among an engine's `limits`, if it has one."""
        try:
            line = self._receive(deadline_ns)
        except TransportTimeout:
            is_silent = all(_direction(data) == "<-" for data in self._kept)
            hint = "; it has said nothing at all: does it flush its output?" if is_silent else ""
            wall_ns = self._now_ns() - deadline_ns + wait_ms * 1_000_000
            named = f" (limits.{key})" if key else ""
            self._fail(Fault.STALL, f"no {due} within {wait_ms} ms{named}{hint}", Times(wait_ms * 1_000_000, wall_ns))
        except (TransportClosed, TransportFlooded) as error:
            self._fail(_fault_of(error), f"the engine {error} when a {due} was due")
        self._log(line[:LINE_BYTES])
        return line

    def _fail(self, fault: Fault, detail: str, times: Times | None = None) -> NoReturn:
        raise EngineFault(fault, detail, times) from None

    def _overdue(self, fault: Fault, budget_ns: int, times: Times) -> NoReturn:
        late = "no bestmove" if self._searching else "the bestmove came too late: not"
        text = f"{late} within {budget_ns / 1_000_000:.3f} ms of go"
        raise EngineFault(fault, text, times) from None


def _direction(data: bytes) -> transcript.Direction:
    return "<-" if data.endswith(b"\n") else "->"


def _fault_of(error: Exception) -> Fault:
    return Fault.CRASH if isinstance(error, TransportClosed) else Fault.MALFORMED_MOVE


def _times(stopwatch: Stopwatch | None, budget_ns: int, wall_ns: int, spent: Spent | None = None) -> Times:
    return Times(budget_ns, wall_ns) if stopwatch is None else stopwatch.times(wall_ns, spent)
