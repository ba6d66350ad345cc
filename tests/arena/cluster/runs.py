"""A run on two machines, with keys: each is a network namespace that has no engine of its own."""

import json
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.arena.cli.conftest import ENGINE_IN_C
from tests.arena.cluster.lab import ARENA, HUB, ROOT, Lab
from tests.arena.conftest import cup

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
        wait_for(lambda: not any(map(self.lab.processes, (1, 2, 3))), "nothing runs on the machines")

    def busy(self, *machines: int) -> list[str]:
        """Workers and engines that run on the machines."""
        found = [each for number in machines or (1, 2, 3) for each in self.lab.processes(number)]
        return [each for each in found if "spawn_main" in each or "callanish-arena/engines" in each]
