"""The hub: the connections of guests, and the relays of their games. It runs in the process of the pages.

It knows who is connected and which session is whose, and passes messages on. What goes wrong in a session ends that
session, and what a guest does wrong ends the connection of that guest; nobody else notices.
"""

import asyncio
import contextlib
import hmac
import itertools
import json
import re
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from arena.connect import messages
from arena.connect.messages import BadMessage, decode, encode
from arena.host.accounts import Accounts, KnownAccounts

PAGE = "/mine"
"""The page of a guest's author; after it comes a link's secret, or the token in a header."""
HELLO_S = 10.0
"""A client must say who it is within so many seconds."""
AGAIN_S = 0.05
"""A guest is connected anew at most so often."""
ANSWER_S = 1.0
"""Who is connected twice must answer so soon, else the newcomer takes its place."""
WRONG_S, MOST_WRONG, LOG_S = 1.0, 100, 60.0
"""A wrong token is answered after so long, unless so many wait for that, and one is logged each minute. No speed is
enough to guess a token: what is bounded is the work and the log."""
MOST_COMING = 4
"""So many connections of a guest may be about to say hello."""
MOST_STRAYS = 1_000
"""So many messages of sessions that are over may come between two answers of a client: they were under way."""
_WORD = re.compile(r"[0-9A-Za-z]{1,64}", re.ASCII)
_SAYS = frozenset({"out", "ended", "pong", "leaving"})


@dataclass(frozen=True, slots=True)
class GuestState:
    """A connected guest, as the ladder hears of it."""

    name: str
    instance: str
    """Its client process."""
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
    address: str
    token: str = field(repr=False)
    rtt_ms: float | None = None
    """The last round trip; it is shown and never trusted."""
    ping: int = 0
    """The number of the ping that is not answered yet; 0: all are."""
    asked_s: float = 0.0
    """When the last ping was sent."""
    strays: int = 0
    listens: asyncio.Timeout = field(default_factory=lambda: asyncio.timeout(None))
    """What it says is taken until this is over."""
    is_held_up: bool = False
    """Is nothing read from it, because a game of its own has no room for what it says?"""
    answered: asyncio.Event = field(default_factory=asyncio.Event)

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
    session: int = 0
    """0: it is not linked."""
    has_begun: bool = False
    """Was it linked once?"""

    def send(self, *message: object) -> None:
        self.writer.write(encode(*message).encode() + b"\n")


class Hub:
    """All guests and relays. Everything runs in one event loop."""

    def __init__(
        self,
        accounts: Accounts,
        key: str,
        version: str,
        changed: Callable[[list[GuestState]], None],
        report: Callable[[str], None],
    ) -> None:
        """`key` is what relays must say; `changed` is told who is there whenever that changes, `report` for the log."""
        self._accounts = KnownAccounts(accounts, report)
        self._report = report
        self._key = key
        self._version = version
        self._changed = changed
        self.guests: dict[str, Guest] = {}
        self._relays: set[RelayLink] = set()
        self._next_s: dict[str, float] = {}
        self._coming: Counter[str] = Counter()
        self._wrong, self._logged_s = 0, -LOG_S
        """How many wrong tokens wait for an answer, and when one was logged."""
        self._bound: defaultdict[str, set[int]] = defaultdict(set)
        """The games of each guest that it was told of and that have not ended."""
        self._links: dict[tuple[str, str], tuple[str, float]] = {}
        """The secret of the link to an author's page, and until when it is good, by client process and token."""
        self._numbers = itertools.count(1)
        self.routes = [WebSocketRoute(messages.PATH, self._connect)]

    # Guests

    async def _connect(self, socket: WebSocket) -> None:
        """The whole life of a connection."""
        token = bearer(socket.headers.get("authorization", ""))
        name = self.whose(token) if "origin" not in socket.headers else None
        guest = None
        try:
            if name is None:
                await self.delay_wrong(address_of(socket))
                await socket.close()  # before it is accepted: that is 403
                return
            if self._coming[name] >= MOST_COMING:
                await socket.send_denial_response(PlainTextResponse("too many connections of this guest\n", 503))
                return
            self._coming[name] += 1
            try:
                # So many connections a second of one guest, whatever it does: each is told to the ladder.
                self._next_s[name] = max(self._next_s.get(name, 0.0) + AGAIN_S, time.monotonic())
                await asyncio.sleep(self._next_s[name] - time.monotonic())
                await socket.accept()
                guest = await self._welcome(socket, name, token)
            finally:
                self._coming[name] -= 1
            if guest is not None:
                beat = asyncio.create_task(self._beat(guest))
                try:
                    async with guest.listens:
                        await self._listen(guest)
                finally:
                    beat.cancel()
        except BadMessage as bad:
            await _close(socket, messages.BROKEN, str(bad))
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            await _close(socket, messages.BROKEN, "nothing came for too long")
        finally:
            if guest is not None:
                self._leave(guest)

    def whose(self, token: str) -> str | None:
        """The guest whose token this is, if it is valid now."""
        return self._accounts.find(token, time.time()) if token else None

    def _link(self, instance: str, token: str) -> str:
        """The link for the author whose client process this is. A line that was lost makes no new one."""
        now_s = time.monotonic()
        self._links = {
            (process, its): link
            for (process, its), link in self._links.items()
            if link[1] > now_s and (process == instance or its != token)
        }
        new = secrets.token_urlsafe(24), now_s + messages.LINK_S
        return f"{PAGE}/{self._links.setdefault((instance, token), new)[0]}"

    def linked(self, secret: str) -> str | None:
        """The guest of a link that is still good, as its token is."""
        good = (token for (_, token), link in self._links.items() if link[0] == secret and link[1] > time.monotonic())
        return self.whose(next(good, ""))

    async def delay_wrong(self, address: str) -> None:
        """Slow down who has a wrong token, and log it."""
        if time.monotonic() - self._logged_s >= LOG_S:
            self._logged_s = time.monotonic()
            self._report(f"wrong token from {address}")
        if self._wrong < MOST_WRONG:
            self._wrong += 1
            try:
                await asyncio.sleep(WRONG_S)
            finally:
                self._wrong -= 1

    async def _welcome(self, socket: WebSocket, name: str, token: str) -> Guest | None:
        """The guest that introduces itself; None if it may not come in, which it has been told."""
        async with asyncio.timeout(HELLO_S):
            hello = await _text(socket)
        if older := messages.older(hello):
            await _close(socket, messages.WRONG_EDITION, f"{older} (the host has version {self._version})")
            return None
        _, _, _, instance, digest, games = decode(hello, ("hello",))
        if not 1 <= games <= messages.MOST_SESSIONS or not (_WORD.fullmatch(instance) and _WORD.fullmatch(digest)):
            raise BadMessage("hello has values out of range")
        before = self.guests.get(name)
        if before is not None and before.state.instance != instance and await self._answers(before):
            await _close(socket, messages.IN_USE, f"{name} is connected already, from {before.address}")
            return None
        guest = Guest(socket, GuestState(name, instance, digest, games), time.time(), address_of(socket), token)
        if (before := self.guests.get(name)) is not None:  # it may have gone meanwhile
            self._leave(before)
        self.guests[name] = guest
        self.tell_ladder()
        if before is not None:
            await self._end(before, messages.REPLACED, "another connection took its place")
        for relay in self._relays_of(name):
            if self.guests.get(name) is guest:
                await self._open(guest, relay)
        await guest.send("welcome", self._version, name, self._link(instance, token))
        return guest

    async def _answers(self, guest: Guest) -> bool:
        guest.answered.clear()
        await self._ping(guest)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                await guest.answered.wait()
        return guest.answered.is_set()

    async def _listen(self, guest: Guest) -> None:
        """Take what a guest says, until it says no more. Raises BadMessage."""
        while True:
            await asyncio.sleep(0)  # others have their turn
            kind, *values = decode(await _text(guest.socket), _SAYS)
            if kind == "pong":
                if values[0] != guest.ping or not guest.ping:
                    raise BadMessage("a pong answers no ping")
                guest.rtt_ms = 1000 * (time.monotonic() - guest.asked_s)
                guest.ping = guest.strays = 0
                guest.answered.set()
            elif kind == "leaving":
                guest.state = replace(guest.state, games=0)
                self.tell_ladder()
            else:
                await self._pass(guest, kind, *values)

    async def _pass(self, guest: Guest, kind: str, session: int, *values: Any) -> None:
        """Give a message of a session to its relay, as fast as that takes it."""
        if not values[-1].isascii() and max(values[-1]) > "\xff":
            raise BadMessage("the text of an engine has signs that are no bytes")
        relay = next((each for each in self._relays_of(guest.state.name) if session and each.session == session), None)
        if relay is None or self.guests.get(guest.state.name) is not guest:
            guest.strays += 1
            if guest.strays > MOST_STRAYS:
                raise BadMessage("too many messages belong to no session")
            return  # the session ended meanwhile
        if kind == "out" and not values[0]:
            raise BadMessage("a message is empty")
        relay.send(kind, *values)
        guest.is_held_up = True
        with contextlib.suppress(OSError):
            await relay.writer.drain()
        guest.is_held_up = False

    def _relays_of(self, name: str) -> list[RelayLink]:
        return [relay for relay in self._relays if relay.guest == name]

    async def _beat(self, guest: Guest) -> None:
        """Ask for an answer again and again, and end a line on which none comes, or a token that is no longer valid."""
        while True:
            await asyncio.sleep(messages.BUSY_PING_S)
            busy, waited_s = self.plays(guest), time.monotonic() - guest.asked_s
            dead_s = messages.BUSY_DEAD_S if busy else messages.IDLE_DEAD_S
            if self.whose(guest.token) != guest.state.name:
                return await self._end(guest, messages.REFUSED, "the token was revoked or has expired")
            if guest.ping and not guest.is_held_up and waited_s > dead_s:
                return await self._end(guest, messages.BROKEN, "nothing came for too long")
            if not guest.ping and (busy or waited_s >= messages.IDLE_PING_S):
                try:
                    async with asyncio.timeout(dead_s):
                        await self._ping(guest)
                except TimeoutError:
                    return await self._end(guest, messages.BROKEN, "the client does not read")

    async def _end(self, guest: Guest, code: int, reason: str) -> None:
        self._leave(guest)
        await _close(guest.socket, code, reason)
        with contextlib.suppress(RuntimeError):  # it is not listened to
            guest.listens.reschedule(0)

    async def _ping(self, guest: Guest) -> None:
        """Ask for an answer, unless one is due."""
        if not guest.ping:
            guest.ping, guest.asked_s = next(self._numbers), time.monotonic()
            await guest.send("ping", guest.ping)

    def plays(self, guest: Guest) -> bool:
        return bool(self._relays_of(guest.state.name))

    def _leave(self, guest: Guest) -> None:
        """The connection is over; that of another one of the same name goes on."""
        if self.guests.get(guest.state.name) is guest:
            del self.guests[guest.state.name]
            for relay in self._relays_of(guest.state.name):
                if relay.session:
                    relay.session = 0
                    relay.send("lost")
            self.tell_ladder()

    def tell_ladder(self) -> None:
        """Say who is there: for the first time once connections are taken."""
        self._changed([guest.state for guest in self.guests.values()])

    # Relays

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """The whole life of a relay's connection."""
        relay = None
        try:
            async with asyncio.timeout(HELLO_S):
                kind, key, name, digest = json.loads(await reader.readline())
            if kind != "join" or not hmac.compare_digest(ascii(key), ascii(self._key)):
                return
            relay = RelayLink(writer, name, digest)
            self._relays.add(relay)
            if (guest := self.guests.get(name)) is not None:
                await self._open(guest, relay)
            elif self._bound[name]:
                relay.send("lost")
            while line := await reader.readline():
                kind, session, text = json.loads(line)
                if session == relay.session and (guest := self.guests.get(name)) is not None:
                    await guest.send(kind, session, text)  # else it was said before the line was lost
        except (OSError, ValueError, TimeoutError):
            pass  # the relay was killed within a line
        finally:
            if relay is not None:
                self._relays.discard(relay)
                if relay.session and (guest := self.guests.get(relay.guest)) is not None:
                    await guest.send("close", relay.session)
            writer.close()

    async def _open(self, guest: Guest, relay: RelayLink) -> None:
        """Begin a session: the client is to start a process of its engine."""
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

    # The ladder

    async def tell(self, name: str, kind: str, what: Any) -> None:
        """Say something to a guest, if it is connected."""
        guest = self.guests.get(name)
        if kind == "played" and "result" in what:
            self._bound[name].discard(what["game"])
        elif kind == "played" and guest is not None:
            self._bound[name].add(what["game"])
        if guest is not None:
            await guest.send(kind, what)

    async def refuse(self, name: str, instance: str, sentence: str) -> None:
        """End the connection of a client process with a sentence for its author."""
        guest = self.guests.get(name)
        if guest is not None and guest.state.instance == instance:
            await guest.send("say", sentence)
            await self._end(guest, messages.REFUSED, "the engine was refused at the door")


def address_of(connection: HTTPConnection) -> str:
    """The address of a client; empty where there is none."""
    return connection.client.host if connection.client else ""


def bearer(authorization: str) -> str:
    """The token of such a header; empty where it has none."""
    scheme, _, token = authorization.partition(" ")
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
        async with asyncio.timeout(ANSWER_S):
            await socket.close(code, reason.encode()[:120].decode("utf-8", "ignore"))
