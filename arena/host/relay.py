"""The relay of one guest in one game: the referee starts it as an engine's command, and it speaks to the hub.

It answers the `isready` of a position itself, sends `position`, `isready` and `go` together, and drops what the engine
says before its own `readyok`: so a move costs one round trip. Each link has a fresh process of the engine, which the
relay tells all that it must know.

Run by path with `python -I -S`, and imports the standard library and two small modules only: that takes 28 ms.
"""

import os
import resource
import select
import signal
import socket
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import json

from arena.connect.messages import encode
from arena.timing.lost_line import AWAY_STATUS, KILLED, LINE_DOWN

START_S = 2.0
"""A guest may be away for so long before it is told of the game, or its engine is started. Then it is bound: the
referee's deadlines run."""
MOST_HELD = 1 << 20
"""The most bytes of output that wait for the referee to read them. More is left with the guest."""
MOST_DROPPED = 1 << 20
"""Of an engine that says more than this before its `readyok`, nothing is dropped any more: the referee judges it."""
LONGEST_LINE = 65_536
WORDS_BYTES = 3_840
"""How much of an engine's last words is passed on: what the referee keeps, less room for what the relay says."""
_CHUNK = 65_536


class Ended(Exception):
    """The relay is to end with this status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Dialogue:
    """What the referee has told the engine, as another process of the engine must hear it, and what is due."""

    def __init__(self) -> None:
        self._asked = False
        """Whether the referee has said `ugi`."""
        self.greeted = False
        """Whether the referee has seen the whole handshake."""
        self.owes_ready = False
        """Whether the referee waits for a `readyok` that only the engine can give."""
        self.go = b""
        """The line of the search that goes on; empty between searches."""
        self._go_s = 0.0
        self._options: dict[bytes, bytes] = {}
        self._new_game = b""
        self.position = b""

    def note(self, line: bytes) -> None:
        """Note a line of the referee."""
        word = line.split(None, 1)[0] if line.strip() else b""
        if word in (b"position", b"uginewgame"):
            self.go = b""
        if word == b"ugi":
            self._asked = True
        elif word == b"setoption":
            self._options[line.partition(b" value ")[0].lower()] = line
        elif word == b"uginewgame":
            self._new_game, self.position = line, b""
        elif word == b"position":
            self.position = line
        elif word == b"go":
            self.go, self._go_s = line, time.monotonic()

    def replay(self) -> tuple[bytes, list[bytes]]:
        """The lines for a new process, and the answers that the referee is not to see, in their order."""
        lines, hidden = b"ugi\n" if self._asked else b"", [b"ugiok"] if self.greeted else []
        if self.greeted:
            lines += b"".join(self._options.values()) + self._new_game
            if self._options or self._new_game:
                lines += b"isready\n"
                hidden += [] if self.owes_ready else [b"readyok"]
        if self.go:
            lines += self.position + b"isready\n" + self._go_now()
            hidden.append(b"readyok")
        return lines, hidden

    def _go_now(self) -> bytes:
        """The `go` with what is left: its times less what has passed. Whose clock it is the relay does not know, so
        the opponent's is shown as shorter, too."""
        passed_ms = int(1000 * (time.monotonic() - self._go_s))
        words = self.go.split()
        for name in (b"p1time", b"p2time", b"movetime"):
            if name in words:
                place = words.index(name) + 1
                words[place] = b"%d" % max(1, int(words[place]) - passed_ms)
        return b" ".join(words) + b"\n"


class Relay:
    """The two directions between the referee and the hub."""

    def __init__(self, hub: socket.socket, plain: bool) -> None:
        self._hub = hub
        self._plain = plain
        """Pass every line as it is, for the checks at the door."""
        self._dialogue = Dialogue()
        self._session = 0
        """That of the link to the guest; 0: there is none."""
        self._is_bound = self._was_down = False
        """Whether there was a link, or the guest was told of the game. Then the game goes on without a link."""
        self._since_s = time.monotonic()
        self._from_referee = self._from_hub = b""
        self._held = b""
        """Whole lines for the referee, which it has not read yet."""
        self._line = b""
        """The begin of a line of the engine."""
        self._greeting = b""
        """The lines of a handshake that is not whole yet."""
        self._hidden: list[bytes] = []
        """The answers before which nothing is shown to the referee, nor they themselves."""
        self._dropped = 0
        self._leaving = False

    def run(self) -> None:
        """Relay until the game is over. Raises Ended."""
        poll = select.poll()
        os.set_blocking(0, False)
        os.set_blocking(1, False)
        while True:
            if self._session or not self._plain:
                poll.register(0, select.POLLIN)
            poll.register(1, select.POLLOUT if self._held else 0)
            poll.register(self._hub, select.POLLIN if len(self._held) < MOST_HELD else 0)
            waits = not (self._session or self._is_bound)
            left_s = self._since_s + START_S - time.monotonic() if waits else 60.0
            if left_s <= 0:
                raise Ended(AWAY_STATUS)
            for fd, event in poll.poll(1 + int(1000 * left_s)):
                if fd == 0:
                    self._read_referee()
                elif fd == 1 and event & select.POLLERR:
                    raise Ended(0)  # the referee is gone
                elif fd == 1:
                    self._write_referee()
                else:
                    self._read_hub()

    # From the referee to the engine

    def _read_referee(self) -> None:
        chunk = os.read(0, _CHUNK)
        if not chunk:
            raise Ended(0)
        *lines, self._from_referee = (self._from_referee + chunk).split(b"\n")
        self._say(b"".join([self._heard(line + b"\n") for line in lines]))
        if self._leaving and not self._plain:
            raise Ended(0)

    def _heard(self, line: bytes) -> bytes:
        """What is to be sent to the engine for a line of the referee: nothing while a position waits for its `go`."""
        dialogue = self._dialogue
        dialogue.note(line)
        word = line.split(None, 1)[0] if line.strip() else b""
        self._leaving = word == b"quit"
        if self._plain:
            return line
        if word == b"isready":
            if dialogue.position and not dialogue.go:
                self._show(b"readyok\n")
                return b""
            dialogue.owes_ready = True
        elif word == b"position":
            return b""
        elif word == b"go":
            self._hidden, self._dropped, self._line = [b"readyok"], 0, b""
            return dialogue.position + b"isready\n" + line
        return line

    def _say(self, text: bytes) -> None:
        """Send lines to the engine. Without a link they are only noted: the next link begins with all of them."""
        if text and self._session:
            try:
                self._hub.sendall(encode("in", self._session, text.decode("latin-1")).encode() + b"\n")
            except OSError:
                raise Ended(AWAY_STATUS) from None

    # From the hub to the referee

    def _read_hub(self) -> None:
        try:
            chunk = self._hub.recv(_CHUNK)
        except OSError:
            chunk = b""
        if not chunk:
            raise Ended(AWAY_STATUS)  # the hub has ended: that is the host's fault
        *lines, self._from_hub = (self._from_hub + chunk).split(b"\n")
        for line in lines:
            kind, *values = json.loads(line)
            if kind == "link":
                self._link(values[0])
            elif kind == "lost":
                self._lose()
            elif kind == "gone":
                _log(values[0])
                raise Ended(AWAY_STATUS)  # no session had begun
            elif kind == "ended":
                self._engine_ended(*values)
            else:
                self._came(values[0].encode("latin-1"))
        self._write_referee()

    def _link(self, session: int) -> None:
        """A fresh process of the engine is there, which knows nothing."""
        if self._plain and self._is_bound:
            raise Ended(AWAY_STATUS)
        self._session, self._is_bound = session, True
        if self._plain:
            return
        self._greeting, self._line, self._dropped = b"", b"", 0
        lines, self._hidden = self._dialogue.replay()
        self._say(lines)

    def _lose(self) -> None:
        # A guest that was told of the game is bound as if its engine had been started.
        self._session, self._is_bound = 0, True
        if self._plain:
            raise Ended(AWAY_STATUS)
        if not self._was_down:
            self._was_down = True
            _log(LINE_DOWN)

    def _came(self, text: bytes) -> None:
        """Show the engine's output to the referee line by line, less what it is not to see."""
        if self._plain:
            self._show(text)
            return
        *lines, self._line = (self._line + text).split(b"\n")
        for line in lines:
            self._answered(line + b"\n")
        if len(self._line) > LONGEST_LINE:  # the referee judges it
            self._answered(self._line)
            self._line = b""

    def _answered(self, line: bytes) -> None:
        word, dialogue = line.strip().lower(), self._dialogue
        if self._hidden:
            self._dropped += len(line)
            if word == self._hidden[0]:
                del self._hidden[0]
            if self._dropped <= MOST_DROPPED:
                return
            self._hidden = []
        if not dialogue.greeted:
            self._greeting += line
            if word != b"ugiok" and len(self._greeting) <= MOST_DROPPED:
                return
            dialogue.greeted, line, self._greeting = True, self._greeting, b""
        elif word == b"readyok":
            dialogue.owes_ready = False
        elif word.startswith(b"bestmove"):
            dialogue.go = b""
        self._show(line)

    def _show(self, data: bytes) -> None:
        self._held += data

    def _write_referee(self) -> None:
        try:
            self._held = self._held[os.write(1, self._held) :] if self._held else b""
        except BlockingIOError:
            pass
        except OSError:
            raise Ended(0) from None  # the referee is gone

    def _engine_ended(self, status: int, stderr: str) -> None:
        """End as the engine did, with its last words, after all that it said."""
        os.set_blocking(1, True)
        self._show(self._greeting + self._line)
        self._write_referee()
        if status < 0:
            _log(KILLED)
        words = stderr.encode("latin-1", "replace").decode("utf-8", "replace")
        words = words.replace("arena: ", "arena; ")  # an engine says nothing in our name,
        _log(words.encode()[-WORDS_BYTES:].decode("utf-8", "ignore"))  # and pushes out nothing of it
        raise Ended(status if -64 <= status < 256 and status != AWAY_STATUS else 1)


def _log(text: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    try:
        os.write(2, data if data.endswith(b"\n") else data + b"\n")
    except OSError:
        pass


def main() -> None:
    """`relay.py GUEST DIGEST [plain]`. The environment has the hub's socket and its key, which engines cannot read."""
    guest, digest, *plain = sys.argv[1:]
    hub = socket.socket(socket.AF_UNIX)
    try:
        hub.settimeout(START_S)
        hub.connect("\0" + os.environ["ARENA_HUB"])
        hub.sendall(encode("join", os.environ["ARENA_HUB_KEY"], guest, digest).encode() + b"\n")
        hub.settimeout(None)
        Relay(hub, bool(plain)).run()
    except OSError:
        status = AWAY_STATUS
    except Ended as ended:
        status = ended.status
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            signal.signal(-status, signal.SIG_DFL)
        except (OSError, ValueError):
            pass  # of such a signal nobody may change what it does
        os.kill(os.getpid(), -status)
    os._exit(status & 0xFF)


if __name__ == "__main__":
    main()
