"""The server of `arena play --web`: games with people, and no database."""

from collections.abc import Collection

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.human.hosted_games import HostedGames
from arena.rulebook.board_drawing import Lang
from arena.web import render
from arena.web.pages.site import Site
from arena.web.privacy import Privacy
from arena.web.server import served_pages
from arena.web.server.app import STATIC
from arena.web.server.guard import Guard
from arena.web.server.page_request import PageRequest
from arena.web.server.play_routes import PlayRoutes
from arena.web.server.served_pages import NotThere

_SITE = Site("Callanish Arena", "", 0, (), (), Privacy(hide=True), live=True, play=True)


class PlayApplication:
    """All answers. `asgi` is the application; `end` ends its streams."""

    def __init__(self, games: HostedGames, names: Collection[str]) -> None:
        """`names` are those of this server."""
        self._play = PlayRoutes(games, _site)
        routes = [
            *self._play.routes,
            Route("/static/{name}", _static),
            Route("/", lambda request: RedirectResponse("/play")),
            Route("/ja/", lambda request: RedirectResponse("/ja/play")),
        ]
        app = Starlette(routes=routes, exception_handlers={HTTPException: _refused, NotThere: _refused})
        self.asgi: ASGIApp = Guard(app, names, may_post=True)

    def end(self, run_is_over: bool) -> None:
        """End all streams, so that the server can end."""
        self._play.end()


async def _site() -> Site:
    return _SITE


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        raise NotThere
    return Response(render.static(name), headers={"content-type": STATIC[name], "cache-control": "max-age=3600"})


async def _refused(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    lang: Lang = "ja" if request.url.path.startswith("/ja/") else "en"
    text = served_pages.message(PageRequest("/", lang), _SITE, "Not found", "There is no such page here.")
    return Response(text, status, {"content-type": "text/html; charset=utf-8"})
