"""`arena perft`: how many move sequences a position has."""

from typing import Annotated

from arena.cli import output
from arena.cli.option_groups import argument, option
from arena.cli.position_options import Fen, Moves, RuleOptions, Variant, game_after
from arena.games import perft as counting


def perft(
    variant: Variant,
    depth: Annotated[int, argument("Number of moves in a sequence, from 0.", "DEPTH", min=0)],
    rules: RuleOptions = "",
    fen: Fen = None,
    moves: Moves = "",
    divide: Annotated[bool, option("Also print the count after each first move.", flag="--divide")] = False,
) -> None:
    """Count the move sequences of exactly DEPTH moves; the last line is the bare count."""
    start = game_after(variant, rules, None, fen, moves).position
    if divide and depth:
        for word, count in counting.divide(start, depth).items():
            output.echo(f"{word} {count}")
    output.echo(str(counting.perft(start, depth)))
