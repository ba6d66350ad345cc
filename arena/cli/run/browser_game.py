"""A game in a browser: the server of `arena play --web`, and the games that `arena serve --play` has as well."""

from arena.cli.errors import BadInput, explained
from arena.cli.output import echo, notify, shell_word
from arena.config.load import Registry
from arena.human.begin import GameRequest
from arena.human.hosted_games import HostedGames
from arena.loopback import is_loopback
from arena.planning.containment import Containment
from arena.web.server import beside, listening


def hosted_games(registry: Registry, containment: Containment) -> HostedGames:
    """The games of a server; none runs yet."""
    return HostedGames(registry, containment.begin(), explained)


def play_in_browser(request: GameRequest, games: HostedGames, host: str, port: int, show: bool) -> None:
    """Serve the page of this game until Ctrl-C. If no player is named, the page where one chooses.

    Raises BadInput and CannotListen.
    """
    if not beside.is_installed():
        raise BadInput(f"--web {beside.LACKING}")
    with listening.listen(host, port) as opened:
        page = f"{listening.url(opened, host)}play"
        if request.players or request.resume is not None:
            secret = games.begin(request)
            page += f"/{secret}"
            notify(f"the game is kept in {shell_word(games.kept_in(secret))}; `arena play --web` goes on with its page")
        if not is_loopback(host):
            notify(f"--host {host}: everybody who reaches this machine may play here")
        echo(f"{page} is the board; Ctrl-C ends it")
        if show:
            import webbrowser

            webbrowser.open(page)
        from arena.web.server.play_app import PlayApplication
        from arena.web.server.uvicorn_server import serve_application

        try:
            serve_application(PlayApplication(games, listening.names(host, ())), opened)
        except KeyboardInterrupt:
            return  # it came before the server had begun
        finally:
            games.end()
