"""`arena serve`: the pages of a database in a browser, with the games that are being played."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.errors import BadInput
from arena.cli.output import echo, notify

LACKING = "arena serve needs Starlette and uvicorn: pip install 'callanish-arena[web]'"


def serve(
    db: Annotated[Path, typer.Argument(metavar="DB", help="A database, also one that a run plays into.")],
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0: a free one, which is printed.")] = 8420,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen at; 0.0.0.0: all of this machine.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name by which others reach this server; more than once for several."),
    ] = None,
    private: Annotated[
        bool | None,
        typer.Option(
            "--private/--with-private",
            help="Leave out command lines, paths, names of machines, and stderr. [default: if others may look]",
        ),
    ] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Begin although there is no database yet.")] = False,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The title. [default: the run's name]")] = None,
) -> None:
    """Show a database in a browser, and the games of a run while they are played; Ctrl-C ends it."""
    from importlib.util import find_spec

    from arena.loopback import is_loopback
    from arena.web.server import listening

    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise BadInput(LACKING)
    if db.exists() or not wait:
        _refuse(db)
    is_public = bool(name) or not is_loopback(host)
    hide = is_public if private is None else private
    try:
        opened = listening.listen(host, port)
    except listening.CannotListen as error:
        raise BadInput(str(error)) from None
    with opened:
        from arena.web.server.app import Serving
        from arena.web.server.uvicorn_server import serve as run_server

        address = listening.url(opened, host)
        if not is_loopback(host):
            reach = "by the names of --name" if name else "only with --name, which says by which name"
            notify(f"--host {host}: everybody who reaches this machine may look at {db.name}, {reach}")
        echo(f"{address} shows {db}; Ctrl-C ends it")
        if open_browser:
            import webbrowser

            webbrowser.open(address)
        try:
            run_server(Serving(db, listening.names(host, name or ()), hide, title), opened, notify)
        except KeyboardInterrupt:
            return  # it came before the server had begun


def _refuse(db: Path) -> None:
    """Refuse a file that cannot be shown. Raises StoreError."""
    from results.store.store import Store

    Store.open_existing(db, upgrade=False).close()
