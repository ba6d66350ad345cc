"""Checks G, first part: limits, stop, and the moves that come of them."""

import time

from arena.conformance.check import M, N, check, m
from arena.conformance.checked_engine import READY_MS, SEARCH_MS, STOP_MS, CheckedEngine
from arena.conformance.context import MOVES, START, CheckContext, applies, count, pause, require
from arena.conformance.violation import NotApplicable, Violation, quoted
from arena.games.game_words import canonical_word
from arena.games.illegal import why_illegal
from protocol.grammar import NO_MOVES
from protocol.messages import BestMove, ReadyOk, Response

_FEW_NODES = "nodes 20"
_SOON_MS = 10_000
"""How soon a `go` is to be answered that has no limit. 7.1 has no figure; a deadline of a start has this one."""


@check(
    "G5", "7.8", m, "an infinite search ends at `stop` and not before, even if nothing is left to search",
    "it ends at its greatest depth, or does not know `infinite`",
    needs=("G4",),
)  # fmt: skip
def waits_for_stop(ctx: CheckContext) -> None:
    positions = [
        START,
        *(s.position for s in ctx.book.about("one-move")[:1]),
        *(s.position for s in ctx.book.about("mate")[:1]),
    ]
    engines = [ctx.new_engine() for _ in positions]
    for engine, position in zip(engines, positions, strict=True):
        engine.set_position(position)
        engine.send("go infinite")
    pause(ctx.repeats(2_500, 3_000))
    for engine, position in zip(engines, positions, strict=True):
        # The engine that is judged comes last, since a report shows the last dialogue.
        ctx.engines.sort(key=lambda each: each is engine)
        early = engine.drain(1)
        require(not count(early, MOVES), f"it ended by itself: {ctx.line(position).position.fen()}")
        ctx.legal(engine.stop("infinite", position))


@check(
    "G6", "14.1", M, "`stop` right after `go` brings a legal move", "the stop is lost, or no iteration was done",
    needs=("G4",),
)  # fmt: skip
def stops_at_once(ctx: CheckContext) -> str:
    engine, times = ctx.new_engine(), []
    for number, position in enumerate(ctx.book.positions(ctx.repeats(10, 50))):
        limit = ("infinite", "movetime 5000", "nodes 100000000")[number % 3]
        engine.set_position(position)
        engine.send(f"go {limit}", "stop")
        answer = engine.read_answer(limit, position, time.monotonic_ns(), STOP_MS)
        ctx.legal(answer)
        # If the search had ended by itself, this stop came without a search and must not be answered.
        extra = count(engine.ready(), MOVES)
        require(not extra, "a second bestmove came")
        times.append(answer.elapsed_ms)
    return f"{max(times):.0f} ms at most"


@check(
    "G19", "7.1", M, "a bare `go`, and a `go` without a position, are survived", "it reads nothing",
)  # fmt: skip
def survives_bare_go(ctx: CheckContext) -> None:
    engine = ctx.start()
    engine.handshake()
    engine.ready("go", "stop")
    engine.drain(50)
    engine.ready("go nodes 10", "stop")
    engine.drain(50)
    ctx.begin(engine, ctx.variant)
    ctx.require_alive(engine)
    engine.send("go")
    try:
        engine.read_until(MOVES, _SOON_MS, "bestmove for `go`")
    except Violation as violation:
        raise Violation(f"{violation}", minor=True) from None


@check(
    "G20", "7.2", M, "a second `go` in a search is survived", "two searches on one board",
    needs=("G4",),
)  # fmt: skip
def survives_two_goes(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    engine.set_position(START)
    engine.send("go movetime 100", "go movetime 100")
    moves = engine.read_until(MOVES, SEARCH_MS, "bestmove")
    rest = engine.drain(300) + engine.ready(within_ms=2_000)
    moves += rest
    require(count(moves, MOVES) <= 2, f"{count(moves, MOVES)} bestmoves came for two `go`")
    ctx.require_alive(engine)
    _waits_its_turn(ctx, engine)
    return f"{count(moves, MOVES)} bestmoves"


def _waits_its_turn(ctx: CheckContext, engine: CheckedEngine) -> None:
    """What comes in a search is survived, a query is not lost, and a `stop` after it ends the search."""
    limit = ctx.set_up_lasting(engine, 300)
    if not limit:
        return
    asks = engine.ask("p1turn") is not None
    options = (option for option in ctx.announced.values() if option.type in ("check", "spin") and option.default)
    setting = [f"setoption name {option.name} value {option.default}" for option in options][:1]
    for line in ("go nodes 10", *["query p1turn"] * asks, *setting):
        engine.send(f"go {limit}")
        engine.drain(50)
        engine.send(line)
        early = engine.drain(100)
        # A search that ends because of the line has been answered, too: 7.2 asks no more than to survive it.
        if not count(early, MOVES):
            early += engine.stop(limit, START).lines
        later = engine.drain(50) + engine.ready("stop")
        if line.startswith("query"):
            answered = count([*early, *later], Response)
            require(answered == 1, f"`{line}` in a search was answered {answered} times", minor=True)


@check(
    "G21", "7.2", M, "a `position` right after `stop`, before the bestmove, is survived",
    "the board changes under it", needs=("G4",),
)  # fmt: skip
def survives_early_positions(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    later = ctx.book.longest.at(2)
    for command in (engine.position_command(later), "uginewgame"):
        ctx.start_lasting(engine, 50)
        engine.send("stop", command, "isready")
        lines = engine.read_until(ReadyOk, READY_MS, "readyok")
        if not count(lines, MOVES):
            lines += engine.read_until(MOVES, STOP_MS, "bestmove")
        require(count(lines, MOVES) == 1, "one search brought more than one bestmove")
        ctx.move(engine, "nodes 100", later)


@check(
    "G22", "8.9", M, "`go` in a finished position is survived, and answered by 0000",
    "it chooses from an empty list of moves, or searches for ever",
    needs=("G2",),
)  # fmt: skip
def survives_finished_positions(ctx: CheckContext) -> str:
    engine, words = ctx.new_engine(), set()
    for game in ctx.book.games:
        if game.result != "none":
            engine.set_position(game.at(len(game.moves)))
            engine.send("go nodes 100")
            lines = engine.drain(300)
            lines += engine.ready("stop")
            words |= {f"bestmove {each.message.word}" for each in lines if isinstance(each.message, BestMove)}
    for game in [game for game in ctx.book.games if game.result != "none"][:1]:
        engine.set_position(game.at(len(game.moves)))
        engine.send("go infinite")
        engine.drain(100)
        engine.ready("stop")
    ctx.require_alive(engine)
    require(words <= {"bestmove 0000"}, f"in a finished position it said {', '.join(sorted(words)[:3])}", minor=True)
    return ", ".join(sorted(words)) or "no answer"


@check(
    "G23", "8.2", M, "moves are spelt as the grammar has them", "`d1-d4`, upper case, a dot at the end",
    needs=("B11", "C9"),
)  # fmt: skip
def spells_moves(ctx: CheckContext) -> str:
    engine, words = ctx.new_engine(), 0
    for position in ctx.book.positions(30):
        answer = engine.search(position, _FEW_NODES)
        raw = answer.lines[-1].raw
        word = answer.word
        if word in NO_MOVES:
            ctx.legal(answer)
        require(ctx.rules.wellformed(word), f"{quoted(raw)} has no word of the move grammar")
        if raw.split()[1:2] != [word.encode()]:
            raise Violation(f"{quoted(raw)} is not in lower case", minor=True, clause="8.4")
        canonical = canonical_word(ctx.line(position), word)
        if canonical not in (word, None):
            text = f"{quoted(raw)}: the targets are in the wrong order, it is {canonical}"
            raise Violation(text, minor=True, clause="5.4")
        words += 1
    return f"{words} moves"


@check(
    "G24", "8.3", N, "the word after `ponder` is a legal answer", "it comes from a table without being checked",
    needs=("G2",),
)  # fmt: skip
def ponders_legally(ctx: CheckContext) -> str:
    pondered = 0
    for answer in ctx.ordinary.answers:
        message = answer.lines[-1].message
        if isinstance(message, BestMove) and message.ponder is not None:
            line = ctx.line(answer.position)
            line.play(ctx.legal(answer))
            word = message.ponder.lower()
            if canonical_word(line, word) is None:
                where = f"after {message.word}, in {line.position.fen()}"
                raise Violation(f"`ponder {message.ponder}` is not legal {where}: {why_illegal(line, word)}")
            pondered += 1
    applies(pondered, "it never says `ponder`")
    return f"{pondered} words"


@check(
    "G25", "2.9", M, "it uses next to no CPU time while nothing is due", "it waits for input in a loop, or ponders",
)  # fmt: skip
def uses_no_cpu_when_idle(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    ctx.move(engine, "nodes 1000")
    pause(100)
    before_ns, start_ns = engine.subject.cpu_ns(), time.monotonic_ns()
    pause(2_000)
    after_ns = engine.subject.cpu_ns()
    if before_ns is None or after_ns is None:
        raise NotApplicable("the system does not tell its CPU time")
    percent = 100 * (after_ns - before_ns) / (time.monotonic_ns() - start_ns)
    require(percent < 5, f"it took {percent:.0f} % of a CPU over 2 s")
    return f"{percent:.1f} %"
