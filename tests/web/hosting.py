"""A server of games with people in this process, for tests."""

import contextlib
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from arena.cli import errors
from arena.config.load import load_registry
from arena.human.hosted_games import HostedGames
from arena.planning.containment import Containment
from arena.web.server import listening
from arena.web.server.play_app import PlayApplication
from arena.web.server.uvicorn_server import serve_application
from tests.web.serving import DEADLINE_S, in_thread


def hosted_games(folder: Path, left_s: float = 600) -> HostedGames:
    """Games that are kept in this folder."""
    return HostedGames(load_registry(), Containment(), errors.explained, folder, left_s)


@contextlib.contextmanager
def hosting(games: HostedGames, port: int = 0) -> Iterator[str]:
    """The address of a server of these games while the block runs."""
    application = PlayApplication(games, listening.names("127.0.0.1", ()))
    try:
        with in_thread(lambda opened, until: serve_application(application, opened, None, until), port) as address:
            yield address
    finally:
        games.end()


class Posted(NamedTuple):
    """What a server answered to a POST."""

    status: int
    value: Any


def post(base: str, path: str, body: object, **headers: str | None) -> Posted:
    """Post JSON as a page of this server does. `headers` replace those of a page; None: without."""
    parts = urlsplit(base)
    own: dict[str, str | None] = {"Content_Type": "application/json", "Origin": base, "Sec_Fetch_Site": "same-origin"}
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    with contextlib.closing(http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=DEADLINE_S)) as line:
        words = {name.replace("_", "-"): value for name, value in {**own, **headers}.items() if value is not None}
        line.request("POST", path, data, words)
        answer = line.getresponse()
        text = answer.read().decode()
        return Posted(answer.status, json.loads(text) if text.startswith("{") else text)
