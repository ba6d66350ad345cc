"""What an author sees of the games: of what the host says, and of what the engine hears and says."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from arena.cli.run.guest_screen import GuestScreen

from tests.arena.cli.run.test_live_view import lines

pytestmark = pytest.mark.timeout(120)
NEWS = {"as": "fox", "side": "p2", "opponent": "cat", "variant": "callanish-7", "tc": "5+0.2"}
MOVES = "b6 d2 b6d5d7"


class Scene:
    """A screen without a terminal, and what it printed as lines."""

    def __init__(self, url: str = "ws://127.0.0.1:1") -> None:
        self.printed: list[str] = []
        self.rated = threading.Event()
        self.screen = GuestScreen(url, None, self._print, self._print)

    def _print(self, text: str) -> None:
        self.printed.append(text)
        if "rating" in text:
            self.rated.set()

    def begin(self, number: object, **more: object) -> None:
        self.screen.played({**NEWS, "game": number, **more})

    def end(self, number: object, result: str) -> None:
        self.screen.played({**NEWS, "game": number, "result": result, "by": "line", "detail": ""})

    def shown(self) -> str:
        state = self.screen.state()
        return "\n".join(lines(state, now_ns=(state.playing[0].thinking_since_ns or 0) if state.playing else 0))


def test_an_author_sees_opponent_board_clocks_and_score_so_far() -> None:
    """The clock of the side to move runs: the engine's from `go` to its bestmove, then the opponent's."""
    scene = Scene()
    scene.begin(7)
    scene.screen.lines(
        1, f"uginewgame\nposition startpos moves {MOVES}\nisready\ngo p1time 61000 p2time 4300 p1inc 0\n"
    )
    text = scene.shown()
    for word in ("game 7", "ply 3", "callanish-7", "> fox", "  cat", "1:01", "4.3"):
        assert word in text
    assert "[○]" in text
    scene.screen.answered(1, "info depth 3\nbestmove a1\n")
    assert "> cat" in scene.shown() and "  fox" in scene.shown()
    scene.end(7, "lost")
    scene.begin(8)
    scene.end(8, "won")
    row = next(line for line in scene.shown().splitlines() if line.startswith("fox "))
    assert row.split()[:5] == ["fox", "2", "1", "0", "1"]
    assert scene.printed == [
        "game 7: p2 against cat, callanish-7, 5+0.2",
        "game 7: lost against cat by line",
        "game 8: p2 against cat, callanish-7, 5+0.2",
        "game 8: won against cat by line",
    ]


def test_the_next_game_may_begin_before_the_end_of_the_last_one_is_told() -> None:
    """Its board is drawn as soon as the engine hears of it, whatever was on the board before."""
    scene = Scene()
    scene.begin(1)
    scene.screen.lines(1, "uginewgame\nposition startpos moves e5\ngo nodes 5\n")
    scene.begin(2, variant="brandub")
    scene.shown()  # the old moves are none of the new game
    scene.end(1, "drawn")
    scene.screen.lines(2, "uginewgame\nposition startpos\ngo nodes 5\n")
    assert "game 2" in scene.shown() and "brandub" in scene.shown() and "♔" in scene.shown()
    scene.end(2, "void")
    assert scene.screen.state().playing == () and scene.screen.state().standings[0].games == 1


@pytest.mark.parametrize("value", [None, [], {}, -1, 10**400, "\x1b[2J", "x" * 10_000, 1.5])
def test_a_host_that_says_nonsense_of_a_game_does_no_harm(value: Any) -> None:
    scene = Scene()
    scene.begin(value, **dict.fromkeys(NEWS, value))
    scene.screen.lines(1, f"uginewgame\nposition fen {value} moves {value}\ngo p1time {value} p2time -1\n")
    assert "\x1b" not in scene.shown()
    scene.end(value, str(value))
    scene.shown()


def test_the_rating_is_that_of_the_pages_of_the_host() -> None:
    """It is asked for after a game, and not again at once."""
    asked: list[str] = []

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            engines = [{"name": "cat", "rating": 2.0}, {"name": "fox", "rating": -1.234}]
            self.wfile.write(json.dumps({"engines": engines}).encode())

        def log_message(self, format: str, *args: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Pages) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        scene = Scene(f"ws://127.0.0.1:{server.server_port}")
        for number in (1, 2):
            scene.begin(number)
            scene.end(number, "won")
        assert scene.rated.wait(60)
        thread.join(60)
    assert "fox: rating -1.23, place 2 of 2" in scene.printed and asked == ["/api/standings.json"]
    assert "fox: rating -1.23 | place 2 of 2" in scene.shown()
