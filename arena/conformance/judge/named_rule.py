"""Which rule of SPEC.md an engine gets wrong: the clause and a sentence for a game where it answers otherwise."""

from arena.games.game import Game
from arena.games.game_words import canonical_word, legal_words
from arena.games.kind import NamedRule
from arena.games.variants import kind_of


def named_rule(game: Game, query: str, response: str) -> NamedRule:
    """The rule that decides the answer to `query` in this game, where the engine answers `response`."""
    kind = kind_of(game.rules)
    if query in ("result", "gameover"):
        return kind.result_rule(game, response)
    if query in ("legalmoves", "islegal", "bestmove"):
        return _legal(game, query, response)
    if query == "fen":
        if response.split()[:1] == game.position.fen().split()[:1]:
            return NamedRule("5.6", "the side to move and the turn number, which grows by 1 after each turn of p2")
        return kind.position_rule(game, response)
    if query == "p1turn":
        return NamedRule("5.6", "the position string and the number of moves since say which side is to move")
    return NamedRule("A.15", "the number of sequences of legal moves")


def _legal(game: Game, query: str, response: str) -> NamedRule:
    right = set(legal_words(game))
    if query == "legalmoves":
        named = {canonical_word(game, word) or word for word in response.split()[1:]}
        wrong, lacking = sorted(named - right), sorted(right - named)
    else:
        wrong, lacking = [response], []
    if game.outcome is not None:
        return NamedRule("9.7", f"the game is over ({game.outcome.reason}): there is no legal move")
    if not wrong and not lacking:
        return NamedRule("9.7", "each legal move is named once")
    word = (wrong or lacking)[0]
    clause, text = kind_of(game.rules).move_rule(game, word)
    return NamedRule(clause, f"{word} is {'not legal' if wrong else 'legal'}: {text}")
