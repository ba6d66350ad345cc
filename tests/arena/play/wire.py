"""An engine in memory and a clock that is told the time: games are refereed without processes and without waiting."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from arena.play.referee import Seat
from protocol.session import Session
from protocol.stopwatch import Stopwatch, Waits
from protocol.transport import Exit, TransportClosed, TransportTimeout

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
    """A transport whose other end is a function from a line to what is said to it.

    Each `go` is also the begin of the machine's deeds.
    """

    def __init__(self, answer: Callable[[str], Iterable[Said]], time: Time, machine: "Machine | None" = None) -> None:
        self.heard: list[str] = []
        self._answer = answer
        self._time = time
        self._machine = machine
        self._coming: deque[Said] = deque()
        self._pause_ns = 0

    def send(self, data: bytes, deadline_ns: int) -> None:
        for line in data.decode().splitlines():
            self.heard.append(line)
            if self._machine is not None and line.split()[0] == "go":
                self._machine.go()
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

    def take_unread(self) -> list[bytes]:
        """The lines before the next pause."""
        unread: list[bytes] = []
        while self._coming and isinstance(self._coming[0], str) and not self._pause_ns:
            unread.append(self._coming[0].encode())
            self._coming.popleft()
        return unread

    def close(self, quit_ms: int) -> Exit:
        return Exit(0, "exit status 0")


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
    """What the kernel would tell of an engine of one task that does these deeds from each `go` on, and then sleeps.

    A wait is told when it is over, as the kernel does it. Deeds that are left after the move go on meanwhile.
    """

    def __init__(self, time: Time, deeds: Sequence[Deed] = (), known: bool = True) -> None:
        self._time = time
        self._deeds = deeds
        self._known = known
        self._go_ns: int | None = None
        self._before = (0, 0, 0)
        """CPU time, waits and timeslices until the last `go`."""

    def go(self) -> None:
        """The engine begins its deeds anew."""
        self._before, self._go_ns = self._sums(), self._time.ns

    def cpu_ns(self) -> int | None:
        return self._sums()[0] if self._known else None

    def waits_ns(self) -> Waits | None:
        return ({b"1": self._sums()[1]}, 0) if self._known else None

    def timeslices(self) -> int:
        return self._sums()[2]

    def wants_cpu(self) -> bool:
        left_ns = self._since_go_ns()
        for what, ms in self._deeds:
            if left_ns < ms * MS:
                return left_ns >= 0 and what != "sleep"
            left_ns -= ms * MS
        return False

    def _since_go_ns(self) -> int:
        return -1 if self._go_ns is None else self._time.ns - self._go_ns

    def _sums(self) -> tuple[int, int, int]:
        ran_ns, waited_ns, slices = self._before
        left_ns = self._since_go_ns()
        for what, ms in self._deeds:
            if left_ns <= 0:
                break
            if what == "run":
                ran_ns += min(left_ns, ms * MS)
                slices += 1
            elif what == "wait" and left_ns >= ms * MS:
                waited_ns += ms * MS
            left_ns -= ms * MS
        return ran_ns, waited_ns, slices


def seat(answer: Callable[[str], Iterable[Said]], time: Time, machine: Machine | None = None) -> tuple[Seat, Wire]:
    """A seat whose engine has shaken hands; without a machine, on a system that tells nothing of it."""
    machine = machine or Machine(time, known=False)
    wire = Wire(answer, time, machine)
    session = Session(wire, now_ns=time)
    session.handshake()
    return Seat(session, Stopwatch(machine, lambda: 0)), wire
