"""The viewers of the running games: each has a short queue, and one that is too slow gets the whole state instead.

Everything here belongs to one event loop. What is sent is made once for all viewers.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable

from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

MOST_VIEWERS = 2_000
QUEUE = 4
"""The most events that wait for a viewer. If there are more, it gets the whole state in their place."""
RETRY_S = 30
"""After so many seconds a viewer for whom there was no room should ask again."""


def event(name: str, value: object) -> bytes:
    """A server-sent event. JSON has no line breaks, so it is one line."""
    return f"event: {name}\ndata: {json.dumps(value, separators=(',', ':'))}\n\n".encode()


def now_ms() -> int:
    """The clock of all times that are sent."""
    return time.monotonic_ns() // 1_000_000


_WHOLE, _END = b"whole", b"end"
"""What waits for a viewer instead of an event: it is to be told everything, or the stream ends."""
Viewer = asyncio.Queue[bytes]
"""What waits for one open stream."""


class Feed:
    """All viewers. It is the endpoint of a route, which each of them asks for a stream."""

    def __init__(self, whole: Callable[[], bytes], most_viewers: int = MOST_VIEWERS) -> None:
        """`whole` gives the events that tell a new viewer everything."""
        self._whole = whole
        self.most_viewers = most_viewers
        self._viewers: set[Viewer] = set()
        self._is_over = False

    @property
    def viewers(self) -> int:
        """How many there are."""
        return len(self._viewers)

    def publish(self, name: str, value: object) -> None:
        """Send an event to all."""
        self._give(event(name, value))

    def ping(self) -> None:
        """Send a comment to all: the system then notices who has gone without a word."""
        self._give(b": still here\n\n")

    def end(self) -> None:
        """Send what waits, and no more."""
        self._give(_END)
        self._is_over = True

    def _give(self, body: bytes) -> None:
        if self._is_over:  # nothing may take the place of the end
            return
        for viewer in self._viewers:
            if viewer.full():  # it is too slow
                while not viewer.empty():
                    viewer.get_nowait()
                viewer.put_nowait(_WHOLE)
            viewer.put_nowait(body)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            answer = Response(headers={"content-type": "text/event-stream"})
        elif self._is_over or len(self._viewers) >= self.most_viewers:
            # Closed at once: those who are refused should not take the connections that are left for pages.
            headers = {"retry-after": str(RETRY_S), "connection": "close"}
            answer = PlainTextResponse("too many viewers\n", 503, headers)
        else:
            viewer = Viewer(QUEUE)
            viewer.put_nowait(_WHOLE)
            self._viewers.add(viewer)
            headers = {"cache-control": "no-store"}
            answer = StreamingResponse(self._events(viewer), headers=headers, media_type="text/event-stream")
            try:
                return await answer(scope, receive, send)
            finally:
                self._viewers.discard(viewer)
        await answer(scope, receive, send)

    async def _events(self, viewer: Viewer) -> AsyncIterator[bytes]:
        yield b"retry: 2000\n\n"
        while (body := await viewer.get()) is not _END:
            yield self._whole() if body is _WHOLE else body
