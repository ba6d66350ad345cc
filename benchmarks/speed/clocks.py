"""Part e: the move times that the referee records, against the engine's own, on an idle and a loaded machine.

A spinning engine uses so much CPU time; a sleeping one waits for so long. The recorded wall time is compared with the
engine's own wall time. The time that the clock charges is compared with the time that the engine caused: the CPU
time that it used, or the sleep that it asked for.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.speed import contenders, scripts
from benchmarks.speed.contenders import Script, Workload
from benchmarks.speed.hogs import hogs
from benchmarks.speed.rows import Row, Workspace, row
from benchmarks.speed.stamps import watch

PLIES = {1: 100, 10: 40, 100: 12}
"""The number of moves that are compared, by their length in ms."""
HOW = ("spin", "sleep")


def measure(space: Workspace) -> list[Row]:
    """Spinning and sleeping at each length, first on an idle machine, then beside one busy process for each CPU."""
    rows = list(_rows(space, "idle"))
    cpus = sorted(os.sched_getaffinity(0))
    with hogs([1] * len(cpus), cpus):
        rows += _rows(space, "loaded")
    return rows


def _rows(space: Workspace, load: str) -> Iterator[Row]:
    for how in HOW:
        for ms in PLIES:
            wall_us, charged_us = errors(space, how, ms)
            yield row("e", f"wall time recorded less the engine's own: {how} {ms} ms, {load}", "us", wall_us)
            yield row("e", f"time charged less what the engine used: {how} {ms} ms, {load}", "us", charged_us)


def errors(space: Workspace, how: str, ms: int) -> tuple[list[float], list[float]]:
    """For each move of a game: recorded less the engine's own wall time, and charged less caused time, in us."""
    plies = PLIES[ms]
    script = Script(*scripts.written(space.scripts, "scottish", plies), "scottish")
    workload = Workload(1, 1, space.clean())
    command = contenders.arena(script, workload, thought=f"{how} {ms * 1000}")
    (game,) = watch(command, space.stamps, 2, where=space.records).games(plies)
    (recorded,) = exported(workload.folder)
    wall_us, charged_us = [], []
    for stamp, ply in zip(game.stamps, recorded["ply_data"], strict=True):
        own_us = (stamp.best_ns - stamp.go_ns) / 1000
        due_us = stamp.cpu_ns / 1000 if how == "spin" else ms * 1000
        wall_us.append(ply["wall_us"] - own_us)
        charged_us.append(ply["wall_us"] - (ply["late_us"] or 0) - due_us)
    return wall_us, charged_us


def exported(folder: Path) -> list[dict[str, Any]]:
    """The games in the database in `folder`, by number, as `arena export` writes them."""
    command = [sys.executable, "-m", "arena.main", "export", str(folder / "games.db"), "--format", "jsonl"]
    lines = subprocess.run(command, check=True, capture_output=True, timeout=60, text=True).stdout.splitlines()
    return sorted((json.loads(line) for line in lines), key=lambda game: int(game["number"]))
