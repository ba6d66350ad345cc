"""The cost of containment: a start at each level, and the referee's own time for a ply.

Run as `python -m benchmarks.containment [--json]`. The engines are the independent C engine (`make venv`), which
answers at once under `go depth 1`. Rounds of the levels are interleaved on one CPU, so a change of the machine's speed
affects all levels. The figures include the engine's search, which is the same at every level.
"""

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path

from arena.games import variants
from arena.games.game import Game
from arena.play.engine_pool import LiveEngine
from arena.play.jobs import EngineSpec, Terms
from arena.play.referee import LoggedPly, play
from arena.timing.time_control import parse
from protocol.containment.policy import Level, SandboxPolicy

ENGINE = Path(__file__).parent.parent / "engines" / "bin" / "independent"
ROUNDS = 15
GAMES = 20


def start_ms(level: Level, command: tuple[str, ...] = (str(ENGINE),)) -> float:
    """The time from the call to a finished handshake, in ms."""
    began = time.perf_counter_ns()
    live = LiveEngine(EngineSpec("c", command, sandbox=SandboxPolicy(level)))
    took = (time.perf_counter_ns() - began) / 1e6
    live.kill()
    return took


def ply_us(one: LiveEngine, two: LiveEngine) -> float:
    """Wall time of a ply in games on 7x7, in us; the best game of the round."""
    rules, start = variants.resolve("callanish-7")
    terms = Terms(parse("depth=1"))
    best = float("inf")
    for seed in range(GAMES):
        log: list[LoggedPly] = []
        seats = (one.begin(rules, seed, terms), two.begin(rules, seed, terms))
        began = time.perf_counter_ns()
        play(Game(rules, start), seats, terms, log)
        best = min(best, (time.perf_counter_ns() - began) / 1e3 / len(log))
    return best


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("--json", action="store_true", help="print JSON")
    wanted = arguments.parse_args()
    if not ENGINE.exists():
        sys.exit("engines/bin/independent is not built: run `make venv` first")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    levels = list(Level)
    starts: dict[str, list[float]] = {level.value: [] for level in levels}
    plies: dict[str, list[float]] = {level.value: [] for level in levels}
    pairs = {
        level: [LiveEngine(EngineSpec("c", (str(ENGINE),), sandbox=SandboxPolicy(level))) for _ in range(2)]
        for level in levels
    }
    for _ in range(ROUNDS):
        for level in levels:
            starts[level.value].append(start_ms(level))
            plies[level.value].append(ply_us(*pairs[level]))
    for pair in pairs.values():
        for live in pair:
            live.quit()
    base = plies[Level.NONE.value]
    found = {
        level: {
            "start_ms": statistics.median(starts[level]),
            "ply_us": statistics.median(plies[level]),
            "ratio_to_none": statistics.median(a / b for a, b in zip(plies[level], base, strict=True)),
        }
        for level in starts
    }
    if wanted.json:
        print(json.dumps(found))
        return
    print("level    start ms   us a ply   ratio to none")
    for name, figures in found.items():
        print(f"{name:8} {figures['start_ms']:8.1f} {figures['ply_us']:10.1f} {figures['ratio_to_none']:15.3f}")


if __name__ == "__main__":
    main()
