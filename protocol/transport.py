"""The interface between a session and an engine: whole lines out, whole lines in, each with a deadline.

`protocol.process` implements it with pipes, tests with scripts.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class TransportTimeout(Exception):
    """The deadline passed before a whole line came, or before the engine took everything that was sent."""


class TransportClosed(Exception):
    """The engine has ended. The text is a clause for a sentence: `ended with exit status 3`."""


class TransportFlooded(Exception):
    """A line or a turn exceeded its cap, and nothing more is read. The text is a clause for a sentence."""


class Exit(NamedTuple):
    """How a process ended. `status` is its exit status, negative for a signal, None if unknown."""

    status: int | None
    text: str
    """For people: `exit status 0`; `killed by SIGKILL; it ignored quit and SIGTERM`."""


class Transport(Protocol):
    """The two directions of one engine's pipes. Deadlines are absolute, in ns of the monotonic clock."""

    def send(self, data: bytes, deadline_ns: int) -> None:
        """Send whole lines. Raises TransportTimeout, TransportClosed, TransportFlooded."""

    def receive(self, deadline_ns: int) -> bytes:
        """The next line, without its newline. Raises TransportTimeout, TransportClosed, TransportFlooded."""

    def take_unread(self) -> Sequence[bytes]:
        """Begin a turn: return the first lines that have come already, and drop all else that has come.

        It waits for nothing. Raises TransportFlooded.
        """

    def close(self, quit_ms: int) -> Exit:
        """Send `quit` and make sure that the engine ends. A second call returns the same Exit."""
