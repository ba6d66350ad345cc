"""Checks D: synchronisation."""

import time

from protocol.conformance.check import Group, Severity
from protocol.conformance.checked_engine import READY_MS
from protocol.conformance.context import MOVES, START, CheckContext, count, require
from protocol.conformance.positions import GamePosition
from protocol.conformance.violation import NotApplicable
from protocol.messages import ReadyOk, Response

GROUP = Group("D", "Synchronisation")
F, M, m = Severity.FATAL, Severity.MAJOR, Severity.MINOR
_BURST = 20
_TRIES = 5
"""How often each position is read. The shortest time counts, since the machine may be busy."""
_READING_MS = 5.0
_READING_MOVE_MS = 0.1


@GROUP.check(1, "6.4", F, "each `isready` is answered by one `readyok`", "one answer for a burst of questions")
def answers_each(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    engine.ready()
    engine.send(*["isready"] * _BURST)
    for number in range(_BURST):
        engine.read_until(ReadyOk, READY_MS, f"readyok number {number + 1} of {_BURST}")
    extra = count(engine.drain(50), ReadyOk)
    require(not extra, f"{_BURST + extra} readyok came for {_BURST} isready")


@GROUP.check(2, "6.4", F, "`isready` is answered after `uginewgame` and after `position`", each_variant=True)
def answers_after_everything(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    for position in (GamePosition(), *ctx.book.positions(3)):
        engine.new_game()
        engine.set_position(position)


@GROUP.check(
    3, "6.5", M, "`isready` in a search is answered at once, and the search goes on",
    "the input is not read while it searches, or isready ends the search",
)  # fmt: skip
def answers_in_search(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    limit = ctx.start_lasting(engine, 400)
    require(count(engine.ready(within_ms=1_000), MOVES) == 0, "its bestmove came before the `readyok`")
    ctx.legal(engine.stop(limit, START))
    # The same search again: it lasts 400 ms by itself, so one that ends at the `isready` ends because of it.
    engine.send(f"go {limit}")
    lines = engine.drain(50) + engine.ready(within_ms=1_000) + engine.drain(250)
    require(not count(lines, MOVES), "its bestmove came behind the `isready` and before the `stop`")
    ctx.legal(engine.stop(limit, START))


@GROUP.check(4, "2.9", M, "after `readyok` it is silent until something is said to it", "it ponders aloud, a heartbeat")
def is_silent(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    engine.set_position(GamePosition())
    engine.expect_silence(1_000, "when nothing was due")


@GROUP.check(5, "6.4", M, "answers come in the order of the questions", "they are printed by another thread")
def keeps_the_order(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    engine.set_position(GamePosition())
    if engine.ask("p1turn") is None:
        raise NotApplicable("it does not answer `query p1turn`")
    rounds = 10
    engine.send(*["query p1turn", "isready"] * rounds)
    for number in range(rounds):
        lines = engine.read_until(ReadyOk, READY_MS, "readyok")
        responses = count(lines, Response)
        require(responses == 1, f"before readyok number {number + 1} came {responses} responses, not one")
    return f"{rounds} pairs"


@GROUP.check(
    6, "6.4", m, "a position is read in 5 ms and 0.1 ms for each of its moves",
    "it thinks before `readyok`, or sets its tables up for each position: that is time on its clock", alone=True,
)  # fmt: skip
def reads_quickly(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    positions = (GamePosition(), *ctx.book.positions(2), *ctx.book.positions(2, late=True))
    best_ms: dict[GamePosition, float] = {}
    for _ in range(_TRIES):
        for position in positions:
            start_ns = time.monotonic_ns()
            engine.set_position(position)
            took_ms = (time.monotonic_ns() - start_ns) / 1e6
            best_ms[position] = min(took_ms, best_ms.get(position, took_ms))
    for position, took_ms in best_ms.items():
        free_ms = (_READING_MS + _READING_MOVE_MS * len(position.moves)) * ctx.slow
        text = f"it took {took_ms:.1f} ms to read a position of {len(position.moves)} moves; {free_ms:.1f} ms are free"
        require(took_ms <= free_ms, text)
    return f"{max(best_ms.values()):.1f} ms"
