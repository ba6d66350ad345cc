"""An engine in memory and a clock that is told the time: games are refereed without processes and without waiting."""

from collections import deque
from collections.abc import Callable, Iterable

from arena.referee import Seat
from protocol.session import Session
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
    """A transport whose other end is a function from a line to what is said to it."""

    def __init__(self, answer: Callable[[str], Iterable[Said]], time: Time) -> None:
        self.heard: list[str] = []
        self._answer = answer
        self._time = time
        self._coming: deque[Said] = deque()

    def send(self, data: bytes, deadline_ns: int) -> None:
        for line in data.decode().splitlines():
            self.heard.append(line)
            self._coming.extend(self._answer(line))

    def receive(self, deadline_ns: int) -> bytes:
        while self._coming:
            said = self._coming.popleft()
            if isinstance(said, str):
                return said.encode()
            if not isinstance(said, int):
                raise TransportClosed("ended with exit status 1")
            if self._time.ns + said * MS > deadline_ns:
                break
            self._time.ns += said * MS
        self._time.ns = deadline_ns
        raise TransportTimeout

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


def seat(answer: Callable[[str], Iterable[Said]], time: Time) -> tuple[Seat, Wire]:
    """A seat whose engine has shaken hands."""
    wire = Wire(answer, time)
    session = Session(wire, now_ns=time)
    session.handshake()
    return Seat(session, lambda: None), wire
