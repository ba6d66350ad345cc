"""Checks I: resigning, offers of a draw, results."""

from arena.conformance.check import M, check
from arena.conformance.checked_engine import CheckedEngine
from arena.conformance.context import MOVES, CheckContext, applies, count, require
from arena.conformance.judge.positions import GamePosition
from arena.conformance.violation import NotApplicable, Violation
from protocol.messages import OfferDraw

_DEEP = 8


def _bad_positions(ctx: CheckContext, most: int) -> list[GamePosition]:
    """Positions in which the side to move is lost, and others from the second half of games."""
    lost = [s.position for s in ctx.book.specials if s.result == "none" and (s.about == "lost" or (s.plies or 0) < 0)]
    return [*lost * 2, *ctx.book.positions(most, late=True)][:most]


def _never_resigns(ctx: CheckContext, engine: CheckedEngine) -> str:
    positions = _bad_positions(ctx, ctx.repeats(60, 200))
    for number, position in enumerate(positions):
        # The lost positions come first: a deeper search shows the engine that they are lost.
        answer = engine.search(position, "nodes 3000" if number < _DEEP else "nodes 100")
        require(answer.word != "resign", f"it resigned in {ctx.line(position).position.fen()}")
    return f"{len(positions)} searches"


@check(
    "I1", "8.6", M, "it does not resign without having announced UGI_Resign", "it counts as an illegal move",
)  # fmt: skip
def resigns_only_if_announced(ctx: CheckContext) -> str:
    applies("ugi_resign" not in ctx.announced, "it announced UGI_Resign")
    return _never_resigns(ctx, ctx.new_engine())


@check("I2", "8.7", M, "it resigns in answer to a `go` and at no other time")
def resigns_when_asked(ctx: CheckContext) -> str:
    option = ctx.option("UGI_Resign")
    engine, done = ctx.new_engine(), 0
    engine.set_option(option.name, "true")
    positions = _bad_positions(ctx, 10)
    for position in positions:
        lines = engine.set_position(position)
        answer = engine.go("nodes 100", position)
        lines += engine.ready("stop")
        require(not count(lines, MOVES), "a bestmove came that no `go` had asked for")
        done += answer.word == "resign"
    return f"resigned {done} times in {len(positions)}"


@check(
    "I3", "8.8", M, "it offers a draw on the line before its bestmove, once, and at no other time",
)  # fmt: skip
def offers_in_place(ctx: CheckContext) -> str:
    if "ugi_draw" not in ctx.announced:
        lines = ctx.ordinary.lines
        require(not count(lines, OfferDraw), "it offered a draw without having announced UGI_Draw")
        raise NotApplicable("it did not announce UGI_Draw")
    engine, offers = ctx.new_engine(), 0
    option, game = ctx.option("UGI_Draw"), ctx.book.longest
    positions = [*ctx.book.positions(12), *(game.at(ply) for ply in range(8, min(72, len(game.moves)), 3))]
    engine.set_option(option.name, "false")
    for position in positions:
        if count(engine.search(position, "nodes 100").lines, OfferDraw):
            raise Violation("it offered a draw although UGI_Draw had been set to false", clause="4.5")
    engine.set_option(option.name, "true")
    for position in positions:
        idle = engine.set_position(position)
        answer = engine.go("nodes 100", position)
        idle += engine.ready()
        require(not count(idle, OfferDraw), "it offered a draw while no search ran")
        places = [number for number, each in enumerate(answer.lines) if isinstance(each.message, OfferDraw)]
        right = places in ([], [len(answer.lines) - 2])
        require(right, f"{len(places)} offers for one `go`, not one on the line before the bestmove")
        offers += len(places)
    return f"{offers} offers in {len(positions)} searches"


@check(
    "I5", "4.5", M, "with UGI_Resign set to false it does not resign", "the option is announced and not heeded",
)  # fmt: skip
def heeds_resign_option(ctx: CheckContext) -> str:
    option = ctx.option("UGI_Resign")
    engine = ctx.new_engine()
    engine.set_option(option.name, "false")
    return _never_resigns(ctx, engine)
