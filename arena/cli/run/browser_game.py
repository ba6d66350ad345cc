"""A game in a browser: the server of `arena play --web`, and the games that `arena serve --play` has as well."""

import socket

from arena.cli import errors
from arena.cli.errors import BadInput
from arena.cli.output import echo, notify, shell_word
from arena.config.load import Registry
from arena.human.begin import GameRequest
from arena.human.hosted_games import HostedGames, HostedRefused
from arena.loopback import is_loopback
from arena.planning.containment import Containment
from arena.rulebook.board_drawing import Lang
from arena.web.server import beside, listening

PORT = 8421


def hosted_games(registry: Registry, containment: Containment) -> HostedGames:
    """The games of a server; none runs yet."""

    def explain(error: Exception) -> str | None:
        known = errors.ending(error)
        return None if known is None else known[1]

    return HostedGames(registry, containment.begin(), explain)


def play_in_browser(
    request: GameRequest,
    registry: Registry,
    containment: Containment,
    host: str | None,
    port: int | None,
    open_browser: bool,
    lang: Lang,
) -> None:
    """Serve the page of this game until Ctrl-C. Where nobody is named, that of the choice. Raises BadInput."""
    if not beside.is_installed():
        raise BadInput(f"--web {beside.LACKING}")
    games, address = hosted_games(registry, containment), host or listening.LOOPBACK
    try:
        opened = _listen(address, port)
    except listening.CannotListen as error:
        raise BadInput(str(error)) from None
    with opened:
        try:
            page = listening.url(opened, address) + ("ja/" if lang == "ja" else "") + "play"
            if request.players or request.resume is not None:
                secret, kept = _begin(games, request)
                page += f"/{secret}"
                notify(f"the game is kept in {kept}; its page goes on with it when `arena play --web` runs again")
            if not is_loopback(address):
                notify(f"--host {address}: everybody who reaches this machine may play here")
            echo(f"{page} is the board; Ctrl-C ends it")
            if open_browser:
                import webbrowser

                webbrowser.open(page)
            from arena.web.server.play_app import PlayApplication
            from arena.web.server.uvicorn_server import serve_application

            serve_application(PlayApplication(games, listening.names(address, ())), opened)
        except KeyboardInterrupt:
            return  # it came before the server had begun
        finally:
            games.end()


def _begin(games: HostedGames, request: GameRequest) -> tuple[str, str]:
    """The secret of a game whose engines are ready, and the file that keeps it."""
    try:
        secret = games.begin(request)
    except HostedRefused as refused:
        raise BadInput(f"{refused}: {games.folder}") from None
    game = games.find(secret)
    assert game is not None
    game.begun.result()
    assert game.kept_in is not None
    return secret, shell_word(game.kept_in)


def _listen(host: str, port: int | None) -> socket.socket:
    """A named port, or the usual one, or any if that is in use."""
    if port is not None:
        return listening.listen(host, port)
    try:
        return listening.listen(host, PORT)
    except listening.CannotListen:
        return listening.listen(host, 0)
