"""Floods below and above the messages of a line: each ends its own connection, and nobody else waits for it."""

import base64
import contextlib
import json
import os
import socket
import struct
import time
from collections.abc import Iterator

import pytest

from arena.connect import messages
from tests.host.guests import Lab, connected, session
from tests.host.test_lines import begin, move

pytestmark = [pytest.mark.timeout(60), pytest.mark.usefixtures("nobody_is_there")]
HELLO = json.dumps(["hello", messages.EDITION, "0", "d1", 1]).encode()
TEXT, PART, PING = 1, 0, 9


def frame(kind: int, data: bytes = b"", *, last: bool = True) -> bytes:
    """A frame of a client, with a mask of zeros."""
    length = bytes([128 | len(data)]) if len(data) < 126 else bytes([254]) + struct.pack("!H", len(data))
    return bytes([128 * last | kind]) + length + bytes(4) + data


@contextlib.contextmanager
def line(lab: Lab, token: str) -> Iterator[socket.socket]:
    """A connection that has asked to be a line."""
    with socket.create_connection(("127.0.0.1", lab.port), 10) as opened:
        key = base64.b64encode(os.urandom(16)).decode()
        opened.sendall(
            f"GET {messages.PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        )
        yield opened


def flood(opened: socket.socket, data: bytes) -> bool:
    """Send this again and again and read nothing. False where the connection lives after 64 MB or 10 s."""
    until_s, sent = time.monotonic() + 10, 0
    with contextlib.suppress(TimeoutError):
        while time.monotonic() < until_s and sent < 64 << 20:
            try:
                sent += opened.send(data)
            except ConnectionError:
                return True
    return False


PINGS = frame(PING, b"x" * 120)
FLOODS = ((b"", PINGS), (frame(TEXT, b"[", last=False), frame(PART, last=False)), (b"", frame(TEXT, b"\xff")))
"""What is sent first, and what again and again: pings, parts of a message, no text."""


def test_a_flood_ends_its_own_line_and_no_game_of_another_guest(lab: Lab) -> None:
    """A client that sends what no client of ours sends, as fast as it can, and never reads."""
    with connected(lab, "cat"), session(lab.spec("cat")) as game:
        begin(game)
        for first, again in FLOODS:
            with line(lab, lab.tokens["fox"]) as fox:
                assert b" 101 " in fox.recv(4096)
                fox.sendall(frame(TEXT, HELLO) + first)
                assert flood(fox, again * 2000), again
                assert move(game).word == "e5"


def test_who_is_not_let_in_yet_can_say_nothing(lab: Lab, capfd: pytest.CaptureFixture[str]) -> None:
    """A wrong token is answered late; what comes before that ends the connection, without a word in the log."""
    for again in (PINGS, frame(TEXT, b"[", last=False)):
        with line(lab, "wrong") as stranger:
            assert flood(stranger, again * 2000)
    with line(lab, "wrong"):
        pass  # it is gone before its answer
    with connected(lab, "cat"), session(lab.spec("cat")) as game:
        begin(game)
        assert move(game).word == "e5"
    said = [each for each in capfd.readouterr().err.splitlines() if not each.startswith("arena: wrong token from")]
    assert said == []
