"""Checks B: lines and pipes."""

import re

from arena.conformance.check import F, M, check, m
from arena.conformance.checked_engine import CheckedEngine
from arena.conformance.checks.plain_session import is_right, require_position
from arena.conformance.context import CheckContext
from arena.conformance.judge.positions import GamePosition
from arena.conformance.violation import IllegalAnswer, Violation, quoted
from protocol.messages import Unknown

_LONG_LINE = 16_000
_WIDE_MOVES = 100
"""The moves of the position that comes in a line of _LONG_LINE bytes."""


@check(
    "B9", "2.4", F, "a long game is taken in one line: 400 moves, or as many as the variant's games have",
    "a fixed buffer of 4096 bytes, a history of fixed length", each_variant=True,
    needs=("B3", "B4"),
)  # fmt: skip
def takes_long_games(ctx: CheckContext) -> str:
    try:
        return _takes_long_games(ctx, ctx.new_engine())
    except IllegalAnswer as violation:
        # The same position as a string tells whether the length is to blame or the rules. Of one that is not so long, a
        # plain session tells.
        long = len(violation.position.moves) > _WIDE_MOVES
        if long and is_right(ctx, GamePosition(ctx.line(violation.position).position.fen()), violation.variant):
            violation.matter = ""
        raise


def _takes_long_games(ctx: CheckContext, engine: CheckedEngine) -> str:
    game = ctx.book.longest
    position = game.at(len(game.moves))
    engine.set_position(position)
    if game.result == "none":
        ctx.legal(engine.go("nodes 100", position))
    else:
        ctx.move(engine, "nodes 100", game.at(len(game.moves) - 1))
    last = min(len(game.moves) - 1, _WIDE_MOVES)
    # A line that is cut leaves fewer moves. Of four lists, one move longer each, not all then leave the right side.
    for ply in range(max(0, last - 3), last + 1):
        _takes_wide_lines(ctx, engine, game.at(ply))
    return f"{len(position.moves)} moves, {len(engine.position_command(position))} bytes"


def _takes_wide_lines(ctx: CheckContext, engine: CheckedEngine, position: GamePosition) -> None:
    """Send a position in a line of nearly 16 KiB: blanks between the words fill it, so moves stand at its end."""
    command = engine.position_command(position)
    words = command.split()
    gap = " " * ((_LONG_LINE - len(command)) // max(1, len(words) - 1))
    engine.ready(command)
    plain = engine.ask("p1turn")
    engine.ready(gap.join(words))
    side = engine.ask("p1turn")
    where = f"after a position in a line of {_LONG_LINE} bytes"
    if side != plain:
        raise Violation(f"{where} `query p1turn` is {side!r}, and {plain!r} without the blanks between its words")
    try:
        require_position(ctx, engine, position)
    except IllegalAnswer as violation:
        raise violation.about(f"{where}: {violation}") from None


_MIXED = re.compile(rb"\S(?:readyok|ugiok)\b|\Sbestmove [a-y]|\Sinfo (?:depth|score|nodes|string) |\Sresponse \S")


@check(
    "B12", "2.7", M, "every line belongs to the protocol, and no two are mixed",
    "two threads print at once, or debug output",
    needs=("A2", "A7", "E1"),
)  # fmt: skip
def mixes_no_lines(ctx: CheckContext) -> str:
    lines = ctx.ordinary.lines
    for each in lines:
        if isinstance(each.message, Unknown) and each.raw.split()[:1] != [b"option"]:
            text = f"a line does not belong to the protocol: {quoted(each.raw)}"
            # Debug output costs nothing. A known word after other text was a line of its own.
            if _MIXED.search(each.raw):
                raise Violation(text)
            raise Violation(text, minor=True, clause="2.6", cause="debug output on stdout: it belongs on stderr")
    return f"{len(lines)} lines"


@check("B13", "2.8", m, "it plays on while nobody reads its stderr", "it logs more than a pipe holds")
def plays_with_full_stderr(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    for position in ctx.book.positions(3):
        engine.set_position(position)
        engine.subject.stop_reading_stderr()
        ctx.legal(engine.go("nodes 500", position, 5_000))
        engine.subject.resume_reading_stderr()
        engine.ready()
