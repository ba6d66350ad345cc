"""Part c: what 100 000 games cost: to play, to keep, and to read by commands, the report and the pages.

Those that are read are made up: a round robin of engines of different strength. Whole commands are timed, beside
`arena --version`, which is the start of the interpreter with what every command imports.
"""

import contextlib
import random
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path

import psutil

from benchmarks.speed import contenders, scripts
from benchmarks.speed.contenders import Workload
from benchmarks.speed.rows import OURS, Row, Workspace
from benchmarks.speed.stamps import Failed, watch
from results.plies import Ply
from results.record import GameRecord, Player, Run, Termination, Winner
from results.store.store import Store

ENGINES = tuple(f"engine-{letter}" for letter in "abcdefghijkl")
VARIANTS = ("callanish-7", "callanish-9", "brandub", "scottish")
GAMES, REPORTED = 100_000, 2_000
VIEWERS = 1_000
REPEATS, VIEWS = 3, 20
COMMANDS = ("standings", "standings --crosstable", "games --last 20", "games --termination crash --last 20", "show 777")
PAGES = ("", "standings", "games", f"engine/{ENGINES[3]}")
FEN = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"
RUN = "aaaaaaaaaaaa"
_RARE = (Termination.TIME, Termination.CRASH, Termination.ILLEGAL_MOVE)
_ENDINGS = ("line", "king-escaped", "king-captured", "no-turn")
_DEADLINE_S = 600


def measure(space: Workspace) -> list[Row]:
    """The rows of a run, of its database, and of one that is made up."""
    start_s = [_seconds(["--version"], space.records) for _ in range(REPEATS)]
    return [_row("arena --version", "s", start_s), *_run(space), *_read(space)]


def _row(what: str, unit: str, figures: Sequence[float]) -> Row:
    return Row("c", what, unit, {OURS: [figures]})


def _run(space: Workspace) -> Iterator[Row]:
    """Games of 20 plies, two at once: the memory that the run has taken at its end."""
    script = scripts.ours(space.scripts, "scottish", 20)
    peaks: dict[str, float] = {}

    def tick(main: int) -> None:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(main)
            peaks["main process"] = _peak_mib(main)
            workers = [child.pid for child in process.children() if "spawn_main" in " ".join(child.cmdline())]
            peaks["worker"] = max([peaks.get("worker", 0.0), *map(_peak_mib, workers)])

    workload = Workload(GAMES, 2, space.clean())
    run = watch(contenders.arena(script, workload), space.stamps, 4, where=space.records, tick=tick, deadline_s=600)
    yield _row(f"a run of {GAMES} games of 20 plies, two at once", "s", [(run.ended_ns - run.began_ns) / 1e9])
    for what, mib in sorted(peaks.items()):
        yield _row(f"peak memory of its {what}", "MiB", [mib])


def _read(space: Workspace) -> Iterator[Row]:
    folder, chance = space.clean(), random.Random(1)
    path, small = folder / "games.db", folder / "small.db"
    for file, count in ((small, REPORTED), (path, GAMES)):
        with Store.create_or_open(file) as store:
            players = [Player(name, "1", "", (name,), "") for name in ENGINES]
            begun = "2026-01-01T00:00:00+00:00"
            store.add_run(Run(RUN, "benchmark", "tournament", begun, "{}", 1, count, "box", "{}"), players)
            for first in range(1, count + 1, REPORTED):
                store.add_games(list(games(first, first + REPORTED, chance)))
    yield _row("bytes of a game in the database", "bytes", [path.stat().st_size / GAMES])
    for command in COMMANDS:
        name, *options = command.split()
        yield _row(f"arena {command}", "s", [_seconds([name, str(path), *options], folder) for _ in range(REPEATS)])
    report = ["report", str(small), "--output", str(folder / "pages")]
    yield _row(f"arena report of {REPORTED} games", "s", [_seconds(report, folder)])
    with _server(path) as (base, pid):
        for page in PAGES:
            yield _row(f"arena serve, page /{page}", "ms", [_took_ms(base + page) for _ in range(VIEWS)])
        with contextlib.ExitStack() as viewers:
            for _ in range(VIEWERS):
                viewers.enter_context(urllib.request.urlopen(f"{base}events", timeout=_DEADLINE_S))
            yield _row(f"the same page beside {VIEWERS} viewers", "ms", [_took_ms(base + page) for _ in range(VIEWS)])
        yield _row(f"arena serve, peak memory with {VIEWERS} viewers", "MiB", [_peak_mib(pid)])


def _peak_mib(pid: int) -> float:
    """The peak resident memory of a process; 0 if it has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
        return next((int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:")), 0.0)
    return 0.0


def games(first: int, end: int, chance: random.Random) -> Iterator[GameRecord]:
    """The games of these numbers."""
    pairs = [*permutations(range(len(ENGINES)), 2)]
    words = [f"{a}{b}{c}{d}" for a in "abcdefg" for b in "1234567" for c in "aceg" for d in "1357"]
    for number in range(first, end):
        round_, at = divmod(number - 1, len(pairs) * len(VARIANTS))
        variant, (one, two) = VARIANTS[at // len(pairs)], pairs[at % len(pairs)]
        moves = chance.choices(words, k=chance.randint(14, 60))
        edge = 0.5 + (two - one) / (3 * len(ENGINES))
        winner: Winner = "draw" if chance.random() < 0.1 else "p1" if chance.random() < edge else "p2"
        ending = chance.choice(_RARE if chance.random() < 0.01 else _ENDINGS)
        yield GameRecord(
            id=f"{RUN}-{number}",
            number=number,
            round=round_ + 1,
            variant=variant,
            p1=ENGINES[one],
            p2=ENGINES[two],
            fen=FEN,
            opening=tuple(moves[:4]),
            plies=tuple(_ply(word, chance) for word in moves[4:]),
            winner=winner,
            termination=Termination.ADJUDICATION if winner == "draw" else ending,
            detail="",
            tc="1+0.01",
            seed=number,
            started_at=f"2026-01-{1 + number // 86_400:02}T"
            f"{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}+00:00",
            wall_ms=1000,
            host="box",
        )


def _ply(word: str, chance: random.Random) -> Ply:
    wall_us, score = chance.randint(900, 40_000), f"cp {chance.randint(-400, 400)}"
    return Ply(word, wall_us, wall_us - 100, 1000, chance.randint(3, 12), wall_us * 3, score, chance.randint(0, 99))


def _seconds(words: list[str], folder: Path) -> float:
    begun = time.perf_counter()
    command = [sys.executable, "-m", "arena.main", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_DEADLINE_S)
    # The moves are random, so a game cannot be replayed. It was found and read nevertheless.
    if done.returncode and "cannot be replayed" not in done.stderr:
        raise Failed(f"arena {' '.join(words)}: {done.stderr.strip()}")
    return time.perf_counter() - begun


@contextlib.contextmanager
def _server(path: Path) -> Iterator[tuple[str, int]]:
    """The address of `arena serve`, and its process."""
    command = [sys.executable, "-m", "arena.main", "serve", str(path), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            if found is None:
                raise Failed("arena serve did not say its address")
            yield found[0], server.pid
        finally:
            server.terminate()


def _took_ms(address: str) -> float:
    begun = time.perf_counter()
    urllib.request.urlopen(address, timeout=_DEADLINE_S).read()
    return 1000 * (time.perf_counter() - begun)
