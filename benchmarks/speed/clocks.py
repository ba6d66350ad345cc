"""Part b: the move times that the referee records, against the engine's own, on an idle and a loaded machine.

A spinning engine uses so much CPU time; a sleeping one waits for so long. The recorded wall time is compared with the
engine's own wall time. The time that the clock charges is compared with the time that the engine caused: the CPU
time that it used, or the sleep that it asked for.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.speed import contenders, scripts
from benchmarks.speed.contenders import Workload
from benchmarks.speed.hogs import hogs
from benchmarks.speed.rows import OURS, Row, Workspace
from benchmarks.speed.stamps import watch

MS, PLIES = 10, 40
"""The length of a move, and the number of moves."""
HOW = ("spin", "sleep")


def measure(space: Workspace) -> list[Row]:
    """Spinning and sleeping engines, first on an idle machine, then beside one busy process for each CPU."""
    rows = list(_rows(space, "idle"))
    cpus = sorted(os.sched_getaffinity(0))
    with hogs([1] * len(cpus), cpus):
        rows += _rows(space, "loaded")
    return rows


def _rows(space: Workspace, load: str) -> Iterator[Row]:
    for how in HOW:
        wall_us, charged_us = errors(space, how)
        yield Row("b", f"time recorded less the engine's own, {how} {MS} ms, {load}", "us", {OURS: [wall_us]})
        yield Row("b", f"time charged less what it used, {how} {MS} ms, {load}", "us", {OURS: [charged_us]})


def errors(space: Workspace, how: str) -> tuple[list[float], list[float]]:
    """For each move of a game: recorded less the engine's own wall time, and charged less caused time, in us."""
    script = replace(scripts.ours(space.scripts, "scottish", PLIES), thought=f"{how} {MS * 1000}")
    workload = Workload(1, 1, space.clean())
    (game,) = watch(contenders.arena(script, workload), space.stamps, 2, where=space.records).games(PLIES)
    (recorded,) = exported(workload.folder)
    wall_us, charged_us = [], []
    for stamp, ply in zip(game.stamps, recorded["ply_data"], strict=True):
        own_us = (stamp.best_ns - stamp.go_ns) / 1000
        due_us = stamp.cpu_ns / 1000 if how == "spin" else MS * 1000
        wall_us.append(ply["wall_us"] - own_us)
        charged_us.append(ply["wall_us"] - (ply["late_us"] or 0) - due_us)
    return wall_us, charged_us


def exported(folder: Path) -> list[dict[str, Any]]:
    """The games in the database in `folder`, by number, as `arena export` writes them."""
    command = [sys.executable, "-m", "arena.main", "export", str(folder / "games.db"), "--format", "jsonl"]
    lines = subprocess.run(command, check=True, capture_output=True, timeout=60, text=True).stdout.splitlines()
    return sorted((json.loads(line) for line in lines), key=lambda game: int(game["number"]))
