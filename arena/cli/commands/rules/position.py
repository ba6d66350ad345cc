"""`arena position`: a drawn position and its legal moves."""

import json
from typing import Annotated

from arena.cli import output
from arena.cli.option_groups import option
from arena.cli.position_options import Ascii, Board, Fen, Moves, RuleOptions, Variant, game_after
from arena.games.game import Game
from arena.games.game_boards import board_of_game
from arena.games.game_words import legal_words
from arena.games.line import position_json
from arena.games.variants import kind_of
from results.variant_name import shown


def position(
    variant: Variant,
    rules: RuleOptions = "",
    board: Board = None,
    fen: Fen = None,
    moves: Moves = "",
    as_json: Annotated[bool, option("Print one JSON object instead.", flag="--json")] = False,
    ascii_only: Ascii = False,
) -> None:
    """Draw a position and list its legal moves."""
    game = game_after(variant, rules, board, fen, moves)
    if as_json:
        output.echo(json.dumps(position_json(game)))
    else:
        _print(game, ascii_only)
    for warning in game.rules.warnings(game.position):
        output.say(f"arena: warning: {warning}")


def _print(game: Game, ascii_only: bool) -> None:
    at, outcome, legal = game.position, game.outcome, legal_words(game)
    output.draw(board_of_game(game), output.glyphs(ascii_only))
    out = output.console()
    out.print()
    lines = [("variant", shown(game.rules.name)), ("position", at.fen())]
    if outcome is None:
        lines += [
            ("to move", f"{at.side} ({kind_of(game.rules).side_name(at.side)}), turn {at.turn}"),
            ("legal moves", str(len(legal))),
        ]
    elif outcome.winner == "draw":
        lines.append(("finished", f"draw by {outcome.reason}"))
    else:
        who = kind_of(game.rules).side_name(outcome.winner)
        lines.append(("finished", f"{outcome.winner} ({who}) won by {outcome.reason}"))
    out.print(output.table(lines), end="", markup=False, soft_wrap=True)
    if legal:
        out.print()
        out.print(" ".join(legal), markup=False)
