"""`arena perft`: how many move sequences a position has."""

import json
from typing import Annotated

from arena.cli import output
from arena.cli.db_options import AsJson
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
    as_json: AsJson = False,
) -> None:
    """Count the move sequences of exactly DEPTH moves; the last line is the bare count."""
    start = game_after(variant, rules, None, fen, moves).position
    divided = counting.divide(start, depth) if divide and depth else {}
    count = counting.perft(start, depth)
    if as_json:
        output.echo(json.dumps({"count": count, "divide": divided}))
        return
    for word, part in divided.items():
        output.echo(f"{word} {part}")
    output.echo(str(count))
