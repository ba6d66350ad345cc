"""Checks E: positions."""

from collections.abc import Callable, Iterable

from arena.conformance.check import Area, M, check, m
from arena.conformance.checked_engine import CheckedEngine
from arena.conformance.checks.plain_session import move_retold, require_position
from arena.conformance.context import START, CheckContext, applies, require
from arena.conformance.judge.positions import GamePosition
from arena.conformance.violation import Violation
from protocol.messages import ErrorLine

_BRIEF = "nodes 20"


@check(
    "E3", "5.6", M, "from a position string it moves for the side that the string names", each_variant=True,
    needs=("B9",),
)  # fmt: skip
def heeds_the_side(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    sides = []
    for position in ctx.book.positions(12):
        line = ctx.line(position)
        sides.append(line.position.side)
        fen = line.position.fen()
        short = fen.rpartition(" ")[0]
        # The turn number may be left out, unless the game has position strings of its own.
        move_retold(ctx, engine, GamePosition(fen if len(sides) % 3 or _is_refused(ctx, short) else short), position)
    applies({"p1", "p2"} <= set(sides), "the games at hand have positions of one side only")
    return f"{len(sides)} positions"


@check(
    "E4", "6.1", M, "moves after a position string are played like those after `startpos`",
    "they are ignored there", each_variant=True,
    needs=("E3",),
)  # fmt: skip
def plays_moves_on_a_string(ctx: CheckContext) -> str:
    engine, game, done = ctx.new_engine(), ctx.book.longest, 0
    for ply in range(2, min(len(game.moves), 16), 3):
        half = ctx.line(game.at(ply // 2)).position.fen()
        ctx.move(engine, _BRIEF, game.at(ply))
        move_retold(ctx, engine, GamePosition(half, game.moves[ply // 2 : ply]), game.at(ply))
        if ply + 1 < len(game.moves):
            move_retold(ctx, engine, GamePosition(half, game.moves[ply // 2 : ply + 1]), game.at(ply + 1))
        done += 1
    return f"{done} positions"


@check(
    "E6", "6.2", M, "nothing of one position is left in the next", "the old board stays on a shorter list of moves",
    needs=("E4",),
)  # fmt: skip
def forgets_positions(ctx: CheckContext) -> None:
    engine, (first, second) = ctx.new_engine(), _two_positions(ctx)
    _alternate(ctx, engine, [first, second, first, START, second, START, first])
    string = GamePosition(ctx.line(first).position.fen())
    _alternate(ctx, engine, [string, START, string, second, START])
    # Games that go other ways, each list longer than the one before, then two of one length.
    games = [game for game in ctx.book.games if game.fen == ctx.book.longest.fen]
    _alternate(ctx, engine, [game.at(min(ply, len(game.moves) - 1)) for ply, game in enumerate(games * 3, 2)])
    _alternate(ctx, engine, [game.at(min(4, len(game.moves) - 1)) for game in games])


@check(
    "E9", "6.7", M, "malformed boards are survived", "an index beyond the board", each_variant=True,
    area=Area.PROTOCOL,
)  # fmt: skip
def survives_malformed(ctx: CheckContext) -> str:
    return _survives(ctx, lambda about: not about.startswith(_ODD))


@check(
    "E10", "6.7", M, "impossible boards are survived: no king, two kings, an empty board", "an assertion",
    each_variant=True,
    area=Area.PROTOCOL,
)  # fmt: skip
def survives_impossible(ctx: CheckContext) -> str:
    return _survives(ctx, lambda about: about.startswith(_ODD))


@check(
    "E13", "6.1", M, "the third occurrence of a position is counted from the start of the game",
    "the history is thrown away with each `position`", each_variant=True,
    needs=("F10",),
)  # fmt: skip
def counts_occurrences(ctx: CheckContext) -> str:
    ctx.special_positions("repetition")
    engine, answers = ctx.new_engine(), 0
    for special in (*ctx.book.about("repetition-next"), *ctx.book.about("repetition")):
        engine.set_position(special.position)
        result = engine.ask("result")
        if result is not None:
            answers += 1
            where = f"{ctx.line(special.position).position.fen()} after {len(special.position.moves)} moves"
            require(result == special.result, f"`query result` is {result!r} but should be {special.result!r}: {where}")
        if special.result == "none":
            ctx.move(engine, _BRIEF, special.position)
    applies(answers, "it does not answer `query result`")
    return f"{answers} positions"


@check(
    "E14", "6.7", m, "an illegal move and a malformed board are answered by `error`", "it ignores them silently",
    needs=("F10",), area=Area.PROTOCOL,
)  # fmt: skip
def tells_errors(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    start = engine.position_command(START)
    silent = [
        what
        for what, command in (("an illegal move", f"{start} moves a1a1"), ("a malformed board", "position fen x p1 1"))
        if not any(isinstance(each.message, ErrorLine) for each in engine.ready(command))
    ]
    silent += [
        about
        for about, fen in (*ctx.book.impossible, *_misplaced(ctx))
        if _is_refused(ctx, fen)
        and not any(isinstance(each.message, ErrorLine) for each in engine.ready(f"position fen {fen}"))
    ]
    require(not silent, f"it says no `error` about {', '.join(silent)}")
    ctx.require_alive(engine)
    return "all told"


def _misplaced(ctx: CheckContext) -> list[tuple[str, str]]:
    """Boards of another size, with a hole, and with a king in a corner, from which he has escaped by every rule."""
    size = ctx.line().position.fen().split()[0].count("/") + 1
    wide = "/".join([f"{size + 2}"] * (size + 2))
    hole = "/".join([f"*{size - 1}", *[f"{size}"] * (size - 1)])
    corner = "/".join([f"k{size - 1}", f"1a{size - 2}", *[f"{size}"] * (size - 2)])
    return [
        ("a larger board", f"{wide} p1 1"),
        ("a hole that there is not", f"{hole} p1 1"),
        ("a king who has escaped", f"{corner} p1 1"),
    ]


def _is_refused(ctx: CheckContext, fen: str) -> bool:
    """Whether no position of the variant has this string."""
    try:
        ctx.line(GamePosition(fen))
    except ValueError:
        return True
    return False


@check(
    "E15", "6.7", m, "before any `position`, and after `uginewgame`, its position is the variant's start",
    "the last game's board stays, or there is none",
    needs=("E6",), area=Area.PROTOCOL,
)  # fmt: skip
def begins_at_the_start(ctx: CheckContext) -> str:
    engine, game = ctx.new_engine(), ctx.book.longest
    applies(engine.start_fen is None, "the start of this variant is told as a position string")
    _is_at_the_start(ctx, engine, "before any `position`")
    # An odd and an even number of moves: with one of them the other side is to move.
    for ply in (min(5, len(game.moves) - 1), min(6, len(game.moves) - 1)):
        ctx.move(engine, _BRIEF, game.at(ply))
        engine.new_game()
        _is_at_the_start(ctx, engine, "after `uginewgame`")
    start = ctx.line().position.fen()
    other = next((each for each in ctx.variants() if ctx.line(variant=each).position.fen() != start), None)
    if other is not None:
        ctx.move(engine, _BRIEF, game.at(min(5, len(game.moves) - 1)))
        ctx.set_variant(engine, other)
        if engine.start_fen is None:
            engine.ready()
            _is_at_the_start(ctx, engine, "after another variant", other)
    return "a legal move of the start each time"


def _is_at_the_start(ctx: CheckContext, engine: CheckedEngine, when: str, variant: str | None = None) -> None:
    try:
        ctx.legal(engine.go(_BRIEF, START, _SOON_MS), variant)
    except Violation as violation:
        raise violation.about(f"{when}, `go {_BRIEF}`: {violation}") from None


_SOON_MS = 10_000
_NO_BOARDS = ("", "x", "x p1 1", "3 p1 1", "/ p1 1", "p1 1", "/////// p2 1", "0/0/0 p1 1", "3a3")
_ODD = ("an empty board", "only holes", "no king", "two kings", "no attackers", "no defenders")


def _survives(ctx: CheckContext, wanted: Callable[[str], bool]) -> str:
    engine, done = ctx.new_engine(), 0
    no_boards = [(f"`fen {text}`", text) for text in _NO_BOARDS]
    for about, fen in (*ctx.book.impossible, *no_boards):
        if wanted(about):
            try:
                engine.ready(f"position fen {fen}")
            except Violation as violation:
                raise Violation(f"{about}: {violation}") from None
            done += 1
    ctx.require_alive(engine)
    return f"{done} boards"


def _two_positions(ctx: CheckContext) -> tuple[GamePosition, GamePosition]:
    games = ctx.book.games
    return games[0].at(min(5, len(games[0].moves) - 1)), games[-1].at(min(4, len(games[-1].moves) - 1))


def _alternate(ctx: CheckContext, engine: CheckedEngine, positions: Iterable[GamePosition]) -> None:
    for position in positions:
        engine.set_position(position)
        require_position(ctx, engine, position)
