"""Connections to a server that do not do what a browser does: they end, and others are answered."""

import contextlib
import resource
import socket
import ssl
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from arena.web.server import connection, listening, uvicorn_server
from arena.web.server.app import Serving
from tests.arena.host.certificates import make_certificates
from tests.running import running
from tests.web.conftest import games, keep
from tests.web.serving import DEADLINE_S, ask, events, in_thread, served

HEAD = b"GET /static/icon.svg HTTP/1.1\r\nHost: localhost\r\n"
UNFINISHED = {
    "nothing": b"",
    "half a line": b"GET / HT",
    "half a head": HEAD,
    "an answered request, and half of the next": HEAD + b"\r\n" + HEAD,
    "a request without its body": HEAD + b"Content-Length: 9999\r\n\r\nabc",
}


def connected(base: str) -> socket.socket:
    parts = urlsplit(base)
    return socket.create_connection((parts.hostname, parts.port), DEADLINE_S)


@pytest.fixture
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What ends after some seconds ends at once."""
    monkeypatch.setattr(connection, "REQUEST_S", 0.4)
    monkeypatch.setattr(uvicorn_server, "_TICKS", 1)


@pytest.mark.usefixtures("_soon")
@pytest.mark.parametrize("drips", [False, True])
def test_a_request_that_does_not_come_is_not_waited_for(cup: Path, drips: bool) -> None:
    """Nor if a byte comes now and then. A stream that is watched stays, and so does who asks again and again."""
    with served(cup) as base, events(base) as stream, contextlib.ExitStack() as held:
        assert next(stream)[0] == "time"
        waiting = {name: held.enter_context(connected(base)) for name in UNFINISHED}
        busy = held.enter_context(connected(base))
        for name, sent in UNFINISHED.items():
            waiting[name].sendall(sent)
        deadline = time.monotonic() + DEADLINE_S
        while waiting:
            assert time.monotonic() < deadline, list(waiting)
            busy.sendall(b"HEAD" + HEAD[3:] + b"\r\n")
            assert busy.recv(100_000).startswith(b"HTTP/1.1 200")
            for name, each in list(waiting.items()):
                each.settimeout(0.05)
                with contextlib.suppress(TimeoutError):
                    try:
                        if drips:
                            each.sendall(b"x")
                        ended = each.recv(100_000) == b""
                    except ConnectionError:
                        ended = True
                    if ended:
                        del waiting[name]
        assert ask(base, "/").status == 200


def test_a_viewer_who_does_not_read_is_not_waited_for(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel ends the connection, while the server has answers to send."""
    monkeypatch.setattr(listening, "_UNREAD_MS", 500)
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


@pytest.mark.usefixtures("_soon")
def test_too_many_connections_are_answered_with_503(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams alone never take all of them: pages are there still. What is refused is asked for again later."""
    monkeypatch.setattr(uvicorn_server, "MOST_VIEWERS", 3)
    monkeypatch.setattr(uvicorn_server, "_MOST_CONNECTIONS", 7)
    monkeypatch.setattr(connection, "REQUEST_S", 1.5)
    with served(cup) as base, contextlib.ExitStack() as held:
        for _ in range(3):
            assert next(held.enter_context(events(base)))[0] == "time"
        for _ in range(5):
            assert ask(base, "/events").status == 503
            assert ask(base, "/").status == 200
        idle = [held.enter_context(connected(base)) for _ in range(3)]
        for _ in range(20):
            answer = ask(base, "/")
            assert (answer.status, answer.headers["retry-after"]) == (503, "30")
        for each in idle:
            assert each.recv(1) == b""
        assert ask(base, "/").status == 200


def test_handshakes_that_do_not_end_leave_room_for_those_of_others(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of too many the address that has most loses the oldest; what stays is not waited for long either."""
    monkeypatch.setattr(connection, "MOST_HANDSHAKES", 5)
    monkeypatch.setattr(uvicorn_server, "_TICKS", 1)
    made = make_certificates(tmp_path, "127.0.0.1")
    trusted = ssl.create_default_context(cafile=made.authority)
    tls = (str(made.certificate), str(made.key))
    run = partial(uvicorn_server.serve, Serving(cup), tls=tls)
    with in_thread(lambda opened, over: run(opened, print, over)) as base, contextlib.ExitStack() as held:
        address = (urlsplit(base).hostname, urlsplit(base).port)
        other = held.enter_context(socket.create_connection(address, DEADLINE_S, ("127.0.0.2", 0)))
        many = [held.enter_context(socket.create_connection(address, DEADLINE_S)) for _ in range(20)]
        assert [each.recv(1) for each in many[:16]] == [b""] * 16
        with trusted.wrap_socket(other, server_hostname="127.0.0.1") as line:
            line.sendall(HEAD + b"\r\n")
            assert line.recv(12) == b"HTTP/1.1 200"
        monkeypatch.setattr(connection, "HANDSHAKE_S", 0.0)
        assert [each.recv(1) for each in many[16:]] == [b""] * 4


@pytest.mark.long
def test_more_streams_than_a_process_may_have_files_leave_pages_alone(tmp_path: Path) -> None:
    """The server knows how many it may have."""
    db = keep(tmp_path / "a.db", games())
    few = f"import resource; resource.setrlimit({resource.RLIMIT_NOFILE}, (300, 300)); "
    few += f"from arena.main import main; import sys; sys.argv = ['arena', 'serve', {str(db)!r}, '--port', '0']; main()"
    log = tmp_path / "log"
    with (
        log.open("wb") as out,
        running([sys.executable, "-uc", few], stdout=out, stderr=out) as process,
        contextlib.ExitStack() as held,
    ):
        deadline = time.monotonic() + DEADLINE_S
        while "shows" not in log.read_text():
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.05)
        base = log.read_text().split()[0].rstrip("/")
        streams = [held.enter_context(connected(base)) for _ in range(900)]
        for each in streams:
            with contextlib.suppress(ConnectionError):  # it may have been refused already
                each.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answers = Counter(each.recv(12) for each in streams)
        assert answers == {b"HTTP/1.1 200": 83, b"HTTP/1.1 503": 817}
        assert ask(base, "/").status == 200
        assert len(log.read_text().splitlines()) == 1, log.read_text()
