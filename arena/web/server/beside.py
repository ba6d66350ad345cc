"""A server in a process of its own beside a run. The run never waits for it, and it ends with the run.

The run opens the socket, so its address is known before the process has loaded anything. The process reads from a pipe,
at whose end the run is over, however it ended.
"""

import contextlib
import os
import socket
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import multiprocess

from arena.run.slots import started
from arena.web.server import listening

LACKING = "needs Starlette and uvicorn: pip install 'callanish-arena[web]'"
_END_S = 3.0
"""The process gets so many seconds to end."""


def is_installed() -> bool:
    """Whether what a server needs is installed."""
    return find_spec("starlette") is not None and find_spec("uvicorn") is not None


@contextlib.contextmanager
def server_beside(db: Path | None, report: Callable[[str], None]) -> Iterator[None]:
    """Serve a database while the block runs; nothing without a database. A server that fails does not stop the run."""
    if db is None:
        yield
        return
    try:
        opened = _listen()
        with opened:
            theirs, ours = multiprocess.Pipe(duplex=False)
            process = started(main, (theirs, opened, db.absolute()), "pages")
            address = listening.url(opened, listening.LOOPBACK)
    except (listening.CannotListen, OSError) as error:
        report(f"the run cannot be shown in a browser ({error}); it goes on")
        yield
        return
    report(f"{address} shows the run in a browser while it is played")
    try:
        yield
    finally:
        ours.close()
        process.join(_END_S)
        process.kill()
        process.join()


def _listen() -> socket.socket:
    try:
        return listening.listen(listening.LOOPBACK, listening.PORT)
    except listening.CannotListen:
        return listening.listen(listening.LOOPBACK, 0)


def main(run: Any, opened: socket.socket, db: Path) -> None:
    """What the process does: serve until the run is over."""
    os.setsid()  # Ctrl-C is for the run
    from arena.web.server.app import Serving
    from arena.web.server.uvicorn_server import report_to_stderr, serve

    with opened:
        serve(Serving(db), opened, report_to_stderr, until=lambda: run.poll(None))
