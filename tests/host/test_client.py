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


class Quiet:
    """Shows nothing."""

    def say(self, sentence: str) -> None: ...
    def played(self, news: Mapping[str, Any]) -> None: ...


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("503 Service Unavailable", "has no room for another connection: try again later"),
        ("404 Not Found", "HTTP status 404"),
        ("302 Found\r\nLocation: ws://127.0.0.1:1/", "HTTP status 302"),
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
@pytest.mark.parametrize("closes", [False, True])
def test_a_host_that_wants_engines_without_end_gets_a_few(
    closes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it ends each session at once, while the engines take long to quit."""
    monkeypatch.setattr(client, "QUIT_S", 60.0)
    engine = f"import os, time; open('{tmp_path}/' + str(os.getpid()), 'w'); time.sleep(60)"
    command = sys.executable, "-I", "-S", "-c", engine

    async def connect() -> None:
        over = asyncio.Event()

        async def host(line: ServerConnection) -> None:
            await line.recv()
            if over.is_set():
                return
            await line.send(messages.encode("welcome", "0", "fox", "/mine/x"))
            with contextlib.suppress(ConnectionClosed):
                for number in range(100):
                    await line.send(messages.encode("open", number))
                    if closes:
                        await line.send(messages.encode("close", number))
                while len(list(tmp_path.iterdir())) < 2 * messages.MOST_SESSIONS:
                    await line.send(messages.encode("ping", 1))
                    await line.recv()
            over.set()

        async with serve(host, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            connected = asyncio.create_task(
                Client(Target(f"ws://127.0.0.1:{port}", "token", None, command, "digest", "0"), Quiet()).run()
            )
            await over.wait()
            connected.cancel()
            await asyncio.wait({connected})

    asyncio.run(connect())
    assert len(list(tmp_path.iterdir())) <= 2 * messages.MOST_SESSIONS


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
            await line.send(messages.encode("welcome", "0", "fox", "/mine/x"))
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


async def _with_host(
    host: Callable[[ServerConnection], Awaitable[None]], target: Target, over: asyncio.Event
) -> Client:
    """A client of a host that does this with each connection, until `over`. Returns after the client has ended."""
    async with serve(host, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        client = Client(replace(target, url=f"ws://127.0.0.1:{port}"), Quiet())
        task = asyncio.create_task(client.run())
        await over.wait()
        task.cancel()
        await asyncio.wait({task})
    return client


def _target(*command: str) -> Target:
    return Target("", "token", None, command, "digest", "0")


@pytest.mark.timeout(120)
def test_the_engine_gets_its_registered_options_and_variables_before_those_of_the_host() -> None:
    engine = "import os, sys\nfor line in sys.stdin: print(os.environ['NET'], line, end='', flush=True)"
    target = replace(
        _target(sys.executable, "-I", "-S", "-c", engine),
        options=b"setoption name Hash value 7\n",
        environment={"NET": "a.bin"},
    )
    over, heard = asyncio.Event(), ""

    async def host(line: ServerConnection) -> None:
        nonlocal heard
        await line.recv()
        await line.send(messages.encode("welcome", "0", "fox", "/mine/x"))
        await line.send(messages.encode("open", 1))
        await line.send(messages.encode("in", 1, "ugi\nsetoption name Hash value 9\n"))
        while heard.count("\n") < 3:
            kind, *values = messages.decode(str(await line.recv()), ("out", "ended"))
            heard += values[-1] if kind == "out" else ""
        over.set()

    asyncio.run(_with_host(host, target, over))
    hash_ = "a.bin setoption name Hash value"
    assert heard == f"a.bin ugi\n{hash_} 7\n{hash_} 9\n"


@pytest.mark.timeout(120)
def test_a_host_that_floods_an_engine_which_reads_nothing_is_left() -> None:
    """The client keeps a few MB of it, says so to the host, and ends that process of the engine."""
    over, reason, sent = asyncio.Event(), "", 0

    async def host(line: ServerConnection) -> None:
        nonlocal reason, sent
        await line.recv()
        await line.send(messages.encode("welcome", "0", "fox", "/mine/x"))
        await line.send(messages.encode("open", 1))
        with contextlib.suppress(ConnectionClosed):
            while sent < 100:
                sent += 1
                await line.send(messages.encode("in", 1, "x" * 500_000))
        over.set()

    asyncio.run(_with_host(host, _target(sys.executable, "-c", "import time; time.sleep(60)"), over))
    assert sent < 40


@pytest.mark.timeout(120)
def test_a_client_whose_host_is_gone_ends_after_one_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LOST_S", 0.2)
    target = _target(sys.executable, "-c", "import time; time.sleep(60)")

    async def connect() -> None:
        playing = asyncio.Event()

        async def host(line: ServerConnection) -> None:
            await line.recv()
            await line.send(messages.encode("welcome", "0", "fox", "/mine/x"))
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
