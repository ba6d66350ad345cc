"""What a session needs of the thing at the other end: whole lines out, whole lines in, each with a deadline.

Owns the interface and the ways a transport fails; refuses to know pipes (`protocol.process`) and meanings
(`protocol.session`). A test wires a session to a script through the same methods.
"""

from typing import NamedTuple, Protocol, TypeVar

Answer = TypeVar("Answer")


class TransportTimeout(Exception):
    """The deadline passed before a whole line had come, or before all that was sent had been taken."""


class TransportClosed(Exception):
    """The other end is gone. The text is a clause for a sentence: `ended with exit status 3`."""


class TransportFlooded(Exception):
    """A line or a turn was longer than its cap; nothing more is read. The text is a clause for a sentence."""


class Exit(NamedTuple):
    """How a process ended. `status` is its exit status, negative for a signal, None where it could not be had."""

    status: int | None
    text: str
    """For people: `exit status 0`; `killed by SIGKILL; it ignored quit and SIGTERM`."""


class Transport(Protocol):
    """A line of text to and from one engine. Deadlines are absolute, in ns of the monotonic clock."""

    def send(self, data: bytes, deadline_ns: int) -> None:
        """Hand over whole lines. Raises TransportTimeout, TransportClosed, TransportFlooded."""

    def receive(self, deadline_ns: int) -> bytes:
        """The next line, without its newline. Raises TransportTimeout, TransportClosed, TransportFlooded."""

    def ask(self, data: bytes, deadline_ns: int, known: dict[bytes, Answer], within_ns: int) -> Answer | None:
        """`send`, and then what `known` has for the bytes that come within some ms: one line with its newline.

        None where something else comes or nothing, or where `within_ns` may not be enough to find out: then `receive`
        has it. Saves time, and nothing else: what is known is not counted among a turn's bytes.
        """

    def begin_turn(self) -> None:
        """Start counting the bytes of a turn from nothing."""

    def close(self, quit_ms: int) -> Exit:
        """Ask it to quit, make sure that it is gone, say how it ended. Again: the same answer."""

    def kill(self) -> Exit:
        """End it at once. Again: the same answer."""
