"""Which rule decides whether a move of tafl is legal, with the clause of SPEC.md.

Looks at the board as text. What is right comes from the rules alone.
"""

from arena.games.game import Game
from arena.games.kind import MoveRule
from arena.games.squares import EMPTY, SQUARE, Board, board_of, square_name
from arena.games.tafl.board import board_of as board_tables
from arena.games.tafl.rules import TaflRules


def move_rule(game: Game, word: str) -> MoveRule:
    """The rule that decides whether this move is legal now."""
    assert isinstance(game.rules, TaflRules)
    board, options, squares = board_of(game.position.fen()), game.rules.options, SQUARE.findall(word)
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
