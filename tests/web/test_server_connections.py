"""Connections to a server that do not do what a browser does: they end, and others are answered."""

import contextlib
import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from arena.web.server import listening, uvicorn_server
from tests.web.serving import DEADLINE_S, ask, events, served


def connected(base: str) -> socket.socket:
    parts = urlsplit(base)
    return socket.create_connection((parts.hostname, parts.port), DEADLINE_S)


def test_a_viewer_who_does_not_read_is_not_waited_for(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel ends the connection, while the server has answers to send."""
    monkeypatch.setattr(listening, "_UNREAD_MS", 100)
    with served(cup) as base, socket.socket() as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        lazy.connect((urlsplit(base).hostname, urlsplit(base).port))
        request = b"GET /static/live.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
        lazy.settimeout(0.2)
        sent = time.monotonic()
        with contextlib.suppress(TimeoutError):
            while time.monotonic() < sent + DEADLINE_S:
                lazy.sendall(request * 100)
        deadline = time.monotonic() + DEADLINE_S
        while has_connection(urlsplit(base).port or 0, lazy.getsockname()[1]):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def has_connection(port: int, of: int) -> bool:
    """Does a process have the connection between these ports open at the end of the first?"""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ends = [(words[1].partition(":")[2], words[2].partition(":")[2]) for words in lines if words[9] != "0"]
    return (f"{port:04X}", f"{of:04X}") in ends


def test_too_many_connections_are_answered_with_503(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams alone never take all of them: pages are there still. What is refused is asked for again later."""
    monkeypatch.setattr(uvicorn_server, "MOST_VIEWERS", 3)
    monkeypatch.setattr(uvicorn_server, "_MOST_CONNECTIONS", 7)
    with served(cup) as base, contextlib.ExitStack() as held:
        for _ in range(3):
            assert next(held.enter_context(events(base)))[0] == "time"
        for _ in range(5):
            assert ask(base, "/events").status == 503
            assert ask(base, "/").status == 200
        idle = [held.enter_context(connected(base)) for _ in range(3)]
        for _ in range(20):
            answer = ask(base, "/")
            assert answer.status == 503
        for each in idle:
            each.close()
        deadline = time.monotonic() + DEADLINE_S
        while ask(base, "/").status != 200:
            assert time.monotonic() < deadline
