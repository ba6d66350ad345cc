"""Games of two guests whose lines are cut, compared with those of the same ladder played on one machine."""

import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path

from arena.connect.client import Target
from arena.host.accounts import Accounts
from results.record import GameRecord
from results.store.store import Store
from tests.host.guests import Guest
from tests.running import running

ARENA = (sys.executable, "-m", "arena")
ENGINE_IN_C = Path(__file__).parents[2] / "engines" / "bin" / "independent"
WORDS = {"cat": "greedy", "fox": "random"}
"""The guests, and what their engines are asked to be."""


def same_games(folder: Path, games: int, cuts: int, at_once: int, seed: int = 7) -> None:
    """Play a ladder by nodes twice: with two guests whose clients are cut off for 0.05 to 0.6 s, and on one machine.

    Raises AssertionError where the games differ.
    """
    since_s = time.monotonic()
    both = _play_with_cuts(folder, games, cuts, at_once, seed)
    took_s = time.monotonic() - since_s
    with_guests = _games(folder / "lad.db")
    local = folder / "local.toml"
    with Store.open_existing(folder / "lad.db") as store:
        order = [player.name for player in store.players(store.runs()[0].id)]
    commands = {name: json.dumps([str(ENGINE_IN_C), WORDS[name]]) for name in order}
    engines = "".join(f'[[engines]]\nname = "{name}"\ncommand = {command}\n' for name, command in commands.items())
    local.write_text(_settings(at_once) + engines)
    subprocess.run((*ARENA, "ladder", str(local), "--games", str(games), "--quiet"), cwd=folder, check=True)
    here = _games(folder / "local.db")
    print(f"{len(with_guests)} games in {took_s:.0f} s, {cuts} cuts, {both} of them of both lines at once")
    wrong = [game.number for game, other in zip(with_guests, here, strict=True) if _line(game) != _line(other)]
    assert len(with_guests) == games and not wrong, f"{len(wrong)} games differ from the local ladder: {wrong[:20]}"


def _settings(at_once: int) -> str:
    return (
        '[tournament]\nname = "lad"\nvariants = ["callanish-5"]\nnodes = 5\nopenings = 4\nseed = 7\n'
        f"concurrency = {at_once}\n"
    )


def _games(db: Path) -> list[GameRecord]:
    with Store.open_existing(db) as store:
        (run,) = store.runs()
        return list(store.games(run.id))


def _count(db: Path) -> int:
    with Store.open_existing(db) as store:
        return sum(len(store.done(run.id)) for run in store.runs())


def _line(game: GameRecord) -> tuple[object, ...]:
    return game.number, game.p1, game.p2, game.fen, game.opening, game.moves, game.winner, game.termination


def _play_with_cuts(folder: Path, games: int, cuts: int, at_once: int, seed: int) -> int:
    """Play the ladder of guests in `lad.db`. The cuts are spread over all games. Returns how many were of both lines.

    Raises AssertionError where a game is void or the host fails.
    """
    file, db = folder / "lad.toml", folder / "lad.db"
    file.write_text(_settings(at_once))
    accounts = Accounts.beside(db)
    tokens = {name: accounts.invite(name, time.time(), None, ()) for name in WORDS}
    command = (*ARENA, "host", "start", str(file), "--port", "0", "--games", str(games), "--db", str(db))
    chance, done, both = random.Random(seed), 0, 0
    with running(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as host:
        assert host.stdout is not None
        port = int(re.findall(rb"http://127.0.0.1:(\d+)/", host.stdout.readline())[0])
        url = f"ws://127.0.0.1:{port}"
        guests = [
            Guest(Target(url, tokens[name], None, (str(ENGINE_IN_C), word), name, "0", games=at_once))
            for name, word in WORDS.items()
        ]
        try:
            while not all(any("takes part" in each for each in guest.said) for guest in guests):
                assert host.poll() is None, "the host has ended"
                time.sleep(0.05)
            while host.poll() is None:
                time.sleep(chance.uniform(0.02, 0.3))
                if done < min(cuts, cuts * (_count(db) + 2) / games):
                    which = guests if done + 1 < cuts and chance.random() < 0.25 else [chance.choice(guests)]
                    done += len(which)
                    both += len(which) // 2
                    for guest in which:
                        guest.cut(chance.uniform(0.05, 0.6))
        finally:
            for guest in guests:
                guest.end()
        host.stdout.read()
        assert host.returncode == 0, f"the host has ended with {host.returncode}"
    void = [news for guest in guests for news in guest.news if news.get("result") == "void"]
    assert not void, f"void: {void[:5]}"
    assert done == cuts, f"{done} cuts in all games"
    return both
