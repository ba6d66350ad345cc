"""A game in the words with which engines answer the queries of SPEC.md."""

from collections.abc import Sequence

from arena.games.game import Game


def legal_words(game: Game) -> list[str]:
    """All legal moves; none where the game is over, even if it is over by repetition and the board has some."""
    return sorted(move.text for move in game.choices())


def canonical_word(game: Game, word: str) -> str | None:
    """The canonical word of the legal move that `word` names, None if it names none."""
    move = None if game.outcome is not None else game.find(word)
    return None if move is None else move.text


def result_word(game: Game) -> str:
    """The result as `query result` has it."""
    if game.outcome is None:
        return "none"
    return "draw" if game.outcome.winner == "draw" else f"{game.outcome.winner}win"


def answer(game: Game, words: Sequence[str]) -> str | None:
    """The response to a query about the rules; None for any other query."""
    match words:
        case ["gameover"]:
            return str(game.outcome is not None).lower()
        case ["result"]:
            return result_word(game)
        case ["fen"]:
            return game.position.fen()
        case ["legalmoves"]:
            moves = legal_words(game)
            return " ".join([str(len(moves)), *moves])
        case ["islegal", word]:
            return str(canonical_word(game, word) is not None).lower()
    return None
