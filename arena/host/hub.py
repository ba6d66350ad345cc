"""The hub: the connections of guests, and the relays of their games. It runs in the process of the pages.

It knows who is connected and which session is whose, and passes messages on. Lines, numbers and acknowledgements are
the matter of relay and client. What goes wrong in a session ends that session, and what a guest does wrong ends the
connection of that guest; nobody else notices.
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
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from arena.connect import messages
from arena.connect.messages import BadMessage, decode, encode
from arena.host.accounts import AccountError, Accounts
from arena.host.throttle import Throttle

PAGE = "/mine"
"""The page of a guest's author; behind it stands a link's secret, or the token in a header."""
HELLO_S = 10.0
"""A client must say who it is within so many seconds."""
AGAIN_S = 0.05
"""A guest is connected anew at most so often."""
ANSWER_S = 1.0
"""Who is connected twice must answer so soon, else the newcomer takes its place."""
MOST_SESSIONS = 8
"""So many engine processes of a guest run at once at most."""
MOST_COMING = 4
"""So many connections of a guest may be about to say hello."""
MOST_STRAYS = 1_000
"""So many messages of sessions that are over may come between two answers of a client: they were under way."""
_WORD = re.compile(r"[0-9A-Za-z]{1,64}", re.ASCII)
_SAYS = frozenset({"out", "ended", "ack", "pong", "leaving"})


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
    pings: dict[int, float] = field(default_factory=dict)
    """When it was asked for the answers that are due, by their numbers."""
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
    """A relay, and the session that it has with its guest, if it is linked."""

    writer: asyncio.StreamWriter
    guest: str
    digest: str
    session: int = 0
    instance: str = ""
    """The client process of that session."""
    came: int = 0
    """The number of the last message that the relay was passed."""
    told: int = 0
    """The number of the last message that the guest was sent, and of the last one that it has acknowledged."""
    acked: int = 0

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
        self._accounts = accounts
        self._throttle = Throttle()
        self._report = report
        self._key = key
        self._version = version
        self._changed = changed
        self.guests: dict[str, Guest] = {}
        self._relays: set[RelayLink] = set()
        self._next_s: dict[str, float] = {}
        self._coming: Counter[str] = Counter()
        self._bound: defaultdict[str, set[int]] = defaultdict(set)
        """The games of each guest that it was told of and that have not ended."""
        self._links: dict[str, tuple[str, str, float]] = {}
        """The client process of each link to an author's page, its token, and until when the link is good."""
        self._sessions = itertools.count(1)
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
        try:
            return self._accounts.find(token, time.time()) if token else None
        except AccountError as error:
            self._report(str(error))
            return None

    def _link(self, instance: str, token: str) -> str:
        """The link for the author whose client process this is. A line that was lost makes no new one."""
        now_s = time.monotonic()
        self._links = {
            secret: link
            for secret, link in self._links.items()
            if link[2] > now_s and (link[0] == instance or link[1] != token)
        }
        known = (secret for secret, link in self._links.items() if link[:2] == (instance, token))
        secret = next(known, None) or secrets.token_urlsafe(24)
        self._links.setdefault(secret, (instance, token, now_s + messages.LINK_S))
        return f"{PAGE}/{secret}"

    def linked(self, secret: str) -> str | None:
        """The guest of a link that is still good, as its token is."""
        _, token, until_s = self._links.get(secret, ("", "", 0.0))
        return self.whose(token) if until_s > time.monotonic() else None

    async def delay_wrong(self, address: str) -> None:
        """Slow down who has a wrong token, and log it."""
        refusal = self._throttle.wrong(address, time.time())
        if refusal.log:
            self._report(refusal.log)
        if refusal.delay_s is not None:
            await asyncio.sleep(refusal.delay_s)

    async def _welcome(self, socket: WebSocket, name: str, token: str) -> Guest | None:
        """The guest that introduces itself; None where it may not come in, which it has been told."""
        async with asyncio.timeout(HELLO_S):
            hello = await _text(socket)
        if older := messages.older(hello):
            await _close(socket, messages.WRONG_EDITION, f"{older} (the host has version {self._version})")
            return None
        _, _, _, instance, digest, games, sessions = decode(hello, ("hello",))
        ends = _last_numbers(sessions)
        if not 1 <= games <= MOST_SESSIONS or not (_WORD.fullmatch(instance) and _WORD.fullmatch(digest)):
            raise BadMessage("hello has values out of range")
        before = self.guests.get(name)
        if before is not None and before.state.instance != instance and await self._answers(before):
            await _close(socket, messages.IN_USE, f"{name} is connected already, from {before.address}")
            return None
        before = self.guests.get(name)  # it may have gone meanwhile
        guest = Guest(socket, GuestState(name, instance, digest, games), time.time(), address_of(socket), token)
        self.guests[name] = guest
        if before is not None:
            await self._end(before, messages.REPLACED, "another connection took its place")
        ours = self._relays_of(name)
        there = [relay.session for relay in ours if relay.instance == instance and relay.session in ends]
        await guest.send("welcome", self._version, name, there, self._link(instance, token))
        self.tell_ladder()
        for relay in ours:
            if self.guests.get(name) is not guest:
                break
            if relay.session in there:
                relay.send("link", False, min(ends[relay.session], relay.told))
                await guest.send("ack", relay.session, relay.came)
            else:
                await self._open(guest, relay)
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
                if values[0] not in guest.pings:
                    raise BadMessage("a pong answers no ping")
                guest.rtt_ms = 1000 * (time.monotonic() - guest.pings[values[0]])
                guest.pings = {number: sent_s for number, sent_s in guest.pings.items() if number > values[0]}
                guest.strays = 0
                guest.answered.set()
            elif kind == "leaving":
                guest.state = GuestState(guest.state.name, guest.state.instance, guest.state.digest, 0)
                self.tell_ladder()
            else:
                await self._pass(guest, kind, values)

    async def _pass(self, guest: Guest, kind: str, values: list[Any]) -> None:
        """Give a message of a session to its relay, as fast as that takes it."""
        if kind != "ack" and not (values[-1].isascii() or max(values[-1]) < "\u0100"):
            raise BadMessage("the text of an engine has signs that are no bytes")
        relay = self._relay_of(guest, values[0])
        if relay is None:
            guest.strays += 1
            if guest.strays > MOST_STRAYS:
                raise BadMessage("too many messages belong to no session")
            return  # the session ended meanwhile
        acked = values[1] if kind == "ack" else values[2]
        if not relay.acked + (kind == "ack") <= acked <= relay.told or (kind == "out" and not values[3]):
            raise BadMessage("a message acknowledges what it may not, or is empty")
        relay.acked = acked
        if kind != "ack":
            relay.came = max(relay.came, min(values[1], relay.came + 1))
        relay.send(kind, *values[1:])
        guest.is_held_up = True
        with contextlib.suppress(OSError):
            await relay.writer.drain()
        guest.is_held_up = False

    def _relay_of(self, guest: Guest, session: int) -> RelayLink | None:
        linked = (relay for relay in self._relays_of(guest.state.name) if relay.instance == guest.state.instance)
        return next((relay for relay in linked if relay.session == session), None)

    def _relays_of(self, name: str) -> list[RelayLink]:
        return [relay for relay in self._relays if relay.guest == name]

    async def _beat(self, guest: Guest) -> None:
        """Ask for an answer again and again, and end a line on which none comes, or a token that is no longer valid."""
        asked_s = 0.0
        while True:
            await asyncio.sleep(messages.BUSY_PING_S)
            busy, now_s = self.plays(guest), time.monotonic()
            dead_s = messages.BUSY_DEAD_S if busy else messages.IDLE_DEAD_S
            if self.whose(guest.token) != guest.state.name:
                return await self._end(guest, messages.REFUSED, "the token was revoked or has expired")
            if guest.pings and not guest.is_held_up and now_s - min(guest.pings.values()) > dead_s:
                return await self._end(guest, messages.BROKEN, "nothing came for too long")
            if busy or now_s - asked_s >= messages.IDLE_PING_S:
                asked_s = now_s
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
        number = next(self._numbers)
        guest.pings[number] = time.monotonic()
        await guest.send("ping", number)

    def plays(self, guest: Guest) -> bool:
        return bool(self._relays_of(guest.state.name))

    def _leave(self, guest: Guest) -> None:
        """The connection is over; that of another one of the same name goes on."""
        if self.guests.get(guest.state.name) is guest:
            del self.guests[guest.state.name]
            for relay in self._relays_of(guest.state.name):
                if relay.session:
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
                guest = self.guests.get(name)
                if guest is not None and relay.instance == guest.state.instance:
                    kind, *values = json.loads(line)
                    if kind == "in":
                        relay.told = max(relay.told, values[0])
                    await guest.send(kind, relay.session, *values)
        except (OSError, ValueError, TimeoutError):
            pass  # the relay was killed within a line
        finally:
            if relay is not None:
                self._relays.discard(relay)
                if (guest := self.guests.get(relay.guest)) is not None and relay.instance == guest.state.instance:
                    await guest.send("close", relay.session)
            writer.close()

    async def _open(self, guest: Guest, relay: RelayLink) -> None:
        """Begin a session: the client is to start a process of its engine."""
        open_ = [each for each in self._relays_of(relay.guest) if each.instance == guest.state.instance]
        if relay.digest != guest.state.digest:
            if self._bound[relay.guest]:
                relay.send("lost")
            elif not relay.session:
                relay.send("gone", "the guest is here with another build")
        elif len(open_) >= MOST_SESSIONS:
            relay.send("gone", f"the guest has {MOST_SESSIONS} sessions already")
        else:
            relay.session, relay.instance, relay.came = next(self._sessions), guest.state.instance, 0
            relay.told = relay.acked = 0
            relay.send("link", True, 0)  # before anything that waits: the guest may be gone then
            await guest.send("open", relay.session)

    # The ladder

    async def tell(self, name: str, kind: str, what: Any) -> None:
        """Say something to a guest, if it is connected. One that was told of a game is bound to it."""
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


def _last_numbers(sessions: list[Any]) -> dict[int, int]:
    """Of each session of a client, the number of the last message that it has. Raises BadMessage."""
    if len(sessions) > 1000 or not all(type(each) is list and list(map(type, each)) == [int, int] for each in sessions):
        raise BadMessage("hello has values out of range")
    return dict(sessions)


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
