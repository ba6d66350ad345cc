"""Accidents around a run: programs that vanish, workers and disks that fail.

Each is a small scenario with real processes and its own expectation. It returns everything that is wrong.
"""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import multiprocess

from benchmarks.faults.stage import MARK, ZOO, ObservedRun, TestBed, jobs
from results.record import GameRecord
from results.store.store import Store, StoreError

GAMES = 150
COMMAND_PROCESSES = 5
"""The processes of a match: the command, the tracker of multiprocess, a worker and two engines."""
INTERRUPTED = 130
INTERRUPT_S = 3.0
START_S = 0.05
"""The seconds that Python takes until it runs the first line of a command."""
SETTLED_S = 1.0
"""After so many seconds the engines have reached the move in which they hang."""
STEP_S = 0.01
COMMAND_S = 40.0
"""The seconds that a command may take at most."""


@dataclass(frozen=True, slots=True)
class Accident:
    """A scenario that was played: what happens, the expected and the actual result, and everything that is wrong."""

    name: str
    story: str
    expected: str
    got: str
    wrong: tuple[str, ...]


class ScenarioBroken(Exception):
    """A scenario waited for something that did not happen."""


Scenario = Callable[[str], tuple[str, list[str]]]


def play(name: str, level: str) -> Accident:
    """Play one scenario by its name."""
    scenario = SCENARIOS[name]
    story, _, expected = " ".join((scenario.__doc__ or "").split()).partition(": ")
    try:
        got, wrong = scenario(level)
    except (ScenarioBroken, StoreError, subprocess.TimeoutExpired) as error:
        got, wrong = "not played to its end", [str(error)]
    return Accident(name, story, expected.rstrip("."), got, tuple(wrong))


def removed_and_dead(level: str) -> tuple[str, list[str]]:
    """The engine dies in game 1 and its program is gone: crash, then a crash that says that there is no program."""
    with TestBed(level) as bed:
        bed.launch("--fault", "exit-1", "--at", "mid")

        def kept(record: GameRecord) -> None:
            if record.number == 1:
                bed.launcher.unlink()

        observed = bed.run(bed.specs(), jobs(2, "1+0"), kept)
    got, wrong = _words(observed), [*_errors(observed)]
    detail = observed.arrivals[-1].record.detail.replace(f"{bed.launcher.parent}/", "") if observed.arrivals else ""
    if got != ("crash", "crash") or "there is no such" not in detail:
        wrong.append("two crashes expected, the second of them since there is no such program")
    return f"{', '.join(got)}: {detail}", wrong


def worker_killed(level: str) -> tuple[str, list[str]]:
    """A worker is killed by SIGKILL in its second game: that game is played again and nobody is charged."""
    return _killed_worker(level, ("--think", "40"))


def worker_of_deaf_engines_killed(level: str) -> tuple[str, list[str]]:
    """The same with an engine that ends by SIGKILL alone: the game is played again and nobody is left."""
    return _killed_worker(level, ("--think", "40", "--fault", "immortal", "--at", "quit"))


def _killed_worker(level: str, arguments: Sequence[str]) -> tuple[str, list[str]]:
    with TestBed(level) as bed:
        bed.launch(*arguments)

        def kept(record: GameRecord) -> None:
            if record.number == 1:
                (worker,) = multiprocess.active_children()
                threading.Timer(0.1, worker.kill).start()  # its second game takes at least 0.3 s

        observed = bed.run(bed.specs(), jobs(3, "5+0"), kept)
    got, wrong = _words(observed), [*_errors(observed)]
    if got != ("adjudication", "unfinished", "adjudication", "adjudication"):
        wrong.append("three games with their own endings, and the one that lost its worker, expected")
    if sorted(one.record.number for one in observed.arrivals if one.record.winner is not None) != [1, 2, 3]:
        wrong.append("every game once expected")
    return ", ".join(got), wrong


def immortals(level: str) -> tuple[str, list[str]]:
    """One worker has to end three engines that ignore quit and SIGTERM: the run ends and nobody is left."""
    with TestBed(level) as bed:
        bed.launch("--fault", "immortal")
        specs = {name: bed.spec(name, (str(bed.launcher),)) for name in "abc"}
        games = [*jobs(1, "1+0", "a", "b"), *jobs(1, "1+0", "b", "c")]
        observed = bed.run(specs, games, lambda record: None)
    return ", ".join(_words(observed)), [*_errors(observed)]


def dies_after_the_game(level: str) -> tuple[str, list[str]]:
    """An engine is gone when it is told how the game ended: the result stands and the next game is played."""
    with TestBed(level) as bed:
        bed.launch("--fault", "exit-1", "--at", "idle")
        observed = bed.run(bed.specs(), jobs(2, "1+0", plies=2), lambda record: bed.launch())
    got = _words(observed)
    wrong = [*_errors(observed), *(["two adjudicated games expected"] if got != ("adjudication",) * 2 else [])]
    return ", ".join(got), wrong


def command_killed(level: str) -> tuple[str, list[str]]:
    """The whole command is killed by SIGKILL in a game: no worker and no engine is left two seconds later."""
    with TestBed(level) as bed, _match(bed, "--games", "2", engine=(*ZOO, "--think", "200")) as command:
        _until(lambda: len(bed.alive()) >= COMMAND_PROCESSES, command)
        command.kill()
        command.wait(COMMAND_S)
        left = bed.left()
    return f"{len(left)} left", [f"{len(left)} left: {left[0][:60]}"] if left else []


def interrupted(level: str) -> tuple[str, list[str]]:
    """Ctrl-C while an engine hangs in its search: status 130 within 3 s, and nobody is left."""
    with TestBed(level) as bed:
        silent = (*ZOO, "--fault", "silent", "--at", "mid")
        with _match(bed, "--move-limit", "600", engine=silent) as command:
            _until(lambda: len(bed.alive()) >= COMMAND_PROCESSES, command)
            time.sleep(SETTLED_S)
            began = time.monotonic()
            command.send_signal(signal.SIGINT)
            command.communicate(timeout=COMMAND_S)
            seconds = time.monotonic() - began
        left = bed.left()
    wrong = [f"status {command.returncode}"] if command.returncode != INTERRUPTED else []
    wrong += [f"{seconds:.1f} s"] if seconds >= INTERRUPT_S else []
    wrong += [f"{len(left)} left: {left[0][:60]}"] if left else []
    return f"status {command.returncode}, {seconds:.1f} s", wrong


def interrupted_early(level: str) -> tuple[str, list[str]]:
    """Ctrl-C at 40 moments while modules are loaded: every one ends the command within 1 s, and nobody is left."""
    slowest, wrong = 0.0, list[str]()
    for moment in range(40):
        with TestBed(level) as bed, _match(bed) as command:
            time.sleep(START_S + 0.0075 * moment)
            began = time.monotonic()
            command.send_signal(signal.SIGINT)
            said = command.communicate(timeout=COMMAND_S)[1]
            slowest = max(slowest, time.monotonic() - began)
            # Until our first line is run, Python answers: it ends at once too, but with a status and words of its own.
            if f"{Path.cwd() / 'arena'}/" in said or (command.returncode != INTERRUPTED and "import" not in said):
                wrong.append(f"status {command.returncode}: {said[-60:]!r}")
            if left := bed.left():
                wrong.append(f"{len(left)} left: {left[0][:60]}")
    wrong += [f"{slowest:.1f} s"] if slowest >= 1.0 else []
    return f"status 130, at most {slowest:.1f} s", wrong


def wal_truncated(level: str) -> tuple[str, list[str]]:
    """The command is killed, half of its write-ahead log is lost: what was whole is there, a resume plays the rest."""
    with TestBed(level) as bed:
        with _match(bed) as command:
            _until(lambda: _count(bed) > GAMES // 3, command)
            command.kill()
            command.wait(COMMAND_S)
        log = _database(bed).with_name(_database(bed).name + "-wal")
        os.truncate(log, log.stat().st_size // 2 + 17)
        before = _stored(bed)
        with _match(bed) as command:
            command.communicate(timeout=COMMAND_S)
        after = _stored(bed)
    wrong = [] if 0 < len(before) < GAMES // 3 else [f"{len(before)} games were left of {GAMES // 3} and more"]
    if after[: len(before)] != before or [record.number for record in after] != [*range(1, GAMES + 1)]:
        wrong.append(f"{len(after)} games after the resume, the first of them not the same or not each once")
    return f"{len(before)} games kept, {len(after)} after the resume", wrong


@contextlib.contextmanager
def _match(bed: TestBed, *arguments: str, engine: Sequence[str] = ZOO) -> "Iterator[subprocess.Popen[str]]":
    """`arena match` as a child process, which is killed at the end of the block."""
    options = {
        "--db": _database(bed),
        "--seed": 1,
        "--contain": bed.level,
        "--env": f"{MARK}={bed.token}",
        "--variant": "scottish",
        "--nodes": 50,
        "--max-plies": 24,
        "--games": GAMES,
        "--concurrency": 1,
    }
    words = ("match", *[" ".join(engine)] * 2, *(str(word) for option in options.items() for word in option))
    # Workers inherit the marker from here. Engines need --env: their containment passes nothing on.
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "arena.main", *words, *arguments],
        env={**os.environ, MARK: bed.token},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        try:
            yield command
        finally:
            command.kill()


def _database(bed: TestBed) -> Path:
    return bed.folder / "games.db"


def _stored(bed: TestBed) -> list[GameRecord]:
    with Store.open_existing(_database(bed)) as store:
        return list(store.games())


def _count(bed: TestBed) -> int:
    """The number of stored games; 0 where there is no database yet."""
    try:
        with contextlib.closing(sqlite3.connect(f"{_database(bed).as_uri()}?mode=ro", uri=True)) as reader:
            return int(reader.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def _until(holds: Callable[[], bool], command: "subprocess.Popen[str]") -> None:
    """Poll until a condition holds: the command sends no event to wait for."""
    deadline = time.monotonic() + COMMAND_S
    while not holds():
        if command.poll() is not None or time.monotonic() > deadline:
            raise ScenarioBroken("the command ended, or hung, before what was to happen to it")
        time.sleep(STEP_S)


def _words(observed: ObservedRun) -> tuple[str, ...]:
    return tuple(str(one.record.termination) for one in observed.arrivals)


def _errors(observed: ObservedRun) -> Iterator[str]:
    """What is wrong with any run: an error, or processes that are left."""
    if observed.error:
        yield observed.error
    if observed.left:
        yield f"{len(observed.left)} left: {observed.left[0][:60]}"


SCENARIOS: dict[str, Scenario] = {
    "program-removed-engine-dead": removed_and_dead,
    "engine-dies-after-the-game": dies_after_the_game,
    "three-immortals": immortals,
    "worker-killed": worker_killed,
    "worker-of-deaf-engines-killed": worker_of_deaf_engines_killed,
    "interrupted": interrupted,
    "interrupted-at-the-start": interrupted_early,
    "command-killed": command_killed,
    "log-truncated": wal_truncated,
}
