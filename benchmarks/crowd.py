"""Part f: 16 games at once of engines that sleep over each move: throughput, time losses, memory of a worker.

Sleeping engines need no CPU, so as many games as there are slots should be played as if each were alone; what is
missing to that is the referee's. The limit is as long as the sleep, so a slow referee would show as time losses.
"""

import json
import os
import subprocess
import sys

from benchmarks import contenders, scripts
from benchmarks.contenders import Order, Script
from benchmarks.rows import Place, Row, row
from benchmarks.stamps import watch

AT_ONCE = 16
SLEEP_MS = 50
PLIES = 40
GAMES = 3 * AT_ONCE


def measure(here: Place) -> list[Row]:
    """Rows of one run: plies a second as a share of the ideal, losses on time, the largest worker."""
    script = Script(*scripts.written(here.scripts, "scottish", PLIES), "scottish")
    order = Order(GAMES, AT_ONCE, here.clean())
    command = contenders.arena(script, order, thought=f"sleep {SLEEP_MS * 1000}")
    at = command.index("--tc")
    command[at : at + 2] = ["--movetime", str(SLEEP_MS)]
    memory: dict[int, int] = {}
    main: dict[int, int] = {}

    def look(pid: int) -> None:
        main[pid] = _peak_kib(pid)
        memory.update({child: _peak_kib(child) for child in _children(pid) if _is_worker(child)})

    watched = watch(command, here.stamps, 2 * AT_ONCE, where=here.records, tick=look)
    cpus = len(os.sched_getaffinity(0))
    lost = sum(game["termination"] == "time" for game in _games(here))
    share = SLEEP_MS * 1000 / (watched.steady_us(1) * AT_ONCE)
    what = f"{AT_ONCE} games at once on {cpus} CPUs, {SLEEP_MS} ms a move"
    return [
        row("f", f"{what}: plies a second, 1 is the ideal", "ratio", [share]),
        row("f", f"{what}: losses on time, of {GAMES} games", "games", [float(lost)]),
        row("f", "peak memory of a worker", "MiB", [kib / 1024 for kib in memory.values() if kib]),
        row("f", "peak memory of the main process", "MiB", [kib / 1024 for kib in main.values() if kib]),
    ]


def _games(here: Place) -> list[dict[str, object]]:
    command = [sys.executable, "-m", "arena.main", "export", str(here.records / "games.db"), "--format", "jsonl"]
    told = subprocess.run(command, check=True, capture_output=True, timeout=60, text=True)
    return [json.loads(line) for line in told.stdout.splitlines()]


def _peak_kib(pid: int) -> int:
    """The most memory that a process has had resident; 0 where it has gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            return next((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0


def _children(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
            return [int(word) for word in children.read().split()]
    except OSError:
        return []


def _is_worker(pid: int) -> bool:
    """Not an engine that is tried before the games, nor what multiprocessing keeps beside its workers."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"spawn_main" in file.read()
    except OSError:
        return False
