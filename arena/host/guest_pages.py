"""What the process of the pages serves beside them: the lines of guests, relays, and a page with who is connected."""

import asyncio
import contextlib
import socket
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


class GuestPages:
    """The routes of guests; while they are `running`, the ladder and relays are heard as well."""

    line: type[asyncio.Protocol] | None = Line

    def __init__(self, hub: Hub, local: socket.socket) -> None:
        """At `local` the ladder and relays connect."""
        self._hub = hub
        self._local = local

    def routes(self, database: ServedDatabase) -> Sequence[BaseRoute]:
        self._database = database
        return [*self._hub.routes, Route("/guests", self._page), Route("/api/guests.json", self._json)]

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        server = await asyncio.start_unix_server(self._hub.local, sock=self._local, limit=2 * LONGEST)
        watch = asyncio.create_task(self._hub.watch())
        try:
            yield
        finally:
            watch.cancel()
            server.close()  # from Python 3.12 on, `async with` would wait for the end of every relay

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
