"""Measures an open ladder: `arena host` with many clients, over bad lines, cut off and killed.

    python -m benchmarks.host line [--guests 40] [--games 500] [--tc 5+0.2] [--at-once 20]
    python -m benchmarks.host cuts [--guests 16] [--cuts 200] [--longest 60]
    python -m benchmarks.host kills [--guests 8] [--kills 50]
    python -m benchmarks.host cpu [--guests 100] [--playing 20] [--seconds 60]
    python -m benchmarks.host same [--games 2000] [--cuts 1000] [--at-once 2]

`line` makes a TUN device and a network namespace, so only root may run it. All guests have the random engine, which
thinks for a while and notes how long. `kills` kills the host and a client so many times each. `same` compares the
games by nodes of two guests whose lines are cut with those of the same ladder on one machine.
"""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

from benchmarks.host import measures
from benchmarks.host.same_games import same_games


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m benchmarks.host", description=__doc__.splitlines()[0])
    asked.add_argument("what", choices=("line", "cuts", "kills", "cpu", "same"))
    asked.add_argument("--guests", type=int)
    asked.add_argument("--games", type=int)
    asked.add_argument("--cuts", type=int)
    asked.add_argument("--kills", type=int, default=50)
    asked.add_argument("--playing", type=int, default=20)
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--longest", type=float, default=60, help="the longest cut, in s")
    asked.add_argument("--think", type=float, default=1500, help="the longest search of `line`, in ms")
    asked.add_argument("--tc", default="5+0.2")
    asked.add_argument("--at-once", type=int, default=0)
    asked.add_argument("--keep", type=Path, help="an empty folder that keeps logs and database")
    given = asked.parse_args()
    # Only then do the blocks end that end what was started.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with tempfile.TemporaryDirectory(prefix="open-ladder-") as name:
        folder = given.keep or Path(name)
        if given.what == "line":
            guests = given.guests or 40
            measures.over_a_bad_line(
                folder, guests, given.games or 500, given.tc, given.at_once or guests // 2, given.think
            )
        elif given.what == "cuts":
            guests = given.guests or 16
            measures.cuts(folder, guests, given.cuts or 200, given.tc, given.at_once or guests // 2, given.longest)
        elif given.what == "kills":
            guests = given.guests or 8
            measures.kills(folder, guests, given.kills, given.tc, given.at_once or guests // 2)
        elif given.what == "same":
            same_games(folder, given.games or 2000, 1000 if given.cuts is None else given.cuts, given.at_once or 2)
        else:
            measures.cpu(folder, given.guests or 100, given.playing, given.tc, given.seconds)


if __name__ == "__main__":
    main()
