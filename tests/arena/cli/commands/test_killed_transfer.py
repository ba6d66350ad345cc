"""`arena import` and `arena merge`, killed at any instant: all games are there or none, and the command goes on."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.imports.replay import written
from results.export import export
from results.store.store import Store
from tests.results.store.test_old_schemas import restored
from tests.running import running

ROOT = Path(__file__).parents[4]
COPIES = 40
"""Of each game in the file, under other ids."""
KILLS = 6
SECONDS = 120


def transfer(folder: Path, words: list[str], kill_after_s: float | None) -> int:
    """The exit code of a command that is killed after this time."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "arena.main", *words]
    with running(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            return process.wait(kill_after_s or SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait(SECONDS)


def stored(path: Path) -> list[str]:
    """The ids of all games; the database must be sound."""
    if not path.exists():
        return []
    with Store.open_existing(path) as store:
        assert store._conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return sorted(game.id for game in store.games())


@pytest.mark.long
@pytest.mark.parametrize("way", ["import", "import into games", "merge"])
def test_a_killed_command_leaves_all_games_or_none(tmp_path: Path, way: str) -> None:
    """A database that was there is as it was. The same command afterwards brings every game once."""
    source, out = restored(tmp_path / "source.db"), tmp_path / "out.db"
    with Store.open_existing(source) as store:
        names = {each.id: each.name for each in store.runs()}
        lines = list(export(store.games(), "jsonl", names, written))
    copies = [
        line.replace(each, f"{each[:-2]}{n:02x}")
        for line in lines
        for n in range(COPIES)
        for each in names
        if each in line
    ]
    (tmp_path / "games.jsonl").write_text("".join(copies))
    words = {
        "import": ["import", "games.jsonl", "--into", "out.db"],
        "import into games": ["import", "games.jsonl", "--into", "out.db"],
        "merge": ["merge", "out.db", "source.db", "many.db"],
    }[way]
    if way == "import into games":
        restored(out)
    if way == "merge":
        assert transfer(tmp_path, ["import", "games.jsonl", "--into", "many.db"], None) == 0
    before, chance, killed = stored(out), random.Random(way), 0
    wanted = sorted({*before, *(stored(source) if way == "merge" else ()), *(line.split('"')[3] for line in copies)})
    for _ in range(KILLS):
        code = transfer(tmp_path, words, chance.uniform(0.2, 2.0))
        killed += code == -signal.SIGKILL
        assert code in (0, -signal.SIGKILL) and stored(out) in (before, wanted)
        if stored(out) == wanted and way != "import into games":
            out.unlink()
    assert killed
    assert transfer(tmp_path, words, None) == 0
    assert stored(out) == wanted
