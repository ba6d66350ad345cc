"""The cost of `arena serve`, and how soon viewers see a move: `python -m benchmarks.viewers screen|crowd|pages`.

`screen` compares the times at which engines said `bestmove`, from their transcripts, with those at which Chromium had
the moves in its page; it needs the extra `browser`. `crowd` makes viewers in a process of its own and says how old
events are when they come, and what the server used. `pages` times each page of a database, the first time and then.
"""

import argparse
import asyncio
import contextlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

ARENA = [sys.executable, "-m", "arena"]
OPENING = 2
"""Random plies before the engines take over."""
_GAME = re.compile(r"# (\S+) game \w+-(\d+):")
_WATCH = """() => {
    window.seen = [];
    const put = () => {
        for (const card of document.querySelectorAll(".card")) {
            const [number, ply] = ["number", "ply"].map((name) => card.querySelector(`[data-${name}]`).textContent);
            window.seen.push([Number(number), Number(ply), Date.now() / 1000]);
        }
    };
    new MutationObserver(put).observe(document.getElementById("cards"),
        {subtree: true, childList: true, characterData: true});
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parts = parser.add_subparsers(dest="part", required=True)
    screen = parts.add_parser("screen", help="from bestmove to the screen")
    screen.add_argument("--moves", type=int, default=200)
    screen.add_argument("--movetime", type=int, default=400, help="milliseconds a move")
    crowd = parts.add_parser("crowd", help="many viewers")
    crowd.add_argument("--viewers", type=int, default=1_000)
    crowd.add_argument("--seconds", type=float, default=60.0)
    crowd.add_argument("--at", help="the address of a server: only make viewers, and print how old events are")
    pages = parts.add_parser("pages", help="each page of a database")
    pages.add_argument("db", type=Path)
    pages.add_argument("--times", type=int, default=40)
    given = parser.parse_args()
    print(f"load {' '.join(f'{load:.1f}' for load in os.getloadavg())} on {len(os.sched_getaffinity(0))} CPUs")
    if given.part == "screen":
        _screen(given.moves, given.movetime)
    elif given.part == "pages":
        _pages(given.db, given.times)
    elif given.at:
        print(json.dumps(asyncio.run(_ages(given.at, given.viewers, given.seconds))))
    else:
        _crowd(given.viewers, given.seconds)


# From bestmove to the screen


def _screen(moves: int, movetime: int) -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        db, trace = Path(name) / "a.db", Path(name) / "trace"
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        with _match(db, movetime, ["--concurrency", "1", "--trace", str(trace)]), _server(db) as (base, _):
            page.goto(base)
            page.wait_for_selector("[data-board][data-key]")
            page.evaluate(_WATCH)
            begun = time.time()
            while time.time() < begun + 600 and _said_since(trace, begun) < moves + 2:
                page.wait_for_timeout(500)
            seen: list[tuple[int, int, float]] = page.evaluate("window.seen")
            browser.close()
        delays = []
        for number, ply, at in _bestmoves(trace):
            if at > begun:
                # A ply that was followed at once by the next one is shown with it. The last ply of a game may be
                # followed by the next game.
                shown = [moment for game, there, moment in seen if game == number and there >= ply]
                if shown:
                    delays.append(1000 * (min(shown) - at))
    _print("ms from bestmove to the screen", delays[:moves])


def _said_since(trace: Path, begun: float) -> int:
    return sum(at > begun for _, _, at in _bestmoves(trace))


def _bestmoves(trace: Path) -> list[tuple[int, int, float]]:
    """The game, the ply and the time of each move that an engine said."""
    said: dict[tuple[int, int], float] = {}
    for file in trace.glob("*.worker-*.txt"):
        number, ply = 0, 0
        for line in file.read_text(errors="replace").splitlines():
            if found := _GAME.match(line):
                number = int(found[2])
            elif " <- position " in line:
                ply = len(line.partition(" moves ")[2].split()) + 1
            elif " -> bestmove " in line:
                # A game that was played again, since the machine was late, has a move twice.
                said[number, ply] = _seconds(line.split()[0])
    return [(number, ply, at) for (number, ply), at in sorted(said.items())]


def _seconds(clock: str) -> float:
    """A time of today."""
    today = datetime.now()
    return datetime.combine(today.date(), datetime.strptime(clock, "%H:%M:%S.%f").time()).timestamp()


# Many viewers


def _crowd(viewers: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        db = Path(name) / "a.db"
        with _match(db, 400, ["--concurrency", "2"]), _server(db) as (base, pid):
            _wait_for_games(base)
            before = _cpu_s(pid)
            command = [sys.executable, "-m", "benchmarks.viewers", "crowd", "--at", base]
            command += ["--viewers", str(viewers), "--seconds", str(seconds)]
            begun = time.monotonic()
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 300, check=True)
            took = time.monotonic() - begun
            used = _cpu_s(pid) - before
            found = json.loads(done.stdout.splitlines()[-1])
            print(f"{found['viewers']} viewers for {seconds:g} s, {found['events']} events received")
            print(f"load {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
            _print("ms from an event's making to a viewer", found["ages"])
            print(f"server: {100 * used / took:.0f} % of a CPU, {_peak_mb(pid):.0f} MB at most")
            _print("ms for the first page meanwhile", [_took_ms(base) for _ in range(20)])


class _Viewer(asyncio.Protocol):
    """Notes how old events are when they come. It does little else, or it would measure itself."""

    MARK = b'data: {"now":'

    def __init__(self, ages: list[float]) -> None:
        self._ages = ages
        self.events = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        at = data.find(self.MARK)
        end = data.find(b",", at)
        if at < 0 or end < 0:
            return
        self.events += 1
        if self.events > 1:  # the first one may have waited for its viewer
            self._ages.append(1000 * time.monotonic() - int(data[at + len(self.MARK) : end]))


async def _ages(base: str, viewers: int, seconds: float) -> dict[str, Any]:
    """How old events are, in ms, when they come. Server and viewers share the system's monotonic clock."""
    host, port = base.removeprefix("http://").rstrip("/").split(":")
    ages: list[float] = []
    loop = asyncio.get_running_loop()
    open_ones = []
    for _ in range(viewers):
        open_ones.append(await loop.create_connection(lambda: _Viewer(ages), host, int(port)))
    ages.clear()
    await asyncio.sleep(seconds)
    there = sum(viewer.events > 1 for _, viewer in open_ones)
    for transport, _ in open_ones:
        transport.close()
    step = max(1, len(ages) // 50_000)
    return {"viewers": there, "events": len(ages), "ages": sorted(ages)[::step]}


def _wait_for_games(base: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with contextlib.suppress(urllib.request.HTTPError):
            if b"data-place" in urllib.request.urlopen(base, timeout=30).read():
                return
        time.sleep(0.5)


# Each page


def _pages(db: Path, times: int) -> None:
    with _server(db) as (base, pid):
        print(f"/ before all else: {_took_ms(base):.0f} ms")
        game = json.loads(urllib.request.urlopen(f"{base}api/games.json?limit=1", timeout=60).read())
        run, one, two, variant = game["run"], game["p1"], game["p2"], game["variant"]
        paths = ["", "standings", "crosstable", "games", f"games?engine={one}&opponent={two}", f"engine/{one}"]
        paths += [
            f"standings?variant={variant}",
            f"games?variant={variant}&termination=time",
            f"games?after={run}-500000",
        ]
        paths += [f"game/{run}-{game['number']}", f"run/{run}", "api/standings.json", "api/games.json", "ja/"]
        for path in paths:
            first, *rest = (_took_ms(base + path) for _ in range(times + 1))
            rest.sort()
            print(f"/{path:45} first {first:7.1f} ms, then p95 {rest[int(0.95 * len(rest))]:6.1f} ms")
        print(f"server: {_peak_mb(pid):.0f} MB at most")


def _took_ms(address: str) -> float:
    begun = time.perf_counter()
    with contextlib.suppress(urllib.request.HTTPError):
        urllib.request.urlopen(address, timeout=120).read()
    return 1000 * (time.perf_counter() - begun)


# What all parts need


@contextlib.contextmanager
def _match(db: Path, movetime: int, more: Sequence[str]) -> Iterator[None]:
    options = ["--db", str(db), "--games", "1000", "--movetime", str(movetime), "--contain", "none", "--quiet"]
    command = [*ARENA, "match", "mcts", "alphabeta", *options, "--openings", str(OPENING), *more]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        try:
            yield
        finally:
            run.terminate()


@contextlib.contextmanager
def _server(db: Path) -> Iterator[tuple[str, int]]:
    """The address of a server, and its process."""
    command = [*ARENA, "serve", str(db), "--port", "0", "--wait"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            base = server.stdout.readline().split()[0]
            end = time.monotonic() + 60
            while time.monotonic() < end:
                try:
                    urllib.request.urlopen(f"{base}static/icon.svg", timeout=30).read()
                    break
                except OSError:
                    time.sleep(0.2)
            yield base, server.pid
        finally:
            server.terminate()


def _cpu_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _peak_mb(pid: int) -> float:
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * 1024 / 1e6 if found else 0.0


def _print(what: str, values: Sequence[float]) -> None:
    if not values:
        print(f"{what}: none")
        return
    ordered = sorted(values)
    p95, p99 = (ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.95, 0.99))
    middle = statistics.median(ordered)
    print(f"{what}: median {middle:.0f}, p95 {p95:.0f}, p99 {p99:.0f}, most {ordered[-1]:.0f}, of {len(ordered)}")


if __name__ == "__main__":
    main()
