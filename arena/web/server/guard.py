"""Refuses what no page of ours asks for, and gives every answer its headers."""

from collections.abc import Collection, MutableMapping
from typing import Any

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.web import render

HEADERS = {
    "content-security-policy": render.SERVED_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
PLAY_PATH = "/play/"
"""What lies below it takes a POST, where people may play."""


class Guard:
    """The outermost part of an application."""

    def __init__(self, app: ASGIApp, names: Collection[str], may_post: bool = False, takes_lines: bool = False) -> None:
        """`names` are those of this server; none: it has any name, since everybody may read it.

        With `may_post`, our own pages may post to the paths of games. With `takes_lines`, the application takes
        connections for lines, and looks itself at who opens them.
        """
        self._app = app
        self._names = frozenset(name.lower() for name in names)
        self._may_post = may_post
        self._passed = {"lifespan", "websocket"} if takes_lines else {"lifespan"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] in self._passed:
                await self._app(scope, receive, send)
            return

        async def guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message["headers"]}
                more = {**HEADERS, "cache-control": "no-cache"}
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in more.items() if name.encode() not in there),
                ]
            await send(message)

        await (self._refusal(scope) or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        posts = self._may_post and scope["method"] == "POST" and f"{scope['path']}/".startswith(PLAY_PATH)
        if scope["method"] not in ("GET", "HEAD") and not posts:
            return PlainTextResponse("this server answers GET and HEAD\n", 405, {"allow": "GET, HEAD"})
        hosts = _values(scope, b"host")
        # Another name may be that of a stranger's page, which would like to read this one.
        if self._names and (len(hosts) != 1 or _without_port(hosts[0]).lower() not in self._names):
            return PlainTextResponse("this server does not have that name; arena serve --name allows it\n", 400)
        if posts and not _is_our_own(scope, hosts[0]):
            return PlainTextResponse("only a page of this server may do that\n", 403)
        return None


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() and (name.endswith("]") or ":" not in name) else host


def _values(scope: Scope, wanted: bytes) -> list[str]:
    """All headers of this name."""
    return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]


def _is_our_own(scope: Scope, host: str) -> bool:
    """Whether a page of this server sends this. Browsers let no page set these headers, and send them with every POST.

    A form of a stranger's page cannot send JSON, and its script may not without our leave, which nobody gets.
    """
    is_json = _values(scope, b"content-type") == ["application/json"]
    is_same = _values(scope, b"origin") in ([f"http://{host}"], [f"https://{host}"])
    return is_json and is_same and _values(scope, b"sec-fetch-site") in ([], ["same-origin"])
