"""Plays one row and judges it: what was expected, what came, and everything that is wrong with it."""

import contextlib
import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from benchmarks.faults_probe import Event
from benchmarks.faults_rows import LONG_CLOCK, Row
from benchmarks.faults_stage import DEADLINES, LONG_DEADLINES, Ran, Stage, jobs
from engines.zoo.fault import Verdict
from results.record import GameRecord, Termination

LATE_S = 1.0
QUIT_S = DEADLINES.quit_ms / 1000 + 1.0
"""SPEC.md 10.7: until SIGTERM, and until SIGKILL."""
DEED_S = 2.0
"""What a deed may take until it is too much: filling memory is no faster."""
MEMORY_MB = 16.0
FORFEITS = frozenset({Verdict.TIME, Verdict.STALL, Verdict.CRASH, Verdict.MALFORMED_MOVE, Verdict.ILLEGAL_MOVE})
LEAVES_BEHIND = ("orphan", "orphan-shouts")
"""Deeds that need not be refused: what counts is that nobody is left."""
BOX = " was ended: "
"""What the record says of an engine that went over a cap of its containment."""
PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Reference:
    """What comes of a game between correct engines under one limit, and what it costs the referee in memory."""

    moves: tuple[str, ...]
    ending: tuple[str | None, str]
    memory_mb: float

    def word(self, record: GameRecord | None) -> str:
        """`plain` where the game is this one, else how it ended."""
        if record is None:
            return "no record"
        if (record.moves, (record.winner, str(record.termination))) == (self.moves, self.ending):
            return PLAIN
        forfeit = str(record.termination) in FORFEITS
        return str(record.termination) if forfeit else f"another game ({record.termination})"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row, played. `wrong` has one clause for each thing that is not as it must be."""

    row: Row
    got: str
    seconds: float | None
    memory_mb: float
    left: int
    second: str
    deed: str
    """What a deed said became of it: `done`, `refused`, or nothing."""
    detail: str
    wrong: tuple[str, ...]

    def as_json(self) -> str:
        """One JSON object."""
        row = self.row
        values: dict[str, object] = {"fault": row.fault, "phase": row.phase, "limit": row.limit, "side": row.side}
        values |= {"arguments": list(row.arguments), "expected": str(row.verdict), "got": self.got}
        values |= {"seconds": self.seconds, "memory_mb": round(self.memory_mb, 1), "left": self.left}
        values |= {"second": self.second, "deed": self.deed, "detail": self.detail, "wrong": list(self.wrong)}
        return json.dumps(values)


def reference(limit: str, level: str) -> Reference:
    """Two games between correct engines, one of them started as the faulty one is. They must be alike."""
    with Stage(level) as stage:
        stage.launch()
        ran = stage.run(stage.specs(), jobs(2, limit), lambda record: None)
    records = [one.record for one in ran.arrived]
    endings = {(record.moves, record.winner, record.termination) for record in records}
    if len(records) != 2 or len(endings) != 1 or str(records[0].termination) in FORFEITS or ran.error or ran.left:
        raise RuntimeError(f"two games between correct engines did not come out alike: {records} {ran.error}")
    first = records[0]
    return Reference(first.moves, (first.winner, str(first.termination)), ran.memory_mb)


def play(row: Row, level: str, plain: Reference) -> Outcome:
    """Play one row, and the game after it, which must be as if nothing had happened."""
    with Stage(level, LONG_DEADLINES if row.limit == LONG_CLOCK else DEADLINES) as stage:
        with _arguments(stage, row) as extra:
            stage.launch("--fault", row.fault, "--at", row.phase, *row.arguments, *extra)

            def kept(record: GameRecord) -> None:
                if record.number == row.strikes_in:
                    stage.launch()  # who is started anew from here on is correct; who lives on stays as it is

            names = ("faulty", "correct") if row.side == "p1" else ("correct", "faulty")
            ran = stage.run(stage.specs(), jobs(row.strikes_in + 1, row.limit, *names), kept)
        return Judge(row, level, plain, ran).outcome()


@contextlib.contextmanager
def _arguments(stage: Stage, row: Row) -> Iterator[tuple[str, ...]]:
    """What a deed is to be done to."""
    if row.fault == "connects":
        with socket.create_server(("127.0.0.1", 0)) as server:
            yield ("--address", f"127.0.0.1:{server.getsockname()[1]}")
        return
    paths = {
        "writes-file": stage.folder / "elsewhere" / "written",
        "reads-file": stage.secret,
        "removes-itself": stage.launcher,
        "replaces-itself": stage.launcher,
    }
    yield ("--path", str(paths[row.fault])) if row.fault in paths else ()


class Judge:
    """One row's run, held against what the row asks for."""

    def __init__(self, row: Row, level: str, plain: Reference, ran: Ran) -> None:
        self.row = row
        self.level = level
        self.plain = plain
        self.ran = ran

    @cached_property
    def record(self) -> GameRecord | None:
        """The game in which the fault shows."""
        return self.ran.record(self.row.strikes_in)

    def outcome(self) -> Outcome:
        """The row with everything that is wrong about it."""
        wrong = tuple(self._wrong())
        return Outcome(
            self.row,
            self.got,
            self.seconds,
            self.memory_mb,
            len(self.ran.left),
            self.second,
            self.deed,
            self.ran.error or (self.record.detail if self.record else ""),
            wrong,
        )

    @property
    def got(self) -> str:
        """The word of the game, or that there is none because the run was stopped."""
        return "run stopped" if self.record is None and self.ran.error else self.plain.word(self.record)

    @property
    def second(self) -> str:
        """The word of the game after it."""
        return self.plain.word(self.ran.record(self.row.strikes_in + 1))

    @property
    def memory_mb(self) -> float:
        """What the worker held beyond what a faultless game takes."""
        return max(0.0, self.ran.memory_mb - self.plain.memory_mb)

    @property
    def deed(self) -> str:
        """`done` or `refused`, as the engine said first; nothing where it said nothing of the kind."""
        said = [event.text.split() for event in self._events() if event.kind == "said"]
        return next((words[1] for words in said if words[:1] == [self.row.fault] and len(words) > 1), "")

    @property
    def seconds(self) -> float | None:
        """From the broken deadline or cap to the record; where none was broken, from the last line sent to the engine.

        After `quit`: from there to the end of the run. None where nothing was due.
        """
        if self.row.phase == "quit":
            quits = [event.at_ns for event in self._events() if event.kind == "quit"]
            return (self.ran.ended_ns - quits[-1]) / 1e9 if quits else None
        at_ns = [one.at_ns for one in self.ran.arrived if one.record is self.record]
        if not at_ns or self.got not in FORFEITS:
            return None
        before = [event for event in self._events() if event.at_ns <= at_ns[0] and event.kind != "said"]
        if before and before[-1].kind in ("late", "flooded"):
            return (at_ns[0] - min(before[-1].at_ns, before[-1].deadline_ns)) / 1e9
        sent = [event.at_ns for event in before if event.kind == "sent"]
        # An engine that is gone before anything was said to it has no event at all.
        return (at_ns[0] - sent[-1]) / 1e9 if sent else None

    def _events(self) -> list[Event]:
        return [event for event in self.ran.events if event.faulty]

    def _wrong(self) -> Iterator[str]:
        row, verdict, other = self.row, self.row.verdict, "p2" if self.row.side == "p1" else "p1"
        if verdict in FORFEITS:
            if self.got != verdict:
                yield f"{verdict} expected, not {self.got}"
            elif self.record and self.record.winner != other:
                yield f"{other} should have won"
        elif self.got != PLAIN and not (verdict is Verdict.CONTAINED and self._ended_by_its_box()):
            yield f"a plain game expected, not {self.got}"
        ended = self._ended_by_its_box()  # as soon as it was seen, which may be when the last child has been born
        if verdict is Verdict.CONTAINED and self.deed == "done" and not ended and row.fault not in LEAVES_BEHIND:
            yield "the deed could be done"
        if self.ran.error:
            yield self.ran.error
        for number in range(1, row.strikes_in):
            if (word := self.plain.word(self.ran.record(number))) != PLAIN:
                yield f"game {number}, before the fault, was {word}"
        if self.second != PLAIN:
            yield f"the next game was {self.second}"
        allowed = LATE_S + (QUIT_S if row.phase == "quit" else DEED_S if verdict is Verdict.CONTAINED else 0.0)
        if self.seconds is not None and self.seconds >= allowed:
            yield f"{self.seconds:.2f} s until the end"
        if self.seconds is None and (verdict in FORFEITS or row.phase == "quit"):
            yield "it could not be seen how long it took"
        if self.memory_mb >= MEMORY_MB:
            yield f"the worker grew by {self.memory_mb:.0f} MB"
        if self.ran.left:
            yield f"{len(self.ran.left)} left: {self.ran.left[0][:60]}"

    def _ended_by_its_box(self) -> bool:
        """A `crash` for leaving its containment (SPEC.md 11.4), which a deed may come to where there is one."""
        record = self.record
        crashed = record is not None and record.termination is Termination.CRASH
        return crashed and record is not None and BOX in record.detail
