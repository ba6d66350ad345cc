"""Moves and games on a clock, timed and judged as the referee does it (SPEC.md 7.9, docs/reference/CLOCKS.md).

The clocks, the dialogue and the measuring are the referee's own: `arena.timing`, `protocol.session` and
`protocol.stopwatch`. So the time for which an engine waits for a CPU is taken off, and what it needs too long for a
position is charged.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from arena.conformance.checked_engine import LATE_MS, READY_MS, CheckedEngine, EngineLine, SearchAnswer, TranscriptEntry
from arena.conformance.context import CheckContext
from arena.conformance.judge.positions import GamePosition, GoldenGame
from arena.conformance.violation import NotApplicable, Violation
from arena.games_at_once import cpus
from arena.timing.clock import MARGIN_MS, MS, Clock, free_reading_ns
from arena.timing.time_control import Limit, scaled
from protocol import grammar, transcript
from protocol.cpu_meter import CpuMeter, own_wait_ns
from protocol.deadlines import Deadlines
from protocol.faults import EngineFault, Fault, MachineLate
from protocol.session import Session
from protocol.stopwatch import Stopwatch

_LEAST_SENT_MS = 1
"""A clock that has less than this is never sent as it is (SPEC.md 7.4): nothing is left on it."""
_GRACE = 0.25
"""After so much more than its time, what an engine computes is charged however long it waited for a CPU before."""
TOO_BUSY = "the machine was too busy to time its moves"
Judged = TypeVar("Judged")


class LostOnTime(Violation):
    """The engine overstepped a clock or a move time. In a game this is a loss."""


class CheckedClocks:
    """The referee's clocks of both sides, and the words for a loss on them. They are told the time and read none."""

    def __init__(self, control: Limit, slow: float = 1) -> None:
        """Full clocks. `slow` multiplies the margin; `control` must be of the kind `clock`."""
        self._control = control
        self._margin_ns = int(MARGIN_MS * slow * MS)
        self._clocks = {"p1": Clock(control), "p2": Clock(control)}
        self._gains = grammar.increments(control.increment_ms, control.increment_ms)
        self._moves = Counter[str]()
        self.least_ms = float(control.base_ms)
        """The least that was left after a move, before its increment."""

    def left_ms(self, side: str) -> float:
        """What a side has left, below zero within the margin."""
        return self._clocks[side].left_ns / MS

    def go(self, side: str) -> bytes:
        """The `go` line for the next move of a side. Raises LostOnTime if the moves of its period are not all paid."""
        control, to_go, left_ms = self._control, self._clocks[side].moves_to_go, self.left_ms(side)
        if to_go == 1 and control.moves != 1 and left_ms < _LEAST_SENT_MS:
            raise LostOnTime(
                f"at {control} {side} spent the time of a period before its last move: of {control.base_ms} "
                f"ms for {control.moves} moves {left_ms:.1f} ms are left",
                clause="7.5",
            )
        one, two = (clock.left_ns // MS for clock in self._clocks.values())
        return grammar.go_clock(one, two, self._gains, to_go or None)

    def go_line(self, side: str) -> Callable[[float], bytes]:
        """What `TimedEngine.move` asks for the `go` line: it charges the reading of the position first."""

        def line(reading_ms: float) -> bytes:
            if self._clocks[side].charge(int(reading_ms * MS)) < -self._margin_ns:
                raise self._lost(f"reading the position of {self._where(side)} used up its clock")
            return self.go(side)

        return line

    def spend(self, side: str, took_ms: float) -> None:
        """Take the time of a move off. Raises LostOnTime if it was more than what was left and the margin."""
        clock, took_ns = self._clocks[side], int(took_ms * MS)
        if took_ns > clock.left_ns + self._margin_ns:
            raise self._lost(
                f"{self._where(side)} took {took_ms:.1f} ms; its clock had {self.left_ms(side):.1f} ms, "
                f"and the margin is {self._margin_ns / MS:.0f} ms"
            )
        self.least_ms = min(self.least_ms, self.left_ms(side) - took_ms)
        clock.spend(took_ns)
        self._moves[side] += 1

    def _lost(self, why: str) -> LostOnTime:
        return LostOnTime(f"it loses on time at {self._control}: {why}")

    def _where(self, side: str) -> str:
        return f"move {self._moves[side] + 1} of {side}"


class TimedMove(NamedTuple):
    """A legal move and what it cost."""

    word: str
    took_ms: float
    """The judged time of the move, or the time that it had and the CPU time that it used long after that."""
    wall_ms: float
    reading_ms: float
    """What reading its position took beyond what is free, judged in the same way."""


class TimedEngine:
    """An engine whose moves are timed as in games. It must be set up for the game already."""

    def __init__(self, ctx: CheckContext, engine: CheckedEngine) -> None:
        self._ctx, self._engine = ctx, engine
        subject = engine.subject
        self._meter = CpuMeter(subject.box)
        self._watch = Stopwatch(self._meter, own_wait_ns, cpus())
        self._session = Session(subject, Deadlines(ready_ms=int(READY_MS * engine.slow)))
        self._session.observe(self._note)

    def move(
        self, position: GamePosition, go_line: Callable[[float], bytes], longest_ms: float, variant: str | None = None
    ) -> TimedMove:
        """Set a position up and search it; the move is legal.

        `go_line` gets what reading the position took beyond what is free, in ms, and returns the line. `longest_ms`
        bounds the wait and judges nothing. Raises Violation and MachineLate.
        """
        reading_ms = max(0.0, self.reading_ms(position) - free_reading_ns(len(position.moves)) / MS * self._ctx.slow)
        line = go_line(reading_ms)
        limit = line.decode().strip()
        subject, most_ns = self._engine.subject, longest_ms * MS
        # It may have begun late, so that at first it is not known to be beyond its time.
        grace_ns = max(MARGIN_MS * MS * self._ctx.slow, most_ns * _GRACE)
        subject.count_from(time.monotonic_ns() + int(most_ns + grace_ns))
        try:
            reply, (wall_ns, judged_ns, _, _) = self._session.search(
                line, int((longest_ms + LATE_MS * self._engine.slow) * MS), Fault.TIME, self._watch
            )
        except EngineFault as fault:
            cost = f"it loses on time under `{limit}`: " if fault.fault is Fault.TIME else ""
            raise Violation(f"{cost}{fault.detail}") from None
        raw = EngineLine(reply.raw, grammar.parse(reply.raw), time.monotonic_ns())
        word = self._ctx.legal(SearchAnswer(limit.removeprefix("go "), position, (raw,), wall_ns / MS), variant)
        over_ns = subject.counted_ns()
        took_ns = max(judged_ns, most_ns + over_ns if over_ns else 0)
        return TimedMove(word, took_ns / MS, wall_ns / MS, reading_ms)

    def reading_ms(self, position: GamePosition) -> float:
        """Set a position up: the judged time until `readyok`."""
        try:
            times_ns = self._session.prepare(self._engine.position_command(position).encode(), self._watch)
        except EngineFault as fault:
            raise Violation(fault.detail) from None
        return 0.0 if times_ns is None else times_ns[1] / MS

    def close(self) -> None:
        """Close the files of the measuring. The engine lives on."""
        self._meter.close()

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
    ctx: CheckContext, control: Limit, most_plies: int, along: GoldenGame | None = None, variant: str | None = None
) -> PlayedGame:
    """Let a fresh engine play both sides of a game on clocks. Raises LostOnTime and MachineLate.

    With `along`, the moves of this game are played whatever the engine chooses, so that it is as long as is wanted.
    """
    clocks = CheckedClocks(scaled(control, ctx.slow), ctx.slow)
    fen, words = (None, None) if along is None else (along.fen, along.moves)
    line = ctx.line(GamePosition(fen), variant)
    plies = 0
    with timed(ctx, variant) as engine:
        while line.outcome is None and plies < (most_plies if words is None else min(most_plies, len(words))):
            side = line.position.side
            position = GamePosition(fen, tuple(line.moves))
            move = engine.move(position, clocks.go_line(side), max(0, clocks.left_ms(side)), variant)
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
