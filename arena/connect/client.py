"""The client: keeps the line to a host, and starts a process of the engine for each game that the host opens.

The process ends with the connection for its game. After a lost line the host opens the game again, and tells the new
process of the engine the game. Nothing of this machine is told but what the engine writes to stdout, the end of its
stderr and its digest.
"""

import asyncio
import contextlib
import os
import signal
import ssl
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus, InvalidURI

from arena.connect import messages
from arena.connect.messages import BadMessage, decode, encode
from protocol.containment.landlock import end_with_parent

CONNECT_S = 10.0
FIRST_WAIT_S, LONGEST_WAIT_S = 0.1, 1.0
QUIT_S, GONE_S = 2.0, 10.0
"""An engine may take so long to quit; one that is killed is gone after so long, on the busiest machine."""
STDERR_BYTES = 4_096
_MOST_AT_ONCE = 2 * messages.MOST_SESSIONS
"""The most processes of the engine, whatever the host wants: those that take long to quit run beside the next ones."""
_MOST_QUEUED = 4
"""The most messages of a connection that wait; then nothing is read from it."""
LOST_S = 2.0
"""After Ctrl-C a line that is down for longer is not waited for."""
MAY_ASK = (
    f"the host may start this engine and no other program, in at most {_MOST_AT_ONCE} processes at once, and write "
    "lines to it; it gets what the engine writes, a digest of the engine, and nothing else of this machine"
)
"""What a host may ask of this machine, for the author."""
_SAYS = frozenset({"welcome", "open", "say", "played"})
_FINAL = {messages.WRONG_EDITION: 2, messages.REPLACED: 2, messages.REFUSED: 1}
"""The codes with which a host closes a connection for good, each with the exit code of the command."""


class ConnectionRefused(Exception):
    """The host does not take this client: one sentence, and the exit code of the command."""

    def __init__(self, sentence: str, exit_code: int) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


class Shown(Protocol):
    """Shows an author what happens."""

    def say(self, sentence: str) -> None: ...
    def played(self, news: Mapping[str, Any]) -> None:
        """The host tells of a game of this engine: its begin, its end."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where to connect, and as whom."""

    url: str
    """Such as `wss://arena.example.org:8430`."""
    token: str = field(repr=False)
    tls: ssl.SSLContext | None
    """None for `ws://`."""
    command: tuple[str, ...]
    """The engine's."""
    digest: str
    version: str
    games: int = 1
    options: bytes = b""
    """The lines that set the author's options in the engine, before the host sets anything."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that are added to the engine's."""
    directory: str | None = None
    """The engine's working directory; None: that of the client."""


class _NoRedirect(connect):
    """Follows no redirect: the token is for the address that the author gave."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


class _Line(ClientConnection):
    """A connection that ends if the host asks for answers and does not read them."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_write_buffer_size() > messages.MOST_UNREAD:
            self.transport.abort()


class Client:
    """One client process. `run` ends when the host refuses it, or after `leave`."""

    def __init__(self, target: Target, shown: Shown) -> None:
        self._target = target
        self._shown = shown
        self._line: ClientConnection | None = None
        """The line on which the host has let us in."""
        self._known = False
        """Whether the host once let us in. Then it is there, and lines that are lost come back."""
        self._games: set[asyncio.Task[None]] = set()
        """All games whose processes have not ended."""
        self._processes = asyncio.Semaphore(_MOST_AT_ONCE)
        self._leaving = asyncio.Event()
        self._lost_s = time.monotonic()
        """When the line was lost; it counts while there is none."""

    def leave(self) -> None:
        """End after the game that is being played."""
        self._leaving.set()

    async def run(self) -> None:
        """Play until `leave`. Raises ConnectionRefused; a line that is lost later is tried again for ever."""
        line = asyncio.create_task(self._keep_line())
        left = asyncio.create_task(self._left())
        try:
            done, _ = await asyncio.wait({line, left}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (line, left):
                task.cancel()
            await asyncio.wait({line, left})
            self._end_games()
            if self._games:
                await asyncio.wait(self._games, timeout=QUIT_S + GONE_S)

    async def _left(self) -> None:
        await self._leaving.wait()
        await self._say_leaving()
        while self._games if self._line is not None else time.monotonic() - self._lost_s < LOST_S:
            await asyncio.sleep(0.1)

    async def _say_leaving(self) -> None:
        """Say it, if there is a line. That it is lost, `_talk` finds out."""
        if self._line is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._line.send(encode("leaving"))

    # The line

    async def _keep_line(self) -> None:
        wait_s = FIRST_WAIT_S
        while True:
            try:
                async with await self._connected() as line:
                    await self._talk(line)
            except InvalidStatus as refused:
                status = refused.response.status_code
                if status in (401, 403):
                    raise ConnectionRefused("the host refuses the token: ask its organiser for a new one", 2) from None
                if not self._known and status == 503:
                    raise ConnectionRefused("the host has no room for another connection: try again later", 3) from None
                if not self._known:
                    raise self._nobody(f"HTTP status {status}, which is no open ladder") from None
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code in _FINAL:
                    raise ConnectionRefused(closed.rcvd.reason, _FINAL[closed.rcvd.code]) from None
                if closed.rcvd is not None and closed.rcvd.code == messages.BROKEN:
                    self._shown.say(f"the host closed the line: {closed.rcvd.reason}")
            except ssl.SSLCertVerificationError as wrong:
                if not self._known:
                    why = f"is not trusted ({wrong.verify_message}): give --ca FILE"
                    raise ConnectionRefused(f"the certificate of {self._target.url} {why}", 2) from None
            except (OSError, TimeoutError, InvalidHandshake, InvalidMessage, InvalidURI, BadMessage) as lost:
                if not self._known:
                    raise self._nobody(str(lost) or "no answer") from None
            finally:
                was_there, self._line = self._line is not None, None
                self._end_games()
            if was_there:
                self._lost_s = time.monotonic()
                self._shown.say("the line is lost; trying again")
                wait_s = FIRST_WAIT_S
            await asyncio.sleep(wait_s)
            wait_s = min(LONGEST_WAIT_S, 2 * wait_s)

    async def _connected(self, session: str = "") -> ClientConnection:
        """A connection: the line, or one for a game."""
        target = self._target
        line: ClientConnection = await _NoRedirect(
            target.url.rstrip("/") + messages.PATH + session,
            additional_headers={"Authorization": f"Bearer {target.token}"},
            ssl=target.tls,
            max_size=messages.LONGEST,
            max_queue=_MOST_QUEUED,
            compression=None,
            ping_interval=messages.PING_S,
            ping_timeout=messages.DEAD_S,
            open_timeout=CONNECT_S,
            close_timeout=1,
            proxy=None,
            create_connection=_Line,
        )
        messages.retransmit_soon(line.transport.get_extra_info("socket"))
        return line

    def _nobody(self, why: str) -> ConnectionRefused:
        return ConnectionRefused(f"nobody answers at {self._target.url} ({why}): check the address", 3)

    async def _talk(self, line: ClientConnection) -> None:
        """Take what the host says. Ends by an exception alone."""
        target = self._target
        await line.send(encode("hello", messages.EDITION, target.version, target.digest, target.games))
        while True:
            kind, *values = decode(await line.recv(), _SAYS)
            if kind == "open":
                self._open(values[0])
            elif kind == "welcome":
                self._line, self._known = line, True
                self._shown.say(f"connected as {values[1]}")
                if self._leaving.is_set():
                    await self._say_leaving()
            elif kind == "say":
                self._shown.say(values[0])
            else:
                self._shown.played(values[0])

    # Games

    def _open(self, session: int) -> None:
        if len(self._games) >= 2 * _MOST_AT_ONCE:
            raise BadMessage("the host wants too many processes of the engine at once")
        game = asyncio.create_task(self._play(session))
        self._games.add(game)
        game.add_done_callback(self._games.discard)

    def _end_games(self) -> None:
        """Kill the processes of all games."""
        for game in self._games:
            if not game.cancelling():  # a second one would break off the wait for its end
                game.cancel()

    async def _play(self, session: int) -> None:
        """Run a process of the engine for a game until either end has enough, and carry bytes both ways meanwhile."""
        async with self._processes:
            try:
                line = await self._connected(f"/{session}")
            except (OSError, TimeoutError, InvalidHandshake, InvalidMessage):
                return  # the host opens it again if it still wants it
            async with line:
                await self._run_engine(line)

    async def _run_engine(self, line: ClientConnection) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                *self._target.command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                cwd=self._target.directory,
                env={**os.environ, **self._target.environment},
                start_new_session=True,
                preexec_fn=_end_with_us,
            )
        except OSError as error:
            return await _ended(line, 127, f"cannot start {self._target.command[0]}: {error.strerror}")
        assert process.stdin is not None and process.stderr is not None
        last_words = asyncio.create_task(_tail(process.stderr))
        says, hears = asyncio.create_task(self._says(line, process)), asyncio.create_task(self._hears(line, process))
        try:
            await asyncio.wait({says, hears}, return_when=asyncio.FIRST_COMPLETED)
            process.stdin.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(QUIT_S):
                    await process.wait()
            _kill(process)
            await asyncio.wait({says, last_words}, timeout=QUIT_S)
            stderr = last_words.result() if last_words.done() else b""
            await _ended(line, await process.wait(), stderr.decode("latin-1"))
        finally:
            _kill(process)
            hears.cancel()
            # asyncio waits for the end of the pipes as well.
            await asyncio.wait({says, last_words, asyncio.create_task(process.wait())}, timeout=GONE_S)
            for task in (says, last_words):
                task.cancel()

    async def _hears(self, line: ClientConnection, process: Process) -> None:
        """Write to the engine what the host says, as fast as it reads, until the host has enough."""
        assert process.stdin is not None
        is_greeted = False
        with contextlib.suppress(ConnectionClosed):
            async for message in line:
                data = message.encode() if isinstance(message, str) else message
                if not is_greeted:  # the author's options come after `ugi`: what the host sets later replaces them
                    before, ugi, rest = data.partition(b"ugi\n")
                    is_greeted = bool(ugi)
                    data = before + ugi + (self._target.options if ugi else b"") + rest
                with contextlib.suppress(ConnectionError):  # the engine reads no more, but may say something
                    process.stdin.write(data)
                    await process.stdin.drain()

    async def _says(self, line: ClientConnection, process: Process) -> None:
        """Send what the engine says, as fast as the line takes it, until it has ended."""
        assert process.stdout is not None
        while chunk := await process.stdout.read(messages.CHUNK):
            with contextlib.suppress(ConnectionClosed):
                await line.send(chunk)


async def _ended(line: ClientConnection, status: int, stderr: str) -> None:
    """Tell how the engine ended, if the host still wants to know."""
    with contextlib.suppress(ConnectionClosed):
        await line.send(encode("ended", status, stderr))


async def _tail(stream: asyncio.StreamReader) -> bytes:
    tail = b""
    while chunk := await stream.read(65_536):
        tail = (tail + chunk)[-STDERR_BYTES:]
    return tail


def _kill(process: Process) -> None:
    """Kill an engine with all its processes."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _end_with_us() -> None:
    """In the engine's process: be killed when the client is.

    Python cannot ask for that without code between fork and exec. Other threads are no danger to it: this takes no lock
    and imports nothing, and its system call was looked up before.
    """
    end_with_parent(signal.SIGKILL)
