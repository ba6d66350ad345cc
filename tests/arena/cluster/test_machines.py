"""A run on two machines, with keys: each is a network namespace that has no engine of its own."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.arena.cluster.lab import ARENA, HUB, ROOT, Lab, is_possible, lab
from tests.arena.conftest import ENGINE_IN_C, cup

pytest.importorskip("distributed", reason="needs the extra `cluster`")
pytestmark = [
    pytest.mark.netns,
    pytest.mark.long,
    pytest.mark.timeout(1500),
    pytest.mark.skipif(not is_possible(), reason="only root may make network namespaces"),
    pytest.mark.skipif(not ENGINE_IN_C.exists(), reason="wants the engine in C: make venv"),
    pytest.mark.xdist_group("netns"),
]

PLACE = f"tls://{HUB}:8786"
DEADLINE_S = 600
GAMES = 200
NODES = 1000
"""So many for each move: a match is not over before something could fail."""
ON_CLUSTER = ["--cluster", PLACE, "--keys", "keys"]


def wait_for(found: Callable[[], Any], what: str) -> Any:
    """What `found` gives, as soon as it gives something."""
    deadline = time.monotonic() + DEADLINE_S
    while not (value := found()):
        assert time.monotonic() < deadline, what
        time.sleep(0.05)
    return value


class Match:
    """A cluster with two machines of two slots each, and a match on it."""

    def __init__(self, laboratory: Lab, folder: Path) -> None:
        self.lab = laboratory
        self.folder = folder
        self.engine = folder / "fox"
        shutil.copy(ENGINE_IN_C, self.engine)  # its own place is hidden on the machines
        keys = [*ARENA, "cluster", "keys", "keys"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run(keys, cwd=folder, check=True, capture_output=True, timeout=60, env=environment)
        self.scheduler = self.start_scheduler()
        self.machines: dict[int, subprocess.Popen[bytes]] = {}
        for number in (1, 2):
            self.join(number)
        logs = [f"m{number}.log" for number in self.machines]
        wait_for(lambda: all("has joined" in laboratory.said(log) for log in logs), "machines join")

    def start_scheduler(self, log: str = "scheduler.log") -> "subprocess.Popen[bytes]":
        return self.lab.start([*ARENA, "cluster", "scheduler", "--keys", "keys", "--host", HUB], log)

    def join(self, number: int) -> None:
        words = [*ARENA, "cluster", "join", PLACE, "--keys", "keys", "--slots", "2"]
        self.machines[number] = self.lab.start(words, f"m{number}.log", number)

    def start(self, log: str = "arena.log", games: int = GAMES) -> "subprocess.Popen[bytes]":
        """Begin a match of the engine against itself."""
        limits = ["--variant", "callanish-7", "--nodes", str(NODES), "--games", str(games), "--seed", "5"]
        told = ["--db", "cluster.db", "--events", f"{log}.jsonl"]
        return self.lab.start([*ARENA, "match", *[str(self.engine)] * 2, *limits, *ON_CLUSTER, *told], log)

    def tournament(self) -> list[str]:
        """The command of a tournament of 1000 games of five engines."""
        names = {"fox": 20, "cub": 10, "vixen": 30, "kit": 1}
        entries = [f'name = "{name}"\ncommand = ["./fox"]\nnodes = {nodes}\n' for name, nodes in names.items()]
        settings = {"variants": ["callanish-7"], "rounds": 50, "nodes": 20, "seed": 5}
        (self.folder / "cup.toml").write_text(cup(*entries, "random", **settings))
        return [*ARENA, "tournament", "cup.toml", "--db"]

    def stored(self, db: str = "cluster.db") -> dict[int, tuple[str, str]]:
        """Moves and winner of each game that is stored, by its number."""
        try:
            with closing(sqlite3.connect(f"file:{self.folder / db}?mode=ro", uri=True)) as connection:
                return {
                    n: (moves, won) for n, moves, won in connection.execute("SELECT number, moves, winner FROM games")
                }
        except sqlite3.Error:
            return {}

    def hosts(self) -> dict[str, int]:
        """How many games of each machine are stored."""
        with closing(sqlite3.connect(self.folder / "cluster.db")) as connection:
            return dict(connection.execute("SELECT host, count(*) FROM games GROUP BY host"))

    def wait_for_games(self, games: int) -> None:
        wait_for(lambda: len(self.stored()) >= games, f"{games} games are stored")

    def assert_whole(self, arena: "subprocess.Popen[bytes]", games: int = GAMES) -> None:
        """The run ends well, with each game once, and leaves no worker and no engine anywhere."""
        assert arena.wait(DEADLINE_S) == 0, self.lab.said("arena.log")
        assert sorted(self.stored()) == list(range(1, games + 1)), self.lab.said("arena.log")
        wait_for(lambda: not self.busy(), f"nothing is left running: {self.busy()}")

    def assert_told(self, games: Iterable[int] = range(1, GAMES + 1), log: str = "arena.log") -> None:
        """A run that `start` began told each game that began as ended, and these games once as won or drawn."""
        lines = (self.folder / f"{log}.jsonl").read_text().splitlines()
        events = [each for each in map(json.loads, lines) if "game" in each]
        began, over = ([each["number"] for each in events if each["event"] == what] for what in ("start", "game"))
        assert sorted(began) == sorted(over)
        assert sorted(each["number"] for each in events if each.get("winner") is not None) == sorted(games)
        assert "not stored" not in self.lab.said(log)

    def assert_leaves_nothing(self) -> None:
        """When the machines leave, nothing at all runs there."""
        for machine in self.machines.values():
            if machine.poll() is None:
                machine.terminate()
            machine.wait(60)
        wait_for(lambda: not any(map(self.lab.processes, (1, 2))), "nothing runs on the machines")

    def busy(self, *machines: int) -> list[str]:
        """Workers and engines that run on the machines."""
        found = [each for number in machines or (1, 2) for each in self.lab.processes(number)]
        return [each for each in found if "spawn_main" in each or "callanish-arena/engines" in each]


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    """A lab with such a cluster."""
    with lab(tmp_path, 2) as laboratory:
        match = Match(laboratory, tmp_path)
        yield match
        match.assert_leaves_nothing()


def test_a_thousand_games_are_those_that_one_machine_plays(match: Match) -> None:
    """A tournament, move by move, by number; both machines have played, and only engines' files came to them."""
    command = match.tournament()
    arena = match.lab.start([*command, "cluster.db", *ON_CLUSTER], "arena.log")
    alone = match.lab.start([*command, "local.db"], "local.log")
    match.assert_whole(arena, 1000)
    assert alone.wait(DEADLINE_S) == 0
    assert match.stored() == match.stored("local.db")
    assert set(match.hosts()) == {"m1", "m2"}
    said = match.lab.said("arena.log")
    assert "m1 plays, 2 games at once" in said and re.search(r"played by m1: \d+ games, m2: \d+ games", said)


def test_a_machine_whose_program_is_killed_costs_no_game(match: Match) -> None:
    """Its engines end with it, the run says so, and the other machine plays the rest."""
    arena = match.start()
    match.wait_for_games(GAMES // 5)
    os.kill(match.machines[1].pid, signal.SIGKILL)
    wait_for(lambda: not match.busy(1), "its workers and engines end")
    match.assert_whole(arena)
    match.assert_told()
    how = "(its connection has ended|it cannot be reached|it has left)"  # whichever is noticed first
    assert re.search(f"m1 is lost: {how}; its games are played again on other machines", match.lab.said("arena.log"))


def test_a_cable_that_is_plugged_in_again_brings_the_machine_back(match: Match) -> None:
    """It was given up, ends what it played, and plays on for the same run, which lasts until it is told to end."""
    arena = match.start(games=100 * GAMES)
    match.wait_for_games(GAMES // 10)
    match.lab.cut(1)
    began = time.monotonic()
    wait_for(lambda: "m1 is lost: it has not answered for 10 s" in match.lab.said("arena.log"), "the loss is told")
    assert time.monotonic() - began <= 15
    match.lab.mend(1)
    wait_for(lambda: match.lab.said("arena.log").count("m1 plays, 2 games at once") == 2, "it plays again")
    assert sum("spawn_main" in each for each in match.busy(1)) <= 2
    before = match.hosts().get("m1", 0)
    wait_for(lambda: match.hosts().get("m1", 0) > before, "games of it are stored")
    arena.send_signal(signal.SIGINT)
    assert arena.wait(DEADLINE_S) == 130
    match.assert_told(match.stored())
    wait_for(lambda: not match.busy(), "all workers end")


def test_a_run_stops_with_its_scheduler_and_goes_on_with_the_next_one(match: Match) -> None:
    """Machines wait for it and come back by themselves; games that were stored are not played again."""
    arena = match.start()
    match.wait_for_games(GAMES // 5)
    match.scheduler.kill()
    assert arena.wait(DEADLINE_S) == 1
    assert f"{PLACE} is gone: the run is stopped, the games that ended are kept" in match.lab.said("arena.log")
    wait_for(lambda: not match.busy(), "all workers end")
    kept = len(match.stored())
    match.start_scheduler("scheduler-2.log")
    match.assert_whole(match.start("arena-2.log"))
    assert f"{GAMES - kept} games to play" in match.lab.said("arena-2.log")
