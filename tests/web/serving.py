"""A server in this process, for tests: its address, and how its stream of events is read."""

import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from arena.human.hosted_games import HostedGames
from arena.web.server import listening
from arena.web.server.app import Serving
from arena.web.server.uvicorn_server import serve

DEADLINE_S = 30.0


class Answer(NamedTuple):
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    text: str


@contextlib.contextmanager
def served(
    db: Path, *, hide: bool = False, said: list[str] | None = None, port: int = 0, games: HostedGames | None = None
) -> Iterator[str]:
    """The address of a server of this database, such as `http://127.0.0.1:1234`, while the block runs."""
    report = (lambda sentence: None) if said is None else said.append
    serving = Serving(db, hide=hide, games=games)
    with in_thread(lambda opened, until: serve(serving, opened, report, until), port) as address:
        yield address


@contextlib.contextmanager
def in_thread(run: Callable[[socket.socket, Callable[[], object]], None], port: int = 0) -> Iterator[str]:
    """The address of a server that runs in a thread while the block runs.

    `run` is given its socket, and what waits for the end.
    """
    opened = listening.listen("127.0.0.1", port)
    over = threading.Event()
    thread = threading.Thread(target=run, args=(opened, over.wait))
    thread.start()
    try:
        yield listening.url(opened, "127.0.0.1").rstrip("/")
    finally:
        over.set()
        thread.join(DEADLINE_S)
        assert not thread.is_alive(), "the server does not end"
        opened.close()


def ask(base: str, path: str, method: str = "GET", host: str | None = None) -> Answer:
    """Send a request as it is, without cleaning its path."""
    with contextlib.closing(_connection(base)) as connection:
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or urlsplit(base).netloc)
        connection.endheaders()
        answer = connection.getresponse()
        return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read().decode())


@contextlib.contextmanager
def events(base: str, path: str = "/events") -> Iterator[Iterator[tuple[str, Any]]]:
    """The events of a stream, each with its name and its value. It ends with the server, or after the deadline."""
    connection = _connection(base)
    with contextlib.closing(connection):
        connection.request("GET", path, headers={"Host": "localhost"})
        answer = connection.getresponse()
        assert answer.status == 200
        with contextlib.closing(answer):
            yield _events(answer)


def _events(answer: http.client.HTTPResponse) -> Iterator[tuple[str, Any]]:
    name = ""
    while line := answer.readline().decode():
        if line.startswith("event: "):
            name = line.removeprefix("event: ").strip()
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def _connection(base: str) -> http.client.HTTPConnection:
    parts = urlsplit(base)
    return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=DEADLINE_S)
