"""A ladder with guests as a user starts it, with real engines at the other end of the line."""

import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.connect.client import Target
from arena.host.accounts import Accounts
from results.record import GameRecord
from results.store.store import Store
from tests.arena.cli.conftest import ENGINE_IN_C
from tests.host.guests import Guest
from tests.running import running

pytestmark = pytest.mark.timeout(600)
ARENA = (sys.executable, "-m", "arena")
SETTINGS = (
    '[tournament]\nname = "lad"\nvariants = ["callanish-5"]\nnodes = 5\nopenings = 4\nseed = 7\nconcurrency = 2\n'
)
needs_c = pytest.mark.skipif(not ENGINE_IN_C.exists(), reason="the engine in C was not built")


def games_of(db: Path) -> list[GameRecord]:
    store = Store.open_existing(db)
    try:
        (run,) = store.runs()
        return list(store.games(run.id))
    finally:
        store.close()


def line_of(game: GameRecord) -> tuple[object, ...]:
    return game.number, game.p1, game.p2, game.fen, game.opening, game.moves, game.winner, game.termination


def play_with_cuts(folder: Path, games: int, cuts: int) -> tuple[Path, int]:
    """Play a ladder of two guests whose lines are cut. Returns its database and how often they were cut."""
    file, db = folder / "lad.toml", folder / "lad.db"
    file.write_text(SETTINGS)
    accounts = Accounts.beside(db)
    tokens = {name: accounts.invite(name, time.time(), None, ()) for name in ("cat", "fox")}
    command = (*ARENA, "host", "start", str(file), "--port", "0", "--games", str(games), "--db", str(db))
    chance, done = random.Random(7), 0
    with running(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as host:
        assert host.stdout is not None
        port = int(re.findall(rb"http://127.0.0.1:(\d+)/", host.stdout.readline())[0])
        guests = [
            Guest(Target(f"ws://127.0.0.1:{port}", tokens[name], None, (str(ENGINE_IN_C), word), name, "0"))
            for name, word in (("cat", "greedy"), ("fox", "random"))
        ]
        try:
            while not all(any("takes part" in each for each in guest.said) for guest in guests):
                assert host.poll() is None
                time.sleep(0.05)
            while host.poll() is None:
                time.sleep(chance.uniform(0.05, 0.3))
                if done < cuts:
                    done += 1
                    chance.choice(guests).cut(chance.uniform(0.05, 0.6))
        finally:
            for guest in guests:
                guest.end()
        host.stdout.read()
        assert host.returncode == 0
    return db, done


@needs_c
@pytest.mark.long
@pytest.mark.parametrize(("games", "cuts"), [(60, 40)])
def test_a_ladder_of_guests_plays_the_games_of_a_local_one_although_lines_are_cut(
    games: int, cuts: int, tmp_path: Path
) -> None:
    """The same games, move by move, each stored once; no game lost by a line."""
    db, done = play_with_cuts(tmp_path, games, cuts)
    with_guests = games_of(db)
    assert len(with_guests) == games and done == cuts
    store = Store.open_existing(db)
    order = [player.name for player in store.players(store.runs()[0].id)]
    store.close()
    words = {"cat": "greedy", "fox": "random"}
    local = tmp_path / "local.toml"
    local.write_text(
        SETTINGS
        + "".join(
            f"[[engines]]\nname = {json.dumps(name)}\ncommand = {json.dumps([str(ENGINE_IN_C), words[name]])}\n"
            for name in order
        )
    )
    subprocess.run(
        (*ARENA, "ladder", str(local), "--games", str(games), "--quiet"), cwd=tmp_path, check=True, timeout=300
    )
    assert [line_of(game) for game in with_guests] == [line_of(game) for game in games_of(tmp_path / "local.db")]
