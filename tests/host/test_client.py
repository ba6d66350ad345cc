"""What a client says where it cannot connect, and that it comes back where it was connected."""

import asyncio
import contextlib
import getpass
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from arena.connect import client, messages
from arena.connect.client import Client, ConnectionRefused, Target

pytestmark = pytest.mark.timeout(120)
Play = Callable[[ServerConnection], Awaitable[None]]


class Quiet:
    """Shows nothing."""

    def say(self, sentence: str) -> None: ...
    def played(self, news: Mapping[str, Any]) -> None: ...


def test_a_client_is_told_why_it_cannot_connect() -> None:
    """A host that is full is a host; another server is none. Both end a client that was never connected, with 3."""

    async def connect(status: str) -> None:
        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            await Client(Target(f"ws://127.0.0.1:{port}", "token", None, ("true",), "digest", "0"), Quiet()).run()

    for status, said in (
        ("503 Service Unavailable", "has no room for another connection: try again later"),
        ("404 Not Found", "HTTP status 404"),
        ("302 Found\r\nLocation: ws://127.0.0.1:1/", "HTTP status 302"),
    ):
        with pytest.raises(ConnectionRefused, match=said) as refused:
            asyncio.run(connect(status))
        assert refused.value.exit_code == 3


async def _with_host(
    target: Target, over: asyncio.Event, play: Play, opens: int = 1, line: Play = ServerConnection.wait_closed
) -> None:
    """A client of a host that opens so many games and does this with the connection of each, until `over`."""

    async def host(connection: ServerConnection) -> None:
        assert connection.request is not None
        if connection.request.path != messages.PATH:
            return await play(connection)
        await connection.recv()
        await connection.send(messages.encode("welcome", "0", "fox"))
        for number in range(1, opens + 1):
            await connection.send(messages.encode("open", number))
        await line(connection)

    async with serve(host, "127.0.0.1", 0, close_timeout=0.1) as server:
        port = server.sockets[0].getsockname()[1]
        task = asyncio.create_task(Client(replace(target, url=f"ws://127.0.0.1:{port}"), Quiet()).run())
        await over.wait()
        task.cancel()
        await asyncio.wait({task})


def _target(*command: str) -> Target:
    return Target("", "token", None, command, "digest", "0")


def test_a_host_that_wants_engines_without_end_gets_a_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends each game at once, while the engines take long to quit."""
    monkeypatch.setattr(client, "QUIT_S", 60.0)
    engine = f"import os, time; open('{tmp_path}/' + str(os.getpid()), 'w'); time.sleep(60)"
    over = asyncio.Event()

    async def play(connection: ServerConnection) -> None: ...

    async def line(connection: ServerConnection) -> None:
        while len(list(tmp_path.iterdir())) < 2 * messages.MOST_SESSIONS:
            await asyncio.sleep(0.01)
        over.set()

    asyncio.run(_with_host(_target(sys.executable, "-I", "-S", "-c", engine), over, play, 31, line))
    assert len(list(tmp_path.iterdir())) <= 2 * messages.MOST_SESSIONS


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


def test_a_client_comes_back_where_its_first_line_falls_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The path is dead and nobody says so, as behind a router that was switched off: the host is there all the same."""
    monkeypatch.setattr(messages, "PING_S", 0.1)
    monkeypatch.setattr(messages, "DEAD_S", 0.1)
    over, connections = asyncio.Event(), 0

    async def line(connection: ServerConnection) -> None:
        nonlocal connections
        connections += 1
        if connections > 1:
            over.set()
        connection.transport.pause_reading()
        await over.wait()

    asyncio.run(_with_host(_target("true"), over, ServerConnection.wait_closed, 0, line))


def test_the_engine_gets_its_registered_options_and_variables_before_those_of_the_host() -> None:
    engine = "import os, sys\nfor line in sys.stdin: print(os.environ['NET'], line, end='', flush=True)"
    target = replace(
        _target(sys.executable, "-I", "-S", "-c", engine),
        options=b"setoption name Hash value 7\n",
        environment={"NET": "a.bin"},
    )
    over, heard = asyncio.Event(), b""

    async def play(connection: ServerConnection) -> None:
        nonlocal heard
        await connection.send(b"ugi\nsetoption name Hash value 9\n")
        while heard.count(b"\n") < 3:
            heard += await connection.recv(decode=False)
        over.set()

    asyncio.run(_with_host(target, over, play))
    hash_ = b"a.bin setoption name Hash value"
    assert heard == b"a.bin ugi\n" + hash_ + b" 7\n" + hash_ + b" 9\n"


def test_a_host_that_floods_an_engine_which_reads_nothing_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client keeps a few MB of it, and ends the game when its own questions get no answer any more."""
    monkeypatch.setattr(messages, "DEAD_S", 0.3)
    over, sent = asyncio.Event(), 0

    async def play(connection: ServerConnection) -> None:
        nonlocal sent
        with contextlib.suppress(ConnectionClosed):
            while sent < 100:
                sent += 1
                await connection.send(b"x" * 500_000)
        over.set()

    asyncio.run(_with_host(_target(sys.executable, "-c", "import time; time.sleep(60)"), over, play))
    assert sent < 40


def test_a_client_whose_host_is_gone_ends_after_one_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LOST_S", 0.2)
    target = _target(sys.executable, "-c", "import time; time.sleep(60)")

    async def connect() -> None:
        playing = asyncio.Event()

        async def host(line: ServerConnection) -> None:
            await line.recv()
            await line.send(messages.encode("welcome", "0", "fox"))
            await line.send(messages.encode("open", 1))
            playing.set()

        async with serve(host, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            guest = Client(replace(target, url=f"ws://127.0.0.1:{port}"), Quiet())
            task = asyncio.create_task(guest.run())
            await playing.wait()
        guest.leave()
        async with asyncio.timeout(20):
            await task

    asyncio.run(connect())
