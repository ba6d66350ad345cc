"""`arena perft`: how many move sequences a position has."""

from typing import Annotated

import typer

from arena.cli import output
from arena.cli.position_options import Fen, Moves, RuleOptions, Variant, game_after


def perft(
    variant: Variant,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, help="Number of moves in a sequence, from 0.")],
    rules: RuleOptions = "",
    fen: Fen = None,
    moves: Moves = "",
    divide: Annotated[bool, typer.Option("--divide", help="Also print the count after each first move.")] = False,
) -> None:
    """Count the move sequences of exactly DEPTH moves; the last line is the bare count."""
    from arena.games import perft as counting

    start = game_after(variant, rules, None, fen, moves).position
    if divide and depth:
        for word, count in counting.divide(start, depth).items():
            output.echo(f"{word} {count}")
    output.echo(str(counting.perft(start, depth)))
