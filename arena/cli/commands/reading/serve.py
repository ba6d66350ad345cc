"""`arena serve`: the pages of a database in a browser, with the games that are being played."""

from pathlib import Path
from typing import Annotated

from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option
from arena.cli.output import echo, notify


def serve(
    db: Annotated[Path, argument("A database, also one that a run plays into.", "DB")],
    port: Annotated[int, option("The port; 0: a free one, which is printed.", min=0, max=65_535)] = 8420,
    open_browser: Annotated[bool, option("Open the page in a browser.", flag="--open")] = False,
    host: Annotated[str, option("The address to listen at; 0.0.0.0: all of this machine.", "ADDRESS")] = "127.0.0.1",
    name: Annotated[
        list[str] | None, option("A name by which others reach this server; more than once for several.", "NAME")
    ] = None,
    private: Annotated[
        bool | None,
        option(
            "Leave out command lines, paths, names of machines, and stderr. [default: if others may look]",
            flag="--private/--with-private",
        ),
    ] = None,
    wait: Annotated[bool, option("Begin although there is no database yet.", flag="--wait")] = False,
    play: Annotated[bool, option("Also let people play against engines, at /play.", flag="--play")] = False,
    title: Annotated[str | None, option("The title. [default: the run's name]", "TEXT")] = None,
) -> None:
    """Show a database in a browser, and the games of a run while they are played; Ctrl-C ends it."""
    from arena.loopback import is_loopback
    from arena.web.server import beside, listening
    from results.store.store import Store

    if not beside.is_installed():
        raise BadInput(f"arena serve {beside.LACKING}")
    if db.exists() or not wait:
        Store.open_existing(db, upgrade=False).close()
    is_public = bool(name) or not is_loopback(host)
    hide = is_public if private is None else private
    with listening.listen(host, port) as opened:
        from arena.web.server.app import Serving
        from arena.web.server.uvicorn_server import serve as run_server

        address = listening.url(opened, host)
        if not is_loopback(host):
            also = " and play at /play" if play else ""
            reach = "by the names of --name" if name else "only with --name, which says by which name"
            notify(f"--host {host}: everybody who reaches this machine may look at {db.name}{also}, {reach}")
        echo(f"{address} shows {db}; Ctrl-C ends it")
        if open_browser:
            import webbrowser

            webbrowser.open(address)
        games = None
        if play:
            from arena.cli.run.browser_game import hosted_games
            from arena.config.load import load_registry
            from arena.planning.containment import Containment

            games = hosted_games(load_registry(None), Containment(db=db))
            echo(f"{address}play lets people play; games are kept in {games.folder}")
        try:
            run_server(Serving(db, listening.names(host, name or ()), hide, title, games), opened, notify)
        except KeyboardInterrupt:
            return  # it came before the server had begun
        finally:
            if games is not None:
                games.end()
