"""A guest's engine: random moves after random thoughts, and a file of how long each search took here.

    TIMED_ENGINE=FILE python -m benchmarks.host.timed_engine LONGEST_MS

It thinks for up to LONGEST_MS, at most until RESERVE_MS before the end of its time: so a line that takes longer than
its lag makes it lose. Each line of the file has the moves of the game, the time of day at the answer in s, the time
since `go` in ms, and the time in ms that it had left at `go`, or null; what the host saw beyond the third is the
line's. The file is not an argument, since files that are arguments belong to the build of an engine.

In truth each guest has a machine of its own. So a search here goes before other programs, where the system lets it.
"""

import contextlib
import json
import os
import random
import sys
import time

from engines.common import Line
from engines.random import RandomPlayer
from protocol.engine import Search, run

FILE = "TIMED_ENGINE"
"""The variable that names the file."""
RESERVE_MS = 100
"""So much of its time is left when it moves: a busy machine may wake it later than it asked for."""


class TimedPlayer(RandomPlayer):
    """The random engine, which takes its time and notes it."""

    name = "Timed"

    def __init__(self, file: str, longest_ms: float) -> None:
        self._file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._longest_ms = longest_ms
        self._chance = random.Random()
        super().__init__()

    def choose(self, line: Line, search: Search) -> str:
        move = super().choose(line, search)
        end_ms, had_ms = self._chance.random() * self._longest_ms, search.limits.time_ms
        if had_ms is not None:
            end_ms = min(end_ms, had_ms - RESERVE_MS)
        time.sleep(max(0, end_ms - search.elapsed_ms()) / 1000)
        noted = json.dumps([" ".join(line.root.moves), time.time(), search.elapsed_ms(), had_ms])
        os.write(self._file, f"{noted}\n".encode())
        return move


if __name__ == "__main__":
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    run(TimedPlayer(os.environ[FILE], float(sys.argv[1])))
