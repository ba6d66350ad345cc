"""Reads the times that replaying engines (replay.c) write while a command runs, and sorts them into games.

Independent of referees: any command that starts such engines can be measured. An engine's folder may be removed when
the engine ends, so its file is opened while the engine lives.
"""

import contextlib
import os
import signal
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

import psutil

MEMORY = Path("/dev/shm")
"""Where the arena makes scratch folders, if there is room."""
_HEAD = struct.Struct("@2q")
_STAMP = struct.Struct("@4q")
_LOOK_S = 0.005
_TICK_S = 0.1


class Failed(RuntimeError):
    """A command that is measured failed, or did not play its games."""


class Missed(Failed):
    """No stamps were found of a command that ended well: its engines may have ended between two looks."""


class Stamp(NamedTuple):
    """One answer: its ply in the game, from 0, and the engine's times in ns (CLOCK_MONOTONIC, its CPU time)."""

    ply: int
    go_ns: int
    best_ns: int
    cpu_ns: int


class StampFile(NamedTuple):
    """The file that one engine process wrote."""

    parent: int
    """The pid that started it: the worker."""
    stamps: tuple[Stamp, ...]


@dataclass(frozen=True, slots=True)
class StampedGame:
    """One game as its two engines saw it, in the order of its plies."""

    parent: int
    stamps: tuple[Stamp, ...]

    @property
    def first_ns(self) -> int:
        """When the first `go` was read."""
        return self.stamps[0].go_ns

    @property
    def last_ns(self) -> int:
        """When the last `bestmove` was written."""
        return self.stamps[-1].best_ns

    @property
    def ply_us(self) -> float:
        """The mean time from an answer to the next `go`, in us: what everything but the engines took."""
        thought = sum(stamp.best_ns - stamp.go_ns for stamp in self.stamps)
        return (self.last_ns - self.first_ns - thought) / (len(self.stamps) - 1) / 1000


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A command that ran to its end."""

    began_ns: int
    ended_ns: int
    output: str
    logs: tuple[StampFile, ...]

    def games(self, plies: int) -> list[StampedGame]:
        """Its whole games of `plies` plies, by worker and time. Raises Missed where there is none."""
        found = [game for game in _games(self.logs) if len(game.stamps) == plies]
        if not found:
            raise Missed(f"no game of {plies} plies was played: {self.output[-2000:].strip()}")
        return found


def watch(
    command: Sequence[str],
    folder: Path,
    engines: int,
    *,
    cpu: int | None = None,
    where: Path | None = None,
    tick: Callable[[int], None] | None = None,
    deadline_s: float = 120.0,
) -> CommandRun:
    """Run a command in the folder `where`, on one CPU or anywhere, and read the stamps of its engines.

    They lie in `folder`, the TMPDIR of the command, or in the scratch of a contained engine. New ones are looked for
    until `engines` engines have moved. Then `tick` gets the command's pid ten times a second.
    Raises Failed if the command fails or does not end by the deadline; then its whole process group is killed.
    """
    opened: dict[str, int] = {}

    def pin() -> None:
        if cpu is not None:
            os.sched_setaffinity(0, {cpu})

    began_ns = time.monotonic_ns()
    stdout = tempfile.TemporaryFile(mode="w+", encoding="utf-8", errors="replace")
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.STDOUT,
        cwd=where,
        env={**os.environ, "TMPDIR": str(folder)},
        start_new_session=True,
        preexec_fn=pin,
    )
    try:
        moved = 0
        while process.poll() is None and time.monotonic_ns() < began_ns + deadline_s * 1e9:
            if moved < engines:
                _look(folder, process.pid, opened)
                moved = sum(_HEAD.unpack(os.pread(fd, _HEAD.size, 0))[0] > 0 for fd in opened.values())
                time.sleep(_LOOK_S)
            elif tick is not None:
                tick(process.pid)
                time.sleep(_TICK_S)
            else:
                break
        left_s = deadline_s - (time.monotonic_ns() - began_ns) / 1e9
        try:
            process.wait(max(0.0, left_s))
        except subprocess.TimeoutExpired:
            raise Failed(f"{command[0]} did not end within {deadline_s:.0f} s") from None
        ended_ns = time.monotonic_ns()
        _look(folder, process.pid, opened)
        stdout.seek(0)
        output = stdout.read()
        if process.returncode != 0:
            raise Failed(f"{Path(command[0]).name} ended with {process.returncode}: {output[-2000:].strip()}")
        logs = tuple(_read(fd) for fd in opened.values())
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        stdout.close()
        for fd in opened.values():
            os.close(fd)
        for path in folder.glob("stamps-*"):
            path.unlink()
    return CommandRun(began_ns, ended_ns, output, tuple(log for log in logs if log.stamps))


def _look(folder: Path, command: int, opened: dict[str, int]) -> None:
    """Open every new file of stamps: in `folder`, and in the scratch folders of the workers of this process."""
    for place in (folder, *_scratches(folder, command)):
        for path in place.glob("stamps-*"):
            if str(path) not in opened:
                with contextlib.suppress(FileNotFoundError):  # its engine has ended
                    _open(path, opened)


def _scratches(folder: Path, command: int) -> Iterator[Path]:
    for root in {folder, MEMORY}:
        for path in root.glob("arena-cell-*"):
            with contextlib.suppress(psutil.NoSuchProcess):
                if psutil.Process(int(path.name.split("-")[3])).ppid() == command:
                    yield path


def _open(path: Path, opened: dict[str, int]) -> None:
    fd = os.open(path, os.O_RDONLY)
    if os.fstat(fd).st_size < _HEAD.size:
        os.close(fd)  # not complete yet: opened next time
    else:
        opened[str(path)] = fd


def _read(fd: int) -> StampFile:
    count, parent = _HEAD.unpack(os.pread(fd, _HEAD.size, 0))
    data = os.pread(fd, count * _STAMP.size, _HEAD.size)
    return StampFile(parent, tuple(Stamp(*values) for values in _STAMP.iter_unpack(data)))


def _games(logs: Sequence[StampFile]) -> Iterator[StampedGame]:
    by_parent = sorted(logs, key=lambda log: log.parent)
    for parent, its in groupby(by_parent, key=lambda log: log.parent):
        stamps = sorted((stamp for log in its for stamp in log.stamps), key=lambda stamp: stamp.go_ns)
        starts = [at for at, stamp in enumerate(stamps) if stamp.ply == 0] + [len(stamps)]
        for start, end in pairwise(starts):
            game = tuple(stamps[start:end])
            if [stamp.ply for stamp in game] == list(range(len(game))):
                yield StampedGame(parent, game)
