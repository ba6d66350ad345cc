"""Checks G, second part: time, clocks, and limits that are counted. They join the group of the first part."""

from statistics import mean

from protocol.conformance.check import Severity
from protocol.conformance.checked_engine import Answer
from protocol.conformance.context import CheckContext, require
from protocol.conformance.g_search import GROUP as GROUP
from protocol.conformance.positions import GamePosition
from protocol.conformance.violation import NotApplicable

F, M, m = Severity.FATAL, Severity.MAJOR, Severity.MINOR
MARGIN_MS = 50
_PERIOD_MOVES = 4
_PERIOD_MS = 600


@GROUP.check(
    8, "7.4", M, "a move time is kept, but for the margin", "garbage collection, a poll every 100 ms", alone=True
)
def keeps_move_times(ctx: CheckContext) -> str:
    engine, over = ctx.new_engine(), []
    positions = ctx.book.positions(20)
    asked = [100] * ctx.repeats(8, 14) + [500] * ctx.repeats(2, 4) + [2_000] * ctx.repeats(1, 2)
    for number, asked_ms in enumerate(asked):
        position = positions[number % len(positions)]
        answer = ctx.move(engine, f"movetime {asked_ms}", position)
        if answer.elapsed_ms - asked_ms > MARGIN_MS * ctx.slow:
            # The machine may be the cause of one late move.
            answer = ctx.move(engine, f"movetime {asked_ms}", position)
        late_ms = answer.elapsed_ms - asked_ms
        over.append(late_ms)
        require(
            late_ms <= MARGIN_MS * ctx.slow,
            f"for {asked_ms} ms it took {answer.elapsed_ms:.1f} ms: {ctx.line(answer.position).fen}",
        )
    return f"min {min(over):+.1f}, mean {mean(over):+.1f}, max {max(over):+.1f} ms"


@GROUP.check(9, "7.4", M, "on clocks of 1 s down to 1 ms a legal move is given", "a negative budget, no iteration done")
def survives_short_clocks(ctx: CheckContext) -> str:
    engine, times = ctx.new_engine(), []
    for clock_ms in (1_000, 100, 10, 1):
        for position in ctx.book.positions(3):
            answer = ctx.move(engine, f"p1time {clock_ms} p2time {clock_ms} p1inc 0 p2inc 0", position)
        times.append(f"{clock_ms}: {answer.elapsed_ms:.0f} ms")
    return ", ".join(times)


@GROUP.check(
    10, "7.4", M, "in a game against itself it never oversteps its clock", "the same time for every move", alone=True
)
def never_flags(ctx: CheckContext) -> str:
    engine, line = ctx.new_engine(), ctx.line()
    first_ms = ctx.repeats(3_000, 10_000) * ctx.slow
    left = {"p1": first_ms, "p2": first_ms}
    while line.result == "none" and len(line.moves) < 200:
        side, position = line.side, GamePosition(None, line.moves)
        clocks = f"p1time {max(1, int(left['p1']))} p2time {max(1, int(left['p2']))} p1inc 0 p2inc 0"
        engine.set_position(position)
        answer = engine.go(clocks, position, left[side] + 1_000)
        left[side] -= answer.elapsed_ms
        require(left[side] > -MARGIN_MS, f"{side} overstepped by {-left[side]:.0f} ms at ply {len(line.moves)}")
        line.play(ctx.legal(answer))
    return f"{len(line.moves)} plies, {min(left.values()) / 1000:.1f} s of {first_ms / 1000:.0f} s left"


@GROUP.check(11, "7.3", M, "it uses its own clock and not the other", "p1time and p2time are swapped, or mean colours")
def uses_its_clock(ctx: CheckContext) -> str:
    engine, times = ctx.new_engine(), []
    for position in _both_sides(ctx):
        side = ctx.line(position).side
        mine, theirs = ("p1time 100", "p2time 60000") if side == "p1" else ("p2time 100", "p1time 60000")
        words = " ".join(sorted((mine, theirs)))
        answer = ctx.move(engine, f"{words} p1inc 0 p2inc 0", position)
        require(answer.elapsed_ms < 1_000 * ctx.slow, f"{side} had 100 ms and took {answer.elapsed_ms:.0f} ms")
        times.append(f"{side} {answer.elapsed_ms:.0f} ms")
    return ", ".join(times)


def _both_sides(ctx: CheckContext) -> list[GamePosition]:
    game = ctx.book.longest
    return [game.at(ply) for ply in (2, 3)]


@GROUP.check(
    12, "7.3", m, "the words of a clock stand in any order, increments may be missing, unknown words between them",
    "words are read by their places",
)  # fmt: skip
def reads_clocks(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    for words in (
        "p2inc 0 p1inc 0 p2time 300 p1time 300",
        "p1time 300 p2time 300",
        "p2time 300 foo 3 p1time 300 p2inc 0 p1inc 0",
        "p1inc 0 p1time 300 p2inc 0 p2time 300",
    ):
        for position in _both_sides(ctx):
            answer = ctx.move(engine, words, position)
            require(answer.elapsed_ms < 2_000 * ctx.slow, f"`go {words}` took {answer.elapsed_ms:.0f} ms")


@GROUP.check(13, "7.1", M, "numbers that are missing, negative or none are survived", "a division by zero")
def survives_bad_numbers(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    for words in (
        "p1time p2time 500", "p1time -100 p2time -100 p1inc 0 p2inc 0", "movetime 1e3", "nodes", "depth x",
        "p1time 0 p2time 0 p1inc 0 p2inc 0", "nodes 0", "depth 0",
    ):  # fmt: skip
        engine.set_position(GamePosition())
        engine.send(f"go {words}")
        engine.drain(60)
        engine.ready("stop")
        engine.drain(20)
    ctx.require_alive(engine)


@GROUP.check(
    14, "7.7", m, "a limit of nodes is kept, as its infos count them", "they are counted rarely, or by each thread"
)
def keeps_node_limits(ctx: CheckContext) -> str:
    engine, most = ctx.new_engine(), 0.0
    told = False
    for limit in (100, 1_000, 4_000):
        for position in ctx.book.positions(4)[-2:]:
            answer = ctx.move(engine, f"nodes {limit}", position)
            nodes = [info.nodes for info in answer.infos if info.nodes is not None]
            told = told or bool(nodes)
            if nodes:
                require(nodes[-1] <= limit * 1.1 + 1_024, f"for {limit} nodes it reports {nodes[-1]}")
                most = max(most, nodes[-1] / limit)
    if not told:
        raise NotApplicable("it never says `nodes`")
    return f"at most {most:.2f} of the limit"


@GROUP.check(15, "7.7", m, "a limit of depth is reached and not passed, as its infos tell it", "off by one")
def keeps_depth_limits(ctx: CheckContext) -> str:
    engine, limits = ctx.new_engine(), (1, 2, 3)
    position = ctx.book.longest.at(2)
    answers = [ctx.move(engine, f"depth {limit}", position) for limit in limits]
    depths = [_depth(answer) for answer in answers]
    if None in depths:
        raise NotApplicable("it never says `depth`")
    if depths == [1, 1, 1]:
        raise NotApplicable("it searches one ply, whatever the limit")
    for limit, depth, answer in zip(limits, depths, answers, strict=True):
        mate = answer.exact is not None and answer.exact.score is not None and answer.exact.score.kind == "mate"
        require(depth == limit or mate, f"`go depth {limit}` ends at depth {depth}")
    return " ".join(map(str, depths))


@GROUP.check(26, "7.5", M, "a period of moves is kept", "`movestogo` is announced and not heeded", alone=True)
def keeps_periods(ctx: CheckContext) -> str:
    ctx.option("UGI_MovesToGo")
    engine, line, least_ms = ctx.new_engine(), ctx.line(), float(_PERIOD_MS)
    left = {"p1": _PERIOD_MS * ctx.slow, "p2": _PERIOD_MS * ctx.slow}
    for ply in range(4 * _PERIOD_MOVES):
        if line.result != "none":
            break
        side, position, played = line.side, GamePosition(None, line.moves), ply // 2 % _PERIOD_MOVES
        if ply >= 2 and played == 0:
            left[side] += _PERIOD_MS * ctx.slow
        clocks = f"p1time {max(1, int(left['p1']))} p2time {max(1, int(left['p2']))} p1inc 0 p2inc 0"
        engine.set_position(position)
        answer = engine.go(f"{clocks} movestogo {_PERIOD_MOVES - played}", position, left[side] + 1_000)
        left[side] -= answer.elapsed_ms
        text = f"{side} overstepped its period by {-left[side]:.0f} ms at ply {len(line.moves)}"
        require(left[side] > -MARGIN_MS, text)
        least_ms = min(least_ms, left[side])
        line.play(ctx.legal(answer))
    return f"{len(line.moves)} plies, {least_ms:.0f} of {_PERIOD_MS * ctx.slow:.0f} ms left at least"


def _depth(answer: Answer) -> int | None:
    depths = [info.depth for info in answer.infos if info.depth is not None]
    return depths[-1] if depths else None
