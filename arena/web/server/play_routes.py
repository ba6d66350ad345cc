"""The addresses of games with people: a page that begins a game, a page for each game, its events, and its commands.

Only a POST changes anything, and only from our own pages: `guard` sees to that. The address of a game has its secret.
"""

import asyncio
import contextlib
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.games import variants
from arena.games.kinds import installed
from arena.human import choice
from arena.human.hosted_game import HostedGame
from arena.human.hosted_games import HostedGames
from arena.human.session import Phase, PlayCommand
from arena.web.answers import HTML, framed
from arena.web.pages.site import Site
from arena.web.render import Assets
from arena.web.server.feed import Feed, event

ASSETS = Assets(policy="", play=True)
_COMMANDS = frozenset({"move", "undo", "hint", "resign", "draw", "engine"})
_MOST_VIEWERS = 20
"""The most pages that may show one game."""
_MOST_BYTES = 4_096
_BODY_S = 5.0
"""What is sent must be there after so many seconds."""
_LONGEST_MOVE = 40
_SECRET = re.compile("[0-9a-f]{32}")


class PlayRoutes:
    """The routes, and who watches which game."""

    def __init__(self, games: HostedGames, site: Callable[[], Awaitable[Site]]) -> None:
        self._games = games
        self._site = site
        self._feeds: dict[str, Feed] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        games.on_change = self._changed
        self.routes = [
            Route("/play", self._start_page),
            Route("/play", self._begin, methods=["POST"]),
            Route("/play/{secret}", self._table_page),
            Route("/play/{secret}", self._command, methods=["POST"]),
            Route("/play/{secret}/events", self._events),
        ]

    def end(self) -> None:
        """End all streams. The games are ended by whoever made them."""
        for feed in self._feeds.values():
            feed.end()

    # Pages

    async def _start_page(self, request: Request) -> Response:
        engines = self._games.registry.names
        page = {
            "variants": variants.names(),
            "engines": engines,
            "strengths": choice.STRENGTHS,
            "clocks": choice.CLOCKS,
        }
        return await self._html("play_start.html", page, ("play",))

    async def _table_page(self, request: Request) -> Response:
        _secret(request)
        return await self._html("play.html", {"pieces": _piece_words()}, ("play", "game"))

    async def _html(self, template: str, page: object, here: tuple[str, ...]) -> Response:
        site = replace(await self._site(), play=True)
        return Response(framed(template, page, "Play", site, here, ASSETS), headers={"content-type": HTML})

    # Commands

    async def _begin(self, request: Request) -> Response:
        sent = await _sent(request)

        def begin() -> Mapping[str, str]:
            secret = self._games.begin(choice.request_of(sent, self._games.registry))
            self._games.open(secret)  # its engines count from now on
            return {"secret": secret}

        return await self._answer(begin)

    async def _command(self, request: Request) -> Response:
        secret, sent = _secret(request), await _sent(request)
        word, move, ply = sent.get("do"), sent.get("move", ""), sent.get("ply")
        if word == "open":
            return await self._answer(lambda: {"phase": self._games.open(secret).phase})
        game = self._games.find(secret)
        if game is None:
            raise HTTPException(404)
        is_known = word in _COMMANDS and isinstance(move, str) and len(move) <= _LONGEST_MOVE and type(ply) is int
        if not is_known:
            raise HTTPException(400)
        # An engine that a page named would be a program of its choice.
        command = PlayCommand(str(word), str(move) if word == "move" else "")
        return JSONResponse({}, 202 if game.give(command, int(str(ply))) else 429)

    async def _answer(self, make: Callable[[], Mapping[str, str]]) -> Response:
        """What `make` gives in another thread, or why it gives nothing."""
        try:
            return JSONResponse(dict(await asyncio.to_thread(make)))
        except Exception as error:
            if (sentence := self._games.explain(error)) is None:
                raise
            return JSONResponse({"error": sentence}, 409)

    # Events

    async def _events(self, request: Request) -> Response:
        secret = _secret(request)
        game = self._games.find(secret)
        if game is None:
            raise HTTPException(404)
        self._loop = asyncio.get_running_loop()
        feed = self._feeds.setdefault(secret, Feed(lambda: event("game", _state(game)), _MOST_VIEWERS))
        return feed  # type: ignore[return-value]  # Starlette calls what it is given

    def _changed(self, secret: str) -> None:
        """Called in the thread of a game."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the server has ended
                self._loop.call_soon_threadsafe(self._publish, secret)

    def _publish(self, secret: str) -> None:
        feed, game = self._feeds.get(secret), self._games.find(secret)
        if feed is None or game is None:
            return
        feed.publish("game", _state(game))
        if game.phase in (Phase.OVER, Phase.LEFT, Phase.FAILED):
            # Nothing more comes. The page asks again if the game goes on.
            del self._feeds[secret]
            asyncio.get_running_loop().call_soon(feed.end)


def _state(game: HostedGame) -> dict[str, object]:
    return {**game.state, "age": (time.monotonic_ns() - game.shown_ns) // 1_000_000}


def _secret(request: Request) -> str:
    """The secret of the game that a request is about. Raises HTTPException for what cannot be one: it names files."""
    secret: str = request.path_params["secret"]
    if not _SECRET.fullmatch(secret):
        raise HTTPException(404)
    return secret


async def _sent(request: Request) -> Mapping[str, object]:
    """The JSON object that was sent; an empty one for anything else, or what is too long or too slow."""
    body = b""
    try:
        async with asyncio.timeout(_BODY_S):
            async for part in request.stream():
                body += part
                if len(body) > _MOST_BYTES:
                    return {}
        value = json.loads(body)
    except (TimeoutError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _piece_words() -> dict[str, dict[str, str]]:
    """What the letters on the boards of each game are called: stones, pieces and holes."""
    kinds = installed().usable
    return {kind.name: {letter: piece.word for letter, piece in kind.pieces.items()} for kind in kinds}
