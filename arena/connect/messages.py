"""What client and host say to each other, and relay and hub: JSON arrays, one in a frame of text or in a line.

An engine's bytes travel as Latin-1, so that every byte is one sign. What must not get lost has a number and stays in
an `Outbox` until the other end has acknowledged it. Imports the standard library only: the relay is to start fast.

    client     hello EDITION version instance digest games [[session, last number that came] ...]
               out session number ack text; ended session number ack status stderr; ack session ack; pong ping; leaving
    host       welcome version name [session ...] link; open session; in session number ack text; ack session ack
               close session; ping ping; say sentence; played {...}
    relay      join key guest digest; in number ack text; ack ack
    hub        link fresh ack; lost; out number ack text; ended number ack status stderr; ack ack; gone reason
"""

import json
from collections import deque
from collections.abc import Iterable
from typing import Any

EDITION = 1
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
"""The most bytes that may wait for an acknowledgement."""
ACK_EVERY = 8
"""At the latest after so many messages an acknowledgement is sent; others travel with what is said anyway."""
MOST_SESSIONS = 8
"""So many engine processes of a guest run at once at most."""
BUSY_PING_S, BUSY_DEAD_S = 1.0, 2.5
"""While a game is on: how often the host asks for an answer, and after how long without one the line is given up."""
IDLE_PING_S, IDLE_DEAD_S = 5.0, 12.0
"""The same while none is on."""

WRONG_EDITION, IN_USE, REPLACED, REFUSED, BROKEN = 4001, 4002, 4003, 4004, 4005
"""Why a host closes a connection: the codes of the frame that says so. The reason is a sentence for the author."""

_KINDS: dict[str, tuple[type, ...]] = {
    "hello": (int, str, str, str, int, list),
    "out": (int, int, int, str),
    "ended": (int, int, int, int, str),
    "ack": (int, int),
    "pong": (int,),
    "leaving": (),
    "welcome": (str, str, list, str),
    "open": (int,),
    "in": (int, int, int, str),
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


def decode(text: str, kinds: Iterable[str]) -> list[Any]:
    """A message of the other end, which must be one of these kinds. Raises BadMessage."""
    try:
        parts = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage("a message is no JSON") from None
    if not isinstance(parts, list) or not parts or not isinstance(parts[0], str) or parts[0] not in kinds:
        raise BadMessage("a message is of no known kind")
    kind, *values = parts
    if tuple(map(type, values)) != _KINDS[kind] or any(type(v) is int and not -(2**53) < v < 2**53 for v in values):
        raise BadMessage(f"a message {kind!r} has other values than it may have")
    return parts


def older(hello: str) -> str:
    """A sentence about the older side where a hello is of another edition, whatever else it says; else empty."""
    try:
        parts = json.loads(hello)
        edition = parts[1] if parts[0] == "hello" and type(parts[1]) is int else EDITION
    except (ValueError, RecursionError, LookupError, TypeError):
        return ""
    if edition == EDITION:
        return ""
    side = "the client" if edition < EDITION else "the host"
    return f"{side} is older than the other side: update it"


class Outbox:
    """Numbered messages of one direction that were not acknowledged yet."""

    def __init__(self) -> None:
        self.last = 0
        """The number of the last message."""
        self.size = 0
        """How many signs wait for an acknowledgement."""
        self._waiting: deque[tuple[int, tuple[Any, ...], int]] = deque()

    def add(self, *message: Any) -> int:
        """Keep a message. Returns its number, counted from 1."""
        self.last += 1
        size = sum(len(part) for part in message if isinstance(part, str))
        self._waiting.append((self.last, message, size))
        self.size += size
        return self.last

    def acknowledge(self, number: int) -> None:
        """All messages up to this one have come."""
        while self._waiting and self._waiting[0][0] <= number:
            self.size -= self._waiting.popleft()[2]

    def after(self, number: int) -> tuple[int, tuple[Any, ...]] | None:
        """The first message behind this number that waits, with its own number."""
        if not self._waiting or number >= self.last:
            return None
        place = max(0, number + 1 - self._waiting[0][0])
        return self._waiting[place][:2]

    def waiting(self) -> list[tuple[int, tuple[Any, ...]]]:
        """What is to be sent again, each message with its number."""
        return [(number, message) for number, message, _ in self._waiting]


class Inbox:
    """Which messages of the other direction have come."""

    def __init__(self) -> None:
        self.last = 0
        self._told = 0

    def is_new(self, number: int) -> bool:
        """Note a message. False for one that came before. Raises BadMessage where one is missing before it."""
        if number > self.last + 1:
            raise BadMessage(f"message {number} comes after message {self.last}")
        if number <= self.last:
            return False
        self.last = number
        return True

    def ack(self) -> int:
        """The number to acknowledge, which is about to be sent."""
        self._told = self.last
        return self.last

    @property
    def is_due(self) -> bool:
        """Is an acknowledgement to be sent for itself?"""
        return self.last - self._told >= ACK_EVERY
