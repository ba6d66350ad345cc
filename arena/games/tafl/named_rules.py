"""Which rule decides a move, a result or a position of tafl, with the clause of SPEC.md.

Looks at the board as text. What is right comes from the rules alone.
"""

import re

from arena.games.game import Game
from arena.games.kind import NamedRule
from arena.games.line import play_line
from arena.games.squares import EMPTY, SQUARE, Board, board_of, square_name
from arena.games.tafl.board import board_of as board_tables
from arena.games.tafl.decision import decision
from arena.games.tafl.rules import TaflPosition, TaflRules

_TIMES = {2: "for the second time", 3: "for the third time"}


def move_rule(game: Game, word: str) -> NamedRule:
    """The rule that decides whether this move is legal now."""
    assert isinstance(game.rules, TaflRules)
    if game.position.find(word) is not None and game.find(word) is None and game.outcome is None:
        return NamedRule("A.22", f"the board has been so before: repetition={game.rules.repetition}")
    board, options, squares = board_of(game.position.fen()), game.rules.options, SQUARE.findall(word)
    if len(squares) != 2 or any(square not in board for square in squares):
        return NamedRule("5.4", "a move is two squares of the board")
    start, to = squares
    piece, own = board[start], "a" if game.position.side == "p1" else "dk"
    if piece not in own:
        return NamedRule("A.9", f"{start} has no piece of the side to move")
    path = _path(start, to)
    if not path:
        return NamedRule("A.9", "pieces move along a rank or file")
    if any(board[square] != EMPTY for square in path):
        return NamedRule("A.9", "pieces move over empty squares only")
    steps = options.king_steps if piece == "k" else options.men_steps
    name = "king_steps" if piece == "k" else "men_steps"
    if steps != "any" and len(path) > int(steps):
        return NamedRule("A.11", f"{name}={steps}, and this goes {len(path)} squares")
    tables = board_tables(game.rules.size, options)
    home = sum(camp for camp in tables.camps if tables.bits[start] & camp)
    closed = [square for square in path if tables.bits[square] & tables.camp_squares & ~home]
    if closed:
        return NamedRule("A.17", f"{closed[0]} is in a camp, and only a piece that stands in that camp may go there")
    for square, stop, of in ((_centre(board), options.centre_stop, "centre"), (None, options.corner_stop, "corner")):
        if to == square or (square is None and kind(board, to) == "corner"):
            return NamedRule("A.11", f"{of}_stop={stop}")
    if _centre(board) in path[:-1]:
        if options.centre_pass == "nobody" or (options.centre_pass == "king" and piece != "k"):
            return NamedRule("A.11", f"centre_pass={options.centre_pass}")
        return NamedRule("A.9", "any piece may pass over the empty centre, also one that may not stop there")
    return NamedRule("A.9", f"the way is empty, and {name}={steps}")


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


def result_rule(game: Game, said: str) -> NamedRule:
    """The rule that decides the result here, where somebody says another one."""
    assert isinstance(game.rules, TaflRules)
    options, times = game.rules.options, _TIMES[game.rules.occurrences]
    match None if game.outcome is None else game.outcome.reason:
        case None:
            return _goes_on(game, game.rules, said)
        case "king-escaped":
            return NamedRule("A.13", "the king stopped on a square of escape")
        case "king-captured":
            return _king_taken(game, game.rules)
        case "encircled":
            return NamedRule("A.19", "neither the king nor a defender can be reached from the edge: encirclement=wins")
        case "fort":
            return NamedRule("A.20", "the king stands on the edge in a fort that no attacker can break: fort=wins")
        case "repetition" if options.repetition == "forbidden-p2":
            return NamedRule("A.22", "every move of p2 leads to a board that has been: repetition=forbidden-p2")
        case "repetition":
            return NamedRule("A.13", f"a position has occurred {times}: repetition={options.repetition}")
    return NamedRule("A.13", f"the side to move has no legal move: no_move={options.no_move}")


def _king_taken(game: Game, rules: TaflRules) -> NamedRule:
    assert game.before is not None
    king, moved = _king(board_of(game.before.fen())), SQUARE.findall(game.moves[-1])[1]
    board = board_of(game.position.fen())
    attackers = sum(board.get(name) == "a" for name in _around(king))
    if rules.options.king_captured_by != "two" and attackers > 2:
        how = f"by {rules.options.king_captured_by}: {attackers} attackers"
        return NamedRule("A.12", f"the king on {king} was taken {how}")
    beyond = _opposite(king, moved)
    if board.get(beyond) == "a":
        return NamedRule("A.12", f"the king on {king} was taken between two attackers")
    return NamedRule("A.10", f"the king on {king} was taken against a hostile {kind(board, beyond)}")


def _goes_on(game: Game, rules: TaflRules, said: str) -> NamedRule:
    options, side = rules.options, game.position.side
    positions = [game.start, *play_line(Game(rules, game.start), game.moves)]
    boards = [position.fen().split()[0] for position in positions]
    if boards.count(boards[-1]) >= rules.occurrences and options.repetition != "forbidden-p2":
        return NamedRule("A.13", "the same board with the other side to move is another position")
    if 1 < boards.count(boards[-1]) and said != "none":
        times = _TIMES[rules.occurrences]
        return NamedRule("A.13", f"a position ends the game when it occurs {times}, not before")
    board = board_of(game.position.fen())
    king = _king(board)
    if said == "p2win" and options.fort == "wins" and side == "p1":
        return NamedRule("A.20", f"the king on {king} has not escaped and is in no fort that holds: the game goes on")
    if said == "p1win" and options.encirclement == "wins" and "a" not in (board.get(s) for s in _around(king)):
        return NamedRule("A.19", "the king or a defender can be reached from the edge: the game goes on")
    if said == "p2win" or (said == "true" and side == "p1"):
        return NamedRule("A.13", f"the king on {king} has not escaped, and p1 has a legal move: the game goes on")
    moves = "and the side to move has a legal move: the game goes on"
    return NamedRule("A.12", f"the king on {king} is not captured, {moves}")


def position_rule(game: Game, said: str) -> NamedRule:
    """The rule that decides how the board is after the last move, where somebody says another one."""
    rules, before, after = game.rules, game.before, game.position
    if before is None:
        return NamedRule("5.5", "where the pieces stand")
    assert isinstance(rules, TaflRules) and isinstance(before, TaflPosition) and isinstance(after, TaflPosition)
    was, board, (start, to) = board_of(before.fen()), board_of(after.fen()), SQUARE.findall(game.moves[-1])
    options, row, beside = rules.options, decision(before, after).taken, _around(to)
    letters = re.sub("[0-9]+", lambda run: EMPTY * min(25, int(run[0])), said.partition(" ")[0]).replace("/", "")
    told = dict(zip(board, letters, strict=False))
    for square in sorted(was):
        if square in (start, to) or board[square] == told.get(square):
            continue
        taken = board[square] == EMPTY and was[square] != EMPTY
        if square in row or (options.shieldwall != "no" and square not in beside):
            text = f"the piece on {square} was {'' if taken else 'not '}taken in a row on the edge beside {to}"
            return NamedRule("A.18", f"{text}: shieldwall={options.shieldwall}")
        if was[square] == "k" and not taken:
            return NamedRule("A.12", f"the king on {square} was not taken: {options.king_captured_by}")
        beyond = _opposite(square, to)
        if taken:
            how = "another enemy" if board.get(beyond, EMPTY) != EMPTY else f"a hostile {kind(board, beyond)}"
            return NamedRule("A.10", f"the piece on {square} was taken between {to} and {how} on {beyond}")
        text = f"the piece on {square} was not taken: no enemy that counts stands opposite {to}"
        return NamedRule("A.10", text)
    return NamedRule("A.9", "the piece that moves goes from the one square to the other")


def _king(board: Board) -> str:
    return next(square for square, letter in board.items() if letter == "k")


def _around(square: str) -> list[str]:
    """The squares beside this one, also those that the board does not have."""
    file, rank = ord(square[0]), int(square[1:])
    return [f"{chr(file + f)}{rank + r}" for f, r in ((0, 1), (1, 0), (0, -1), (-1, 0))]


def _opposite(square: str, near: str) -> str:
    """The square on the other side of `square` than `near`, also one that the board does not have."""
    return f"{chr(2 * ord(square[0]) - ord(near[0]))}{2 * int(square[1:]) - int(near[1:])}"
