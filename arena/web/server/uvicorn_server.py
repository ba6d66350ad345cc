"""Runs the server: the socket, the signals, and the end."""

import contextlib
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn

from arena.web.server.app import Application, Serving
from arena.web.server.feed import MOST_VIEWERS

_BACKLOG = 2048
_FILES = MOST_VIEWERS + 500
_MOST_CONNECTIONS = MOST_VIEWERS + 400
"""The next one is answered with 503."""
_WAIT_S = 1
"""The end waits at most so many seconds for answers that are being sent."""


class _Server(uvicorn.Server):
    """A server that ends its streams first, and that ends without an error at Ctrl-C."""

    def __init__(self, config: uvicorn.Config, application: Application) -> None:
        super().__init__(config)
        self._application = application
        self.run_is_over = False

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # uvicorn waits for open answers, and a stream never ends of itself.
        self._application.end(self.run_is_over)
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
    serving: Serving, listening: socket.socket, report: Callable[[str], None], until_eof_of: int | None = None
) -> None:
    """Answer on this socket until Ctrl-C, SIGTERM, or the end of the file `until_eof_of`."""
    _allow_files()
    application = Application(serving, report)
    config = uvicorn.Config(
        application.asgi,
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_WAIT_S,
        h11_max_incomplete_event_size=16_384,
        backlog=_BACKLOG,
        limit_concurrency=_MOST_CONNECTIONS,
        ws="none",
    )
    server = _Server(config, application)
    if until_eof_of is not None:
        threading.Thread(target=_end_at_eof, args=(server, until_eof_of), name="end of the run", daemon=True).start()
    server.run(sockets=[listening])


def _allow_files() -> None:
    """Each viewer is an open file, and many systems allow a process no more than 1024 unless it asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or hard > soft:
        wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def _end_at_eof(server: _Server, file: int) -> None:
    with contextlib.suppress(OSError):
        while os.read(file, 4096):
            pass
    server.run_is_over = True
    server.should_exit = True


def report_to_stderr(sentence: str) -> None:
    """Print what the server has to say."""
    from results.safe_text import harmless

    print(f"arena: {harmless(sentence)}", file=sys.stderr, flush=True)
