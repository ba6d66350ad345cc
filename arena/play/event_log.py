"""A run as a stream of events, one JSON object a line, for programs: docs/EVENTS.md says what each has.

Owns the form of the events, and that a log names each stored game once, whatever ended the run before. Refuses to know
how a run is played.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena.play.jobs import GameJob
from arena.play.observers import Glimpse
from results.record import GameRecord, Run

Write = Callable[[str], None]

HEAD = b'{"event": "'
"""What every line begins with."""
TELLING = (HEAD + b'game"', HEAD + b'lost"')


class Events:
    """Writes what happens in one run. A watcher; `clock` gives UTC."""

    def __init__(self, run: Run, write: Write, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._run = run.id
        self._write = write
        self._clock = clock
        self._withdrawn: set[str] = set()

    def run_began(self, run: Run, engines: Iterable[str], stored: int) -> None:
        """`run`: what is played, and how many games are there already."""
        self._say(
            "run", name=run.name, kind=run.kind, games=run.games, stored=stored, seed=run.seed, engines=[*engines]
        )

    def began(self, slot: int, job: GameJob) -> None:
        """`start`: a game begins. One that lost its worker begins again."""
        self._say("start", game=job.id, number=job.number, round=job.round, variant=job.variant, p1=job.p1, p2=job.p2)

    def glimpsed(self, slot: int, glimpse: Glimpse) -> None:
        """Nothing: a stream of moves is what traces are for."""

    def ended(self, slot: int, record: GameRecord) -> None:
        """`game`: a game is over; without a winner it is not stored and will be played again."""
        self.game(record)

    def game(self, record: GameRecord) -> None:
        """`game`, of a stored record, too."""
        self._say(
            "game",
            game=record.id,
            number=record.number,
            round=record.round,
            variant=record.variant,
            p1=record.p1,
            p2=record.p2,
            winner=record.winner,
            termination=record.termination.value,
            detail=record.detail,
            plies=len(record.moves),
            wall_ms=record.wall_ms,
            late_plies=record.late_plies,
            machine=record.machine,
        )

    def lost(self, number: int) -> None:
        """`lost`: a game that the log names as over is not in the database, so it is played again."""
        self._say("lost", game=f"{self._run}-{number}", number=number)

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        """`withdrawn`, once for each engine."""
        for engine, reason in withdrawn.items():
            if engine not in self._withdrawn:
                self._withdrawn.add(engine)
                self._say("withdrawn", engine=engine, reason=reason)

    def run_ended(self, stored: int, *, interrupted: bool) -> None:
        """`end`: how many games are stored now, and whether the run was stopped."""
        self._say("end", stored=stored, interrupted=interrupted)

    def _say(self, event: str, **what: Any) -> None:
        time = self._clock().isoformat(timespec="milliseconds")
        self._write(json.dumps({"event": event, "time": time, "run": self._run, **what}) + "\n")


class NoLog(ValueError):
    """A file that holds something else than events. One clause."""


class Log:
    """A file of events, to which each run of the arena adds, or a pipe or device that takes them. Close it."""

    def __init__(self, path: Path) -> None:
        """Open it, made where there is none; a line that a kill cut short is taken off. Raises OSError, NoLog."""
        self._path = path
        self._is_file = path.is_file() or not path.exists()
        # What is no file is not read: we would wait there for our own words.
        flags = os.O_RDWR | os.O_CREAT if self._is_file else os.O_WRONLY
        self._file = os.open(path, flags | os.O_APPEND | os.O_CLOEXEC, 0o644)
        if not self._is_file:
            return
        try:
            head = os.pread(self._file, len(HEAD), 0)
            if head != HEAD[: len(head)]:
                raise NoLog("is no file of events; name another one, or a new one")
            size = os.fstat(self._file).st_size
            whole = _whole(self._file, size)
            if whole < size:
                os.ftruncate(self._file, whole)
        except BaseException:
            self.close()
            raise

    def logged(self, run: str) -> set[int]:
        """The numbers of the run's games that the log names as over and won or drawn, and not as lost since."""
        found: set[int] = set()
        if not self._is_file:
            return found
        with self._path.open("rb") as lines:
            for line in lines:
                if not line.startswith(TELLING) or run.encode() not in line:
                    continue
                try:
                    event = json.loads(line)
                except ValueError:  # changed by hand
                    continue
                if event["run"] != run:
                    continue
                if event["event"] == "lost":
                    found.discard(event["number"])
                elif event["winner"] is not None:
                    found.add(event["number"])
        return found

    def write(self, line: str) -> None:
        """Add a line in one write, so that no kill leaves two halves."""
        data = line.encode()
        while data:
            data = data[os.write(self._file, data) :]

    def close(self) -> None:
        """Give the file back."""
        os.close(self._file)


def _whole(file: int, size: int) -> int:
    """How many bytes of a file are whole lines."""
    step = 1 << 16
    at = size
    while at > 0:
        start = max(0, at - step)
        found = os.pread(file, at - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        at = start
    return 0
