"""A stream of server-sent events, until the viewer goes."""

from asyncio import create_task

from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from arena.rulebook.board_drawing import Lang
from arena.web.server.feed import Feed

RETRY_S = 30
"""After so many seconds a viewer for whom there was no room should ask again."""


class Stream:
    """The events of a feed in one language."""

    def __init__(self, feed: Feed, lang: Lang) -> None:
        self._feed = feed
        self._lang = lang

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await Response(headers={"content-type": "text/event-stream"})(scope, receive, send)
            return
        viewer = self._feed.open(self._lang)
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

        waiting = create_task(gone())
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
