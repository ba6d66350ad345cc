"""Follows the runs that play into the database, and tells all viewers what is new, once for all of them.

Live files are looked at in a thread of their own, so that neither a long game nor a slow disk holds up the event loop.
"""

import asyncio
import contextlib
import shlex
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from markupsafe import Markup

from arena.games.board_drawing import DrawnBoard
from arena.live.reader import LiveFiles, RunState
from arena.live.state import LiveRun, duration_text
from arena.web import render
from arena.web.links import SERVED
from arena.web.server.database import ServedDatabase, Unavailable
from arena.web.server.feed import Feed, event, now_ms
from arena.web.server.game_values import GameValues, LiveGames, changes
from results.store.files import StoreError

LOOK_S = 0.05
"""Live files are looked at so often while there are viewers."""
IDLE_S = 0.5
"""The same without viewers."""
QUIET_S = 0.4
"""What is no move waits for at most so long."""
HEAD_S = 1.0
"""Progress and standings are told at most so often."""
PING_S = 15.0
END_S = 2.0
"""At the end of the run, its last standings may take so long."""


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run as pages show it: how it stands, and whether its process still lives."""

    run: LiveRun
    state: RunState
    seen_ns: int
    """When it was seen to stand so."""

    @property
    def per_minute(self) -> float | None:
        rate = self.run.rate(self.seen_ns)
        return None if rate is None else 60 * rate

    @property
    def to_go(self) -> str:
        """The time to its end, such as `0:02:03`; empty where it is not known."""
        rate = self.run.rate(self.seen_ns)
        if rate is None or self.run.games is None or self.state != "running" or self.run.may_end_early:
            return ""
        return duration_text(max(0, self.run.games - self.run.ended) / rate)


@dataclass(frozen=True, slots=True)
class LiveView:
    """What is on the page of the running games."""

    runs: tuple[ShownRun, ...] = ()
    games: tuple[GameValues, ...] = ()
    boards: tuple[DrawnBoard | None, ...] = ()
    """Those of the games."""
    problems: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        """`running`, `stopped`, or `none` where no run is played."""
        return self.runs[0].state if self.runs else "none"

    @property
    def hidden(self) -> int:
        """How many running games it does not show."""
        return max(0, sum(len(each.run.playing) for each in self.runs) - len(self.games))


class RunWatcher:
    """What is being played, for pages and for viewers."""

    def __init__(self, database: ServedDatabase, *, hide: bool, report: Callable[[str], None]) -> None:
        self._database = database
        self._files = LiveFiles(database.path)
        self._ended: dict[str, LiveRun] = {}
        """How runs stood at their end, by their ids."""
        self._games = LiveGames()
        self._hide = hide
        self._report = report
        self._thread = ThreadPoolExecutor(1, "event files")
        self.view = LiveView()
        self.feed = Feed(self._whole)
        self._head = ""
        self._standings: str | None = None
        self._games_body: tuple[LiveView, bytes] = self.view, b""
        """The event with all games of a view."""

    async def run(self) -> None:
        """Follow until this task is cancelled."""
        jobs = (self._follow_games, self._follow_standings, self._ping)
        async with asyncio.TaskGroup() as group:
            for job in jobs:
                group.create_task(self._supervised(job))

    def close(self) -> None:
        """End all streams and the thread."""
        self.feed.end()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _supervised(self, job: Callable[[], Awaitable[None]]) -> None:
        """Do this for ever. A bug is announced, and the job begins anew: viewers should not see a frozen page."""
        while True:
            try:
                await job()
            except Exception:
                traceback.print_exc(file=sys.stderr)
            await asyncio.sleep(1.0)

    # The running games

    async def _follow_games(self) -> None:
        loop = asyncio.get_running_loop()
        sent: Sequence[GameValues] = ()
        sent_at = head_at = 0.0
        while True:
            view = await loop.run_in_executor(self._thread, self._look)
            now = time.monotonic()
            for problem in view.problems:
                if problem not in self.view.problems:
                    self._report(problem)
            before, self.view = self.view, view
            if before.state != "none" and view.state == "none":
                await self._announce_end(before)  # before the boards go
            news, is_urgent = changes(sent, view.games)
            if is_urgent or (news and now - sent_at >= QUIET_S):
                self.feed.publish("live", {"now": now_ms(), "games": news, **_places(view)})
                sent, sent_at = view.games, now
            if before.state != view.state or now - head_at >= HEAD_S:
                self._announce_heads(view)
                head_at = now
            await asyncio.sleep(LOOK_S if self.feed.viewers else IDLE_S)

    def _look(self) -> LiveView:
        """What is being played now; the same value as before if nothing has changed."""
        files = self._files.look()
        playing = [each for each in files if each.run is not None and each.state == "running"]
        # A killed run is told until another one is played.
        on_page = playing or [each for each in files if each.run is not None and each.state == "stopped"][:1]
        self._ended = {each.run.run: each.run for each in files if each.run is not None and each.state == "ended"}
        before = {id(each.run): each for each in self.view.runs}
        runs = []
        for each in on_page:
            assert each.run is not None
            known = before.get(id(each.run))
            is_same = known is not None and known.state == each.state
            runs.append(known if known and is_same else ShownRun(each.run, each.state, time.monotonic_ns()))
        problems = tuple(each.problem for each in files if each.problem)
        if [*map(id, runs)] == [*map(id, self.view.runs)] and problems == self.view.problems:
            return self.view
        games = self._games.values([each.run for each in runs])
        return LiveView(tuple(runs), tuple(games), tuple(self._games.boards), problems)

    def _announce_heads(self, view: LiveView) -> None:
        head = str(self.head(view))
        if head != self._head:
            self._head = head
            self.feed.publish("head", {"html": head, "state": view.state})

    async def end(self) -> None:
        """Tell the viewers that the run has ended, and this server with it."""
        before = self.view
        await asyncio.get_running_loop().run_in_executor(self._thread, self._look)
        report = f"arena report {shlex.quote(self._database.path.name)}"
        await self._announce_end(before, {"report": report})

    async def _announce_end(self, view: LiveView, value: Mapping[str, str] | None = None) -> None:
        """Tell how the runs of this view ended, with the standings of all games. `value` is told with the end."""
        if view.runs:
            runs = [ShownRun(self._ended.get(each.run.run, each.run), "ended", each.seen_ns) for each in view.runs]
            self._announce_heads(replace(view, runs=tuple(runs)))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_S):
                with contextlib.suppress(Unavailable):
                    await self._database.ask(ServedDatabase.forget)
                await self._announce_standings()
        self.feed.publish("end", value or {})

    def head(self, view: LiveView) -> Markup:
        """The progress of the runs, as HTML."""
        return render.part("live_head.html", SERVED, view=view, hide=self._hide)

    def _whole(self) -> bytes:
        """All that a new viewer must know."""
        view, games = self._games_body
        if view is not self.view or not games:
            view = self.view
            games = event("live", {"games": view.games, **_places(view)})
            self._games_body = view, games
        body = event("time", {"now": now_ms()}) + games
        body += event("head", {"html": str(self.head(view)), "state": view.state})
        if self._standings is not None:
            body += event("standings", {"html": self._standings})
        return body

    # The standings

    async def _follow_standings(self) -> None:
        while True:
            if self.feed.viewers and self.view.state != "none":
                await self._announce_standings()
            else:
                self._standings = None  # they may be old by the time somebody comes
            await asyncio.sleep(HEAD_S)

    async def _announce_standings(self) -> None:
        """Send the standings, or why there are none, if that has changed."""
        try:
            standings = str(await self._database.ask(standings_html))
        except Unavailable as why:
            standings = str(Markup("<p>{}</p>").format(why))
        except StoreError as error:
            standings = str(Markup("<p>{}</p>").format(self._database.sentence(error)))
        if standings != self._standings:
            self._standings = standings
            self.feed.publish("standings", {"html": standings})

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_S)
            self.feed.ping()


def _places(view: LiveView) -> dict[str, object]:
    """Where games are played, in their order, and how the run stands."""
    return {"places": [game["place"] for game in view.games], "state": view.state}


def standings_html(db: ServedDatabase) -> Markup:
    """The standings in short, as HTML. In the thread of the database."""

    def make() -> Markup:
        overall = db.source.rating_lists().overall
        return render.part("live_standings.html", SERVED, list=overall, site=db.site, level=2)

    return db.kept("live", None, make)
