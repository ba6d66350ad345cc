"""What may happen around a run: its database goes, its reader leaves, its engines break down. Real commands."""

import json
import os
import sqlite3
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.games.game import GameFailed
from arena.play import worker
from arena.run import slots
from results.record import GameRecord
from results.store.store import Store
from tests.arena.cli.conftest import Arena
from tests.arena.conftest import QUICK, ROOT
from tests.running import running

ROOTED = {**os.environ, "PYTHONPATH": str(ROOT)}
WORDS = "--variant callanish-5 --nodes 1 --max-plies 20 --contain none --no-pin --concurrency 1".split()


def games(db: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as store:
            return int(store.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


@pytest.mark.usefixtures("quick_workers")
def test_a_database_that_goes_stops_its_run_at_once(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within one stored game, with exit code 5 and no word of success; moved back, it has its games, and goes on."""
    db, away, add = tmp_path / "m.db", tmp_path / "away.db", Store.add_games
    play = ["match", QUICK, f"{QUICK} x", *WORDS, "--db", str(db)]

    def moving(store: Store, records: Iterable[GameRecord]) -> int:
        added = add(store, records)
        if games(db) >= 3:
            db.rename(away)
        return added

    with monkeypatch.context() as patched:
        patched.setattr(Store, "add_games", moving)
        done = arena(*play, "--games", "100000")
    assert done.exit_code == 5, done.stderr
    assert "m.db was removed, moved, replaced or cut short while its run was played" in done.stderr.replace("\n", " ")
    assert "Try next" not in done.stderr
    away.rename(db)
    assert games(db) >= 3 and not (tmp_path / "m.db-journal").exists()
    assert arena(*play, "--games", "4").exit_code == 0
    assert not list(tmp_path.glob("*.lock"))


def test_a_reader_that_leaves_does_not_end_a_run(tmp_path: Path) -> None:
    """As `arena match 2>&1 | head`: all games are played, and the exit code is as usual."""
    read, write = os.pipe()
    os.close(read)
    play = [sys.executable, "-m", "arena.main", "match", QUICK, f"{QUICK} x", "--games", "6", *WORDS]
    with running([*play, "--db", "m.db", "--events", "-"], cwd=tmp_path, env=ROOTED, stdout=write, stderr=write) as run:
        os.close(write)
        assert run.wait(60) == 0
    assert games(tmp_path / "m.db") == 6


CUP = """
[tournament]
name = "cup"
variants = ["callanish-5"]
nodes = 1
max_plies = 20
fault_budget = 2
{settings}
"""
DIES = """
import os, sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "ugi":
        print("ugiok", flush=True)
    if word == "isready":
        print("readyok", flush=True)
    if word == "go":
        os._exit(3)
    if word == "quit":
        break
"""


def cup(folder: Path, settings: str, engines: int, dying: int = 0) -> Path:
    file = folder / "cup.toml"
    (folder / "dies.py").write_text(DIES)
    commands = [json.dumps(QUICK)] * (engines - dying)
    commands += [json.dumps([sys.executable, "-S", "-E", str(folder / "dies.py"), str(k)]) for k in range(dying)]
    tables = (f'[[engines]]\nname = "e{k}"\ncommand = {command}\n' for k, command in enumerate(commands))
    file.write_text(CUP.format(settings=settings) + "".join(tables))
    return file


PLAY = ("--no-smoke", "--no-pin", "--contain", "none", "--concurrency", "2")


@pytest.mark.usefixtures("quick_workers")
def test_a_finished_format_counts_the_games_that_it_had(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not those that it could have had: nothing is left to play where all is over."""
    monkeypatch.chdir(tmp_path)
    done = arena("tournament", cup(tmp_path, 'format = "knockout"\nbest_of = 6', 5), *PLAY)
    assert done.exit_code == 0, done.stderr
    had = games(tmp_path / "cup.db")
    shown = arena("watch", "cup.db").stdout
    assert f"cup: {had} of {had} games are stored" in shown
    assert "were not played" not in done.stdout
    again = arena("tournament", "cup.toml", *PLAY)
    assert again.exit_code == 0 and games(tmp_path / "cup.db") == had
    assert f"cup: {had} of {had} games are stored" in arena("watch", "cup.db").stdout


def serve_failing(*place: Any) -> None:
    """A worker in which the rules fail at the end of each game."""

    def fail(*_: object) -> None:
        raise GameFailed("the rules of three failed at ply 9")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(worker.RunningGame, "_try_rules", fail)
        worker.main(*place)


@pytest.mark.usefixtures("quick_workers")
def test_games_that_never_have_a_result_are_missing_by_the_exit_code_too(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the rules of a plug-in fail in each game: nobody is to blame, and the reason is said."""
    usual = slots.LocalSlots.__init__.__kwdefaults__
    assert usual is not None
    monkeypatch.setitem(usual, "serve", serve_failing)
    done = arena("match", QUICK, QUICK, *WORDS, "--db", tmp_path / "m.db")
    assert done.exit_code == 4
    assert "game 1 is not stored: the rules of three failed at ply 9" in done.stderr
    assert done.stderr.endswith("2 games never had a result; the same command tries again\n")


@pytest.mark.usefixtures("quick_workers")
def test_a_swiss_with_withdrawn_engines_adds_up(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Played and missing games are the scheduled ones; who is out gets neither a pairing nor a bye."""
    monkeypatch.chdir(tmp_path)
    file = cup(tmp_path, 'format = "swiss"\nrounds = 3\nseed = 1', 6, dying=1)
    done = arena("tournament", file, *PLAY, "--json")
    told = json.loads(done.stdout)
    out = set(told["withdrawn"])
    assert out == {"e5"}, done.stderr
    later = [game for game in told["games"] if game["round"] > 1]
    assert later and not out & {game[side] for game in later for side in ("p1", "p2")}
    scheduled = arena("watch", "cup.db").stdout
    stored = len(told["games"])
    assert f"cup: {stored} of {stored + told['not_played']} games are stored" in scheduled
    assert done.exit_code == (4 if told["not_played"] else 0)
