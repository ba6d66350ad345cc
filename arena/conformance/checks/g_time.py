"""Checks G, second part: time, clocks, and limits that are counted. They join the group of the first part."""

from contextlib import suppress
from functools import partial

from arena.conformance.check import Area, M, check, m
from arena.conformance.checked_engine import SearchAnswer
from arena.conformance.context import MOVES, START, CheckContext, applies, count, require
from arena.conformance.judge.positions import GamePosition, load
from arena.conformance.timed_game import TOO_BUSY, CheckedClocks, LostOnTime, TimedEngine, confirmed, play, timed
from arena.conformance.violation import NotApplicable, Violation
from arena.games.game_words import canonical_word
from arena.timing.clock import MARGIN_MS
from arena.timing.time_control import Limit, parse
from protocol import grammar
from protocol.faults import MachineLate
from protocol.messages import BestMove

_PLANNED_MS, _PLANS_MS = 100, 25
"""An engine plans to use the margin if each of its moves of so many ms takes so many ms longer."""
_COMPARED_MS = (10, 100, 400)
"""Move times that are tried once more after a loss."""
_UNREAD = "it takes as long whatever the move time: is `movetime` read at all?"
BULLET = parse("0.1+0"), parse("0.05+0.01")
"""The shortest clocks that SPEC.md 7.4 names."""
_BULLET_MOVES = 20
"""How many moves of each side it demands on them."""
_LONG_GAME, _LONG_PLIES = parse("0.2+0.01"), 76
"""A game in which a clock never grows to 600 ms, played past ply 60."""
_LONG_ENOUGH = 66
_PERIODS = ((parse("4/0.4+0"), 16), (parse("20/0.3+0"), 44))
"""Periods, few moves and many, and the plies that are played: into the second period of each side."""
_IN_PERIODS = parse("1/0.8+0"), parse("2/0.1+1"), parse("30/0.1+0.5")
"""The moves that are left in a period and their clock: the last move, and increments that are still to come."""


@check(
    "G8", "7.4", M, "a move time of 1 ms to 2 s is kept, but for the margin",
    "garbage collection, a poll every 100 ms, a least time for every move", alone=True,
    area=Area.TIME,
)  # fmt: skip
def keeps_move_times(ctx: CheckContext) -> str:
    over: dict[int, list[float]] = {}
    positions = _early(ctx, 20)
    move_times_ms = [1, 1, 1, 2, 5, 10, 20, 50] * ctx.repeats(2, 6) + [100] * ctx.repeats(6, 14)
    move_times_ms += [200, 500] * ctx.repeats(1, 4) + [2_000] * ctx.repeats(1, 2)
    with timed(ctx) as engine:
        for number, asked_ms in enumerate(move_times_ms):
            try:
                late_ms = confirmed(partial(_late_ms, ctx, engine, asked_ms, positions[number % len(positions)]))
            except LostOnTime as lost:
                raise _with_other_times(engine, lost, positions[0]) from None
            over.setdefault(asked_ms, []).append(late_ms)
    planned = over[_PLANNED_MS]
    require(
        min(planned) <= _PLANS_MS * ctx.slow,
        f"under `go movetime {_PLANNED_MS}` each of {len(planned)} moves was {min(planned):.1f} ms late or more",
        minor=True,
        cause="it plans to use the margin, or looks at the clock too rarely",
    )
    return ", ".join(f"{asked_ms}: {max(late):+.1f} ms" for asked_ms, late in over.items())


def _early(ctx: CheckContext, most: int) -> list[GamePosition]:
    """Positions after the first moves of games. Later ones may be decided, and then an engine need not use its time."""
    plies = range(max(1, len(ctx.book.longest.moves) // 2))
    early = dict.fromkeys(game.at(ply) for ply in plies for game in ctx.book.games if ply < len(game.moves))
    return list(early)[:most]


def _with_other_times(engine: TimedEngine, lost: LostOnTime, position: GamePosition) -> LostOnTime:
    """The loss with what moves of other move times took. Where all take the same, the word may not be read at all."""
    took_ms: list[float] = []
    with suppress(Violation, MachineLate):
        for asked_ms in _COMPARED_MS:
            move = engine.move(position, partial(_movetime, asked_ms), asked_ms)
            took_ms.append(move.wall_ms)
    times = ", ".join(f"{asked} ms: {took:.0f} ms" for asked, took in zip(_COMPARED_MS, took_ms, strict=False))
    same = len(took_ms) == len(_COMPARED_MS) and max(took_ms) - min(took_ms) < (_COMPARED_MS[-1] - _COMPARED_MS[0]) / 4
    return LostOnTime(f"{lost}; it took under {times}" if times else f"{lost}", cause=_UNREAD if same else lost.cause)


def _movetime(asked_ms: int, reading_ms: float) -> bytes:
    return grammar.go_movetime(int(asked_ms - reading_ms))


def _late_ms(ctx: CheckContext, engine: TimedEngine, asked_ms: int, position: GamePosition) -> float:
    """How much longer than `asked_ms` a move took. Raises LostOnTime if it was more than the margin."""
    move = engine.move(position, partial(_movetime, asked_ms), asked_ms)
    took_ms, margin_ms = move.took_ms + move.reading_ms, MARGIN_MS * ctx.slow
    if took_ms > asked_ms + margin_ms:
        text = f"it loses on time under `go movetime {asked_ms}`: it took {took_ms:.1f} ms"
        raise LostOnTime(f"{text}; the margin is {margin_ms:.0f} ms")
    return took_ms - asked_ms


@check(
    "G9", "7.4", M, "on clocks of 1 s down to 1 ms a legal move is given in time",
    "a negative budget, no iteration done, a least time for every move", alone=True,
    needs=("G8",), area=Area.TIME,
)  # fmt: skip
def survives_short_clocks(ctx: CheckContext) -> str:
    times = []
    with timed(ctx) as engine:
        for clock_ms in (1_000, 100, 10, 1):
            longest_ms = max(
                confirmed(partial(_on_clock_ms, ctx, engine, Limit("clock", clock_ms), position))
                for position in _early(ctx, 3)
            )
            times.append(f"{clock_ms}: {longest_ms:.0f} ms")
        # An increment comes after the move, so it cannot be spent before.
        for control in (parse("0.1+2"), parse("0.01+0.5")):
            for position in _early(ctx, 2):
                confirmed(partial(_on_clock_ms, ctx, engine, control, position))
    return ", ".join(times)


def _on_clock_ms(ctx: CheckContext, engine: TimedEngine, control: Limit, position: GamePosition) -> float:
    """How long a move took that had this clock. Raises LostOnTime if that was too long."""
    side, clocks = ctx.line(position).position.side, CheckedClocks(control, ctx.slow)
    move = engine.move(position, clocks.go_line(side), control.base_ms)
    clocks.spend(side, move.took_ms)
    return move.took_ms


@check(
    "G10", "7.4", M, "in a game against itself it never oversteps its clock", "the same time for every move",
    alone=True, needs=("G8",), area=Area.TIME,
)  # fmt: skip
def never_flags(ctx: CheckContext) -> str:
    control = Limit("clock", ctx.repeats(3_000, 10_000))
    return f"{control}: {confirmed(partial(play, ctx, control, 200))}"


@check(
    "G27", "7.4", M, "in games of 0.1+0 and 0.05+0.01 it never oversteps its clock",
    "a least time for every move, or the first move loads what should be loaded before `readyok`", alone=True,
    needs=("G10",),
)  # fmt: skip
def plays_bullet(ctx: CheckContext) -> str:
    along = ctx.book.longest
    return "; ".join(
        f"{control}: {confirmed(partial(play, ctx, control, 2 * _BULLET_MOVES, along))}" for control in BULLET
    )


@check(
    "G28", "7.4", M, "in a long game with an increment it never oversteps its clock",
    "the time of a move is planned by the number of the move, or is more than the increment", alone=True,
    needs=("G10", "G27"),
)  # fmt: skip
def plays_long_games(ctx: CheckContext) -> str:
    variant = _longest_variant(ctx)
    game = partial(play, ctx, _LONG_GAME, _LONG_PLIES, ctx.book_of(variant).longest, variant)
    return f"{variant}, {_LONG_GAME}: {confirmed(game)}"


def _longest_variant(ctx: CheckContext) -> str:
    """The variant of this check if it has a game that is long enough, else the announced one with the longest game."""
    if len(ctx.book.longest.moves) >= _LONG_ENOUGH:
        return ctx.variant
    variants = [variant for variant in ctx.variants() if variant == ctx.variant or load(variant) is not None]
    return max(variants, key=lambda variant: len(ctx.book_of(variant).longest.moves))


@check(
    "G11", "7.3", M, "it uses its own clock and not the other", "p1time and p2time are swapped, or mean colours",
    alone=True,
    needs=("G8",), area=Area.TIME,
)  # fmt: skip
def uses_its_clock(ctx: CheckContext) -> str:
    times = []
    with timed(ctx) as engine:
        # In a string the side to move does not follow from the number of moves.
        strings = [GamePosition(ctx.line(position).position.fen()) for position in _both_sides(ctx)]
        for position in (*_both_sides(ctx), *strings):
            side = ctx.line(position).position.side
            both_ms = _with_clocks_ms(engine, position, "p1time 100 p2time 100 p1inc 0 p2inc 0")
            applies(both_ms <= _own_ms(ctx), "it needs too long even if both have 100 ms: see G9")
            mine, theirs = ("p1", "p2") if side == "p1" else ("p2", "p1")
            clocks = {f"{mine}time": 100, f"{theirs}time": 60_000, f"{mine}inc": 0, f"{theirs}inc": 10_000}
            words = " ".join(f"{word} {clocks[word]}" for word in ("p1time", "p2time", "p1inc", "p2inc"))
            took_ms = min(_with_clocks_ms(engine, position, words) for _ in range(2))
            require(took_ms <= _own_ms(ctx), f"under `go {words}` {side} took {took_ms:.0f} ms")
            times.append(f"{side} {took_ms:.0f} ms")
    return ", ".join(times)


def _own_ms(ctx: CheckContext) -> float:
    """What a move may take that has 100 ms and the margin."""
    return 100 + MARGIN_MS * ctx.slow


def _with_clocks_ms(engine: TimedEngine, position: GamePosition, words: str) -> float:
    """How long a move took under these clocks, with the time for its position."""
    try:
        move = engine.move(position, lambda _: f"go {words}\n".encode(), 100)
    except MachineLate:
        raise NotApplicable(TOO_BUSY) from None
    return move.took_ms + move.reading_ms


def _both_sides(ctx: CheckContext) -> list[GamePosition]:
    game = ctx.book.longest
    return [game.at(ply) for ply in (2, 3)]


@check(
    "G12", "7.3", m, "the words of a clock come in any order, without increments, and with unknown words between them",
    "words are read by their places",
    area=Area.PROTOCOL,
)  # fmt: skip
def reads_clocks(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    for order in (
        "p2inc 0 p1inc 0 p2time {p2} p1time {p1}",
        "p1time {p1} p2time {p2}",
        "p2time {p2} p1time {p1} p2inc 0 p1inc 0",
        "p2time {p2} foo 3 p1time {p1} p2inc 0 p1inc 0",
        "p1inc 0 p1time {p1} p2inc 0 p2time {p2}",
    ):
        for position in _both_sides(ctx):
            # The other side has much more time, so that a clock that is mistaken shows.
            own = ctx.line(position).position.side
            words = order.format(**{side: 300 if side == own else 300_000 for side in ("p1", "p2")})
            answer = ctx.move(engine, words, position)
            require(answer.elapsed_ms < 2_000 * ctx.slow, f"`go {words}` took {answer.elapsed_ms:.0f} ms")
    limit = ctx.set_up_lasting(engine, 300)
    if not limit:
        return
    engine.send(f"go foo 3 {limit}")
    require(not count(engine.drain(200), MOVES), f"`go foo 3 {limit}` ends soon, `go {limit}` does not")
    ctx.legal(engine.stop(limit, START))


@check(
    "G13", "7.1", M, "missing, negative and unreadable numbers are survived", "a division by zero",
    area=Area.PROTOCOL,
)  # fmt: skip
def survives_bad_numbers(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    for words in (
        "p1time p2time 500", "p1time -100 p2time -100 p1inc 0 p2inc 0", "movetime 1e3", "nodes", "depth x",
        "p1time 0 p2time 0 p1inc 0 p2inc 0", "nodes 0", "depth 0",
    ):  # fmt: skip
        engine.set_position(START)
        engine.send(f"go {words}")
        lines = engine.drain(60) + engine.ready("stop") + engine.drain(20)
        for each in lines:
            if isinstance(each.message, BestMove) and canonical_word(ctx.line(), each.message.word.lower()) is None:
                text = f"`go {words}` is answered by `bestmove {each.message.word}`, which is no legal move"
                raise Violation(text, minor=True)
    ctx.require_alive(engine)


@check(
    "G14", "7.7", m, "a limit of nodes is kept, as its infos count them", "they are counted rarely, or by each thread"
)
def keeps_node_limits(ctx: CheckContext) -> str:
    engine, most = ctx.new_engine(), 0.0
    any_nodes = False
    for limit in (100, 1_000, 4_000):
        for position in ctx.book.positions(4)[-2:]:
            answer = ctx.move(engine, f"nodes {limit}", position)
            nodes = [info.nodes for info in answer.infos if info.nodes is not None]
            any_nodes = any_nodes or bool(nodes)
            if nodes:
                require(nodes[-1] <= limit * 1.1 + 1_024, f"for {limit} nodes it reports {nodes[-1]}")
                most = max(most, nodes[-1] / limit)
    applies(any_nodes, "it never says `nodes`")
    return f"at most {most:.2f} of the limit"


@check("G15", "7.7", m, "a limit of depth is reached and not passed, as its infos tell it", "off by one")
def keeps_depth_limits(ctx: CheckContext) -> str:
    engine, limits = ctx.new_engine(), (1, 2, 3)
    position = ctx.book.longest.at(2)
    answers = [ctx.move(engine, f"depth {limit}", position) for limit in limits]
    depths = [_depth(answer) for answer in answers]
    applies(None not in depths, "it never says `depth`")
    applies(depths != [1, 1, 1], "it searches one ply, whatever the limit")
    for limit, depth, answer in zip(limits, depths, answers, strict=True):
        mate = answer.exact is not None and answer.exact.score is not None and answer.exact.score.kind == "mate"
        require(depth == limit or mate, f"`go depth {limit}` ends at depth {depth}")
    return " ".join(map(str, depths))


@check(
    "G26", "7.5", M, "a period of moves is kept", "`movestogo` is announced and not heeded", alone=True,
    needs=("G10", "G27"),
)  # fmt: skip
def keeps_periods(ctx: CheckContext) -> str:
    ctx.option("UGI_MovesToGo")
    along = ctx.book.longest
    figures = "; ".join(
        f"{control}: {confirmed(partial(play, ctx, control, plies, along))}" for control, plies in _PERIODS
    )
    with timed(ctx) as engine:
        for control in _IN_PERIODS:
            for position in _both_sides(ctx):
                confirmed(partial(_on_clock_ms, ctx, engine, control, position))
    return figures


def _depth(answer: SearchAnswer) -> int | None:
    depths = [info.depth for info in answer.infos if info.depth is not None]
    return depths[-1] if depths else None
