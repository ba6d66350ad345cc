"""Part d: what reading costs by the number of games: commands, the report, the pages of `arena serve`.

Games are made up: a round robin of engines of different strength. Whole commands are timed, beside `arena --version`,
which is the start of the interpreter with what every command imports.
"""

import contextlib
import random
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

from benchmarks.speed.rows import Row, Workspace, row
from benchmarks.speed.stamps import Failed
from results.plies import Ply
from results.record import GameRecord, Player, Run, Termination, Winner
from results.store.store import Store

ENGINES = tuple(f"engine-{letter}" for letter in "abcdefghijkl")
VARIANTS = ("callanish-7", "callanish-9", "brandub", "scottish")
COUNTS = (10_000, 100_000)
SINGLE = 2_000
"""The games that are stored with a commit each."""
BATCH = 20_000
REPEATS = 3
VIEWS = 20
COMMANDS = ("standings", "standings --crosstable", "games --last 20", "games --termination crash --last 20", "show 777")
PAGES = ("", "standings", "games", f"engine/{ENGINES[3]}", "api/games.json")
FEN = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"
RUN = "aaaaaaaaaaaa"
_RARE = (Termination.TIME, Termination.CRASH, Termination.ILLEGAL_MOVE)
_ENDINGS = ("line", "king-escaped", "king-captured", "no-turn")
_DEADLINE_S = 600


def measure(space: Workspace) -> list[Row]:
    """The rows of a database of each size."""
    start_s = [_seconds(["--version"], space.records) for _ in range(REPEATS)]
    rows = [row("d", "arena --version", "s", start_s)]
    for count in COUNTS:
        rows += _rows(space.clean(), count)
    return rows


def _rows(folder: Path, count: int) -> Iterator[Row]:
    chance, path, what = random.Random(count), folder / "games.db", f"{count:,} games".replace(",", " ")
    with Store.create_or_open(path) as store:
        players = [Player(name, "1", "", (name,), "") for name in ENGINES]
        begun = "2026-01-01T00:00:00+00:00"
        store.add_run(Run(RUN, "benchmark", "tournament", begun, "{}", 1, count, "box", "{}"), players)
        for first in range(1, count - SINGLE, BATCH):
            store.add_games(list(games(first, min(first + BATCH, count - SINGLE + 1), chance)))
        singly_ms = []
        for record in list(games(count - SINGLE + 1, count + 1, chance)):
            at = time.perf_counter()
            store.add_game(record)
            singly_ms.append(1000 * (time.perf_counter() - at))
    yield row("d", f"{what}: a game is stored, with a commit of its own", "ms", singly_ms)
    yield row("d", f"{what}: a game in the database", "bytes", [path.stat().st_size / count])
    for command in COMMANDS:
        name, *options = command.split()
        words = (
            [name, str(path), *options] if name != "report" else [name, str(path), "--output", str(folder / "pages")]
        )
        yield row("d", f"{what}: arena {command}", "s", [_seconds(words, folder) for _ in range(REPEATS)])
    report = ["report", str(path), "--output", str(folder / "pages")]
    yield row("d", f"{what}: arena report", "s", [_seconds(report, folder)])
    with _server(path) as (base, pid):
        for page in PAGES:
            yield row("d", f"{what}: arena serve, /{page}", "ms", [_took_ms(base + page) for _ in range(VIEWS)])
        status = Path(f"/proc/{pid}/status").read_text()
        peak = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)
        yield row("d", f"{what}: arena serve, peak memory", "MiB", [peak / 1024])


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
