"""What a client says where it cannot connect, and that it comes back where it was connected."""

import asyncio
import getpass
import socket
from collections.abc import Mapping
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from arena.connect import messages
from arena.connect.client import Client, ConnectionRefused, Target


class Quiet:
    """Shows nothing."""

    def say(self, sentence: str) -> None: ...
    def played(self, news: Mapping[str, Any]) -> None: ...
    def lines(self, session: int, text: str) -> None: ...
    def answered(self, session: int, text: str) -> None: ...


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("503 Service Unavailable", "has no room for another connection: try again later"),
        ("404 Not Found", "HTTP status 404"),
    ],
)
def test_a_client_is_told_why_it_cannot_connect(status: str, said: str) -> None:
    """A host that is full is a host; another server is none. Both end a client that was never connected, with 3."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    async def connect() -> None:
        async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            await Client(Target(f"ws://127.0.0.1:{port}", "token", None, ("true",), "digest", "0"), Quiet()).run()

    with pytest.raises(ConnectionRefused, match=said) as refused:
        asyncio.run(connect())
    assert refused.value.exit_code == 3


@pytest.mark.timeout(120)
def test_a_client_tells_a_digest_and_nothing_of_its_machine() -> None:
    """No path, no command line, no name of the machine, and the token in a header alone."""
    heard: list[str] = []

    async def listen(line: ServerConnection) -> None:
        assert line.request is not None and line.request.headers["Authorization"] == "Bearer token"
        heard.append(f"{line.request.path} {await line.recv()!r}")
        await line.close(messages.REFUSED, "enough")

    async def connect() -> None:
        async with serve(listen, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            command = ("/home/me/fox/engine", "--net=/home/me/secret.net")
            await Client(Target(f"ws://127.0.0.1:{port}", "token", None, command, "the digest", "0"), Quiet()).run()

    with pytest.raises(ConnectionRefused, match="enough"):
        asyncio.run(connect())
    (hello,) = heard
    assert "the digest" in hello
    for secret in ("token", "fox", "engine", "secret", "/home", socket.gethostname(), getpass.getuser()):
        assert secret not in hello, hello


@pytest.mark.timeout(120)
def test_a_client_comes_back_where_its_first_line_falls_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The path is dead and nobody says so, as behind a router that was switched off: the host is there all the same."""
    monkeypatch.setattr(messages, "IDLE_DEAD_S", -0.8)

    async def connect() -> None:
        back, connections = asyncio.Event(), 0

        async def welcome(line: ServerConnection) -> None:
            nonlocal connections
            connections += 1
            await line.recv()
            await line.send(messages.encode("welcome", "0", "fox", [], "/mine/x"))
            if connections > 1:
                back.set()
            await line.wait_closed()

        async with serve(welcome, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            client = Client(Target(f"ws://127.0.0.1:{port}", "token", None, ("true",), "digest", "0"), Quiet())
            task, came_back = asyncio.create_task(client.run()), asyncio.create_task(back.wait())
            await asyncio.wait({task, came_back}, return_when=asyncio.FIRST_COMPLETED)
            assert back.is_set(), task.exception()
            task.cancel()
            await asyncio.wait({task})

    asyncio.run(connect())
