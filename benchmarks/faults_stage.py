"""A run of a few games with everything observed from outside: records and when they came, memory, what is left behind.

Owns the folder, the engines' launchers and the marker by which their processes are found again. Knows no fault.
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

from arena.planning.job_sources import FixedJobs
from arena.play.jobs import EngineSpec, GameJob, Terms
from arena.play.scheduler import Scheduler, WorkerLost
from arena.play.time_control import parse
from benchmarks import faults_probe
from protocol.containment.policy import Caps, Level, SandboxPolicy
from protocol.deadlines import Deadlines
from results.record import GameRecord

DEADLINES = Deadlines(start_ms=1_500, ready_ms=1_000, newgame_ms=1_500, quit_ms=1_000)
LONG_DEADLINES = Deadlines(start_ms=10_000, ready_ms=10_000, newgame_ms=10_000, quit_ms=1_000)
MOVE_LIMIT_MS = 1_500
PLIES = 16
VARIANT = "scottish"
SEED = 1
ZOO = (sys.executable, "-P", "-m", "engines.zoo")
PYTHON = (str(Path(__file__).parent.parent), sys.prefix, sys.base_prefix)
"""What the zoo needs to run, which a launcher's command does not name."""
CAPS = Caps(memory_mb=512)
"""A quarter of the default, so that a hog of memory comes to it within a second; the other caps are the defaults."""
MARK = "ARENA_FAULTS_RUN"
LEFT_S = 2.0
"""How long after a run the processes of its engines may still be ending."""
HANGS_S = 45.0
"""A run that has not ended by then is interrupted: nothing in it may take so long."""
SAMPLE_S = 0.01


@dataclass(frozen=True, slots=True)
class Arrived:
    """A record, and when it came (`time.monotonic_ns`)."""

    record: GameRecord
    at_ns: int


@dataclass(frozen=True, slots=True)
class Ran:
    """A run as it was seen from outside."""

    arrived: tuple[Arrived, ...]
    events: tuple[faults_probe.Event, ...]
    ended_ns: int
    error: str
    """The run's own complaint; empty where it went to its end."""
    memory_mb: float
    """The most memory that a worker ever held."""
    left: tuple[str, ...]
    """Command lines of engines' processes that were still there two seconds later; they have been killed."""

    def record(self, number: int) -> GameRecord | None:
        """The record of this game, None where none came."""
        return next((one.record for one in self.arrived if one.record.number == number), None)


@dataclass(slots=True)
class Stage:
    """A folder for one run; use it as a context manager. `level` is the containment of every engine."""

    level: str
    deadlines: Deadlines = DEADLINES
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    folder: Path = Path()

    def __enter__(self) -> "Stage":
        self.folder = Path(tempfile.mkdtemp(prefix="faults-"))
        for name in ("engine", "elsewhere"):
            (self.folder / name).mkdir()
        (self.folder / "elsewhere" / "secret").write_text("secret\n")
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def launcher(self) -> Path:
        """The program by which the faulty engine is started."""
        return self.folder / "engine" / "faulty"

    @property
    def secret(self) -> Path:
        """A file that no engine was told of."""
        return self.folder / "elsewhere" / "secret"

    def launch(self, *arguments: str, command: Sequence[str] = ZOO) -> None:
        """From now on the faulty engine starts as the zoo with these arguments; a running one is not touched."""
        fresh = self.launcher.with_suffix(".fresh")
        fresh.write_text(f"#!/bin/sh\nexec {shlex.join((*command, *arguments))}\n")
        fresh.chmod(0o755)
        fresh.replace(self.launcher)

    def spec(self, name: str, command: Sequence[str]) -> EngineSpec:
        """An engine of this run: marked, impatiently waited for, contained as asked."""
        box = SandboxPolicy(Level(self.level), CAPS, PYTHON, {MARK: self.token})
        return EngineSpec(name, tuple(command), box=box, deadlines=self.deadlines)

    def specs(self) -> dict[str, EngineSpec]:
        """The faulty engine and a correct one."""
        return {"faulty": self.spec("faulty", (str(self.launcher),)), "correct": self.spec("correct", ZOO)}

    def run(self, specs: Mapping[str, EngineSpec], jobs: Sequence[GameJob], kept: Callable[[GameRecord], None]) -> Ran:
        """Play the jobs on one worker; `kept` is told of each record before the next game begins."""
        arrived: list[Arrived] = []
        log = self.folder / "events"

        def keep(record: GameRecord) -> None:
            arrived.append(Arrived(record, time.monotonic_ns()))

        serve = partial(faults_probe.main, str(log), str(self.launcher))
        error = ""
        with _peak() as memory_mb, _deadline():
            try:
                Scheduler(specs, 1, keep, pin=False, serve=serve).run(Told(jobs, kept))
            except WorkerLost as lost:
                error = str(lost)
            except KeyboardInterrupt:
                error = f"the run had not ended after {HANGS_S:.0f} s"
        ended_ns = time.monotonic_ns()
        return Ran(tuple(arrived), tuple(faults_probe.read(log)), ended_ns, error, max(memory_mb), self.left())

    def there(self) -> dict[int, str]:
        """The living processes whose environment has this run's marker, with their command lines."""
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                # It may end while it is looked at; those of other users are not ours.
                with contextlib.suppress(OSError):
                    if self.token.encode() in (entry / "environ").read_bytes():
                        words = (entry / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
                        found[int(entry.name)] = " ".join(words).strip()
        return found

    def left(self) -> tuple[str, ...]:
        """What is still there of this run's engines in two seconds' time; it is killed."""
        deadline = time.monotonic() + LEFT_S
        while (there := self.there()) and time.monotonic() < deadline:
            time.sleep(SAMPLE_S)
        for pid in there:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return tuple(there.values())


class Told(FixedJobs):
    """Games in their order; `over` is told of each that has ended, before the next is given away."""

    def __init__(self, jobs: Sequence[GameJob], over: Callable[[GameRecord], None]) -> None:
        super().__init__(jobs)
        self._over = over

    def record(self, record: GameRecord) -> None:
        """A game is over."""
        self._over(record)


def jobs(count: int, limit: str, p1: str = "faulty", p2: str = "correct", plies: int = PLIES) -> list[GameJob]:
    """So many games of one pairing, which come out alike where nobody does wrong."""
    terms = Terms(parse(limit), move_limit_ms=MOVE_LIMIT_MS, max_plies=plies)
    return [
        GameJob(f"faults-{number}", number, 1, VARIANT, None, 0, "", p1, p2, SEED, terms)
        for number in range(1, count + 1)
    ]


@contextlib.contextmanager
def _peak() -> Iterator[list[float]]:
    """A list into which the memory of our workers is put, in MB, for as long as they live."""
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
                if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    status = Path(f"/proc/{pid}/status").read_text()
                    seen += [int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")]


@contextlib.contextmanager
def _deadline() -> Iterator[None]:
    """Interrupt ourselves as Ctrl-C does, should the run never end."""
    timer = threading.Timer(HANGS_S, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
