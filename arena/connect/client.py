"""The client: keeps the line to a host, and starts a process of the engine for each session that the host opens.

A session ends with its line. After a lost line the host opens it again, and tells the new process of the engine the
game. Nothing of this machine is told but what the engine writes to stdout, the end of its stderr and its digest.
"""

import asyncio
import contextlib
import os
import secrets
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
"""So many processes of the engine, whatever the host wants: those that take long to quit run beside the next ones."""
LOST_S = 2.0
"""After Ctrl-C a line that is down for longer is not waited for."""
MAY_ASK = (
    f"the host may start this engine and no other program, in at most {_MOST_AT_ONCE} processes at once, and write "
    "lines to it; it gets what the engine writes, a digest of the engine, and nothing else of this machine"
)
"""What a host may ask of this machine, for the author."""
_SAYS = frozenset({"welcome", "open", "in", "close", "ping", "say", "played"})
_FINAL = {messages.WRONG_EDITION: 2, messages.IN_USE: 2, messages.REPLACED: 2, messages.REFUSED: 1}
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
        if self.transport.get_write_buffer_size() > messages.MOST_WAITING:
            self.transport.abort()


@dataclass(eq=False)
class Session:
    """A process of the engine."""

    number: int
    process: Process | None = None
    unwritten: bytes = b""
    """Lines that came before the process had begun."""
    is_greeted: bool = False
    """Was the engine sent the author's options?"""
    is_over: bool = False
    """Is only the end of its process waited for? A second cancellation would break that off."""
    task: "asyncio.Task[None] | None" = None

    def cancel(self) -> None:
        """Kill the process, if that is not done already."""
        if self.task is not None and not self.is_over:
            self.is_over = True
            self.task.cancel()


class Client:
    """One client process. `run` ends when the host refuses it, or after `leave`."""

    def __init__(self, target: Target, shown: Shown) -> None:
        self._target = target
        self._shown = shown
        self._instance = secrets.token_hex(8)
        self._line: ClientConnection | None = None
        """The line on which the host has let us in."""
        self._known = False
        """Has the host let us in once? Then it is there, and lines that are lost come back."""
        self._sessions: dict[int, Session] = {}
        self._running: dict[asyncio.Task[None], Session] = {}
        """All sessions whose processes have not ended."""
        self._processes = asyncio.Semaphore(_MOST_AT_ONCE)
        self._leaving = asyncio.Event()
        self._lost_s = time.monotonic()
        """When the line was lost; it counts while there is none."""
        self._link_s = 0.0
        """When another link to the author's page is worth a line."""

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
            for session in self._running.values():
                session.cancel()
            if self._running:
                await asyncio.wait(self._running, timeout=QUIT_S + GONE_S)

    async def _left(self) -> None:
        await self._leaving.wait()
        await self._send("leaving")
        while self._sessions if self._line is not None else time.monotonic() - self._lost_s < LOST_S:
            await asyncio.sleep(0.1)

    # The line

    async def _keep_line(self) -> None:
        wait_s = FIRST_WAIT_S
        while True:
            try:
                async with await self._connected() as line:
                    messages.retransmit_soon(line.transport)
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
                for session in list(self._sessions.values()):
                    self._end(session, at_once=True)
            if was_there:
                self._lost_s = time.monotonic()
                self._shown.say("the line is lost; trying again")
                wait_s = FIRST_WAIT_S
            await asyncio.sleep(wait_s)
            wait_s = min(LONGEST_WAIT_S, 2 * wait_s)

    async def _connected(self) -> ClientConnection:
        target = self._target
        return await _NoRedirect(
            target.url.rstrip("/") + messages.PATH,
            additional_headers={"Authorization": f"Bearer {target.token}"},
            ssl=target.tls,
            max_size=messages.LONGEST,
            compression=None,
            ping_interval=None,
            open_timeout=CONNECT_S,
            close_timeout=1,
            proxy=None,
            create_connection=_Line,
        )

    def _nobody(self, why: str) -> ConnectionRefused:
        return ConnectionRefused(f"nobody answers at {self._target.url} ({why}): check the address", 3)

    async def _talk(self, line: ClientConnection) -> None:
        """Take what the host says. Ends by an exception alone."""
        target = self._target
        await line.send(encode("hello", messages.EDITION, target.version, self._instance, target.digest, target.games))
        while True:
            dead_s = 1 + (messages.BUSY_DEAD_S if self._sessions else messages.IDLE_DEAD_S)
            async with asyncio.timeout(dead_s):  # `wait_for` would lose a cancellation that comes with a message
                kind, *values = decode(await line.recv(), _SAYS)
            if kind == "ping":
                await line.send(encode("pong", *values))
            elif kind == "in":
                self._told(*values)
            elif kind == "open":
                self._open(line, values[0])
            elif kind == "close":
                if session := self._sessions.get(values[0]):
                    self._end(session)
            elif kind == "welcome":
                await self._welcomed(line, *values)
            elif kind == "say":
                self._shown.say(values[0])
            else:
                self._shown.played(values[0])

    async def _welcomed(self, line: ClientConnection, version: str, name: str, link: str) -> None:
        self._line, self._known = line, True
        goes_on = f", {len(self._sessions)} game{'s' * (len(self._sessions) > 1)} to go on with"
        self._shown.say(f"connected as {name}" + (goes_on if self._sessions else ""))
        if time.monotonic() >= self._link_s:
            self._link_s = time.monotonic() + messages.LINK_S
            page = messages.pages(self._target.url) + link
            self._shown.say(f"your games, and why they were lost, for an hour: {page}")
        if self._leaving.is_set():
            await self._send("leaving")

    async def _send(self, *message: object) -> None:
        """Say something, if there is a line. That it is lost, `_talk` finds out."""
        if self._line is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._line.send(encode(*message))

    # Sessions

    def _told(self, number: int, text: str) -> None:
        session = self._sessions.get(number)
        if session is None:
            return
        data = text.encode("latin-1", "replace")
        if not session.is_greeted:  # the author's options come after `ugi`: what the host sets later replaces them
            before, ugi, rest = data.partition(b"ugi\n")
            session.is_greeted = bool(ugi)
            data = before + ugi + (self._target.options if ugi else b"") + rest
        self._write(session, data)

    def _write(self, session: Session, data: bytes) -> None:
        """Give lines to the engine. Raises BadMessage if it has not read more than a host may send ahead."""
        process = session.process
        if process is None:
            session.unwritten += data
            waiting = len(session.unwritten)
        elif process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write(data)
            waiting = process.stdin.transport.get_write_buffer_size()
        else:
            return
        if waiting > messages.MOST_WAITING:
            raise BadMessage("the host sends more than the engine reads")

    def _open(self, line: ClientConnection, number: int) -> None:
        if number not in self._sessions:
            if len(self._running) >= 2 * _MOST_AT_ONCE:
                raise BadMessage("the host wants too many processes of the engine at once")
            session = self._sessions[number] = Session(number)
            session.task = asyncio.create_task(self._play(line, session))
            session.task.add_done_callback(self._running.pop)
            self._running[session.task] = session

    async def _play(self, line: ClientConnection, session: Session) -> None:
        """Run a process of the engine until it ends, and pass on what it says as fast as the line takes it."""
        with contextlib.suppress(ConnectionClosed):
            async with self._processes:
                await self._run_engine(line, session)

    async def _run_engine(self, line: ClientConnection, session: Session) -> None:
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
            why = f"cannot start {self._target.command[0]}: {error.strerror}"
            await line.send(encode("ended", session.number, 127, why))
            return
        assert process.stdout is not None and process.stderr is not None
        session.process = process
        last_words = asyncio.create_task(_tail(process.stderr))
        try:
            self._write(session, session.unwritten)
            while chunk := await process.stdout.read(messages.CHUNK):
                await line.send(encode("out", session.number, chunk.decode("latin-1")))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(QUIT_S):
                    await process.wait()
            _kill(process)
            async with asyncio.timeout(QUIT_S):
                stderr = await last_words
            await line.send(encode("ended", session.number, await process.wait(), stderr.decode("latin-1")))
        finally:
            session.is_over = True
            _kill(process)
            last_words.cancel()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GONE_S):
                    while await process.stdout.read(messages.CHUNK):
                        pass  # asyncio waits for the end of the pipes as well
                    await process.wait()

    def _end(self, session: Session, *, at_once: bool = False) -> None:
        """End a session: its process may quit, unless it is to end at once, and is killed then."""
        self._sessions.pop(session.number, None)
        if session.process is not None and session.process.stdin is not None:
            session.process.stdin.close()
        asyncio.get_running_loop().call_later(0 if at_once else QUIT_S, session.cancel)


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
