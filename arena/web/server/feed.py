"""The viewers of the running games: each has a short queue, and one that is too slow gets the whole state instead.

Everything here belongs to one event loop. What is sent is made once for all viewers.
"""

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable

from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

MOST_VIEWERS = 2_000
QUEUE = 2
"""So many events wait for a viewer. If there are more, it gets the whole state in their place."""
RETRY_S = 30
"""After so many seconds a viewer for whom there was no room should ask again."""


def event(name: str, value: object) -> bytes:
    """A server-sent event. JSON has no line breaks, so it is one line."""
    return f"event: {name}\ndata: {json.dumps(value, separators=(',', ':'))}\n\n".encode()


def now_ms() -> int:
    """The clock of all times that are sent."""
    return time.monotonic_ns() // 1_000_000


class Viewer:
    """One open stream."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._behind = True
        """Does it need the whole state? So it begins."""
        self._woken = asyncio.Event()
        self._woken.set()
        self.is_over = False

    def give(self, body: bytes) -> None:
        """Send this as soon as the viewer can take it."""
        if not self._behind:
            if len(self._waiting) < QUEUE:
                self._waiting.append(body)
            else:
                self._waiting.clear()
                self._behind = True
        self._woken.set()

    def end(self) -> None:
        """Send what waits, and no more."""
        self.is_over = True
        self._woken.set()

    async def take(self, whole: Callable[[], bytes]) -> bytes | None:
        """What is to be sent next, as soon as there is anything. None at the end."""
        while True:
            if self._behind:
                self._behind = False
                return whole()
            if self._waiting:
                body = b"".join(self._waiting)
                self._waiting.clear()
                return body
            if self.is_over:
                return None
            self._woken.clear()
            await self._woken.wait()


class Feed:
    """All viewers."""

    def __init__(self, whole: Callable[[], bytes]) -> None:
        """`whole` gives the events that tell a new viewer everything."""
        self.whole = whole
        self.most_viewers = MOST_VIEWERS
        self._viewers: set[Viewer] = set()
        self._is_over = False
        self._batch: list[bytes] = []
        """What is sent at the end of this turn of the loop, together."""

    @property
    def viewers(self) -> int:
        """How many there are."""
        return len(self._viewers)

    def open(self) -> Viewer | None:
        """A new viewer. None where there are too many, or at the end."""
        if self._is_over or len(self._viewers) >= self.most_viewers:
            return None
        viewer = Viewer()
        self._viewers.add(viewer)
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """The viewer has gone."""
        self._viewers.discard(viewer)

    def publish(self, name: str, value: object) -> None:
        """Send an event to all."""
        self._publish(event(name, value))

    def ping(self) -> None:
        """Send a comment to all: the system then notices who has gone without a word."""
        self._publish(b": still here\n\n")

    def end(self) -> None:
        """End all streams."""
        self._is_over = True
        for viewer in self._viewers:
            viewer.end()

    def _publish(self, body: bytes) -> None:
        if not self._batch:
            asyncio.get_running_loop().call_soon(self._flush)
        self._batch.append(body)

    def _flush(self) -> None:
        body = b"".join(self._batch)
        self._batch.clear()
        for viewer in self._viewers:
            viewer.give(body)


class Stream:
    """The events of a feed."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await Response(headers={"content-type": "text/event-stream"})(scope, receive, send)
            return
        viewer = self._feed.open()
        if viewer is None:
            # Closed at once: those who are refused should not take the connections that are left for pages.
            headers = {"retry-after": str(RETRY_S), "connection": "close"}
            full = PlainTextResponse("too many viewers\n", 503, headers)
            await full(scope, receive, send)
            return

        async def gone() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            viewer.end()

        waiting = asyncio.create_task(gone())
        try:
            kind = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
            await send({"type": "http.response.start", "status": 200, "headers": kind})
            await send({"type": "http.response.body", "body": b"retry: 2000\n\n", "more_body": True})
            while (body := await viewer.take(self._feed.whole)) is not None:
                await send({"type": "http.response.body", "body": body, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            waiting.cancel()
            self._feed.leave(viewer)
