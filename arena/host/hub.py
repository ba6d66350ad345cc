"""The hub: the connections of guests, and the relays of their games. It runs in the process of the pages.

It knows who is connected and which game is whose, and passes bytes on. What goes wrong in a game ends that connection,
and what a guest does wrong ends the connection of that guest; nobody else notices.
"""

import asyncio
import contextlib
import hmac
import itertools
import os
import re
import socket
import struct
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from arena.connect import messages
from arena.connect.messages import BadMessage, decode, encode
from arena.host.accounts import Accounts
from arena.host.line import Line
from arena.web.answers import ASSETS, HTML, framed
from arena.web.server.database import ServedDatabase

HELLO_S = 10.0
"""A client must say who it is within so many seconds."""
AGAIN_S = 0.05
"""A game whose connection is lost is opened anew after this."""
LOOK_S = 1.0
"""How often tokens are looked at, since they may be revoked."""
CLOSE_S = 1.0
"""How long a client may take to read why its connection ends."""
WRONG_S, LOG_S = 1.0, 60.0
"""A wrong token is answered after so long, and one is logged each minute. No speed is enough to guess a token: what is
bounded is the work and the log."""
_PEER = struct.Struct("3i")
"""Process, user and group of who has connected."""
_WORD = re.compile(r"[0-9A-Za-z]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class GuestState:
    """A connected guest, as the ladder hears of it."""

    name: str
    connection: int
    """The number of its connection."""
    digest: str
    """Its build."""
    games: int
    """How many games it plays at once; 0: it is leaving."""


@dataclass(eq=False)
class Guest:
    """A connection of a guest."""

    socket: WebSocket
    state: GuestState
    since_s: float
    token: str = field(repr=False)

    async def send(self, *message: object) -> None:
        """Say something, once the line has room. Who is gone is noticed where the line is read."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.send_text(encode(*message))


@dataclass(eq=False)
class RelayLink:
    """A relay, and the session that it has with its guest."""

    writer: asyncio.StreamWriter
    guest: str
    digest: str
    """The build that its game is with."""
    session: int = 0
    """0: there is none."""
    socket: WebSocket | None = None
    """The connection of the session, once the client has opened it."""
    early: bytes = b""
    """What the referee said before that."""
    has_begun: bool = False
    """Whether it was ever linked."""

    def send(self, *message: object) -> None:
        self.writer.write(encode(*message).encode() + b"\n")

    def lose(self) -> None:
        """The session is over, and the game is not."""
        if self.session:
            self.session, self.socket, self.early = 0, None, b""
            self.send("lost")


class Hub:
    """All guests and relays. Everything runs in one event loop."""

    line: type[asyncio.Protocol] | None = Line

    def __init__(
        self,
        accounts: Accounts,
        ladder: Any,
        local: socket.socket,
        key: str,
        version: str,
        report: Callable[[str], None],
    ) -> None:
        """`ladder` is its end of a pipe. At `local` relays connect, which must say `key`. `report` is for the log."""
        self._accounts = accounts
        self._local = local
        self._report = report
        self._key = key
        self._version = version
        self._ladder = ladder
        self._changed = asyncio.Event()
        """Whether the ladder has to hear who is there."""
        self._telling: set[asyncio.Task[None]] = set()
        self.guests: dict[str, Guest] = {}
        self._relays: set[RelayLink] = set()
        self._logged_s = -LOG_S
        """When a wrong token was logged."""
        self._bound: defaultdict[str, set[int]] = defaultdict(set)
        """The games of each guest that it was told of and that have not ended."""
        self._numbers = itertools.count(1)

    def routes(self, database: ServedDatabase) -> Sequence[BaseRoute]:
        self._database = database
        return [
            WebSocketRoute(messages.PATH, self._connect),
            WebSocketRoute(f"{messages.PATH}/{{session}}", self._play),
            Route("/guests", self._page),
            Route("/api/guests.json", self._json),
        ]

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hear relays, and tell the ladder who is there."""
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_unix_server(self._hear, sock=self._local, limit=2 * messages.LONGEST)
        tasks = [asyncio.create_task(job()) for job in (self._watch, self._tell_ladder)]
        self._changed.set()
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            server.close()  # from Python 3.12 on, `async with` would wait for the end of every relay

    # Guests

    async def _watch(self) -> None:
        """End the connections of tokens that are revoked or expire, for ever."""
        while True:
            await asyncio.sleep(LOOK_S)
            for guest in list(self.guests.values()):
                if self._whose(guest.token) != guest.state.name:
                    await self._end(guest, messages.REFUSED, "the token was revoked or has expired")

    def _whose(self, token: str) -> str | None:
        """The guest whose token this is, if it is valid now."""
        return self._accounts.find(token, time.time()) if token else None

    async def _admit(self, socket: WebSocket) -> str | None:
        """Accept a connection, and say whose it is; None if it has no valid token or is a browser's: that is 403."""
        name = self._whose(_bearer(socket)) if "origin" not in socket.headers else None
        if name is None:
            if time.monotonic() - self._logged_s >= LOG_S:
                self._logged_s = time.monotonic()
                self._report(f"wrong token from {socket.client.host if socket.client else ''}")
            await asyncio.sleep(WRONG_S)
            await _close(socket, messages.REFUSED, "")
        else:
            await socket.accept()
        return name

    async def _connect(self, socket: WebSocket) -> None:
        """The whole life of a guest's connection."""
        guest = None
        try:
            if (name := await self._admit(socket)) is not None:
                guest = await self._welcome(socket, name)
            while guest is not None:
                decode(await _text(socket), ("leaving",))
                guest.state = replace(guest.state, games=0)
                self._changed.set()
        except BadMessage as bad:
            await _close(socket, messages.BROKEN, str(bad))
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            await _close(socket, messages.BROKEN, "nothing came for too long")
        finally:
            if guest is not None:
                self._leave(guest)

    async def _welcome(self, socket: WebSocket, name: str) -> Guest | None:
        """The guest that introduces itself; None if it may not come in, which it has been told."""
        async with asyncio.timeout(HELLO_S):
            hello = await _text(socket)
        if older := messages.older(hello):
            await _close(socket, messages.WRONG_EDITION, f"{older} (the host has version {self._version})")
            return None
        _, _, _, digest, games = decode(hello, ("hello",))
        if not 1 <= games <= messages.MOST_SESSIONS or not _WORD.fullmatch(digest):
            raise BadMessage("hello has values out of range")
        guest = Guest(socket, GuestState(name, next(self._numbers), digest, games), time.time(), _bearer(socket))
        if (before := self.guests.get(name)) is not None:
            self._leave(before)
        self.guests[name] = guest
        self._changed.set()
        if before is not None:
            await _close(before.socket, messages.REPLACED, "another connection with this token took its place")
        for relay in self._relays_of(name):
            if self.guests.get(name) is guest:
                await self._open(guest, relay)
        await guest.send("welcome", self._version, name)
        return guest

    def _relays_of(self, name: str) -> list[RelayLink]:
        return [relay for relay in self._relays if relay.guest == name]

    async def _end(self, guest: Guest, code: int, reason: str) -> None:
        self._leave(guest)
        await _close(guest.socket, code, reason)

    def _leave(self, guest: Guest) -> None:
        """The connection is over; that of another one of the same name goes on."""
        if self.guests.get(guest.state.name) is guest:
            del self.guests[guest.state.name]
            for relay in self._relays_of(guest.state.name):
                relay.lose()
            self._changed.set()

    # The ladder

    def obey(self) -> None:
        """Do what the ladder says until it is over, however that ends. For a thread of its own."""
        with contextlib.suppress(EOFError, OSError):
            while (message := self._ladder.recv()) is not None:
                self._loop.call_soon_threadsafe(self._begin, *message)

    def _begin(self, kind: str, *values: Any) -> None:
        # In a task: a guest that does not read must not keep news from others.
        task = asyncio.create_task((self._tell if kind == "tell" else self._refuse)(*values))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def _tell_ladder(self) -> None:
        """Say who is there whenever that has changed, for ever. A ladder that does not read holds up nobody."""
        with contextlib.suppress(OSError):
            while await self._changed.wait():
                self._changed.clear()
                await asyncio.to_thread(self._ladder.send, [guest.state for guest in self.guests.values()])

    async def _tell(self, name: str, kind: str, what: Any) -> None:
        """Say something to a guest, if it is connected."""
        guest = self.guests.get(name)
        if kind == "played" and "result" in what:
            self._bound[name].discard(what["game"])
        elif kind == "played" and guest is not None:
            self._bound[name].add(what["game"])
        if guest is not None:
            await guest.send(kind, what)

    async def _refuse(self, name: str, connection: int, sentence: str) -> None:
        """End a connection with a sentence for its author."""
        guest = self.guests.get(name)
        if guest is not None and guest.state.connection == connection:
            await guest.send("say", sentence)
            await self._end(guest, messages.REFUSED, "the engine was refused at the door")

    # Games

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """The whole life of a connection of this machine. Another user's is none."""
        peer = writer.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
        try:
            async with asyncio.timeout(HELLO_S):
                _, key, name, digest = decode((await reader.readline()).decode(), ("join",))
            if _PEER.unpack(peer)[1] == os.getuid() and hmac.compare_digest(ascii(key), ascii(self._key)):
                await self._relay(reader, writer, name, digest)
        except (OSError, ValueError, TimeoutError, asyncio.CancelledError):
            pass  # it is no relay, was killed within a line, or we end, which Python 3.11 would log with a traceback
        finally:
            writer.close()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, name: str, digest: str) -> None:
        """The whole life of a relay's connection."""
        relay = RelayLink(writer, name, digest)
        try:
            self._relays.add(relay)
            if (guest := self.guests.get(name)) is not None:
                await self._open(guest, relay)
            elif self._bound[name]:
                relay.send("lost")
            while line := await reader.readline():
                _, session, text = decode(line.decode(), ("in",))
                if session != relay.session:
                    continue  # it was said before the line was lost
                if relay.socket is None:
                    relay.early += text.encode("latin-1")
                else:
                    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                        await relay.socket.send_bytes(text.encode("latin-1"))
        finally:
            self._relays.discard(relay)
            if relay.socket is not None:
                await _close(relay.socket, 1000, "")

    async def _open(self, guest: Guest, relay: RelayLink) -> None:
        """Begin a session: the client is to connect for it, and to start a process of its engine."""
        if relay.digest != guest.state.digest:
            if self._bound[relay.guest]:
                relay.send("lost")
            elif not relay.has_begun:
                relay.send("gone", "the guest is here with another build")
        elif sum(1 for each in self._relays_of(relay.guest) if each.session) >= messages.MOST_SESSIONS:
            relay.send("gone", f"the guest has {messages.MOST_SESSIONS} sessions already")
        else:
            relay.session, relay.has_begun = next(self._numbers), True
            relay.send("link", relay.session)  # before anything that waits: the guest may be gone then
            await guest.send("open", relay.session)

    async def _play(self, socket: WebSocket) -> None:
        """The whole life of a connection for a game: its bytes are passed on as fast as each end takes them."""
        name, word = await self._admit(socket), socket.path_params["session"]
        if name is None:
            return
        relay = next((each for each in self._relays_of(name) if each.session and str(each.session) == word), None)
        session = 0 if relay is None else relay.session
        try:
            while relay is not None and relay.early:
                early, relay.early = relay.early, b""
                await socket.send_bytes(early)
            while relay is not None and relay.session == session:
                relay.socket = socket
                message = await socket.receive()
                if relay.session != session:
                    break
                if message.get("bytes"):
                    relay.send("out", message["bytes"].decode("latin-1"))
                    await relay.writer.drain()
                elif message["type"] == "websocket.receive":
                    relay.send(*decode(message.get("text"), ("ended",)))
                    relay.session = 0
                else:
                    break
        except (BadMessage, WebSocketDisconnect, RuntimeError, OSError):
            pass
        await _close(socket, 1000, "")
        if relay is not None and relay in self._relays and relay.session == session:
            relay.lose()
            await asyncio.sleep(AGAIN_S)
            guest = self.guests.get(name)
            if guest is not None and relay in self._relays and not relay.session:
                await self._open(guest, relay)

    # Pages

    def _rows(self) -> list[dict[str, object]]:
        """Who is connected, without addresses: they are nobody's business."""
        return [
            {
                "name": name,
                "since": datetime.fromtimestamp(guest.since_s, UTC).isoformat(timespec="seconds"),
                "connected_s": int(time.time() - guest.since_s),
                "playing": bool(self._relays_of(name)),
                "leaving": guest.state.games == 0,
            }
            for name, guest in sorted(self.guests.items())
        ]

    async def _json(self, request: Request) -> Response:
        return JSONResponse({"guests": self._rows()})

    async def _page(self, request: Request) -> Response:
        site, page = await self._database.ask(lambda db: db.site), {"guests": self._rows()}
        body = framed("guests.html", page, "Guests", site, ("guests",), replace(ASSETS, refresh_s=10))
        return Response(body, headers={"content-type": HTML})


def _bearer(socket: WebSocket) -> str:
    """The token that a connection shows; empty if it shows none."""
    scheme, _, token = socket.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


async def _text(socket: WebSocket) -> str:
    """The next message. Raises BadMessage and WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    text = message.get("text")
    if text is None:
        raise BadMessage("a message is no text")
    return str(text)


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(CLOSE_S):
            await socket.close(code, reason.encode()[:120].decode("utf-8", "ignore"))
