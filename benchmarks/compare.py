"""Is this checkout slower than another one? `python -m benchmarks.compare BASE [--rounds 10]`.

BASE is a commit, or the folder of a checkout. Both sides take turns on this machine and with this Python, each with its
own packages. A figure of a round is compared with the other side's figure of the same round only. Passes no judgement:
docs/project/CONTRIBUTING.md says how to read the table.
"""

import argparse
import io
import os
import random
import statistics
import subprocess
import sys
import tarfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.speed import contenders, scripts
from benchmarks.speed.contenders import Workload
from benchmarks.speed.referees import gaps_us, plies_us, rate
from benchmarks.speed.rows import Workspace, workspace
from benchmarks.speed.stamps import Failed, watch

ROOT = Path(__file__).parents[1]
PACKAGES = ("arena", "engines", "protocol", "results")
LONG, SHORT = (150, 20), (20, 500)
"""The plies of a game and the games of a run: for plies and starts, and for short games and standings."""
FIGURES = {
    "ply": "us that the referee adds to a ply",
    "between games": "us from the last bestmove to the next go",
    "short games": f"us for a game of {SHORT[0]} plies",
    "start": "ms from the command to the first go",
    "standings": f"ms for arena standings of {SHORT[1]} games",
}
_RESAMPLES = 2_000
Figures = dict[str, float]


def side(base: str, folder: Path) -> Path:
    """The folder with the packages of a commit, which is unpacked into `folder`, or of a checkout.

    Raises Failed with one sentence.
    """
    if all((Path(base) / name).is_dir() for name in PACKAGES):
        return Path(base).resolve()
    packed = subprocess.run(["git", "archive", base, *PACKAGES], cwd=ROOT, capture_output=True)
    if packed.returncode != 0:
        raise Failed(f"{base} is neither a commit nor the folder of a checkout: name one, such as BASE=main")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def figures(packages: Path, space: Workspace) -> Figures:
    """One round of one side. Raises Failed."""
    program = ("env", f"PYTHONPATH={packages}", sys.executable, "-P", "-m", "arena.main")
    cpu = max(os.sched_getaffinity(0))
    found: Figures = {}
    for plies, games in (LONG, SHORT):
        script = scripts.ours(space.scripts, "scottish", plies)
        words = contenders.arena(script, Workload(games, 1, space.clean()))[3:]
        watched = watch([*program, *words], space.stamps, 2, cpu=cpu, where=space.records)
        its = watched.games(script.plies)
        if (plies, games) == LONG:
            found["ply"] = statistics.median(plies_us(watched, script.plies))
            found["between games"] = statistics.median(gaps_us(watched, script.plies))
            found["start"] = (its[0].first_ns - watched.began_ns) / 1e6
        else:
            found["short games"] = 1e6 / rate(watched, script.plies)[0]
    began_ns = time.monotonic_ns()
    subprocess.run([*program, "standings", "games.db"], cwd=space.records, check=True, capture_output=True)
    found["standings"] = (time.monotonic_ns() - began_ns) / 1e6
    return found


def interval(ratios: Sequence[float]) -> tuple[float, float, float]:
    """The median of the rounds' ratios, and its 95 % interval by resampling the rounds."""
    chance = random.Random(1)
    medians = sorted(statistics.median(chance.choices(ratios, k=len(ratios))) for _ in range(_RESAMPLES))
    return statistics.median(ratios), medians[_RESAMPLES // 40], medians[-_RESAMPLES // 40 - 1]


def table(base: Sequence[Figures], ours: Sequence[Figures]) -> str:
    """A line for each figure: both medians, and the ratio of this checkout to the base with its interval."""
    lines = [f"{'':16}{'base':>10}{'here':>10}{'ratio':>8}  95 % interval"]
    for name, meaning in FIGURES.items():
        ratio, low, high = interval([here[name] / there[name] for there, here in zip(base, ours, strict=True)])
        medians = [statistics.median(round_[name] for round_ in its) for its in (base, ours)]
        lines.append(f"{name:16}{medians[0]:10.4g}{medians[1]:10.4g}{ratio:8.3f}  {low:.3f} to {high:.3f}  {meaning}")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description="This checkout beside another.")
    parser.add_argument("base", help="a commit, or the folder of a checkout")
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    rounds: tuple[list[Figures], list[Figures]] = [], []
    try:
        if not contenders.built():
            raise Failed("the engines that replay games need a C compiler (cc)")
        with workspace(1) as space:
            work = space.scripts.parent
            sides = [side(options.base, work / "base"), ROOT]
            for number in range(options.rounds):
                print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
                # Each side goes first in every other round.
                for at in (0, 1) if number % 2 else (1, 0):
                    rounds[at].append(figures(sides[at], space))
    except Failed as failure:
        sys.exit(f"bench-compare: {failure}")
    print(f"load at the end: {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
    print(table(*rounds))


if __name__ == "__main__":
    main()
