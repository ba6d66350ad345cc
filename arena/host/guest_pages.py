"""What the process of the pages serves beside them: the lines of guests, relays, and a page with who is connected."""

import asyncio
import contextlib
import json
import os
import socket
import struct
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from arena.connect.messages import LONGEST
from arena.host.hub import Hub
from arena.host.line import Line
from arena.web import render
from arena.web.answers import ASSETS
from arena.web.links import SERVED
from arena.web.server.database import ServedDatabase

_PEER = struct.Struct("3i")
"""Process, user and group of who has connected."""


class GuestPages:
    """The routes of guests; `running` takes relays and what the ladder says meanwhile."""

    line: type[asyncio.Protocol] | None = Line

    def __init__(self, hub: Hub, name: str) -> None:
        """`name` is the abstract name at which relays connect."""
        self._hub = hub
        self._name = f"\0{name}"
        self._said = b""
        self._loop: asyncio.AbstractEventLoop
        self._tasks: set[asyncio.Task[None]] = set()

    def routes(self, database: ServedDatabase) -> Sequence[BaseRoute]:
        self._database = database
        return [*self._hub.routes, Route("/guests", self._page), Route("/api/guests.json", self._json)]

    # What the ladder says

    def hear(self, data: bytes) -> None:
        """Take what the ladder wrote, which waits until we are `running`. Called in another thread."""
        *lines, self._said = (self._said + data).split(b"\n")
        for line in lines:
            self._loop.call_soon_threadsafe(self._obey, line)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_unix_server(self._relay, self._name, limit=2 * LONGEST, backlog=256)
        watch = asyncio.create_task(self._hub.watch())
        try:
            self._hub.tell_ladder()
            yield
        finally:
            watch.cancel()
            server.close()  # from Python 3.12 on, `async with` would wait for the end of every relay

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A relay's connection. The name is everybody's, but a process of another user is no relay."""
        peer = writer.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
        if _PEER.unpack(peer)[1] == os.getuid():
            with contextlib.suppress(asyncio.CancelledError):  # at our end; Python 3.11 would log it with a traceback
                await self._hub.relay(reader, writer)
        writer.close()

    def _obey(self, line: bytes) -> None:
        kind, *values = json.loads(line)
        # In a task: a guest that does not read must not keep news from others.
        task = asyncio.create_task((self._hub.tell if kind == "tell" else self._hub.refuse)(*values))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Pages

    def _rows(self) -> list[dict[str, object]]:
        """Who is connected, without addresses: they are nobody's business."""
        guests = sorted(self._hub.guests.values(), key=lambda guest: guest.state.name)
        return [
            {
                "name": guest.state.name,
                "since": datetime.fromtimestamp(guest.since_s, UTC).isoformat(timespec="seconds"),
                "connected_s": int(time.time() - guest.since_s),
                "playing": self._hub.plays(guest),
                "leaving": guest.state.games == 0,
            }
            for guest in guests
        ]

    async def _json(self, request: Request) -> Response:
        return JSONResponse({"guests": self._rows()})

    async def _page(self, request: Request) -> Response:
        link, site = SERVED, await self._database.ask(lambda db: db.site)
        body = render.content("guests.html", {"guests": self._rows()}, site, link)
        text = render.frame(body, "Guests", site, link, ("guests",), replace(ASSETS, refresh_s=10))
        # A name from a file system may hold bytes that are no text.
        return Response(text.encode(errors="backslashreplace"), headers={"content-type": "text/html; charset=utf-8"})
