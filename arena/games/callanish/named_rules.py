"""Which rule decides a turn, a result or a position of Callanish, with the clause of SPEC.md.

Looks at the board as text. What is right comes from the rules alone.
"""

from arena.games.callanish.rules import CallanishRules
from arena.games.game import Game
from arena.games.game_words import legal_words
from arena.games.kind import NamedRule
from arena.games.squares import EMPTY, HOLE, SQUARE, board_of


def move_rule(game: Game, word: str) -> NamedRule:
    """The rule that decides whether this turn is legal now."""
    assert isinstance(game.rules, CallanishRules)
    board, squares = board_of(game.position.fen()), SQUARE.findall(word)
    own, covered = ("wW", "B") if game.position.side == "p1" else ("bB", "W")
    placing = not any(letter in own + covered for letter in board.values())
    if placing or len(squares) != 3:
        return NamedRule(
            "A.3",
            "the first turn of a side is one stone on an empty square, every later one takes a stone and adds two",
        )
    start, *targets = squares
    if game.rules.supply is not None and not legal_words(game):
        return NamedRule("A.4", f"supply={game.rules.supply}")
    if board.get(start, HOLE) not in own:
        letter = board.get(start, EMPTY)
        what = "nothing" if letter == EMPTY else f"a covered or foreign stone ({letter})"
        return NamedRule("A.4", f"a turn takes an exposed stone of the mover's, and {start} has {what}")
    if targets[0] == targets[1]:
        return NamedRule("A.4", f"the two targets differ, and here {targets[0]} stands twice")
    for target in targets:
        if board.get(target, HOLE) == HOLE:
            return NamedRule("A.4", f"{target} is no square")
        if board[target] in own + covered:
            return NamedRule("A.4", f"a target must not hold a stone of the mover's, covered ones included: {target}")
        if sorted((abs(ord(start[0]) - ord(target[0])), abs(int(start[1:]) - int(target[1:])))) != [1, 2]:
            return NamedRule("A.4", f"{target} is no knight's move from {start}")
    if any(board[target] != EMPTY for target in targets):
        return NamedRule("A.4", "a target may hold an enemy stone: the added stone goes on top of it")
    return NamedRule("A.4", "an exposed stone goes to two different targets, a knight's move away")


def result_rule(game: Game, said: str) -> NamedRule:
    """The rule that decides the result here."""
    assert isinstance(game.rules, CallanishRules)
    if game.outcome is None:
        if said == "draw":
            return NamedRule("A.6", "there are no draws")
        return NamedRule("A.6", "the mover's own line wins only after the reply, and there is a turn: the game goes on")
    clause = "A.6" if game.moves else "A.7"
    if game.outcome.reason == "line":
        if game.moves:
            return NamedRule(clause, "a line was still there after the other side's reply, so its owner has won")
        return NamedRule(clause, "the side to move holds a line, so it has won already")
    lost = "the side to move has no complete turn, and has lost"
    supply = game.rules.supply
    return NamedRule(clause, lost) if supply is None else NamedRule("A.4", f"with supply={supply} {lost}")


def position_rule(game: Game) -> NamedRule:
    """The rule that decides how the board is here."""
    return NamedRule("A.4" if game.moves else "5.5", "where the stones lie after a turn, and which of them are covered")
