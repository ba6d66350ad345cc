"""The web application: which address gives what, what is refused, and the headers of every answer.

It answers GET and HEAD and takes nothing: no body, no cookie, no form that changes anything. Only games with people,
which `arena serve --play` has, take more: see `play_routes`.
"""

import asyncio
import contextlib
import json
import time
from asyncio import CancelledError, create_task
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from arena.games import board_svg
from arena.human.hosted_games import HostedGames
from arena.live.reader import LiveFiles
from arena.web import answers
from arena.web.answers import ASSETS, HTML, JSON, LIVE_ASSETS, Answer, NotThere, answer, framed, message
from arena.web.page_request import PageRequest
from arena.web.pages.site import Site
from arena.web.pages.source import OF_GAMES
from arena.web.render import Assets
from arena.web.server.database import ServedDatabase, Unavailable, frame_without
from arena.web.server.feed import Feed
from arena.web.server.guard import Guard
from arena.web.server.play_routes import PlayRoutes
from arena.web.server.watcher import LiveView, RunWatcher, standings_html
from results.store.files import StoreError
from results.store.lookup import BadWord

WORDS = frozenset({*OF_GAMES, "anchor", "after", "limit", "last", "sort", "ply"})
"""The words of a query that mean something. All others are left out."""
SLOW_WORDS = frozenset({"since", "until"})
"""Counts know no times, so every game is read for these words."""
SLOW_PATHS = frozenset({"/api/stats.json"})
MOST_SLOW = 8
"""The most requests that may wait and read every game."""
OVERVIEW_S = 0.5
"""The first page is made at most so often."""


@dataclass(frozen=True, slots=True)
class Serving:
    """What is served, and to whom."""

    db: Path
    names: Collection[str] = frozenset({"127.0.0.1", "localhost", "[::1]"})
    """The names of this server that a request may use."""
    hide: bool = False
    """Leave out what is private."""
    title: str | None = None
    games: HostedGames | None = None
    """Games with people, which this server has as well."""
    more: "MorePages | None" = None
    """What another room serves at the same address."""


class MorePages(Protocol):
    """Routes of another room, with what they need while the server runs."""

    line: type[asyncio.Protocol] | None
    """What takes connections for lines (uvicorn's `ws`), if there are any."""

    def routes(self, database: ServedDatabase) -> Sequence[BaseRoute]: ...
    def running(self) -> AbstractAsyncContextManager[None]: ...


class Application:
    """All answers. `asgi` is the application; `end` ends its streams."""

    def __init__(self, serving: Serving, report: Callable[[str], None]) -> None:
        self._serving = serving
        games = serving.games
        self._database = ServedDatabase(serving.db, hide=serving.hide, title=serving.title)
        # What reads every game takes seconds of a large database. It does not hold up all other pages.
        self._slow = ServedDatabase(serving.db, hide=serving.hide, title=serving.title, most_waiting=MOST_SLOW)
        self._database.play = self._slow.play = games is not None
        self._watcher = RunWatcher(self._database, hide=serving.hide, report=report)
        self._known: tuple[float, LiveView, bytes] | None = None
        """The first page as it was last made, when, and of what."""
        self._play = None if games is None else PlayRoutes(games, self._site)
        more = serving.more
        self._database.guests = self._slow.guests = more is not None
        routes = [
            *(self._play.routes if self._play else ()),
            *(more.routes(self._database) if more else ()),
            Route("/events", self._watcher.feed),
            Route("/static/{name}", static),
            Route("/api/live.json", self._live_json),
            Route("/api/{name}", self._api),
            Route("/{path:path}", self._page),
        ]
        handlers: Any = {
            HTTPException: self._refused,
            NotThere: self._refused,
            Unavailable: self._unavailable,
            StoreError: self._unusable,
        }
        app = Starlette(routes=routes, exception_handlers=handlers, lifespan=self._lifespan)
        takes_lines = more is not None and more.line is not None
        self.asgi: ASGIApp = Guard(app, serving.names, games is not None, takes_lines)

    @property
    def feed(self) -> Feed:
        """The viewers."""
        return self._watcher.feed

    async def end(self, run_is_over: bool) -> None:
        """End all streams, so that the server can end. Viewers are told if the run is over, too."""
        if run_is_over:
            await self._watcher.end()
        self.feed.end()
        if self._play:
            self._play.end()

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        task = create_task(self._watcher.run())
        more = self._serving.more
        try:
            async with more.running() if more else contextlib.nullcontext():
                yield
        finally:
            task.cancel()
            with contextlib.suppress(CancelledError):
                await task
            self._watcher.close()
            self._database.close()
            self._slow.close()

    # Pages

    async def _page(self, request: Request) -> Response:
        page_request = _page_request(request)
        if page_request.path == "/":
            return await self._overview()
        return _response(await self._of(page_request).ask(lambda db: answer_of(db, page_request)))

    def _of(self, page_request: PageRequest) -> ServedDatabase:
        """The database for this request: a slow one has another connection and another thread."""
        return (
            self._slow if page_request.words.keys() & SLOW_WORDS or page_request.path in SLOW_PATHS else self._database
        )

    async def _overview(self) -> Response:
        known, view = self._known, self._watcher.view
        now = time.monotonic()
        if known is not None and now - known[0] < OVERVIEW_S and known[1].state == view.state:
            return _html(known[2])
        if view.state == "none":
            return _response(await self._database.ask(lambda db: answer_of(db, PageRequest("/"), LIVE_ASSETS)))
        html, site = await self._database.ask(lambda db: (standings_html(db), db.site))
        boards, head = [board and Markup(board_svg.inline(board)) for board in view.boards], self._watcher.head(view)
        values = {"view": view, "boards": boards, "head": head, "standings": html}
        self._known = now, view, framed("live.html", values, "Live", site, ("index",), LIVE_ASSETS)
        return _html(self._known[2])

    # Files and data

    async def _api(self, request: Request) -> Response:
        try:
            return await self._page(request)
        except BadWord as error:
            return Response(json.dumps({"error": self._database.sentence(error)}), 400, media_type=JSON)

    async def _live_json(self, request: Request) -> Response:
        """What `arena watch --json` says."""
        site = await self._site()
        text = json.dumps(site.privacy.config(LiveFiles(self._serving.db).as_json()))
        return Response(text + "\n", headers={"content-type": JSON})

    # Refusals

    async def _site(self) -> Site:
        try:
            return await self._database.ask(lambda db: db.site)
        except (Unavailable, StoreError):
            return frame_without(self._serving.db, hide=self._serving.hide, title=self._serving.title)

    async def _refused(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        site = await self._site()
        return _html(message(site, "Not found", "There is no such page here."), status)

    async def _unavailable(self, request: Request, error: Exception) -> Response:
        site = frame_without(self._serving.db, hide=self._serving.hide, title=self._serving.title)
        text = message(site, "No database", str(error), waiting=True)
        return _html(text, 503, {"retry-after": "2"})

    async def _unusable(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, StoreError)
        sentence = self._database.sentence(error)
        is_bad = isinstance(error, BadWord)
        heading = "Not understood" if is_bad else "This cannot be shown"
        return _html(message(await self._site(), heading, sentence), 400 if is_bad else 500)


def _page_request(request: Request) -> PageRequest:
    """What a request asks for."""
    raw: bytes = request.scope.get("raw_path") or request.url.path.encode()
    path = raw.decode("ascii", "replace").partition("?")[0]
    query = tuple((key, value) for key, value in request.query_params.multi_items() if key in WORDS and value)
    return PageRequest(path, tuple(dict(query).items()))


def answer_of(db: ServedDatabase, request: PageRequest, assets: Assets = ASSETS) -> Answer:
    """What is at an address, kept until the database has changed. In its thread."""
    return db.kept("answer", (request, assets), lambda: answer(db.source, db.site, request, assets=assets))


async def static(request: Request) -> Response:
    """A file of the style or a script. Raises HTTPException."""
    try:
        return _response(answers.static(request.path_params["name"]), {"cache-control": "max-age=3600"})
    except NotThere:
        raise HTTPException(404) from None


def _response(made: Answer, headers: Mapping[str, str] | None = None) -> Response:
    return Response(made.body, headers={"content-type": made.media, **(headers or {})})


def _html(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(body, status, {"content-type": HTML, **(headers or {})})
