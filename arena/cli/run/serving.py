"""`--serve`: shows a run in a browser while it is played."""

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from arena.cli.errors import BadInput


def check(serve: bool, live: bool, is_kept: bool) -> None:
    """Refuse `--serve` where there would be nothing to show. Raises BadInput."""
    if not serve:
        return
    from arena.web.server import beside

    if not beside.is_installed():
        raise BadInput(f"--serve {beside.LACKING}")
    if not live:
        raise BadInput("--serve shows running games, and --no-live hides them: leave out one of the two")
    if not is_kept:
        raise BadInput("--serve shows a database, and --db none keeps no game: name a file")


def served(serve: bool, db: Path | None, notify: Callable[[str], None]) -> AbstractContextManager[None]:
    """Serve this database in another process while the block runs, if that was asked for."""
    if not serve:
        return contextlib.nullcontext()
    from arena.web.server.beside import server_beside

    return server_beside(db, notify)
