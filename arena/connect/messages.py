"""What client and host say to each other, and relay and hub: JSON arrays, one in a frame of text or in a line.

An engine's bytes travel as Latin-1, so that every byte is one sign. A session lives as long as the connection that it
was opened on: after a lost line the relay tells a fresh process of the engine all that it must know. Imports the
standard library only: the relay is to start fast.

    client     hello EDITION version instance digest games; out session text; ended session status stderr; pong ping;
               leaving
    host       open session (those of games that go on, before the welcome); welcome version name link; in session text;
               close session; ping ping; say sentence; played {...}
    relay      join key guest digest; in session text
    hub        link session; lost; out text; ended status stderr; gone reason
"""

import contextlib
import json
import socket
import sys
from collections.abc import Iterable
from typing import Any

EDITION = 2
"""Of these messages. Host and client must have the same."""
PATH = "/line"
"""Where a host takes connections."""
LONGEST_TOKEN = 200
LINK_S = 3600.0
"""The link to a guest's page is good for so long."""
LONGEST = 1 << 20
"""The most bytes of a message. Each byte of an engine's output is six at worst."""
CHUNK = 16_384
"""The most bytes of an engine's output in one message."""
MOST_WAITING = 4 << 20
"""The most bytes of the host's that may wait for an engine to read them."""
MOST_SESSIONS = 8
"""So many engine processes of a guest run at once at most."""
BUSY_PING_S, BUSY_DEAD_S = 1.0, 2.5
"""While a game is on: how often the host asks for an answer, and after how long without one the line is given up."""
IDLE_PING_S, IDLE_DEAD_S = 5.0, 12.0
"""The same while none is on."""
SOONEST_US = 50_000
"""A lost packet is sent again after a round trip and this, for a clock runs. The system's own 200 ms cost more than the
usual lag. Acknowledgements are 40 ms late at most."""
TCP_RTO_MIN_US = 45
"""An option of Linux from 6.15 on. Elsewhere the system's time remains."""

WRONG_EDITION, IN_USE, REPLACED, REFUSED, BROKEN = 4001, 4002, 4003, 4004, 4005
"""Why a host closes a connection: the codes of the frame that says so. The reason is a sentence for the author."""

_KINDS: dict[str, tuple[type, ...]] = {
    "hello": (int, str, str, str, int),
    "out": (int, str),
    "ended": (int, int, str),
    "pong": (int,),
    "leaving": (),
    "welcome": (str, str, str),
    "open": (int,),
    "in": (int, str),
    "close": (int,),
    "ping": (int,),
    "say": (str,),
    "played": (dict,),
}
"""The kinds between client and host, and the types of what follows."""


class BadMessage(ValueError):
    """The other end says what it may not say: one sentence."""


def pages(url: str) -> str:
    """Where the pages are of a host that takes connections at this address."""
    return url.rstrip("/").replace("ws", "http", 1)


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


def retransmit_soon(transport: Any) -> None:
    """Let TCP send lost packets of a connection again after a round trip and SOONEST_US."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, TCP_RTO_MIN_US, SOONEST_US)
