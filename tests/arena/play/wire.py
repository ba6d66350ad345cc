"""An engine in memory and a clock that is told the time: games are refereed without processes and without waiting."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from protocol.run_delay import CpuUsage

from arena.play.referee import Seat
from protocol.session import Session
from protocol.stopwatch import Kind, Stopwatch
from protocol.transport import Answer, Exit, TransportClosed, TransportTimeout

MS = 1_000_000

Said = str | int | type[TransportClosed]
"""A line; a pause in ms; or the end of the process."""


class Time:
    """A monotonic clock that stands still unless it is moved."""

    def __init__(self) -> None:
        self.ns = 1_000 * MS

    def __call__(self) -> int:
        return self.ns


class Wire:
    """A transport whose other end is a function from a line to what is said to it."""

    def __init__(self, answer: Callable[[str], Iterable[Said]], time: Time) -> None:
        self.heard: list[str] = []
        self._answer = answer
        self._time = time
        self._coming: deque[Said] = deque()
        self._pause_ns = 0

    def send(self, data: bytes, deadline_ns: int) -> None:
        for line in data.decode().splitlines():
            self.heard.append(line)
            self._coming.extend(self._answer(line))

    def receive(self, deadline_ns: int) -> bytes:
        while self._coming or self._pause_ns:
            if self._time.ns + self._pause_ns > deadline_ns:
                self._pause_ns -= deadline_ns - self._time.ns
                break
            self._time.ns += self._pause_ns
            self._pause_ns = 0
            said = self._coming.popleft() if self._coming else 0
            if isinstance(said, str):
                return said.encode()
            if not isinstance(said, int):
                raise TransportClosed("ended with exit status 1")
            self._pause_ns = said * MS
        self._time.ns = deadline_ns
        raise TransportTimeout

    def ask(self, data: bytes, deadline_ns: int, known: dict[bytes, Answer], within_ns: int) -> Answer | None:
        self.send(data, deadline_ns)
        return None

    def read_known(self, known: dict[bytes, Answer], within_ns: int) -> Answer | None:
        return None

    def take_unread(self) -> list[bytes]:
        """The lines before the next pause."""
        unread: list[bytes] = []
        while self._coming and isinstance(self._coming[0], str) and not self._pause_ns:
            unread.append(self._coming[0].encode())
            self._coming.popleft()
        return unread

    def begin_turn(self) -> None: ...

    def close(self, quit_ms: int) -> Exit:
        return Exit(0, "exit status 0")

    def kill(self) -> Exit:
        return Exit(-9, "killed by SIGKILL")


def scripted(replies: Iterable[list[Said]], options: Iterable[str] = ()) -> Callable[[str], Iterable[Said]]:
    """An engine that answers the n-th `go` with the n-th reply and everything else as it should."""
    waiting = iter(replies)

    def answer(line: str) -> Iterable[Said]:
        word = line.split()[0]
        if word == "ugi":
            return ["id name scripted", *(f"option name {option}" for option in options), "ugiok"]
        if word == "isready":
            return ["readyok"]
        if word == "go":
            return next(waiting)
        return []

    return answer


Deed = tuple[Literal["run", "wait", "sleep"], int]
"""What a fake engine does from `go` on, in ms."""


class Machine:
    """What the kernel would tell of an engine of one task that does these deeds after each mark, then sleeps.

    A wait is told when it is over, as the kernel does it. `idle_ms` of CPU go by between a move and the next wake.
    """

    def __init__(self, time: Time, deeds: Sequence[Deed] = (), known: bool = True, idle_ms: int = 0) -> None:
        self.cpus = 1
        self.scans = 0
        self._time = time
        self._deeds = deeds
        self._known = known
        self._idle_ns = idle_ms * MS
        self._base_ns = 0
        self._marked: int | None = None

    def scan(self) -> bool:
        self.scans += 1
        return self._known

    def scan_for_game(self) -> bool:
        return self.scan()

    def cpu_ns(self) -> int | None:
        return self._base_ns + self._at()[0] if self._known else None

    def notice(self) -> None: ...

    def mark(self) -> None:
        self._base_ns += self._at()[0] + (0 if self._marked is None else self._idle_ns)
        self._marked = self._time.ns

    def usage_since_mark(self, passed_ns: int) -> CpuUsage | None:
        ran_ns, waited_ns, turns, ready = self._at()
        return CpuUsage(self._base_ns + ran_ns, waited_ns, turns, ready) if self._known else None

    def _at(self) -> tuple[int, int, int, bool]:
        left_ns = 0 if self._marked is None else self._time.ns - self._marked
        ran_ns = waited_ns = turns = 0
        for what, ms in self._deeds:
            if left_ns <= 0:
                break
            took_ns = min(left_ns, ms * MS)
            left_ns -= took_ns
            over = took_ns == ms * MS
            if what == "run":
                ran_ns += took_ns
                turns += 1
            elif what == "wait" and over:
                waited_ns += took_ns
            if not over:
                return ran_ns, waited_ns, turns, what != "sleep"
        return ran_ns, waited_ns, turns, False


class Ourselves:
    """What the kernel would tell of the referee."""

    def __init__(self, waited_ms: int = 0, stopped_at: Callable[[], int] = lambda: 0) -> None:
        self._waited_ns = waited_ms * MS
        self.stops = stopped_at

    def mark(self) -> None: ...

    def waited_ns(self) -> int:
        return self._waited_ns


def seat(
    answer: Callable[[str], Iterable[Said]], time: Time, kind: Kind = "fair", machine: Machine | None = None
) -> tuple[Seat, Wire]:
    """A seat whose engine has shaken hands; without a machine, on a system that tells nothing of it."""
    wire = Wire(answer, time)
    session = Session(wire, now_ns=time)
    session.handshake()
    return Seat(session, Stopwatch(kind, machine or Machine(time, known=False), Ourselves())), wire
