"""The server of `arena play --web`: games with people, and no database."""

from collections.abc import Collection

from starlette.applications import Starlette
from starlette.responses import RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.human.hosted_games import HostedGames
from arena.web.pages.site import Site
from arena.web.privacy import Privacy
from arena.web.server.app import static
from arena.web.server.guard import Guard
from arena.web.server.play_routes import PlayRoutes


class PlayApplication:
    """All answers. `asgi` is the application; `end` ends its streams."""

    def __init__(self, games: HostedGames, names: Collection[str]) -> None:
        """`names` are those of this server."""
        self._play = PlayRoutes(games, _site)
        start = Route("/", lambda request: RedirectResponse("/play"))
        app = Starlette(routes=[*self._play.routes, Route("/static/{name}", static), start])
        self.asgi: ASGIApp = Guard(app, names, may_post=True)

    async def end(self, run_is_over: bool) -> None:
        """End all streams, so that the server can end."""
        self._play.end()


async def _site() -> Site:
    return Site("Callanish Arena", "", 0, (), (), Privacy(hide=True), live=True)
