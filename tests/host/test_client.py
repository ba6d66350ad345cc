"""What a client says where it cannot connect."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

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
