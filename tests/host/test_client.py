"""What a client says where it cannot connect."""

import asyncio
import getpass
import socket
from collections.abc import Mapping
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from arena.connect.client import Client, ConnectionRefused, Target
from arena.connect.messages import REFUSED


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
        await line.close(REFUSED, "enough")

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
