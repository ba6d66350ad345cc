"""Which rule decides whether a move is legal, and why an illegal move is none: for people, with the clause of SPEC.md.

Looks at the board as text. What is right comes from `arena.games` alone.
"""

import re
from typing import NamedTuple

from arena.games.callanish import CallanishRules
from arena.games.game import Game
from arena.games.game_words import legal_words
from arena.games.squares import EMPTY, HOLE, SQUARE_PATTERN, square_name
from arena.games.tafl import TaflRules
from arena.games.tafl_board import board_of as board_tables

SQUARE = re.compile(SQUARE_PATTERN)
_NO_SQUARES = {
    "0000": "0000 is no move, and there is a legal one",
    "(none)": "(none) is no move, and there is a legal one",
    "resign": "only an engine that announces UGI_Resign may resign",
}
"""What an engine may say in place of a move, and why that is not legal."""
Board = dict[str, str]
"""The letter on each square."""


class MoveRule(NamedTuple):
    """A rule about one move."""

    clause: str
    """Of SPEC.md."""
    text: str


def why_illegal(game: Game, word: str) -> str:
    """Why this word is no legal move now: `there is no square a9 on this board (SPEC A.3)`."""
    rule = broken_rule(game, word)
    return f"{rule.text} (SPEC {rule.clause})" if rule.clause else rule.text


def broken_rule(game: Game, word: str) -> MoveRule:
    """The rule by which this word is no legal move now. It has no clause where the word is no move at all."""
    if word in _NO_SQUARES:
        return MoveRule("", _NO_SQUARES[word])
    if game.outcome is not None:
        return MoveRule("", f"the game is over ({game.outcome.reason})")
    board = board_of(game)
    strange = [square for square in SQUARE.findall(word) if board.get(square, HOLE) == HOLE]
    rule = move_rule(game, word)
    if strange or not SQUARE.search(word):
        square = strange[0] if strange else word
        return MoveRule(rule.clause, f"there is no square {square} on this board")
    return rule


def move_rule(game: Game, word: str) -> MoveRule:
    """The rule that decides whether this move is legal now."""
    return _callanish_move(game, word) if isinstance(game.rules, CallanishRules) else _tafl_move(game, word)


def _callanish_move(game: Game, word: str) -> MoveRule:
    board, squares = board_of(game), SQUARE.findall(word)
    own, covered = ("wW", "B") if game.position.side == "p1" else ("bB", "W")
    placing = not any(letter in own + covered for letter in board.values())
    if placing or len(squares) != 3:
        return MoveRule(
            "A.3",
            "the first turn of a side is one stone on an empty square, every later one takes a stone and adds two",
        )
    start, *targets = squares
    assert isinstance(game.rules, CallanishRules)
    if game.rules.supply is not None and not legal_words(game):
        return MoveRule("A.4", f"supply={game.rules.supply}")
    if board.get(start, HOLE) not in own:
        letter = board.get(start, EMPTY)
        what = "nothing" if letter == EMPTY else f"a covered or foreign stone ({letter})"
        return MoveRule("A.4", f"a turn takes an exposed stone of the mover's, and {start} has {what}")
    if targets[0] == targets[1]:
        return MoveRule("A.4", f"the two targets differ, and here {targets[0]} stands twice")
    for target in targets:
        if board.get(target, HOLE) == HOLE:
            return MoveRule("A.4", f"{target} is no square")
        if board[target] in own + covered:
            return MoveRule("A.4", f"a target must not hold a stone of the mover's, covered ones included: {target}")
        if sorted((abs(ord(start[0]) - ord(target[0])), abs(int(start[1:]) - int(target[1:])))) != [1, 2]:
            return MoveRule("A.4", f"{target} is no knight's move from {start}")
    if any(board[target] != EMPTY for target in targets):
        return MoveRule("A.4", "a target may hold an enemy stone: the added stone goes on top of it")
    return MoveRule("A.4", "an exposed stone goes to two different targets, a knight's move away")


def _tafl_move(game: Game, word: str) -> MoveRule:
    assert isinstance(game.rules, TaflRules)
    board, options, squares = board_of(game), game.rules.options, SQUARE.findall(word)
    if len(squares) != 2 or any(square not in board for square in squares):
        return MoveRule("5.4", "a move is two squares of the board")
    start, to = squares
    piece, own = board[start], "a" if game.position.side == "p1" else "dk"
    if piece not in own:
        return MoveRule("A.9", f"{start} has no piece of the side to move")
    path = _path(start, to)
    if not path:
        return MoveRule("A.9", "pieces move along a rank or file")
    if any(board[square] != EMPTY for square in path):
        return MoveRule("A.9", "pieces move over empty squares only")
    steps = options.king_steps if piece == "k" else options.men_steps
    name = "king_steps" if piece == "k" else "men_steps"
    if steps != "any" and len(path) > int(steps):
        return MoveRule("A.11", f"{name}={steps}, and this goes {len(path)} squares")
    tables = board_tables(game.rules.size, options)
    home = sum(camp for camp in tables.camps if tables.bits[start] & camp)
    closed = [square for square in path if tables.bits[square] & tables.camp_squares & ~home]
    if closed:
        return MoveRule("A.17", f"{closed[0]} is in a camp, and only a piece that stands in that camp may go there")
    for square, stop, of in ((_centre(board), options.centre_stop, "centre"), (None, options.corner_stop, "corner")):
        if to == square or (square is None and kind(board, to) == "corner"):
            return MoveRule("A.11", f"{of}_stop={stop}")
    if _centre(board) in path[:-1]:
        if options.centre_pass == "nobody" or (options.centre_pass == "king" and piece != "k"):
            return MoveRule("A.11", f"centre_pass={options.centre_pass}")
        return MoveRule("A.9", "any piece may pass over the empty centre, also one that may not stop there")
    return MoveRule("A.9", f"the way is empty, and {name}={steps}")


# Boards


def board_of(game: Game) -> Board:
    """The letter on each square, by its name."""
    rows = [re.sub("[0-9]+", lambda run: EMPTY * int(run[0]), row) for row in game.position.fen().split()[0].split("/")]
    return {square_name(f, len(rows) - 1 - r): letter for r, row in enumerate(rows) for f, letter in enumerate(row)}


def _path(start: str, to: str) -> list[str]:
    """The squares behind `start` up to `to`; none where they are on no rank or file."""
    files, ranks = ord(to[0]) - ord(start[0]), int(to[1:]) - int(start[1:])
    if (files == 0) == (ranks == 0):
        return []
    length = abs(files + ranks)
    return [
        f"{chr(ord(start[0]) + files // length * n)}{int(start[1:]) + ranks // length * n}"
        for n in range(1, length + 1)
    ]


def _centre(board: Board) -> str:
    middle = round(len(board) ** 0.5) // 2
    return square_name(middle, middle)


def kind(board: Board, square: str) -> str:
    """`centre`, `corner` or `square`."""
    size = round(len(board) ** 0.5)
    if square == _centre(board):
        return "centre"
    edges = {"a1", f"a{size}", square_name(size - 1, 0), square_name(size - 1, size - 1)}
    return "corner" if square in edges else "square"
