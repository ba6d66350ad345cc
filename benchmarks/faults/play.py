"""Plays one row and judges it: the expected and the actual ending, and everything that is wrong."""

import contextlib
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from benchmarks.faults.probe import Event
from benchmarks.faults.rows import LONG_CLOCK, Row
from benchmarks.faults.stage import DEADLINES, LONG_DEADLINES, ObservedRun, TestBed, jobs
from results.record import GameRecord, Termination
from tests.zoo.faults.fault import Verdict

LATE_S = 1.0
"""A record may come so many seconds after the deadline or cap that was broken."""
QUIT_S = DEADLINES.quit_ms / 1000 + 1.0
"""The seconds from `quit` to SIGTERM and from there to SIGKILL (SPEC.md 10.7)."""
DEED_S = 2.0
"""The seconds that a deed may take until it breaks its cap. Filling memory is no faster."""
MEMORY_MB = 16.0
TRIES = 5
FORFEITS = frozenset({Verdict.TIME, Verdict.STALL, Verdict.CRASH, Verdict.MALFORMED_MOVE, Verdict.ILLEGAL_MOVE})
LEAVES_BEHIND = ("orphan", "orphan-shouts")
"""Deeds that need not be refused: no process and no scratch folder may be left, that is enough."""
BOX = " was ended: "
"""The record's detail has these words where an engine broke a cap of its containment."""
PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Reference:
    """A game between correct engines under one limit, and the worker's memory for it."""

    moves: tuple[str, ...]
    ending: tuple[str | None, str]
    memory_mb: float

    def word(self, record: GameRecord | None) -> str:
        """`plain` where the game equals this one, else its ending."""
        if record is None:
            return "no record"
        if (record.moves, (record.winner, str(record.termination))) == (self.moves, self.ending):
            return PLAIN
        forfeit = str(record.termination) in FORFEITS
        return str(record.termination) if forfeit else f"another game ({record.termination})"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row that was played. `wrong` has a clause for each thing that is wrong."""

    row: Row
    got: str
    seconds: float | None
    memory_mb: float
    left: int
    second: str
    deed: str
    """What the engine reported of its deed: `done`, `refused`, or nothing."""
    detail: str
    wrong: tuple[str, ...]

    @property
    def name(self) -> str:
        """The fault, with `--really`, and with 2 if the faulty engine was p2."""
        words = (self.row.fault, *(word for word in self.row.arguments if word == "--really"))
        return " ".join((*words, "2") if self.row.side == "p2" else words)

    @property
    def is_second_odd(self) -> bool:
        """Did the next game go otherwise than without a fault?"""
        return self.second != PLAIN

    @property
    def became(self) -> str:
        """What became of a deed: `ended` if the containment ended the engine. Empty if there was none."""
        ended = self.row.verdict not in FORFEITS and BOX in self.detail
        return "ended" if ended else self.deed if self.row.verdict == "contained" else ""


def reference(limit: str, level: str) -> Reference:
    """Play two games between correct engines, one of them started as the faulty one is. They must be equal.

    A busy machine may be too late for the short deadlines: then they are played again.
    """
    for _ in range(TRIES):
        with TestBed(level, LONG_DEADLINES if limit == LONG_CLOCK else DEADLINES) as bed:
            bed.launch()
            observed = bed.run(bed.specs(), jobs(2, limit), lambda record: None)
        records = [one.record for one in observed.arrivals]
        endings = {(record.moves, record.winner, record.termination) for record in records}
        clean = not (observed.error or observed.left) and not any(str(each.termination) in FORFEITS for each in records)
        if clean and len(records) == 2 and len(endings) == 1:
            return Reference(records[0].moves, (records[0].winner, str(records[0].termination)), observed.memory_mb)
    raise RuntimeError(f"two games between correct engines did not come out alike: {records} {observed.error}")


def play(row: Row, level: str, plain: Reference) -> Outcome:
    """Play one row and the game after it, which the fault must not affect."""
    with TestBed(level, LONG_DEADLINES if row.limit == LONG_CLOCK else DEADLINES) as bed:
        with _arguments(bed, row) as extra:
            bed.launch("--fault", row.fault, "--at", row.phase, *row.arguments, *extra)

            def kept(record: GameRecord) -> None:
                if record.number == row.strikes_in:
                    bed.launch()  # an engine that starts after this is correct; a running one is not changed

            names = ("faulty", "correct") if row.side == "p1" else ("correct", "faulty")
            observed = bed.run(bed.specs(), jobs(row.strikes_in + 1, row.limit, *names), kept)
        return Judge(row, level, plain, observed).outcome()


@contextlib.contextmanager
def _arguments(bed: TestBed, row: Row) -> Iterator[tuple[str, ...]]:
    """The target of a deed, as arguments of the zoo."""
    if row.fault == "connects":
        with socket.create_server(("127.0.0.1", 0)) as server:
            yield ("--address", f"127.0.0.1:{server.getsockname()[1]}")
        return
    paths = {
        "writes-file": bed.folder / "elsewhere" / "written",
        "reads-file": bed.secret,
        "removes-itself": bed.launcher,
        "replaces-itself": bed.launcher,
    }
    yield ("--path", str(paths[row.fault])) if row.fault in paths else ()


class Judge:
    """Compares the run of a row with what the row expects."""

    def __init__(self, row: Row, level: str, plain: Reference, observed: ObservedRun) -> None:
        self.row = row
        self.level = level
        self.plain = plain
        self.observed = observed

    @cached_property
    def record(self) -> GameRecord | None:
        """The game in which the fault shows."""
        return self.observed.record(self.row.strikes_in)

    def outcome(self) -> Outcome:
        """The outcome of the row, with everything that is wrong."""
        wrong = tuple(self._wrong())
        return Outcome(
            self.row,
            self.got,
            self.seconds,
            self.memory_mb,
            len(self.observed.left),
            self.second,
            self.deed,
            self.observed.error or (self.record.detail if self.record else ""),
            wrong,
        )

    @property
    def got(self) -> str:
        """The ending of the faulty game; `run stopped` where the run ended before it."""
        return "run stopped" if self.record is None and self.observed.error else self.plain.word(self.record)

    @property
    def second(self) -> str:
        """The ending of the game after it."""
        return self.plain.word(self.observed.record(self.row.strikes_in + 1))

    @property
    def memory_mb(self) -> float:
        """The worker's memory in MB beyond that of a faultless game."""
        return max(0.0, self.observed.memory_mb - self.plain.memory_mb)

    @property
    def deed(self) -> str:
        """The engine's first report of its deed, `done` or `refused`; empty where there was none."""
        said = [event.text.split() for event in self._events() if event.kind == "said"]
        return next((words[1] for words in said if words[:1] == [self.row.fault] and len(words) > 1), "")

    @property
    def seconds(self) -> float | None:
        """Seconds from the broken deadline or cap to the record, or from the last line sent where none was broken.

        After `quit`: seconds to the end of the run. None where nothing was due.
        """
        if self.row.phase == "quit":
            quits = [event.at_ns for event in self._events() if event.kind == "quit"]
            return (self.observed.ended_ns - quits[-1]) / 1e9 if quits else None
        at_ns = [one.at_ns for one in self.observed.arrivals if one.record is self.record]
        if not at_ns or self.got not in FORFEITS:
            return None
        before = [event for event in self._events() if event.at_ns <= at_ns[0] and event.kind != "said"]
        if before and before[-1].kind in ("late", "flooded"):
            return (at_ns[0] - min(before[-1].at_ns, before[-1].deadline_ns)) / 1e9
        sent = [event.at_ns for event in before if event.kind == "sent"]
        # An engine that ended before anything was sent to it has no event at all.
        return (at_ns[0] - sent[-1]) / 1e9 if sent else None

    def _events(self) -> list[Event]:
        return [event for event in self.observed.events if event.faulty]

    def _wrong(self) -> Iterator[str]:
        row, verdict, other = self.row, self.row.verdict, "p2" if self.row.side == "p1" else "p1"
        if verdict in FORFEITS:
            if self.got != verdict:
                yield f"{verdict} expected, not {self.got}"
            elif self.record and self.record.winner != other:
                yield f"{other} should have won"
        elif self.got != PLAIN and not (verdict is Verdict.CONTAINED and self._exceeded_cap()):
            yield f"a plain game expected, not {self.got}"
        ended = self._exceeded_cap()  # perhaps only after the last child was born
        if verdict is Verdict.CONTAINED and self.deed == "done" and not ended and row.fault not in LEAVES_BEHIND:
            yield "the deed could be done"
        if self.observed.error:
            yield self.observed.error
        for number in range(1, row.strikes_in):
            if (word := self.plain.word(self.observed.record(number))) != PLAIN:
                yield f"game {number}, before the fault, was {word}"
        if self.second != PLAIN:
            yield f"the next game was {self.second}"
        allowed = LATE_S + (QUIT_S if row.phase == "quit" else DEED_S if verdict is Verdict.CONTAINED else 0.0)
        if self.seconds is not None and self.seconds >= allowed:
            yield f"{self.seconds:.2f} s until the end"
        if self.seconds is None and (verdict in FORFEITS or row.phase == "quit"):
            yield "the time that it took was not seen"
        if self.memory_mb >= MEMORY_MB:
            yield f"the worker grew by {self.memory_mb:.0f} MB"
        if self.observed.left:
            yield f"{len(self.observed.left)} left: {self.observed.left[0][:60]}"
        if self.observed.folders:
            yield f"a scratch folder is left: {self.observed.folders[0]}"

    def _exceeded_cap(self) -> bool:
        """True for a `crash` because a cap of the containment was broken (SPEC.md 11.4)."""
        record = self.record
        crashed = record is not None and record.termination == Termination.CRASH
        return crashed and record is not None and BOX in record.detail
