"""Runs the server: the socket, the signals, and the end."""

import asyncio
import contextlib
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Protocol

import uvicorn
from starlette.types import ASGIApp

from arena.web.server.app import Application, Serving
from arena.web.server.feed import MOST_VIEWERS
from arena.web.server.listening import BACKLOG

_MOST_CONNECTIONS = MOST_VIEWERS + 400
"""The next one is answered with 503. A system that allows fewer open files has fewer connections, and fewer viewers."""
_OTHER_FILES = 200
_WAIT_S = 1
"""The end waits at most so many seconds for answers that are being sent."""
LONGEST_MESSAGE = 1 << 20
"""The most bytes of a message on a connection for lines."""


class Served(Protocol):
    """An application that can be served."""

    asgi: ASGIApp

    async def end(self, run_is_over: bool) -> None:
        """End all streams, so that the server can end."""


class _Server(uvicorn.Server):
    """A server that ends its streams first, and that ends without an error at Ctrl-C."""

    def __init__(self, config: uvicorn.Config, application: Served) -> None:
        super().__init__(config)
        self._application = application
        self.run_is_over = False

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # uvicorn waits for open answers, and a stream never ends of itself.
        await self._application.end(self.run_is_over)
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield  # signals are the main thread's
            return

        def handle(number: int, frame: FrameType | None) -> None:
            self.should_exit = True

        before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def serve(
    serving: Serving,
    listening: socket.socket,
    report: Callable[[str], None],
    until: Callable[[], object] | None = None,
    *,
    tls: tuple[str, str] | None = None,
) -> None:
    """Answer on this socket until Ctrl-C or SIGTERM, or until the run is over, for which `until` waits.

    `tls` names a certificate and its key.
    """
    most = _allowed_connections()
    application = Application(serving, report)
    application.feed.most_viewers = MOST_VIEWERS * most // _MOST_CONNECTIONS
    line = None if serving.more is None else serving.more.line
    serve_application(application, listening, most, until, tls=tls, line=line)


def serve_application(
    application: Served,
    listening: socket.socket,
    most: int | None = None,
    until: Callable[[], object] | None = None,
    *,
    tls: tuple[str, str] | None = None,
    line: type[asyncio.Protocol] | None = None,
) -> None:
    """The same for any application. `most` is how many connections there may be; None: as many as the system allows."""
    config = uvicorn.Config(
        application.asgi,
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_WAIT_S,
        h11_max_incomplete_event_size=16_384,
        backlog=BACKLOG,
        limit_concurrency=most or _allowed_connections(),
        http="h11",
        ws=line or "none",
        ws_max_size=LONGEST_MESSAGE,
        ws_ping_interval=1.0,  # who is gone without a word is noticed soon, for the clock of a game runs
        ws_ping_timeout=3.0,
        ws_per_message_deflate=False,
        ssl_certfile=tls and tls[0],
        ssl_keyfile=tls and tls[1],
    )
    server = _Server(config, application)
    if until is not None:
        threading.Thread(target=_end_with_run, args=(server, until), name="end of the run", daemon=True).start()
    server.run(sockets=[listening])


def _allowed_connections() -> int:
    """How many connections there may be. Each is an open file, of which many systems allow 1024 unless one asks."""
    wanted = _MOST_CONNECTIONS + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY:
        soft = max(soft, wanted if hard == resource.RLIM_INFINITY else min(wanted, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        wanted = min(wanted, soft)
    return max(2, wanted - _OTHER_FILES)


def _end_with_run(server: _Server, until: Callable[[], object]) -> None:
    until()
    server.run_is_over = True
    server.should_exit = True


def report_to_stderr(sentence: str) -> None:
    """Print what the server has to say."""
    from results.safe_text import harmless

    print(f"arena: {harmless(sentence)}", file=sys.stderr, flush=True)
