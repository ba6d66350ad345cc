"""What client and host say to each other, and relay and hub.

A guest has one line on which it says who it is; its messages are JSON arrays. For each game that the host opens, the
client connects once more: there the engine's bytes travel as they are, both ways, and a last message tells how the
engine ended. A process of the engine lives as long as its connection: after a lost one the relay tells a fresh process
all that it must know. Imports the standard library only: the relay is to start fast.

    client     hello EDITION version digest games; leaving; of a game: ended status stderr
    host       welcome version name; open session; say sentence; played {...}
    relay      join key guest digest; in session text
    hub        link session; lost; out text; ended status stderr; gone reason
"""

import contextlib
import json
import socket
import sys
from collections.abc import Iterable
from typing import Any

EDITION = 3
"""Of these messages. Host and client must have the same."""
PATH = "/line"
"""Where a host takes connections. That for a game has its session after it."""
LONGEST_TOKEN = 200
LONGEST = 1 << 20
"""The most bytes of a message."""
CHUNK = 16_384
"""The most bytes of an engine's output in one message."""
MOST_UNREAD = 1 << 19
"""A connection whose other end leaves more bytes than this unread is closed."""
MOST_SESSIONS = 8
"""The most games of a guest at once."""
PING_S, DEAD_S = 1.0, 3.0
"""How often each end asks for an answer, and after how long without one it gives the connection up."""
SOONEST_US = 50_000
"""A lost packet is sent again after a round trip and this, for a clock runs. The system's own 200 ms cost more than the
usual lag. Acknowledgements are 40 ms late at most."""
TCP_RTO_MIN_US = 45
"""An option of Linux from 6.15 on. Elsewhere the system's time remains."""

WRONG_EDITION, REPLACED, REFUSED, BROKEN = 4001, 4003, 4004, 4005
"""Why a host closes a connection: the codes of the frame that says so. The reason is a sentence for the author."""

_KINDS: dict[str, tuple[type, ...]] = {
    "hello": (int, str, str, int),
    "leaving": (),
    "ended": (int, str),
    "welcome": (str, str),
    "open": (int,),
    "say": (str,),
    "played": (dict,),
    "join": (str, str, str),
    "in": (int, str),
}
"""The kinds that are read with care, and the types of what follows."""


class BadMessage(ValueError):
    """The other end says what it may not say: one sentence."""


def encode(*parts: object) -> str:
    """A message as text, without a line break."""
    return json.dumps(parts, separators=(",", ":"))


def decode(text: object, kinds: Iterable[str]) -> list[Any]:
    """A message of the other end, which must be one of these kinds. Raises BadMessage."""
    try:
        parts = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        parts = None
    if not isinstance(parts, list) or not parts or not isinstance(parts[0], str) or parts[0] not in kinds:
        raise BadMessage("a message is of no known kind")
    kind, *values = parts
    if tuple(map(type, values)) != _KINDS[kind] or any(type(v) is int and not -(2**53) < v < 2**53 for v in values):
        raise BadMessage(f"a message {kind!r} has other values than it may have")
    return parts


def older(hello: str) -> str:
    """A sentence about the older side if a hello is of another edition, whatever else it says; else empty."""
    edition: object = EDITION
    with contextlib.suppress(ValueError, RecursionError, LookupError, TypeError):
        word, edition, *_ = json.loads(hello)
    if edition == EDITION or type(edition) is not int or word != "hello":
        return ""
    return f"{'the client' if edition < EDITION else 'the host'} is older than the other side: update it"


def retransmit_soon(opened: socket.socket) -> None:
    """Let TCP send lost packets again after a round trip and SOONEST_US: of this connection, or of all that come in."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            opened.setsockopt(socket.IPPROTO_TCP, TCP_RTO_MIN_US, SOONEST_US)
