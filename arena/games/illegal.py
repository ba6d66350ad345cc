"""Why a word is no legal move of a game, for messages, pages and people."""

from arena.games.game import Game
from arena.games.game_boards import board_of_game
from arena.games.game_words import legal_words
from arena.games.kind import NamedRule
from arena.games.line import Unplayable, replay
from arena.games.squares import SQUARE
from arena.games.variants import kind_of

_NO_SQUARES = {
    "0000": "0000 is no move, and there is a legal one",
    "(none)": "(none) is no move, and there is a legal one",
    "resign": "only an engine that announces UGI_Resign may resign",
}
"""What an engine may say in place of a move, and why that is not legal."""


def why_illegal(game: Game, word: str) -> str:
    """Why this word is no legal move now: `there is no square a9 on this board (SPEC A.3)`."""
    rule = broken_rule(game, word)
    return f"{rule.text} (SPEC {rule.clause})" if rule.clause else rule.text


def broken_rule(game: Game, word: str) -> NamedRule:
    """The rule by which this word is no legal move now. It has no clause where the word is no move at all."""
    if word in _NO_SQUARES and not game.rules.wellformed(word):
        return NamedRule("", _NO_SQUARES[word])
    if game.outcome is not None:
        return NamedRule("", f"the game is over ({game.outcome.reason})")
    kind = kind_of(game.rules)
    rule, squares = kind.move_rule(game, word), SQUARE.findall(word)
    board = {name: letter for _, _, name, letter in board_of_game(game).cells()}
    strange = [square for square in squares if board.get(square, kind.blocked) in kind.blocked]
    if not squares and not game.rules.wellformed(word):
        strange = [word]
    return NamedRule(rule.clause, f"there is no square {strange[0]} on this board") if strange else rule


def why_lost(variant: str, fen: str, moves: tuple[str, ...], word: str) -> str:
    """Why the move that lost a recorded game was not legal. Empty where there is none, or the record cannot tell."""
    if not word:
        return ""
    try:
        game, _ = replay(variant, fen, moves)
    except Unplayable:
        return ""
    return "" if word in legal_words(game) else why_illegal(game, word)
