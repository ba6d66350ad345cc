"""The cost of reading by the number of games: `python -m benchmarks.store [--games N ...] [--json]`.

Makes databases of random but plausible games in a temporary folder, stores a sample with one commit a game, and times
whole commands and the interpreter's own start. Every figure is the least of a few runs, since other work on the
machine only adds.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from results.plies import Ply
from results.record import GameRecord, Player, Run, Termination, Winner
from results.store.store import Store

ENGINES = tuple(f"engine-{letter}" for letter in "abcdefghijkl")
VARIANTS = ("callanish-7", "callanish-9", "brandub", "scottish")
BATCH = 20_000
"""The games in one transaction while a database is made."""
SINGLE = 2_000
"""The number of games that are stored with one commit each."""
REPEATS = 3
FEN = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"
_ENDINGS = ("line", "king-escaped", "king-captured", "no-turn")
_RARE = (Termination.TIME, Termination.CRASH, Termination.ILLEGAL_MOVE)


@dataclass(frozen=True, slots=True)
class Point:
    """All costs at one number of games, in seconds unless a name has another unit."""

    games: int
    make_games_per_s: float
    single_games_per_s: float
    single_ms_p99: float
    bytes_per_game: float
    cells: int
    python_s: float
    """The interpreter's own start, with what every command imports (`arena --version`)."""
    commands_s: dict[str, float]
    """The time of each whole command."""
    within_s: dict[str, float]
    """The time of each command less `python_s`."""


def games(count: int, run: str, first: int, chance: random.Random) -> Iterator[GameRecord]:
    """Games of a run from number `first`: a round robin over engines of different strength and variants."""
    pairs = [(a, b) for a in range(len(ENGINES)) for b in range(len(ENGINES)) if a != b]
    words = [f"{a}{b}{c}{d}" for a in "abcdefg" for b in "1234567" for c in "aceg" for d in "1357"]
    for number in range(first, first + count):
        round_, at = divmod(number - 1, len(pairs) * len(VARIANTS))
        variant, pair = divmod(at, len(pairs))
        one, two = pairs[pair]
        moves = chance.choices(words, k=chance.randint(14, 60))
        edge = 0.5 + (two - one) / (3 * len(ENGINES))
        winner: Winner = "draw" if chance.random() < 0.1 else "p1" if chance.random() < edge else "p2"
        ending = chance.choice(_RARE if chance.random() < 0.01 else _ENDINGS)
        yield GameRecord(
            id=f"{run}-{number}",
            number=number,
            round=round_ + 1,
            variant=VARIANTS[variant],
            p1=ENGINES[one],
            p2=ENGINES[two],
            fen=FEN,
            opening=tuple(moves[:4]),
            plies=tuple(_plies(moves[4:], chance)),
            winner=winner,
            termination=Termination.ADJUDICATION if winner == "draw" else ending,
            detail="",
            tc="1+0.01",
            seed=number,
            started_at=f"2026-{1 + number // 2_400_000:02}-{1 + number // 86_400 % 28:02}T"
            f"{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}+00:00",
            wall_ms=1000,
            host="box",
            p1_idle_us=chance.randint(0, 2000),
            p2_idle_us=chance.randint(0, 2000),
        )


def _plies(moves: list[str], chance: random.Random) -> Iterator[Ply]:
    left_ms = 1000
    for move in moves:
        wall_us = chance.randint(900, 40_000)
        left_ms -= wall_us // 1000 - 10
        score = f"cp {chance.randint(-400, 400)}"
        yield Ply(
            move, wall_us, wall_us - 100, left_ms, chance.randint(3, 12), wall_us * 3, score, chance.randint(0, 99)
        )


def make(path: Path, count: int) -> float:
    """Make a database of `count` games in two runs. The stored games per second, without the time to invent them."""
    chance = random.Random(count)
    spent = 0.0
    with Store.create_or_open(path) as store:
        for run, share in (("aaaaaaaaaaaa", count // 2), ("bbbbbbbbbbbb", count - count // 2)):
            _begin(store, run, share)
            for first in range(1, share + 1, BATCH):
                batch = list(games(min(BATCH, share + 1 - first), run, first, chance))
                begun = time.perf_counter()
                store.add_games(batch)
                spent += time.perf_counter() - begun
    return count / spent


def singly(path: Path, count: int) -> list[float]:
    """The seconds for each of `count` more games, with a commit for each."""
    took = []
    with Store.create_or_open(path) as store:
        _begin(store, "cccccccccccc", count)
        for record in list(games(count, "cccccccccccc", 1, random.Random(0))):
            begun = time.perf_counter()
            store.add_game(record)
            took.append(time.perf_counter() - begun)
    return took


def _begin(store: Store, run: str, count: int) -> None:
    players = [Player(name, "1", "", (name,), "") for name in ENGINES]
    store.add_run(
        Run(run, "benchmark", "tournament", "2026-01-01T00:00:00+00:00", "{}", 1, count, "box", "{}"), players
    )


def commands(path: Path) -> dict[str, list[str]]:
    """The commands to time, as a user types them."""
    db = str(path)
    return {
        "standings": ["standings", db],
        "crosstable": ["crosstable", db],
        "show number": ["show", db, "777"],
        "show id": ["show", db, "aaaaaaaaaaaa-4711"],
        "games --last 20": ["games", db, "--last", "20"],
        "games --engine --last 20": ["games", db, "--engine", ENGINES[3], "--last", "20"],
        "games --termination crash --last 20": ["games", db, "--termination", "crash", "--last", "20"],
        "games --sort longest --limit 20": ["games", db, "--sort", "longest", "--limit", "20"],
        "games --sort disputed --limit 20": ["games", db, "--sort", "disputed", "--limit", "20"],
    }


def measure(folder: Path, count: int) -> Point:
    """Make a database of `count` games, time everything, remove it."""
    path = folder / f"{count}.db"
    try:
        return read(path, count, make(path, count))
    finally:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)


def read(path: Path, count: int, rate: float) -> Point:
    """Time everything on a database that was made at `rate` games/s. Some games are added to it one by one."""
    size = path.stat().st_size
    took = sorted(singly(path, min(SINGLE, count)))
    with Store.open_existing(path) as store:
        cells = len(store.counts())
    start = _least(partial(_run, ["--version"]))
    whole = {name: _least(partial(_run, words)) for name, words in commands(path).items()}
    return Point(
        count,
        round(rate),
        round(1 / statistics.median(took)),
        round(1000 * took[len(took) * 99 // 100], 2),
        round(size / count),
        cells,
        round(start, 3),
        {name: round(seconds, 3) for name, seconds in whole.items()},
        {name: round(seconds - start, 3) for name, seconds in whole.items()},
    )


def _least(work: Callable[[], None]) -> float:
    best = float("inf")
    for _ in range(REPEATS):
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
    return best


def _run(words: list[str]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "arena.main", *words], capture_output=True, text=True, timeout=600, check=False
    )
    # The moves are random, so a game cannot be replayed. It was found and read nevertheless.
    if result.returncode and "cannot be replayed" not in result.stderr:
        raise RuntimeError(f"{words}: {result.stderr}")


def table(points: list[Point]) -> str:
    """A table with a line for each figure and a column for each number of games."""
    rows = [("", *(f"{point.games:,} games" for point in points))]
    rows.append(("stored in large transactions, games/s", *(f"{point.make_games_per_s:,.0f}" for point in points)))
    rows.append(("stored one by one, games/s (median)", *(f"{point.single_games_per_s:,.0f}" for point in points)))
    rows.append(("stored one by one, ms (p99)", *(f"{point.single_ms_p99}" for point in points)))
    rows.append(("bytes a game", *(f"{point.bytes_per_game:,.0f}" for point in points)))
    rows.append(("rows of counts", *(f"{point.cells:,}" for point in points)))
    rows.append(("arena --version, s", *(f"{point.python_s:.3f}" for point in points)))
    for name in points[0].commands_s:
        rows.append(
            (f"{name}, s (within)", *(f"{one.commands_s[name]:.3f} ({one.within_s[name]:.3f})" for one in points))
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        + "\n"
        for row in rows
    )


def main(arguments: list[str]) -> int:
    """Measure and print. The exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.store", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], help="how many games")
    parser.add_argument("--folder", type=Path, help="where databases are made and removed; a million takes 3 GB")
    parser.add_argument(
        "--json", action="store_true", help="print the points as JSON, for a plot of cost against games"
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        points = [measure(Path(folder), count) for count in options.games]
    print(json.dumps([asdict(point) for point in points], indent=1) if options.json else table(points), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
