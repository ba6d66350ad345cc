"""What may happen around a run: its database goes, its reader leaves, its engines break down. Real commands."""

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from arena.run import slots
from results.record import GameRecord
from results.store.store import Store
from tests.arena import workers
from tests.arena.cli.conftest import Arena, games_in
from tests.arena.conftest import QUICK, ROOT, cup
from tests.running import running

ROOTED = {**os.environ, "PYTHONPATH": str(ROOT)}
WORDS = "--variant callanish-5 --nodes 1 --max-plies 20 --contain none --no-pin --concurrency 1".split()


@pytest.mark.usefixtures("quick_workers")
def test_a_database_that_goes_stops_its_run_at_once(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within one stored game, with exit code 5 and no word of success; moved back, it has its games, and goes on."""
    db, away, add = tmp_path / "m.db", tmp_path / "away.db", Store.add_games
    play = ["match", QUICK, f"{QUICK} x", *WORDS, "--db", str(db)]

    def moving(store: Store, records: Iterable[GameRecord]) -> int:
        added = add(store, records)
        if games_in(db) >= 3:
            db.rename(away)
        return added

    with monkeypatch.context() as patched:
        patched.setattr(Store, "add_games", moving)
        done = arena(*play, "--games", "100000")
    assert done.exit_code == 5, done.stderr
    assert "m.db was removed, moved, replaced or cut short while its run was played" in done.stderr.replace("\n", " ")
    assert "Try next" not in done.stderr
    away.rename(db)
    assert games_in(db) >= 3 and not (tmp_path / "m.db-journal").exists()
    assert arena(*play, "--games", "4").exit_code == 0
    assert not list(tmp_path.glob("*.lock"))


def test_a_reader_that_leaves_does_not_end_a_run(tmp_path: Path) -> None:
    """As `arena match 2>&1 | head`: all games are played, and the exit code is as usual."""
    read, write = os.pipe()
    os.close(read)
    play = [sys.executable, "-m", "arena.main", "match", QUICK, f"{QUICK} x", "--games", "2", *WORDS]
    with running([*play, "--db", "m.db", "--events", "-"], cwd=tmp_path, env=ROOTED, stdout=write, stderr=write) as run:
        os.close(write)
        assert run.wait(60) == 0
    assert games_in(tmp_path / "m.db") == 2


@pytest.mark.usefixtures("quick_workers")
def test_a_finished_format_counts_the_games_that_it_had(arena: Arena, tmp_path: Path) -> None:
    """Not those that it could have had: nothing is left to play where all is over."""
    engines = (f'name = "e{k}"\ncommand = {json.dumps(QUICK)}' for k in range(5))
    settings = {"variants": ["callanish-5"], "nodes": 1, "max_plies": 20, "format": "knockout", "best_of": 6}
    Path("cup.toml").write_text(cup(*engines, name="cup", **settings))
    play = ("tournament", "cup.toml", "--no-smoke", "--no-pin", "--contain", "none", "--concurrency", "2")
    done = arena(*play)
    assert done.exit_code == 0, done.stderr
    had = games_in(tmp_path / "cup.db")
    shown = arena("watch", "cup.db").stdout
    assert f"cup: {had} of {had} games are stored" in shown
    assert "were not played" not in done.stdout
    again = arena(*play)
    assert again.exit_code == 0 and games_in(tmp_path / "cup.db") == had
    assert f"cup: {had} of {had} games are stored" in arena("watch", "cup.db").stdout


@pytest.mark.usefixtures("quick_workers")
def test_games_that_never_have_a_result_are_missing_by_the_exit_code_too(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the rules of a plug-in fail in each game: nobody is to blame, and the reason is said."""
    usual = slots.LocalSlots.__init__.__kwdefaults__
    assert usual is not None
    monkeypatch.setitem(usual, "serve", workers.serve_failing)
    done = arena("match", QUICK, QUICK, *WORDS, "--db", tmp_path / "m.db")
    assert done.exit_code == 4
    assert "game 1 is not stored: the rules of three failed at ply 9" in done.stderr
    assert done.stderr.endswith("2 games never had a result; the same command tries again\n")
