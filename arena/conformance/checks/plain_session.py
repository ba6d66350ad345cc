"""A plain session with the same position tells if a move is illegal by the rules, or because of what a check did."""

from arena.conformance.checked_engine import CheckedEngine
from arena.conformance.context import CheckContext
from arena.conformance.judge.positions import GamePosition
from arena.conformance.violation import LEFT_OVER, IllegalAnswer, Violation

_TRIES = 12
"""An engine that chooses at random often finds a legal move, too."""
_BRIEF = "nodes 20"


def require_position(
    ctx: CheckContext, engine: CheckedEngine, position: GamePosition, variant: str | None = None
) -> None:
    """Raise IllegalAnswer unless the engine's position is this one, by `query fen` if it answers that, and its move
    is legal."""
    line = ctx.line(position, variant)
    if line.outcome is not None:
        return
    if "fen" in ctx.queries and (response := engine.ask("fen")) != line.position.fen():
        text = f"`query fen` is {response!r} but should be {line.position.fen()!r}"
        raise IllegalAnswer(text, position, variant or ctx.variant)
    ctx.legal(engine.go(_BRIEF, position), variant)


def move_retold(ctx: CheckContext, engine: CheckedEngine, told: GamePosition, plain: GamePosition) -> None:
    """Search a position that is told in another way than `plain`. If only that brings an illegal move, the way is to
    blame, and not the rules."""
    try:
        ctx.move(engine, _BRIEF, told)
    except IllegalAnswer as violation:
        for _ in range(_TRIES):
            ctx.move(engine, _BRIEF, plain)
        violation.matter = ""
        raise


def whose_matter(ctx: CheckContext, illegal: IllegalAnswer) -> str:
    """The check that is about an illegal move or a wrong board; empty if only what this check did brings one."""
    if not is_right(ctx, illegal.position, illegal.variant):
        return illegal.matter
    game = ctx.book_of(illegal.variant).longest
    another = game.at(min(5 if len(illegal.position.moves) > 5 else 7, len(game.moves) - 1))
    return "" if is_right(ctx, illegal.position, illegal.variant, another) else LEFT_OVER


def is_right(ctx: CheckContext, position: GamePosition, variant: str, before: GamePosition | None = None) -> bool:
    """Whether the engine's moves and its board are right in a session with only this position, and one `before`."""
    plain = CheckContext(ctx.check_run, ctx.variant)
    try:
        engine = plain.new_engine(variant)
        if before is not None:
            engine.set_position(before)
        for _ in range(_TRIES):
            engine.set_position(position)
            require_position(plain, engine, position, variant)
    except Violation:
        return False
    finally:
        ctx.check_run.release(plain.engines)
    return True
