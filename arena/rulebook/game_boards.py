"""The boards of a game, ready to draw: each with its special squares, its last move and what decided the game."""

from collections.abc import Sequence

from arena.games.decision import decision, decision_of
from arena.games.game import Game
from arena.games.rules import Position
from arena.rulebook.board_drawing import DrawnBoard, read
from arena.rulebook.facts import marked


def board_of_game(game: Game) -> DrawnBoard:
    """The board where the game is."""
    return read(game.position.fen(), marked(game.rules), game.moves[-1] if game.moves else None, decision_of(game))


def boards_of_game(game: Game, positions: Sequence[Position]) -> list[DrawnBoard]:
    """The boards of a whole game, one for each of its positions from the start on, as `line.replay` gives them."""
    special = marked(game.rules)
    return [
        read(
            position.fen(),
            special,
            game.moves[ply - 1] if ply else None,
            decision(position, positions[ply - 1] if ply else None),
        )
        for ply, position in enumerate(positions)
    ]
