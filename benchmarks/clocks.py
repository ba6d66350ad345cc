"""Part e: what the referee says that a move took, against what the engine itself measured, idle and under load.

An engine that spins burns so much CPU time of its own, one that sleeps is away for so long. The wall time that is
recorded is compared with the engine's own wall time. What the fair clock charges is compared with what the engine is
answerable for: the CPU time that it burned, or the sleep that it asked for.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import contenders, scripts
from benchmarks.contenders import Order, Script
from benchmarks.rows import Place, Row, row
from benchmarks.stamps import watch

PLIES = {1: 100, 10: 40, 100: 12}
"""How many moves of each length, in ms, are compared."""
HOG = "import time; end = time.monotonic() + 60\nwhile time.monotonic() < end: pass"
HOW = ("spin", "sleep")


def measure(here: Place) -> list[Row]:
    """Both kinds of thought at each length, first on an idle machine, then beside one hog for each CPU."""
    rows = list(_rows(here, "idle"))
    with hogs():
        rows += _rows(here, "loaded")
    return rows


def _rows(here: Place, mood: str) -> Iterator[Row]:
    for how in HOW:
        for ms in PLIES:
            wall_us, charged_us = errors(here, how, ms)
            yield row("e", f"wall time recorded less the engine's own: {how} {ms} ms, {mood}", "us", wall_us)
            yield row("e", f"time charged less what the engine used: {how} {ms} ms, {mood}", "us", charged_us)


def errors(here: Place, how: str, ms: int) -> tuple[list[float], list[float]]:
    """Of one game's moves: recorded wall time less the engine's own; charged time less what it is answerable for."""
    plies = PLIES[ms]
    script = Script(*scripts.written(here.scripts, "scottish", plies), "scottish")
    order = Order(1, 1, here.clean())
    command = contenders.arena(script, order, thought=f"{how} {ms * 1000}")
    (game,) = watch(command, here.stamps, 2, where=here.records).games(plies)
    (recorded,) = stored(order.folder)
    wall_us, charged_us = [], []
    for stamp, ply in zip(game.stamps, recorded, strict=True):
        own_us = (stamp.best_ns - stamp.go_ns) / 1000
        due_us = stamp.cpu_ns / 1000 if how == "spin" else ms * 1000
        wall_us.append(ply["wall_us"] - own_us)
        charged_us.append(ply["wall_us"] - (ply["late_us"] or 0) - due_us)
    return wall_us, charged_us


def stored(folder: Path) -> list[list[dict[str, Any]]]:
    """The plies of the games that were kept in `folder`, in the order of their numbers."""
    target = folder / "games.jsonl"
    command = [sys.executable, "-m", "arena.main", "export", str(folder / "games.db"), "--format", "jsonl"]
    subprocess.run([*command, "--output", str(target)], check=True, capture_output=True, timeout=60)
    games = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    return [game["ply_data"] for game in sorted(games, key=lambda game: int(game["number"]))]


@contextmanager
def hogs() -> Iterator[None]:
    """One busy process on each CPU; each ends by itself after a minute, should nobody be there to end it."""
    running = []
    try:
        for cpu in sorted(os.sched_getaffinity(0)):
            hog = subprocess.Popen([sys.executable, "-c", HOG])
            running.append(hog)
            os.sched_setaffinity(hog.pid, {cpu})
        yield
    finally:
        for hog in running:
            hog.kill()
            hog.wait()
