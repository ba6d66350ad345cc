"""The arena killed while games of a millisecond are in hand and on their way back: each is there once, none is half."""

import contextlib
import os
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.run.source import FAR_AHEAD
from results.store.store import Store
from tests.running import running

ROOT = Path(__file__).parent.parent.parent.parent
SLOTS = 2
GAMES = 100_000
"""More than are played before the last kill."""
QUICK = """
import os, sys
begun = os.open(__file__ + ".begun", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
answers = {b"ugi": b"option name UGI_Resign type check default true\\nugiok\\n", b"isready": b"readyok\\n"}
answers[b"go"] = b"bestmove resign\\n"
for line in sys.stdin.buffer:
    word = line.split()[0]
    if word == b"uginewgame":
        os.write(begun, b".")
    if word in answers:
        os.write(1, answers[word])
    if word == b"quit":
        break
"""
"""An engine that resigns at once, and writes a dot for each game that it begins. Two engines begin each game."""


def stored(db: Path) -> int:
    """How many games are kept, as a reader beside the arena sees it."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as reader:
            return int(reader.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


def kill_in_batches(folder: Path, kills: int, seed: int) -> int:
    """Kill a tournament of short games and resume it, so often. Returns how many games were played in vain."""
    chance = random.Random(seed)
    script, db, file = folder / "quick.py", folder / "games.db", folder / "cup.toml"
    script.write_text(QUICK)
    engines = "".join(f'[[engines]]\nname="{name}"\ncommand=["{{python}}","-S","-E","{script}"]\n' for name in "ab")
    head = f'[tournament]\nvariants=["brandub"]\nrounds={GAMES // 2}\nnodes=1\nseed={seed}\n'
    file.write_text(head + engines)
    words = ["tournament", str(file), "--no-smoke", "--db", str(db), "--resume", "--concurrency", str(SLOTS)]
    before: dict[str, str] = {}
    for _ in range(kills):
        with running(
            [sys.executable, "-m", "arena.main", *words, "--contain", "none"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            deadline = time.monotonic() + 60
            while stored(db) <= len(before):
                assert process.poll() is None and time.monotonic() < deadline, "no game in a minute"
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(0.01)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(chance.uniform(0.0, 0.3))
            process.kill()
            process.wait()
        with contextlib.closing(sqlite3.connect(db)) as reader:
            assert reader.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            rows = reader.execute("SELECT id, started_at FROM games").fetchall()
            assert reader.execute("SELECT count(DISTINCT number) FROM games").fetchone() == (len(rows),)
        after = dict(rows)
        assert before.items() <= after.items(), "a stored game was changed or lost"
        assert len(before) < len(after) < GAMES
        before = after
    with Store.open_existing(db) as store:
        for game in store.games():
            assert game.winner is not None and game.opening, game
    return (folder / "quick.py.begun").stat().st_size // 2 - len(before)


@pytest.mark.long
@pytest.mark.timeout(120)
def test_three_kills_among_short_games_cost_no_stored_game(tmp_path: Path) -> None:
    """Of each kill, what is played again is at most a batch that was not stored and what slots had."""
    assert 0 <= kill_in_batches(tmp_path, 3, 1) <= 3 * 2 * SLOTS * (FAR_AHEAD + 1)


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_a_hundred_kills_among_short_games_cost_no_stored_game(tmp_path: Path) -> None:
    """The same, a hundred times."""
    in_vain = kill_in_batches(tmp_path, 100, 2)
    print(f"{in_vain} games were played in vain")
    assert 0 <= in_vain <= 100 * 2 * SLOTS * (FAR_AHEAD + 1)
