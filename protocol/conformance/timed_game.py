"""Moves and games on a clock, timed and judged as the referee does it (SPEC.md 7.9, docs/reference/CLOCKS.md).

Owns the clocks of a checked game and the words for a loss on time. The dialogue and the measuring are the referee's
own: `protocol.session` and `protocol.stopwatch`. So the time for which an engine waits for a CPU is taken off, and what
it needs too long for a position is charged. Independent of which games are played.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from protocol import grammar, transcript
from protocol.conformance.checked_engine import LATE_MS, READY_MS, Answer, CheckedEngine, EngineLine, TranscriptEntry
from protocol.conformance.context import CheckContext
from protocol.conformance.positions import GamePosition, GoldenGame
from protocol.conformance.violation import NotApplicable, Violation
from protocol.deadlines import Deadlines
from protocol.faults import EngineFault, Fault, MachineLate
from protocol.run_delay import EngineTasks, OwnThread
from protocol.session import Session
from protocol.stopwatch import Stopwatch

MARGIN_MS = 50
"""The margin of SPEC.md 7.9."""
_LEAST_SENT_MS = 1
"""A clock that has less than this is never sent as it is (SPEC.md 7.4): nothing is left on it."""
TOO_BUSY = "the machine was too busy to time its moves"
_MS = 1_000_000
Judged = TypeVar("Judged")


def free_ms(position: GamePosition) -> float:
    """How long reading a position may take for free (SPEC.md 6.4)."""
    return 5 + 0.1 * len(position.moves)


class LostOnTime(Violation):
    """The engine overstepped a clock or a move time. In a game this is a loss."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A clock: `base_ms`, `inc_ms` after each move, and a new base after every `moves` moves, if that is set."""

    base_ms: int
    inc_ms: int = 0
    moves: int | None = None

    def __str__(self) -> str:
        """As `--tc` takes it: `0.1+0`, `4/0.6+0`."""
        period = "" if self.moves is None else f"{self.moves}/"
        return f"{period}{self.base_ms / 1000:g}+{self.inc_ms / 1000:g}"

    def times(self, factor: float) -> "TimeControl":
        """The control for a slow machine."""
        return TimeControl(round(self.base_ms * factor), round(self.inc_ms * factor), self.moves)


class GameClocks:
    """The clocks of both sides. They are told the time and read none."""

    def __init__(self, control: TimeControl, margin_ms: float = MARGIN_MS) -> None:
        self.control = control
        self.left_ms = {"p1": float(control.base_ms), "p2": float(control.base_ms)}
        self.least_ms = float(control.base_ms)
        """The least that was left after a move, before its increment."""
        self._margin_ms = margin_ms
        self._moves = {"p1": 0, "p2": 0}

    def go(self, side: str) -> bytes:
        """The `go` line for the next move of a side. Raises LostOnTime if the moves of its period are not all paid."""
        left_ms, to_go = self.left_ms[side], self._to_go(side)
        if to_go == 1 and self.control.moves != 1 and left_ms < _LEAST_SENT_MS:
            raise LostOnTime(
                f"at {self.control} {side} spent the time of a period before its last move: of {self.control.base_ms} "
                f"ms for {self.control.moves} moves {left_ms:.1f} ms are left",
                clause="7.5",
            )
        gains = grammar.increments(self.control.inc_ms, self.control.inc_ms)
        return grammar.go_clock(int(self.left_ms["p1"]), int(self.left_ms["p2"]), gains, to_go)

    def go_line(self, side: str) -> Callable[[float], bytes]:
        """What `TimedEngine.move` asks for the `go` line: it charges the reading of the position first."""

        def line(reading_ms: float) -> bytes:
            self.charge(side, reading_ms)
            return self.go(side)

        return line

    def charge(self, side: str, reading_ms: float) -> None:
        """Take the time for reading a position off. Raises LostOnTime if nothing is left, not even the margin."""
        self.left_ms[side] -= reading_ms
        if self.left_ms[side] < -self._margin_ms:
            raise LostOnTime(
                f"it loses on time at {self.control}: reading the position of {self._where(side)} used up its clock"
            )

    def spend(self, side: str, took_ms: float) -> None:
        """Take the time of a move off. Raises LostOnTime if it was more than what was left and the margin."""
        had_ms = self.left_ms[side]
        if took_ms > had_ms + self._margin_ms:
            raise LostOnTime(
                f"it loses on time at {self.control}: {self._where(side)} took {took_ms:.1f} ms; "
                f"its clock had {had_ms:.1f} ms, and the margin is {self._margin_ms:.0f} ms"
            )
        self.least_ms = min(self.least_ms, had_ms - took_ms)
        self._moves[side] += 1
        self.left_ms[side] = had_ms - took_ms + self.control.inc_ms
        if self.control.moves is not None and self._moves[side] % self.control.moves == 0:
            self.left_ms[side] += self.control.base_ms

    def _to_go(self, side: str) -> int | None:
        moves = self.control.moves
        return None if moves is None else moves - self._moves[side] % moves

    def _where(self, side: str) -> str:
        return f"move {self._moves[side] + 1} of {side}"


class TimedMove(NamedTuple):
    """A legal move and what it cost."""

    word: str
    took_ms: float
    """The judged time of the move."""
    reading_ms: float
    """What reading its position took beyond what is free, judged in the same way."""


class TimedEngine:
    """An engine whose moves are timed as in games. It must be set up for the game already."""

    def __init__(self, ctx: CheckContext, engine: CheckedEngine) -> None:
        self._ctx, self._engine = ctx, engine
        subject = engine.subject
        cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self._tasks = EngineTasks(subject.cpu_pid, cpus, source=subject.sandbox)
        self._own = OwnThread()
        self._watch = Stopwatch("fair", self._tasks, self._own)
        self._session = Session(subject, Deadlines(ready_ms=int(READY_MS * engine.slow)))
        self._session.observe(self._note)
        subject.before_wait = self._before_wait

    def move(
        self,
        position: GamePosition,
        go_line: Callable[[float], bytes],
        longest_ms: float,
        variant: str | None = None,
    ) -> TimedMove:
        """Set a position up and search it; the move is legal.

        `go_line` gets what reading the position took beyond what is free, in ms, and returns the line. `longest_ms`
        bounds the wait and judges nothing. Raises Violation and MachineLate.
        """
        reading_ms = max(0.0, self.reading_ms(position) - free_ms(position) * self._ctx.slow)
        line = go_line(reading_ms)
        limit = line.decode().strip()
        try:
            reply, (wall_ns, judged_ns, _, _) = self._session.search(
                line, int((longest_ms + LATE_MS * self._engine.slow) * _MS), Fault.TIME, self._watch
            )
        except EngineFault as fault:
            cost = f"it loses on time under `{limit}`: " if fault.fault is Fault.TIME else ""
            raise Violation(f"{cost}{fault.detail}") from None
        raw = EngineLine(reply.raw, grammar.parse(reply.raw), time.monotonic_ns())
        word = self._ctx.legal(Answer(limit.removeprefix("go "), position, (raw,), wall_ns / _MS), variant)
        return TimedMove(word, judged_ns / _MS, reading_ms)

    def reading_ms(self, position: GamePosition) -> float:
        """Set a position up: the judged time until `readyok`."""
        try:
            spent = self._session.prepare(self._engine.position_command(position).encode(), self._watch)
        except EngineFault as fault:
            raise Violation(fault.detail) from None
        return 0.0 if spent is None else spent[1] / _MS

    def close(self) -> None:
        """Close the files of the measuring. The engine lives on."""
        self._tasks.close()
        self._own.close()

    def _before_wait(self) -> None:
        self._own.mark_wait(lambda: self._engine.subject.has_unread)
        self._tasks.look()

    def _note(self, data: bytes) -> None:
        direction: transcript.Direction = "<-" if data.endswith(b"\n") else "->"
        self._engine.record.append(TranscriptEntry(time.monotonic_ns(), direction, data))


@contextmanager
def timed(ctx: CheckContext, variant: str | None = None) -> Iterator[TimedEngine]:
    """A fresh engine, set up for a game, whose moves are timed."""
    engine = TimedEngine(ctx, ctx.new_engine(variant))
    try:
        yield engine
    finally:
        engine.close()


class PlayedGame(NamedTuple):
    """A game that ended without a loss on time."""

    plies: int
    least_ms: float
    """The least that a clock had left after a move, before the increment."""

    def __str__(self) -> str:
        return f"{self.plies} plies, {self.least_ms:.0f} ms left at least"


def play(
    ctx: CheckContext,
    control: TimeControl,
    most_plies: int,
    along: GoldenGame | None = None,
    variant: str | None = None,
) -> PlayedGame:
    """Let a fresh engine play both sides of a game on clocks. Raises LostOnTime and MachineLate.

    With `along`, the moves of this game are played whatever the engine chooses, so that it is as long as is wanted.
    """
    clocks = GameClocks(control.times(ctx.slow), MARGIN_MS * ctx.slow)
    fen, words = (None, None) if along is None else (along.fen, along.moves)
    line = ctx.line(GamePosition(fen), variant)
    plies = 0
    with timed(ctx, variant) as engine:
        while line.result == "none" and plies < (most_plies if words is None else min(most_plies, len(words))):
            side = line.side
            position = GamePosition(fen, line.moves)
            move = engine.move(position, clocks.go_line(side), max(0, clocks.left_ms[side]), variant)
            clocks.spend(side, move.took_ms)
            line.play(move.word if words is None else words[plies])
            plies += 1
    return PlayedGame(plies, clocks.least_ms)


def confirmed(attempt: Callable[[], Judged]) -> Judged:
    """Do something that may be lost on time; if it is lost, do it again. Raises LostOnTime if that is lost, too.

    A machine may stand still in ways that no figure of the kernel shows. An engine that always needs too long loses
    twice.
    """
    for again in (False, True):
        try:
            return attempt()
        except LostOnTime:
            if again:
                raise
        except MachineLate:
            if again:
                break
    raise NotApplicable(TOO_BUSY)
