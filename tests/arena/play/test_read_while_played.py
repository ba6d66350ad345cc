"""A database that others read while a run plays into it, and that is then killed: no game that was told is lost.

The engine lies beside the database, so whoever looks at the engine's folder looks at the database.
"""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.live.reader import LiveFiles
from tests.running import running

ROOT = Path(__file__).parents[3]
ENGINE = ROOT / "engines" / "bin" / "independent"
READINGS = 10
DEADLINE_S = 60
ARENA = (sys.executable, "-m", "arena.main")
COUNT = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM games').fetchone()[0])"
pytestmark = [
    pytest.mark.skipif(not ENGINE.exists(), reason="`make native` builds the engine"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks for open files in /proc"),
]
Start = Callable[..., "subprocess.Popen[bytes]"]


def wait_for(found: Callable[[], bool], what: str) -> None:
    until_s = time.monotonic() + DEADLINE_S
    while not found():
        assert time.monotonic() < until_s, what
        time.sleep(0.02)


def told(folder: Path) -> int:
    """How many games the run has told to those outside."""
    return max((each.run.ended for each in LiveFiles(folder / "run.db").look() if each.run is not None), default=0)


def lost_logs(pid: int) -> list[str]:
    """The files that a process has open and that nobody else can see any more."""
    folder = Path(f"/proc/{pid}/fd")
    names = [os.readlink(each) for each in folder.iterdir() if each.is_symlink()]
    return [name for name in names if name.endswith(" (deleted)") and "run.db" in name]


def play_read_and_kill(folder: Path, words: tuple[str, ...], reader: tuple[str, ...]) -> None:
    """Play, let others read, kill; and compare what the run told with what is stored."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with running(
        [*ARENA, *words], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as run:
        wait_for(lambda: told(folder) > 0 or run.poll() is not None, "no game in a minute")
        for _ in range(READINGS):
            subprocess.run(reader, cwd=folder, env=environment, capture_output=True, check=True, timeout=DEADLINE_S)
        before = told(folder)
        wait_for(lambda: told(folder) > before or run.poll() is not None, "no game in a minute")
        assert run.poll() is None and lost_logs(run.pid) == []
        run.send_signal(signal.SIGKILL)
        run.wait()
        ended = told(folder)
        with contextlib.closing(sqlite3.connect(folder / "run.db")) as db:
            assert db.execute("SELECT count(*) FROM games").fetchone()[0] >= ended > 0
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a run: its engine, its file and its database."""
    shutil.copy(ENGINE, tmp_path / "fox")
    engines = "".join(f'[[engines]]\nname = "{name}"\ncommand = ["./fox", "{name}"]\n' for name in ("random", "greedy"))
    text = f'[tournament]\nname = "lad"\nvariants = ["callanish-5"]\nnodes = 50\nrounds = 50000\n{engines}'
    (tmp_path / "run.toml").write_text(text)
    return tmp_path


@pytest.mark.long
def test_a_ladder_that_is_read_and_killed_loses_no_game(folder: Path) -> None:
    """It looks at its engines while it has the database open."""
    play_read_and_kill(folder, ("ladder", "run.toml"), (sys.executable, "-c", COUNT, "run.db"))
