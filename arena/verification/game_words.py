"""A game in the words with which engines answer the queries of SPEC.md."""

from arena.games.game import Game


def legal_words(game: Game) -> list[str]:
    """All legal moves; none where the game is over, even if it is over by repetition and the board has some."""
    return [] if game.outcome is not None else [move.text for move in game.position.legal_moves()]


def result_word(game: Game) -> str:
    """The result as `query result` has it."""
    if game.outcome is None:
        return "none"
    return "draw" if game.outcome.winner == "draw" else f"{game.outcome.winner}win"
