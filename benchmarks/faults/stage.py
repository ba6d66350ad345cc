"""A run of a few games that is observed from outside: records and their times, memory, processes that are left.

Owns the folder, the engines' launchers and the marker in their environment that identifies their processes.
Independent of faults.
"""

import contextlib
import os
import shlex
import shutil
import signal
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.run.control import Control
from arena.run.events import GameEnded
from arena.run.play import Play
from arena.run.run import GamesToPlay, WorkerLost
from arena.run.slots import LocalSlots
from arena.run.source import Result, Results, result_of
from arena.timing.time_control import parse
from benchmarks.faults import probe
from protocol.containment.policy import Caps, Level, SandboxPolicy
from protocol.deadlines import Deadlines
from results.record import GameRecord

DEADLINES = Deadlines(start_ms=1_500, ready_ms=1_000, newgame_ms=1_500, quit_ms=1_000)
LONG_DEADLINES = Deadlines(start_ms=10_000, ready_ms=10_000, newgame_ms=10_000, quit_ms=1_000)
MOVE_LIMIT_MS = 1_500
PLIES = 16
VARIANT = "scottish"
SEED = 1
ZOO = (sys.executable, "-P", "-m", "tests.zoo")
PYTHON = (str(Path(__file__).parents[2]), sys.prefix, sys.base_prefix)
"""The folders that the zoo needs to read. A launcher's command does not name them."""
CAPS = Caps(memory_mb=512)
"""A quarter of the default memory, so that an engine reaches it within a second. The other caps are the defaults."""
MARK = "ARENA_FAULTS_RUN"
LEFT_S = 2.0
"""The seconds after a run in which the processes of its engines must end."""
HANGS_S = 45.0
"""A run is interrupted after so many seconds: nothing in it may take so long."""
SAMPLE_S = 0.01
SCRATCH = {Path("/dev/shm"), Path(tempfile.gettempdir())}
"""Where scratch folders may lie."""


@dataclass(frozen=True, slots=True)
class TimedRecord:
    """A record and the time of its arrival (`time.monotonic_ns`)."""

    record: GameRecord
    at_ns: int


@dataclass(frozen=True, slots=True)
class ObservedRun:
    """A run as it was observed from outside."""

    arrivals: tuple[TimedRecord, ...]
    events: tuple[probe.Event, ...]
    ended_ns: int
    error: str
    """The run's own error; empty where it went to its end."""
    memory_mb: float
    """The peak memory of a worker in MB."""
    left: tuple[str, ...]
    """Command lines of engine processes that were still alive two seconds later. They have been killed."""
    folders: tuple[str, ...] = ()
    """Scratch folders of its workers that were still there two seconds later."""

    def record(self, number: int) -> GameRecord | None:
        """The record of this game; None where there is none."""
        return next((one.record for one in self.arrivals if one.record.number == number), None)


@dataclass(slots=True)
class TestBed:
    """A context manager with a folder for one run. `level` is the containment of every engine."""

    level: str
    deadlines: Deadlines = DEADLINES
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    folder: Path = Path()

    def __enter__(self) -> "TestBed":
        self.folder = Path(tempfile.mkdtemp(prefix="faults-"))
        for name in ("engine", "elsewhere"):
            (self.folder / name).mkdir()
        (self.folder / "elsewhere" / "secret").write_text("secret\n")
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def launcher(self) -> Path:
        """The program that starts the faulty engine."""
        return self.folder / "engine" / "faulty"

    @property
    def secret(self) -> Path:
        """A file that engines may not read."""
        return self.folder / "elsewhere" / "secret"

    def launch(self, *arguments: str, command: Sequence[str] = ZOO) -> None:
        """Let the faulty engine start as the zoo with these arguments from now on. A running one is not changed."""
        fresh = self.launcher.with_suffix(".fresh")
        fresh.write_text(f"#!/bin/sh\nexec {shlex.join((*command, *arguments))}\n")
        fresh.chmod(0o755)
        fresh.replace(self.launcher)

    def spec(self, name: str, command: Sequence[str]) -> EngineSpec:
        """An engine of this run, with the marker, short deadlines and the containment of the run."""
        box = SandboxPolicy(Level(self.level), CAPS, PYTHON, {MARK: self.token})
        return EngineSpec(name, tuple(command), sandbox=box, deadlines=self.deadlines)

    def specs(self) -> dict[str, EngineSpec]:
        """The faulty engine and a correct one."""
        return {"faulty": self.spec("faulty", (str(self.launcher),)), "correct": self.spec("correct", ZOO)}

    def run(
        self, specs: Mapping[str, EngineSpec], jobs: Sequence[GameJob], kept: Callable[[GameRecord], None]
    ) -> ObservedRun:
        """Play the jobs on one worker. `kept` gets each record before the next game begins."""
        arrivals: list[TimedRecord] = []
        log = self.folder / "events"

        serve = partial(probe.main, str(log), str(self.launcher))
        error = ""
        control = Control()
        play = Play(GamesToPlay(ReportingJobs(jobs, kept)), LocalSlots(1, pin=False, serve=serve), specs, control)
        with _peak() as memory_mb, _deadline(), contextlib.closing(play.__iter__()) as batches:
            try:
                for batch in batches:
                    now_ns = time.monotonic_ns()
                    arrivals += [TimedRecord(event.record, now_ns) for event in batch if isinstance(event, GameEnded)]
            except WorkerLost as lost:
                error = str(lost)
        if control.stopped:
            error = f"the run had not ended after {HANGS_S:.0f} s"
        ended_ns = time.monotonic_ns()
        events, left = tuple(probe.read(log)), self.left()
        return ObservedRun(tuple(arrivals), events, ended_ns, error, max(memory_mb), left, _folders(events))

    def alive(self) -> dict[int, str]:
        """The living processes whose environment has this run's marker, with their command lines."""
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                # A process may end meanwhile; those of other users cannot be read.
                with contextlib.suppress(OSError):
                    if self.token.encode() in (entry / "environ").read_bytes():
                        words = (entry / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
                        found[int(entry.name)] = " ".join(words).strip()
        return found

    def left(self) -> tuple[str, ...]:
        """The command lines of engine processes that are alive after two seconds. They are killed."""
        deadline = time.monotonic() + LEFT_S
        while (alive := self.alive()) and time.monotonic() < deadline:
            time.sleep(SAMPLE_S)
        for pid in alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return tuple(alive.values())


def _folders(events: Sequence[probe.Event]) -> tuple[str, ...]:
    """The scratch folders of a run's workers that are there after two seconds."""
    workers = {event.text for event in events if event.kind == "worker"}
    deadline = time.monotonic() + LEFT_S
    while True:
        there = [path for root in SCRATCH for path in root.glob("arena-cell-*") if path.name.split("-")[3] in workers]
        if not there or time.monotonic() > deadline:
            return tuple(map(str, there))
        time.sleep(SAMPLE_S)


class ReportingJobs:
    """The source of these games. `ended` gets each record before the next game is given."""

    is_fixed, ahead, settled = True, 0, 1 << 62

    def __init__(self, jobs: Sequence[GameJob], ended: Callable[[GameRecord], None]) -> None:
        self.total = self.known = len(jobs)
        self._jobs = jobs
        self._ended = ended

    def job(self, k: int, results: Results) -> GameJob | None:
        return self._jobs[k - 1] if k <= self.total else None

    def stage(self, number: int) -> int:
        return number

    def result(self, record: GameRecord) -> Result:
        """Report the record."""
        self._ended(record)
        return result_of(record)


def jobs(count: int, limit: str, p1: str = "faulty", p2: str = "correct", plies: int = PLIES) -> list[GameJob]:
    """`count` games of one pairing, which are equal where no engine breaks a rule."""
    terms = Terms(parse(limit), move_limit_ms=MOVE_LIMIT_MS, max_plies=plies)
    return [
        GameJob(f"faults-{number}", number, 1, VARIANT, None, 0, "", p1, p2, SEED, terms)
        for number in range(1, count + 1)
    ]


@contextlib.contextmanager
def _peak() -> Iterator[list[float]]:
    """A list to which the peak memory of our workers is added, in MB, while they live."""
    seen, over = [0.0], threading.Event()
    watcher = threading.Thread(target=_watch, args=(os.getpid(), seen, over))
    watcher.start()
    try:
        yield seen
    finally:
        over.set()
        watcher.join()


def _watch(parent: int, seen: list[float], over: threading.Event) -> None:
    children = Path(f"/proc/{parent}/task/{parent}/children")
    while not over.wait(SAMPLE_S):
        for pid in children.read_text().split():
            with contextlib.suppress(OSError):
                # Until it has become a worker, a child has the words and the memory of this process.
                if b"from multiprocess.spawn" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    status = Path(f"/proc/{pid}/status").read_text()
                    seen += [int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")]


@contextlib.contextmanager
def _deadline() -> Iterator[None]:
    """Interrupt this process, as Ctrl-C does, where the run does not end in time."""
    timer = threading.Timer(HANGS_S, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
