"""Measures short games on a cluster: how long slots are idle between them, and which process takes how much CPU.

    python -m benchmarks.cluster_games [--games 4000] [--nodes 1] [--max-plies 4] [--slots 1]

It makes two machines, which are network namespaces, so only root may run it. They have keys. The engine in C plays
against itself. A slot is idle from the end of a game until its next one begins; its worker is timed from within. CPU
and games a second are those between the first and the last tenth of the games.
"""

import argparse
import contextlib
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from arena.play import worker
from arena.play.snapshots import Finished
from tests.arena.cluster.lab import lab
from tests.arena.cluster.runs import ON_CLUSTER, PLACE, Match

LOOK_S = 0.2
DEADLINE_S = 60
TICKS = os.sysconf("SC_CLK_TCK")
WHO = ("the arena", "Dask's scheduler", "the machines", "their workers", "the engines")
FOLDER = "IDLE_FOLDER"
"""The variable that names the folder for what workers have measured."""


def serve(*place: Any) -> None:
    """A worker that writes when its games began and ended, with the time for which it had waited for a CPU, in ns."""
    stamps: list[tuple[int, int]] = []
    play = worker.RunningGame.play
    with open("/proc/thread-self/schedstat", "rb", buffering=0) as schedstat:

        def stamp() -> None:
            stamps.append((time.monotonic_ns(), int(os.pread(schedstat.fileno(), 64, 0).split()[1])))

        def timed(game: worker.RunningGame, *rest: Any) -> Finished:
            stamp()
            try:
                return play(game, *rest)
            finally:
                stamp()

        try:
            with mock.patch.object(worker.RunningGame, "play", timed):
                worker.main(*place)
        finally:
            whole = Path(os.environ[FOLDER], f"{os.getpid()}.stamps")
            part = whole.with_suffix(".part")
            part.write_text(json.dumps(stamps))
            part.rename(whole)


def join(words: Sequence[str]) -> None:
    """`arena cluster join`, with workers that are timed."""
    from arena.main import main
    from benchmarks import cluster_games

    with mock.patch.object(worker, "main", cluster_games.serve), mock.patch.object(sys, "argv", ["arena", *words]):
        main()


class TimedMatch(Match):
    """A match on two machines whose workers are timed."""

    slots = 1

    def join(self, number: int, python: str | Path = sys.executable, path: str = "") -> None:
        words = ["cluster", "join", PLACE, "--keys", "keys", "--slots", str(self.slots)]
        script = f"from benchmarks.cluster_games import join; join({words})"
        timed = {FOLDER: str(self.folder)}
        self.machines[number] = self.lab.start([str(python), "-c", script], f"m{number}.log", number, timed)

    def games(self) -> int:
        """How many games are stored."""
        try:
            with closing(sqlite3.connect(f"file:{self.folder / 'cluster.db'}?mode=ro", uri=True)) as db:
                return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.Error:
            return 0


class Sample(NamedTuple):
    """How things stand at a moment."""

    at_s: float
    games: int
    cpu_s: dict[str, float]
    """What each of WHO has used by now."""


def cpu_s(pid: int) -> float:
    """The CPU time of a process; 0 where it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


def children(pid: int) -> list[int]:
    """The processes that it has started."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, task.read_text().split())
    return found


def descendants(pid: int) -> list[int]:
    """The processes that it and its children have started."""
    return [each for child in children(pid) for each in (child, *descendants(child))]


def is_worker(pid: int) -> bool:
    """True for a worker; false for the tracker that multiprocessing starts."""
    try:
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def samples(match: TimedMatch, arena: "subprocess.Popen[bytes]") -> list[Sample]:
    """Look at all processes of the cluster now and then until the arena ends."""
    found: list[Sample] = []
    of: dict[int, tuple[str, float]] = {}
    """Whose each process is, and what it has used; also of those that have ended."""
    while arena.poll() is None:
        there = {arena.pid: WHO[0], match.scheduler.pid: WHO[1]}
        for machine in match.machines.values():
            there[machine.pid] = WHO[2]
            for pid in children(machine.pid):
                there[pid] = WHO[3] if is_worker(pid) else WHO[2]
                if there[pid] == WHO[3]:
                    there |= dict.fromkeys(descendants(pid), WHO[4])
        of |= {pid: (who, max(cpu_s(pid), of.get(pid, ("", 0.0))[1])) for pid, who in there.items()}
        used = {name: sum(s for who, s in of.values() if who == name) for name in WHO}
        found.append(Sample(time.monotonic(), match.games(), used))
        time.sleep(LOOK_S)
    return found


def main() -> None:
    """Play, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--max-plies", type=int, default=4)
    parser.add_argument("--slots", type=int, default=1, help="of each machine")
    given = parser.parse_args()
    TimedMatch.slots = given.slots
    with tempfile.TemporaryDirectory() as place, lab(Path(place), 2) as laboratory:
        match = TimedMatch(laboratory, Path(place))
        command = [*match.command("cluster.db", given.games, nodes=given.nodes), *ON_CLUSTER]
        arena = laboratory.start([*command, "--max-plies", str(given.max_plies)], "arena.log")
        seen = samples(match, arena)
        if arena.returncode or match.games() != given.games:
            raise SystemExit(laboratory.said("arena.log"))
        times = times_of(match.folder, 2 * given.slots)
    tell(given.games, times, seen)


class Times(NamedTuple):
    """What workers have measured, in ns."""

    games: list[int]
    idle: list[int]
    """Between two games."""
    not_kept_waiting: list[int]
    """The same without the time in which the worker could have gone on and had no CPU."""


def times_of(folder: Path, slots: int) -> Times:
    """What so many workers have measured."""
    deadline = time.monotonic() + DEADLINE_S
    while len(files := list(folder.glob("*.stamps"))) < slots:
        if time.monotonic() > deadline:
            raise SystemExit(f"{slots - len(files)} workers have told nothing")
        time.sleep(LOOK_S)
    times = Times([], [], [])
    for file in files:
        steps = [(at - began, waited - had) for (began, had), (at, waited) in pairwise(json.loads(file.read_text()))]
        times.games.extend(ns for ns, _ in steps[::2])
        times.idle.extend(ns for ns, _ in steps[1::2])
        times.not_kept_waiting.extend(ns - waited for ns, waited in steps[1::2])
    return times


def tell(games: int, times: Times, seen: list[Sample]) -> None:
    """Print the figures."""
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores; {len(times.games)} games")
    whats = ("a game", "a slot between two games", "the same without waits for a CPU")
    for what, found in zip(whats, times, strict=True):
        steps = statistics.quantiles(found, n=100)
        print(f"{what}: median {steps[49] / 1e6:.3f} ms, 95 % {steps[94] / 1e6:.3f} ms, 99 % {steps[98] / 1e6:.3f} ms")
    middle = [each for each in seen if games / 10 <= each.games <= 9 * games / 10]
    if len(middle) < 2:
        raise SystemExit("too few games for figures of CPU: give more --games")
    first, last = middle[0], middle[-1]
    seconds, played = last.at_s - first.at_s, last.games - first.games
    print(f"{played / seconds:.0f} games/s")
    for who in WHO:
        used = last.cpu_s[who] - first.cpu_s[who]
        print(f"{who}: {used / seconds:.0%} of a core, {1000 * used / played:.2f} ms a game")


if __name__ == "__main__":
    main()
