"""Checks D: synchronisation."""

from arena.conformance.check import Area, M, check, m
from arena.conformance.checked_engine import READY_MS, CheckedEngine
from arena.conformance.context import MOVES, START, CheckContext, count, pause, require
from arena.conformance.judge.positions import GamePosition
from arena.conformance.timed_game import timed
from arena.conformance.violation import NotApplicable, Violation
from arena.timing.clock import FREE_READING_MOVE_MS, FREE_READING_MS, MS, free_reading_ns
from protocol.messages import ReadyOk, Response

_TRIES = 5
"""How often each position is read. The shortest time counts, since the engine may pause once."""


@check(
    "D3", "6.5", M, "`isready` in a search is answered at once, and the search goes on",
    "the input is not read while it searches, or isready ends the search",
    needs=("G3",), area=Area.TIME,
)  # fmt: skip
def answers_in_search(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    limit = ctx.start_lasting(engine, 400)
    require(count(engine.ready(within_ms=1_000), MOVES) == 0, "its bestmove came before the `readyok`")
    if not _stopped(ctx, engine, limit, START):
        return
    # The same search again: it lasts 400 ms by itself, so one that ends at the `isready` ends because of it.
    engine.send(f"go {limit}")
    lines = engine.drain(50) + engine.ready(within_ms=1_000) + engine.drain(150) + engine.ready(within_ms=1_000)
    lines += engine.drain(100)
    require(not count(lines, MOVES), "its bestmove came after the `isready` and before the `stop`")
    if not _stopped(ctx, engine, limit, START):
        return
    for special in (*ctx.book.about("win-in-1")[:2], *ctx.book.about("one-move")[:1]):
        # Soon nothing is left to search, and it waits for the `stop`.
        engine.set_position(special.position)
        engine.send("go infinite")
        if not count(engine.drain(300) + engine.ready(within_ms=1_000), MOVES) and not _stopped(
            ctx, engine, "infinite", special.position
        ):
            return


def _stopped(ctx: CheckContext, engine: CheckedEngine, limit: str, position: GamePosition) -> bool:
    """Stop the search. False if every `stop` is ignored: that is the matter of G4, and nothing more can be asked."""
    try:
        answer = engine.stop(limit, position)
    except Violation as violation:
        if engine.crash or _heeds_stop(ctx):
            raise Violation(f"after an `isready` in the search: {violation}") from None
        return False
    ctx.legal(answer)
    return True


def _heeds_stop(ctx: CheckContext) -> bool:
    """True if a search in which no `isready` came ends at `stop`."""
    engine = ctx.new_engine()
    # The engine that is judged stays the last, since a report shows the last dialogue.
    ctx.engines.insert(0, ctx.engines.pop())
    limit = ctx.start_lasting(engine, 400)
    try:
        engine.stop(limit, START)
    except Violation:
        return False
    return True


@check("D5", "6.4", M, "answers come in the order of the questions", "they are printed by another thread")
def keeps_the_order(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    engine.set_position(START)
    if engine.ask("p1turn") is None:
        late = count(engine.drain(200), Response)
        require(not late, "the answer to a query came after the `readyok` of the `isready` that was sent after it")
        raise NotApplicable("it does not answer `query p1turn`")
    rounds = 10
    engine.send(*["query p1turn", "isready"] * rounds)
    for number in range(rounds):
        lines = engine.read_until(ReadyOk, READY_MS, "readyok")
        responses = count(lines, Response)
        require(responses == 1, f"before readyok number {number + 1} came {responses} responses, not one")
    return f"{rounds} pairs"


def _waits_for_go(ctx: CheckContext, position: GamePosition) -> None:
    """An engine that thinks after a position may stop when it hears the `isready`; its CPU time tells."""
    engine = ctx.new_engine()
    ctx.move(engine, "nodes 100", position)
    before_ns = engine.subject.cpu_ns()
    engine.send(engine.position_command(position))
    pause(400)
    after_ns = engine.subject.cpu_ns()
    if before_ns is not None and after_ns is not None:
        took_ms = (after_ns - before_ns) / 1e6
        require(took_ms < 40 * ctx.slow, f"it computed for {took_ms:.0f} ms after a position, before `go`")


@check(
    "D6", "6.4", m, f"a position is read in {FREE_READING_MS} ms and {FREE_READING_MOVE_MS} ms for each of its moves",
    "it thinks before `readyok`, or sets its tables up for each position: that is time on its clock", alone=True,
    area=Area.TIME,
)  # fmt: skip
def reads_quickly(ctx: CheckContext) -> str:
    positions = (START, *ctx.book.positions(2), *ctx.book.positions(2, late=True))
    best_ms: dict[GamePosition, float] = {}
    with timed(ctx) as engine:
        for _ in range(_TRIES):
            for position in positions:
                took_ms = engine.reading_ms(position)
                best_ms[position] = min(took_ms, best_ms.get(position, took_ms))
    _waits_for_go(ctx, positions[-1])
    for position, took_ms in best_ms.items():
        allowed_ms = free_reading_ns(len(position.moves)) / MS * ctx.slow
        text = (
            f"it took {took_ms:.1f} ms to read a position of {len(position.moves)} moves; {allowed_ms:.1f} ms are free"
        )
        require(took_ms <= allowed_ms, text)
    return f"{max(best_ms.values()):.1f} ms"
