"""Why the illegal move that lost a recorded game was none, for tables and pages."""

from arena.games.game_words import legal_words
from arena.games.line import Unplayable, replay
from arena.games.move_rules import why_illegal
from results.record import GameRecord


def reason_of_record(record: GameRecord) -> str:
    """Why the move that lost a game was not legal. Empty where no such move did, or where the record cannot tell."""
    word = record.detail.partition(" ")[0]
    if record.termination != "illegal-move" or not word:
        return ""
    try:
        game, _ = replay(record.variant, record.fen, record.moves)
    except Unplayable:
        return ""
    return "" if word in legal_words(game) else why_illegal(game, word)
