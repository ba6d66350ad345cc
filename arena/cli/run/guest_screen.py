"""What `arena connect` shows of the games of its engine: a screen in a terminal, a line for each thing elsewhere.

It is what the host says, and what the engine hears and says; the rating is that of the host's pages. A host may say
anything, so what cannot be understood is not shown.
"""

import contextlib
import json
import math
import re
import ssl
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from arena.cli.output import console, echo, notify
from arena.cli.run.progress import has_screen
from arena.connect.messages import pages
from arena.games import variants
from arena.games.rules import RulesError
from arena.live.process import this_process
from arena.live.state import LiveGame, LiveRun, LiveScore
from results.safe_text import harmless

RATING_S = 60.0
"""The rating is asked for after a game, at most so often, and for a person who looks: it costs the host a fit."""
Print = Callable[[str], None]
_MOST_BYTES = 1 << 20
_MOST_BUILDS = 20
_KEYS = "game", "as", "side", "opponent", "result", "by", "detail", "variant", "fen", "tc"
_LONGEST = 300
_CLOCK = re.compile(r"\bp([12])time ([0-9]{1,12})\b")
_RESULTS = "won", "drawn", "lost"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, as the line itself."""

    def redirect_request(self, *args: Any) -> None:
        return None


class GuestScreen:
    """See `arena.connect.client.Shown`."""

    def __init__(self, url: str, tls: ssl.SSLContext | None, say: Print, line: Print, *, rates: bool = True) -> None:
        """`say` is given sentences, `line` the begin and the end of each game, and the rating where it `rates`."""
        self.say, self._line = say, line
        self._pages = pages(url)
        self._opener = urllib.request.build_opener(_NoRedirect, urllib.request.HTTPSHandler(context=tls))
        self._due_s = 0.0 if rates else math.inf
        self._head = LiveRun(urlsplit(url).netloc, "", "ladder", this_process(), "", time.monotonic_ns())
        self._rating: tuple[str, ...] = ()
        self._counts: dict[str, list[int]] = {}
        """Of each build of the engine, games won, drawn and lost."""
        self._games: dict[str, Mapping[str, str]] = {}
        """What the host said of the last games that it began, by number. It may begin one before it ends another."""
        self._position: tuple[int, str, tuple[str, ...]] = (0, "", ())
        """Of how many games the engine has heard, the start position of the last one, and its moves."""
        self._left_ms: tuple[int | None, int | None] = (None, None)
        self._own_turn = True
        self._since_ns: int | None = None

    # What the host says

    def played(self, news: Mapping[str, Any]) -> None:
        words = {key: str(news[key])[:_LONGEST] for key in _KEYS if key in news}
        number, side, opponent, by = (words.setdefault(key, "") for key in ("game", "side", "opponent", "by"))
        if (result := words.get("result")) is None:
            self._line(f"game {number}: {side} against {opponent}, {words.get('variant', '')}, {words.get('tc', '')}")
            self._games = dict([*list(self._games.items())[-1:], (number, words)])
            return
        self._line(f"game {number}: {result} against {opponent} by {by} {words.get('detail', '')}".rstrip())
        self._games.pop(number, None)
        if result in _RESULTS:
            own, place = words.get("as", ""), _RESULTS.index(result)
            self._counts.setdefault(own, [0, 0, 0])[place] += 1
            self._counts = dict([*self._counts.items()][-_MOST_BUILDS:])
            if time.monotonic() >= self._due_s:
                self._due_s = time.monotonic() + RATING_S
                threading.Thread(target=self._ask_rating, args=(own,), daemon=True).start()

    def _ask_rating(self, own: str) -> None:
        """Show the rating that the host's pages tell; nothing where they do not."""
        wrong = OSError, HTTPException, ValueError, LookupError, TypeError, StopIteration, RecursionError
        with contextlib.suppress(*wrong):
            with self._opener.open(f"{self._pages}/api/standings.json", timeout=20) as answer:
                engines = json.loads(answer.read(_MOST_BYTES))["engines"]
            rank, mean = next((n, each["rating"]) for n, each in enumerate(engines, 1) if each["name"] == own)
            self._rating = f"{own}: rating {mean:+.2f}", f"place {rank} of {len(engines)}"
            self._line(", ".join(self._rating))

    # What the engine hears and says

    def lines(self, session: int, text: str) -> None:
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            if word == "uginewgame":
                self._position, self._since_ns = (self._position[0] + 1, "", ()), None
            elif word == "position":
                start, _, moves = rest.partition(" moves")
                self._position = self._position[0], start.partition("fen ")[2].strip(), tuple(moves.split())
            elif word == "go":
                clocks = {side: int(left) for side, left in _CLOCK.findall(rest)}
                self._left_ms = clocks.get("1"), clocks.get("2")
                self._own_turn, self._since_ns = True, time.monotonic_ns()

    def answered(self, session: int, text: str) -> None:
        if "bestmove" in text and self._own_turn and self._since_ns is not None:
            left, side, now_ns = [*self._left_ms], self._own_side, time.monotonic_ns()
            if (own := left[side]) is not None:
                left[side] = own - (now_ns - self._since_ns) // 1_000_000
            self._left_ms = left[0], left[1]
            self._own_turn, self._since_ns = False, now_ns

    @property
    def _own_side(self) -> int:
        return 1 if self._games and [*self._games.values()][-1]["side"] == "p2" else 0

    # How the games stand, for the screen

    def state(self) -> LiveRun:
        """May be called from another thread."""
        scores = tuple(LiveScore(name, *counts) for name, counts in self._counts.copy().items())
        playing = tuple(self._game(words) for words in [*self._games.copy().values()][-1:])
        return replace(
            self._head,
            done=sum(each.games for each in scores),
            status=(self._rating,) if self._rating else (),
            standings=scores,
            engines=len(scores),
            playing=playing,
            at_once=len(playing),
        )

    def _game(self, words: Mapping[str, str]) -> LiveGame:
        heard, fen, moves = self._position
        number, variant, own, other = (words.get(key, "") for key in ("game", "variant", "as", "opponent"))
        with contextlib.suppress(RulesError):
            fen = fen or variants.resolve(variant)[1].fen()
        p1, p2 = (own, other) if words["side"] == "p1" else (other, own)
        return LiveGame(
            slot=0,
            id=str(heard),  # the board of a game before is never gone on with
            number=_whole(number),
            round=1,
            variant=variant,
            p1=p1,
            p2=p2,
            tc=words.get("tc", ""),
            began_ns=0,
            fen=fen,
            moves=moves,
            plies=len(moves),
            last=moves[-1] if moves else "",
            left_ms=self._left_ms,
            turn=0 if self._own_turn == (self._own_side == 0) else 1,
            thinking_since_ns=self._since_ns,
        )


def _whole(number: str) -> int:
    return int(number) if number.isdecimal() and number.isascii() and len(number) < 10 else 0


@contextlib.contextmanager
def shown_games(url: str, tls: ssl.SSLContext | None, quiet: bool) -> Iterator[GuestScreen]:
    """What shows the games while the block runs: on stdout, or nothing but sentences if `quiet`."""
    if quiet or not has_screen(sys.stdout):
        yield GuestScreen(url, tls, notify, (lambda line: None) if quiet else echo, rates=False)
        return
    from rich.live import Live

    from arena.cli.run.live_view import View

    out = console()

    def above(text: str) -> None:
        out.print(harmless(text), markup=False, highlight=False, soft_wrap=True)

    screen = GuestScreen(url, tls, lambda sentence: above(f"arena: {sentence}"), above)
    with Live(View(screen.state), console=out, refresh_per_second=4):
        yield screen
