"""What can go wrong around a run rather than in one engine: programs that vanish, workers and disks that fail.

Each is a small scenario with its own expectation, played with real processes; it says everything that is not as it
must be.
"""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import multiprocess

from benchmarks.faults_stage import MARK, ZOO, Ran, Stage, jobs
from results.record import GameRecord, Termination
from results.store.store import Store, StoreError

NOWHERE = ("/bin/false",)
GAMES = 150
COMMAND_PROCESSES = 5
"""The command, the tracker that multiprocess starts beside it, a worker and two engines."""
INTERRUPTED = 130
INTERRUPT_S = 3.0
SETTLED_S = 1.0
"""By then the engines have come to the move in which they hang."""
STEP_S = 0.01
COMMAND_S = 40.0
"""No command here may take longer."""


@dataclass(frozen=True, slots=True)
class Special:
    """A scenario: what happens, what must come of it, what came of it, and all that is wrong about that."""

    name: str
    story: str
    expected: str
    got: str
    wrong: tuple[str, ...]


class Missed(Exception):
    """What a scenario waits for did not come."""


Scenario = Callable[[str], tuple[str, list[str]]]


def play(name: str, level: str) -> Special:
    """Play one scenario by its name."""
    scenario = SCENARIOS[name]
    story, _, expected = " ".join((scenario.__doc__ or "").split()).partition(": ")
    try:
        got, wrong = scenario(level)
    except (Missed, StoreError, subprocess.TimeoutExpired) as error:
        got, wrong = "not played to its end", [str(error)]
    return Special(name, story, expected.rstrip("."), got, tuple(wrong))


def replaced(level: str) -> tuple[str, list[str]]:
    """Another program takes the place of the engine's while it runs: the running engine plays on."""
    return _vanishes(level, lambda stage: stage.launch(command=NOWHERE), ("adjudication", "adjudication"))


def removed(level: str) -> tuple[str, list[str]]:
    """The engine's program is removed while it runs: the running engine plays on."""
    return _vanishes(level, lambda stage: stage.launcher.unlink(), ("adjudication", "adjudication"))


def replaced_and_dead(level: str) -> tuple[str, list[str]]:
    """The engine dies in game 1 and another program, which ends at once, has taken its place: crash, crash."""
    return _vanishes(level, lambda stage: stage.launch(command=NOWHERE), ("crash", "crash"), "exit status 1", "exit-1")


def removed_and_dead(level: str) -> tuple[str, list[str]]:
    """The engine dies in game 1 and its program is gone: crash, then a crash that says that there is no program."""
    return _vanishes(level, lambda stage: stage.launcher.unlink(), ("crash", "crash"), "there is no such", "exit-1")


def forbidden_and_dead(level: str) -> tuple[str, list[str]]:
    """The engine dies in game 1 and may no longer be executed: crash, then a crash that says so."""

    def forbid(stage: Stage) -> None:
        stage.launcher.chmod(stat.S_IRUSR)

    return _vanishes(level, forbid, ("crash", "crash"), "executable", "exit-1")


def _vanishes(
    level: str, act: Callable[[Stage], None], expected: tuple[str, str], sentence: str = "", fault: str = ""
) -> tuple[str, list[str]]:
    """Two games, between them `act`; `sentence` must stand in the second record's detail."""
    with Stage(level) as stage:
        stage.launch(*(("--fault", fault, "--at", "mid") if fault else ()))

        def kept(record: GameRecord) -> None:
            if record.number == 1:
                act(stage)

        ran = stage.run(stage.specs(), jobs(2, "1+0"), kept)
    got, wrong = _words(ran), [*_complaints(ran)]
    if got != expected:
        wrong.append(f"{', '.join(expected)} expected")
    detail = ran.arrived[-1].record.detail.replace(f"{stage.launcher.parent}/", "") if ran.arrived else ""
    if sentence not in detail:
        wrong.append(f"the record does not say {sentence!r} but {detail!r}")
    return f"{', '.join(got)}: {detail}", wrong


def worker_killed(level: str) -> tuple[str, list[str]]:
    """A worker is killed by SIGKILL in its second game: that game is played again and nobody is charged."""
    return _killed_worker(level, ("--think", "40"))


def worker_of_deaf_engines_killed(level: str) -> tuple[str, list[str]]:
    """The same with an engine that ends by SIGKILL alone: the game is played again and nobody is left."""
    return _killed_worker(level, ("--think", "40", "--fault", "immortal", "--at", "quit"))


def _killed_worker(level: str, arguments: Sequence[str]) -> tuple[str, list[str]]:
    with Stage(level) as stage:
        stage.launch(*arguments)

        def kept(record: GameRecord) -> None:
            if record.number == 1:
                (worker,) = multiprocess.active_children()
                threading.Timer(0.1, worker.kill).start()  # its second game takes at least 0.3 s

        ran = stage.run(stage.specs(), jobs(3, "5+0"), kept)
    got, wrong = _words(ran), [*_complaints(ran)]
    if got != ("adjudication",) * 3:
        wrong.append("three games with their own endings expected")
    if sorted(one.record.number for one in ran.arrived) != [1, 2, 3]:
        wrong.append("every game once expected")
    return ", ".join(got), wrong


def immortals(level: str) -> tuple[str, list[str]]:
    """One worker has to end three engines that ignore quit and SIGTERM: the run ends and nobody is left."""
    with Stage(level) as stage:
        stage.launch("--fault", "immortal")
        specs = {name: stage.spec(name, (str(stage.launcher),)) for name in "abc"}
        games = [*jobs(1, "1+0", "a", "b"), *jobs(1, "1+0", "b", "c")]
        ran = stage.run(specs, games, lambda record: None)
    return ", ".join(_words(ran)), [*_complaints(ran)]


def dies_after_the_game(level: str) -> tuple[str, list[str]]:
    """An engine is gone when it is told how the game ended: the result stands and the next game is played."""
    with Stage(level) as stage:
        stage.launch("--fault", "exit-1", "--at", "idle")
        ran = stage.run(stage.specs(), jobs(2, "1+0", plies=2), lambda record: stage.launch())
    got = _words(ran)
    wrong = [*_complaints(ran), *(["two adjudicated games expected"] if got != ("adjudication",) * 2 else [])]
    return ", ".join(got), wrong


def command_killed(level: str) -> tuple[str, list[str]]:
    """The whole command is killed by SIGKILL in a game: no worker and no engine is left two seconds later."""
    with Stage(level) as stage, _match(stage, "--games", "2", engine=(*ZOO, "--think", "200")) as command:
        _until(lambda: len(stage.there()) >= COMMAND_PROCESSES, command)
        command.kill()
        command.wait(COMMAND_S)
        left = stage.left()
    return f"{len(left)} left", [f"{len(left)} left: {left[0][:60]}"] if left else []


def interrupted(level: str) -> tuple[str, list[str]]:
    """Ctrl-C while an engine hangs in its search: status 130 within 3 s, and nobody is left."""
    with Stage(level) as stage:
        silent = (*ZOO, "--fault", "silent", "--at", "mid")
        with _match(stage, "--move-limit", "600", engine=silent) as command:
            _until(lambda: len(stage.there()) >= COMMAND_PROCESSES, command)
            time.sleep(SETTLED_S)
            began = time.monotonic()
            command.send_signal(signal.SIGINT)
            command.communicate(timeout=COMMAND_S)
            seconds = time.monotonic() - began
        left = stage.left()
    wrong = [f"status {command.returncode}"] if command.returncode != INTERRUPTED else []
    wrong += [f"{seconds:.1f} s"] if seconds >= INTERRUPT_S else []
    wrong += [f"{len(left)} left: {left[0][:60]}"] if left else []
    return f"status {command.returncode}, {seconds:.1f} s", wrong


def disk_full(level: str) -> tuple[str, list[str]]:
    """No file may grow beyond 192 KB: the run stops with a sentence, its games are there, a resume plays the rest."""
    with Stage(level) as stage:
        with _match(stage, before=("sh", "-c", 'ulimit -f 384; exec "$@"', "sh")) as command:
            said = command.communicate(timeout=COMMAND_S)[1]
        return _stopped_and_resumed(stage, command.returncode, said, "cannot be written")


def database_locked(level: str) -> tuple[str, list[str]]:
    """Another program keeps the database locked: the run waits 5 s and stops as for a full disk."""
    with Stage(level) as stage, _match(stage) as command:
        _until(lambda: _count(stage) > 0, command)
        holder = sqlite3.connect(_database(stage), timeout=COMMAND_S, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        said = command.communicate(timeout=COMMAND_S)[1]
        holder.close()
        return _stopped_and_resumed(stage, command.returncode, said, "locked")


def _stopped_and_resumed(stage: Stage, status: int, said: str, sentence: str) -> tuple[str, list[str]]:
    """Judge a match that could not write, then play it to its end."""
    wrong = []
    complaint = said.strip().splitlines()[-1].replace(f"{stage.folder}/", "") if said.strip() else ""
    if status != 2 or sentence not in complaint or "Traceback" in said:
        wrong.append(f"status {status} and {complaint!r}; 2 and a sentence with {sentence!r} expected")
    if left := stage.left():
        wrong.append(f"{len(left)} left: {left[0][:60]}")
    before = _stored(stage)
    with _match(stage) as command:
        command.communicate(timeout=COMMAND_S)
    after = _stored(stage)
    if not 0 < len(before) < GAMES:
        wrong.append(f"{len(before)} games were there, some of {GAMES} expected")
    if after[: len(before)] != before or [record.number for record in after] != [*range(1, GAMES + 1)]:
        wrong.append(f"{len(after)} games after the resume, the first of them not the same or not each once")
    if any(record.termination in (Termination.CRASH, Termination.STALL) for record in after):
        wrong.append("an engine was charged")
    return f"{complaint}; {len(before)} games kept, {len(after)} after the resume", wrong


class _Match:
    """`arena match` as a child process; killed at the end of its block."""

    def __init__(self, popen: "subprocess.Popen[str]") -> None:
        self.popen = popen

    def __enter__(self) -> "subprocess.Popen[str]":
        return self.popen

    def __exit__(self, *_: object) -> None:
        if self.popen.poll() is None:
            self.popen.kill()
        self.popen.communicate()


def _match(stage: Stage, *arguments: str, engine: Sequence[str] = ZOO, before: Sequence[str] = ()) -> _Match:
    two = [" ".join(engine)] * 2
    options = {
        "--db": _database(stage),
        "--seed": 1,
        "--contain": stage.level,
        "--env": f"{MARK}={stage.token}",
        "--variant": "scottish",
        "--nodes": 50,
        "--max-plies": 24,
        "--games": GAMES,
        "--concurrency": 1,
    }
    words = ("match", *two, *(str(word) for option in options.items() for word in option))
    return _Match(
        subprocess.Popen(
            [*before, sys.executable, "-P", "-m", "arena.main", *words, *arguments],
            # The command's workers have the marker from here, its engines by --env, since a box passes nothing on.
            env={**os.environ, MARK: stage.token},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
    )


def _database(stage: Stage) -> Path:
    return stage.folder / "games.db"


def _stored(stage: Stage) -> list[GameRecord]:
    with Store.open_existing(_database(stage)) as store:
        return list(store.games())


def _count(stage: Stage) -> int:
    """The games that are stored, 0 where there is no database yet."""
    try:
        with sqlite3.connect(f"{_database(stage).as_uri()}?mode=ro", uri=True) as reader:
            return int(reader.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def _until(holds: Callable[[], bool], command: "subprocess.Popen[str]") -> None:
    """Wait for what a command does by itself: there is no event to wait for."""
    deadline = time.monotonic() + COMMAND_S
    while not holds():
        if command.poll() is not None or time.monotonic() > deadline:
            raise Missed("the command ended, or hung, before what was to happen to it")
        time.sleep(STEP_S)


def _words(ran: Ran) -> tuple[str, ...]:
    return tuple(str(one.record.termination) for one in ran.arrived)


def _complaints(ran: Ran) -> Iterator[str]:
    """What is wrong with any run that ends so."""
    if ran.error:
        yield ran.error
    if ran.left:
        yield f"{len(ran.left)} left: {ran.left[0][:60]}"


SCENARIOS: dict[str, Scenario] = {
    "program-replaced": replaced,
    "program-removed": removed,
    "program-replaced-engine-dead": replaced_and_dead,
    "program-removed-engine-dead": removed_and_dead,
    "program-forbidden-engine-dead": forbidden_and_dead,
    "engine-dies-after-the-game": dies_after_the_game,
    "three-immortals": immortals,
    "worker-killed": worker_killed,
    "worker-of-deaf-engines-killed": worker_of_deaf_engines_killed,
    "interrupted": interrupted,
    "command-killed": command_killed,
    "disk-full": disk_full,
    "database-locked": database_locked,
}
