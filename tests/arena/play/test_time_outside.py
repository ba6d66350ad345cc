"""What happens to time itself: the clock on the wall is set, and the arena is stopped and continued."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

from arena.play.engine_pool import EnginePool
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.play.worker import RunningGame
from arena.timing.time_control import parse
from protocol.containment.policy import Level, SandboxPolicy
from results.record import Termination
from tests.running import running

ROOT = Path(__file__).parent.parent.parent.parent
ZOO = (sys.executable, "-P", "-m", "tests.zoo", "--mover", "first")


@pytest.mark.long
def test_a_clock_that_leaps_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of day leaps by hours at each reading, forth and back; a game under a clock comes to its end."""
    leaps = 0

    def leaping() -> float:
        nonlocal leaps
        leaps += 1
        return 1_800_000_000.0 + (3_600 if leaps % 2 else -3_600) * leaps

    monkeypatch.setattr(time, "time", leaping)
    monkeypatch.setattr(time, "time_ns", lambda: int(leaping() * 1e9))
    box = SandboxPolicy(Level.NONE, environment={"PYTHONPATH": str(ROOT)})
    pool = EnginePool({name: EngineSpec(name, ZOO, sandbox=box) for name in ("a", "b")})
    terms = Terms(parse("10+0.1"), max_plies=10)
    try:
        record = RunningGame(GameJob("leap-1", 1, 1, "brandub", None, 0, "", "a", "b", 1, terms)).play(pool, []).record
    finally:
        pool.kill()
    assert record.termination == Termination.ADJUDICATION and len(record.plies) == 10
    assert record.wall_ms < 60_000 and all((ply.left_ms or 0) > 5_000 for ply in record.plies)


@pytest.mark.long
@pytest.mark.parametrize("workers_too", [False, True])
def test_a_stopped_arena_goes_on(tmp_path: Path, workers_too: bool) -> None:
    """Stopped for 10 s amid games, as by Ctrl-Z: nobody loses on time, and each game is there once."""
    db = tmp_path / "games.db"
    engine = " ".join((*ZOO, "--cpu", "20"))
    words = ["match", engine, f"{engine} --ply 9", "--db", str(db), "--games", "6", "--concurrency", "2", "--seed", "1"]
    terms = ["--tc", "1+0.1", "--variant", "brandub", "--max-plies", "60"]
    with running(
        [sys.executable, "-P", "-m", "arena.main", *words, *terms],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    ) as process:
        deadline = time.monotonic() + 60
        while not count(db):
            assert process.poll() is None and time.monotonic() < deadline
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.02)
        workers = psutil.Process(process.pid).children() if workers_too else []
        stopped = [process.pid, *(worker.pid for worker in workers)]
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        assert process.wait(60) == 0
    with contextlib.closing(sqlite3.connect(db)) as games:
        ended = Counter(games.execute("SELECT termination, count(DISTINCT number) FROM games GROUP BY 1"))
    assert sum(number for _, number in ended) == 6 and not {word for word, _ in ended} & {"time", "stall", "crash"}


def count(db: Path) -> int:
    """How many games are kept so far."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as games:
            return int(games.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0
