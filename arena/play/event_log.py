"""A run as a stream of events, one JSON object a line, for other programs: EVENTS.md describes each event.

Owns the form of the events, and the rule that a log names each stored game once, however the run before it ended.
Independent of how a run is played.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena.play.jobs import GameJob
from arena.play.observers import Observer
from results.record import GameRecord, Run
from results.store.disk import naming
from results.store.files import is_database

Write = Callable[[str], None]

LINE_START = b'{"event": "'
"""Every line of a log begins with this."""
GAME_EVENTS = (LINE_START + b'game"', LINE_START + b'lost"')
"""The lines that say which games the log names begin with one of these."""


class Events(Observer):
    """Writes the events of one run. `clock` gives UTC. Snapshots are no events: a trace has all moves."""

    def __init__(self, run: Run, write: Write, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._run = run.id
        self._write = write
        self._clock = clock
        self._withdrawn: set[str] = set()

    def run_began(self, run: Run, engines: Iterable[str], stored: int) -> None:
        """`run`: the run begins, or goes on with `stored` games."""
        self._event(
            "run", name=run.name, kind=run.kind, games=run.games, stored=stored, seed=run.seed, engines=[*engines]
        )

    def began(self, slot: int, job: GameJob) -> None:
        """`start`: a game begins. A game that lost its worker begins again."""
        self._event("start", game=job.id, number=job.number, round=job.round, variant=job.variant, p1=job.p1, p2=job.p2)

    def ended(self, slot: int, record: GameRecord) -> None:
        """`game`: a game is over. A game without a winner is not stored and will be played again."""
        self.game(record)

    def game(self, record: GameRecord) -> None:
        """`game`, also for a game that is stored already."""
        self._event(
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
            late_plies=record.sums.late,
            machine=record.machine,
        )

    def lost(self, number: int) -> None:
        """`lost`: the log names a game that is not in the database, so the game is played again."""
        self._event("lost", game=f"{self._run}-{number}", number=number)

    def withdrew(self, withdrawn: Mapping[str, str]) -> None:
        """`withdrawn`, once for each engine."""
        for engine, reason in withdrawn.items():
            if engine not in self._withdrawn:
                self._withdrawn.add(engine)
                self._event("withdrawn", engine=engine, reason=reason)

    def run_ended(self, stored: int, *, interrupted: bool) -> None:
        """`end`: the run is over, with `stored` games, or it was interrupted."""
        self._event("end", stored=stored, interrupted=interrupted)

    def _event(self, event: str, **fields: Any) -> None:
        time = self._clock().isoformat(timespec="milliseconds")
        self._write(json.dumps({"event": event, "time": time, "run": self._run, **fields}) + "\n")


class NotAnEventLog(ValueError):
    """A file with other content than events. The message is one clause without a subject."""


class EventLog:
    """A file of events, to which each run is added, or a pipe or device that takes them. It must be closed."""

    def __init__(self, path: Path) -> None:
        """Open or create the file. A last line that a kill cut short is removed. Raises OSError and NotAnEventLog."""
        self._path = path
        if is_database(path):  # only SQLite may open that: it may be the run's own
            raise NotAnEventLog("is a database; name another file")
        self._is_file = path.is_file() or not path.exists()
        # A pipe or device is not read: that would wait for what we are about to write.
        flags = os.O_RDWR | os.O_CREAT if self._is_file else os.O_WRONLY
        self._file = os.open(path, flags | os.O_APPEND | os.O_CLOEXEC, 0o644)
        if not self._is_file:
            return
        try:
            head = os.pread(self._file, len(LINE_START), 0)
            if head != LINE_START[: len(head)]:
                raise NotAnEventLog("is not a file of events; name another file, or a new one")
            size = os.fstat(self._file).st_size
            whole = _whole_lines(self._file, size)
            if whole < size:
                os.ftruncate(self._file, whole)
        except BaseException:
            self.close()
            raise

    def logged(self, run: str) -> set[int]:
        """The numbers of the run's games that the log names as won or drawn, and not as lost after that."""
        numbers: set[int] = set()
        if not self._is_file:
            return numbers
        with self._path.open("rb") as lines:
            for line in lines:
                if not line.startswith(GAME_EVENTS) or run.encode() not in line:
                    continue
                try:
                    event = json.loads(line)
                except ValueError:  # changed by hand
                    continue
                if event["run"] != run:
                    continue
                if event["event"] == "lost":
                    numbers.discard(event["number"])
                elif event["winner"] is not None:
                    numbers.add(event["number"])
        return numbers

    def write(self, line: str) -> None:
        """Add a line in one write, so that a kill does not leave half of it."""
        data = line.encode()
        with naming(self._path):
            while data:
                data = data[os.write(self._file, data) :]

    def close(self) -> None:
        os.close(self._file)


def _whole_lines(file: int, size: int) -> int:
    """The number of bytes up to the end of the last whole line of a file."""
    step = 1 << 16
    end = size
    while end > 0:
        start = max(0, end - step)
        newline = os.pread(file, end - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0
