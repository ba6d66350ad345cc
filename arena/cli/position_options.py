"""The options of commands that start no engine: which variant, which position, which moves."""

from pathlib import Path
from typing import Annotated

from arena.cli.errors import BadInput
from arena.cli.option_groups import argument, option
from arena.games.boards import start_of
from arena.games.game import Game
from arena.games.line import Unplayable, play_line

Variant = Annotated[
    str, argument("A variant, or the TOML file of one; options may follow a name: scottish:king_armed=yes.", "VARIANT")
]
Board = Annotated[Path | None, option("A drawn board to start from: a text or TOML file.")]
RuleOptions = Annotated[str, option("Rule options, such as 'king_steps=2 king_armed=no'.", flag="--rules")]
Fen = Annotated[str | None, option("A position string to start from.")]
Moves = Annotated[str, option("Moves to play first, separated by blanks.")]
Ascii = Annotated[bool, option("Draw with plain ASCII: the letters of position strings.", flag="--ascii")]


def game_after(variant: str, rules: str, board: Path | None, fen: str | None, moves: str) -> Game:
    """The game after `moves`."""
    if board is not None and fen is not None:
        raise BadInput("give --board or --fen, not both")
    game = Game(*start_of(variant, rules, board, fen))
    try:
        play_line(game, moves.split())
    except Unplayable as error:
        raise BadInput(f"--moves, {error}") from error
    return game
