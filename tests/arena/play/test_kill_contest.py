"""A contest whose process is killed in any stage goes on to the same groups and the same bracket."""

import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.arena.cli.conftest import ENGINE_IN_C
from tests.running import running

ROOT = Path(__file__).parents[3]
KILLS = 2
FILE = """
[tournament]
format = "contest"
variants = ["brandub"]
nodes = 1
seed = 3
max_plies = 60
groups = 2
groups_by = "draw"
games_per_pairing = 4
best_of = 4
champion = "e6"
"""
ENGINE = '[[engines]]\nname = "e{number}"\ncommand = {command}\noptions = {{ Seed = {number} }}\n'


def words(db: str) -> list[str]:
    """The command that plays the contest, or goes on with it."""
    given = ("contest.toml", "--db", db, "--resume", "--no-smoke", "--contain", "none", "--concurrency", "2", "--json")
    return [sys.executable, "-m", "arena.main", "tournament", *given]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def whole(folder: Path, db: str) -> dict[str, Any]:
    """Play it to its end."""
    done = subprocess.run(
        words(db), cwd=folder, env=environment(), capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def games(path: Path) -> int:
    """How many games are kept, as a reader beside the arena sees it."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
    return 0


@pytest.mark.long
def test_a_contest_that_was_killed_in_any_stage_comes_to_the_same_bracket(tmp_path: Path) -> None:
    """Killed -9 at random numbers of games, and resumed: the same games in the same order, the same outcome."""
    command = [str(ENGINE_IN_C), "random"] if ENGINE_IN_C.exists() else [sys.executable, "-P", "-m", "engines.random"]
    engines = "".join(ENGINE.format(number=number, command=json.dumps(command)) for number in range(1, 7))
    (tmp_path / "contest.toml").write_text(FILE + engines)
    alone = whole(tmp_path, "alone.db")
    chance = random.Random(5)
    db, size = tmp_path / "killed.db", len(alone["games"])
    for least in sorted(chance.sample(range(1, size), KILLS)):
        with running(
            words("killed.db"),
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            deadline = time.monotonic() + 60
            while process.poll() is None and games(db) < least:
                assert time.monotonic() < deadline, "no game in a minute"
                with suppress(subprocess.TimeoutExpired):
                    process.wait(0.01)
            process.kill()
            process.wait(10)
        assert games(db) >= least
    killed = whole(tmp_path, "killed.db")
    assert killed["format"] == alone["format"] and killed["format"]["winner"] is not None
    assert [game["moves"] for game in killed["games"]] == [game["moves"] for game in alone["games"]]
