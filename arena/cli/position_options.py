"""The options of commands that start no engine: which variant, which position, which moves."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.errors import BadInput
from arena.games.game import Game

Variant = Annotated[
    str,
    typer.Argument(
        metavar="VARIANT",
        help="A variant, or the TOML file of one; options may follow a name: scottish:king_armed=yes.",
    ),
]
Board = Annotated[Path | None, typer.Option(help="A drawn board to start from: a text or TOML file.")]
RuleOptions = Annotated[str, typer.Option("--rules", help="Rule options, such as 'king_steps=2 king_armed=no'.")]
Fen = Annotated[str | None, typer.Option(help="A position string to start from.")]
Moves = Annotated[str, typer.Option(help="Moves to play first, separated by blanks.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII: the letters of position strings.")]


def game_after(variant: str, rules: str, board: Path | None, fen: str | None, moves: str) -> Game:
    """The game after `moves`."""
    from arena.games.boards import start_of
    from arena.games.line import Unplayable, play_line

    if board is not None and fen is not None:
        raise BadInput("give --board or --fen, not both")
    game = Game(*start_of(variant, rules, board, fen))
    try:
        play_line(game, moves.split())
    except Unplayable as error:
        raise BadInput(f"--moves, {error}") from error
    return game
