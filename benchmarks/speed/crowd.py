"""Part f: 16 games at once of engines that sleep over each move: throughput, time losses, memory of a worker.

Sleeping engines need no CPU, so each game should run as if it were alone; what is missing to that is the referee's
cost. The limit of a move is as long as the sleep, so a slow referee would show as losses on time.
"""

import os

from benchmarks.speed import contenders, scripts
from benchmarks.speed.clocks import exported
from benchmarks.speed.contenders import Script, Workload
from benchmarks.speed.rows import Row, Workspace, row
from benchmarks.speed.stamps import watch

AT_ONCE = 16
SLEEP_MS = 50
PLIES = 40
GAMES = 3 * AT_ONCE


def measure(space: Workspace) -> list[Row]:
    """Rows of one run: plies a second as a share of the ideal, losses on time, the largest worker."""
    script = Script(*scripts.written(space.scripts, "scottish", PLIES), "scottish")
    workload = Workload(GAMES, AT_ONCE, space.clean())
    command = contenders.arena(script, workload, thought=f"sleep {SLEEP_MS * 1000}")
    at = command.index("--tc")
    command[at : at + 2] = ["--movetime", str(SLEEP_MS)]
    memory: dict[int, int] = {}
    main: dict[int, int] = {}

    def look(pid: int) -> None:
        main[pid] = _peak_kib(pid)
        memory.update({child: _peak_kib(child) for child in _children(pid) if _is_worker(child)})

    watched = watch(command, space.stamps, 2 * AT_ONCE, where=space.records, tick=look)
    cpus = len(os.sched_getaffinity(0))
    lost = sum(game["termination"] == "time" for game in exported(space.records))
    share = SLEEP_MS * 1000 / (watched.steady_us(1) * AT_ONCE)
    what = f"{AT_ONCE} games at once on {cpus} CPUs, {SLEEP_MS} ms a move"
    return [
        row("f", f"{what}: plies a second, 1 is the ideal", "ratio", [share]),
        row("f", f"{what}: losses on time, of {GAMES} games", "games", [float(lost)]),
        row("f", "peak memory of a worker", "MiB", [kib / 1024 for kib in memory.values() if kib]),
        row("f", "peak memory of the main process", "MiB", [kib / 1024 for kib in main.values() if kib]),
    ]


def _peak_kib(pid: int) -> int:
    """The peak resident memory of a process in KiB; 0 where the process has ended."""
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
    """True for a worker; false for an engine and for the tracker that multiprocessing starts."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"spawn_main" in file.read()
    except OSError:
        return False
