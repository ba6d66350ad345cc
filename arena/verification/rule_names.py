"""Which rule of SPEC.md an engine gets wrong: the clause and a sentence for a case where it answers otherwise than we.

Looks at the boards as text and at the last move. What is right comes from `arena.games` alone.
"""

import re

from arena.games.callanish import CallanishRules
from arena.games.game import Game
from arena.games.game_words import legal_words
from arena.games.rules import Reason
from arena.games.squares import EMPTY, HOLE, square_name
from arena.games.tafl import TaflRules
from arena.games.variants import resolve
from protocol.conformance.rules_oracle import FuzzCase, NamedRule

_SQUARE = re.compile(r"[a-y](?:1[0-9]|2[0-5]|[1-9])")
_WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))
Board = dict[str, str]


def rule(case: FuzzCase, query: str, said: str) -> NamedRule:
    """The rule that decides the answer to `query` at the end of the case, where the engine answers `said`."""
    game, before = _games(case)
    if query in ("result", "gameover"):
        return _result(game, before, said)
    if query in ("legalmoves", "islegal", "bestmove"):
        return _legal(game, query, said)
    if query == "fen":
        return _position(game, before, said)
    if query == "p1turn":
        return NamedRule("5.6", "the position string and the number of moves since say which side is to move")
    return NamedRule("A.15", "the number of sequences of legal moves")


def _games(case: FuzzCase) -> tuple[Game, Game]:
    """The game of a case, and the same without its last move."""
    rules, start = resolve(case.variant, "", case.fen)
    game, before = Game(rules, start), Game(rules, start)
    for number, word in enumerate(case.moves):
        game.play(word)
        if number < len(case.moves) - 1:
            before.play(word)
    return game, before


def _board(game: Game) -> Board:
    rows = [re.sub("[0-9]+", lambda run: EMPTY * int(run[0]), row) for row in game.position.fen().split()[0].split("/")]
    return {square_name(f, len(rows) - 1 - r): letter for r, row in enumerate(rows) for f, letter in enumerate(row)}


# The result


def _result(game: Game, before: Game, said: str) -> NamedRule:
    if game.outcome is None:
        return _goes_on(game, said)
    match game.outcome.reason:
        case Reason.LINE if not game.moves:
            return NamedRule("A.7", "the side to move holds a line, so it has won already")
        case Reason.LINE:
            return NamedRule("A.6", "a line still stood after the other side's reply, so its owner has won")
        case Reason.NO_TURN:
            clause = "A.7" if not game.moves else "A.6"
            if isinstance(game.rules, CallanishRules) and game.rules.supply is not None:
                return NamedRule(
                    "A.4", f"with supply={game.rules.supply} the side to move has no complete turn, and has lost"
                )
            return NamedRule(clause, "the side to move has no complete turn, and has lost")
        case Reason.KING_ESCAPED:
            return NamedRule("A.13", "the king stopped on a square of escape")
        case Reason.KING_CAPTURED:
            return _king_taken(game, before)
        case Reason.REPETITION:
            return NamedRule("A.13", f"a position has occurred for the third time: repetition={game.rules.repetition}")
        case Reason.NO_MOVE:
            assert isinstance(game.rules, TaflRules)
            text = f"the side to move has no legal move: no_move={game.rules.options.no_move}"
            return NamedRule("A.13", text)


def _king_taken(game: Game, before: Game) -> NamedRule:
    assert isinstance(game.rules, TaflRules)
    board, options = _board(before), game.rules.options
    king = next(square for square, letter in board.items() if letter == "k")
    moved = _SQUARE.findall(game.moves[-1])[1]
    board = _board(game)
    around = {name: board.get(name) for name in _around(king)}
    attackers = sum(letter == "a" for letter in around.values())
    if options.king_captured_by != "two" and attackers > 2:
        return NamedRule("A.12", f"the king on {king} was taken by {options.king_captured_by}: {attackers} attackers")
    beyond = _opposite(king, moved)
    if beyond in board and board[beyond] == "a":
        return NamedRule("A.12", f"the king on {king} was taken between two attackers")
    return NamedRule("A.10", f"the king on {king} was taken against a hostile {_kind(board, beyond)}")


def _goes_on(game: Game, said: str) -> NamedRule:
    if isinstance(game.rules, CallanishRules):
        if said == "draw":
            return NamedRule("A.6", "there are no draws")
        text = "the mover's own line wins only after the reply, and there is a turn: the game goes on"
        return NamedRule("A.6", text)
    again, seen = Game(game.rules, game.start), [game.start.fen().split()[0]]
    for word in game.moves:
        again.play(word)
        seen.append(again.position.fen().split()[0])
    if seen.count(seen[-1]) > 2:
        return NamedRule("A.13", "the same board with the other side to move is another position")
    if seen.count(seen[-1]) == 2 and said != "none":
        return NamedRule("A.13", "a position ends the game when it occurs for the third time, not before")
    board = _board(game)
    king = next(square for square, letter in board.items() if letter == "k")
    if said == "p2win" or (said == "true" and game.position.side == "p1"):
        return NamedRule("A.13", f"the king on {king} has not escaped, and p1 has a legal move: the game goes on")
    return NamedRule(
        "A.12", f"the king on {king} is not captured, and the side to move has a legal move: the game goes on"
    )


# Legal moves


def _legal(game: Game, query: str, said: str) -> NamedRule:
    right = set(legal_words(game))
    if query == "legalmoves":
        named = {_canonical(game, word) for word in said.split()[1:]}
        wrong, lacking = sorted(named - right), sorted(right - named)
    else:
        wrong, lacking = [said], []
    if game.outcome is not None:
        return NamedRule("9.7", f"the game is over ({game.outcome.reason}): there is no legal move")
    word, legal = (wrong[0], False) if wrong else (lacking[0] if lacking else "", True)
    if not word:
        return NamedRule("9.7", "each legal move is named once")
    clause, text = _callanish_move(game, word) if isinstance(game.rules, CallanishRules) else _tafl_move(game, word)
    return NamedRule(clause, f"{word} is {'legal' if legal else 'not legal'}: {text}")


def _canonical(game: Game, word: str) -> str:
    move = game.position.find(word)
    return word if move is None else move.text


def _callanish_move(game: Game, word: str) -> tuple[str, str]:
    board, squares = _board(game), _SQUARE.findall(word)
    own, covered = ("wW", "B") if game.position.side == "p1" else ("bB", "W")
    placing = not any(letter in own + covered for letter in board.values())
    if placing or len(squares) != 3:
        return (
            "A.3",
            "the first turn of a side is one stone on an empty square, every later one takes a stone and adds two",
        )
    start, *targets = squares
    assert isinstance(game.rules, CallanishRules)
    if game.rules.supply is not None and not legal_words(game):
        return "A.4", f"supply={game.rules.supply}"
    if board.get(start, HOLE) not in own:
        return "A.4", f"a turn takes an exposed stone of the mover's, and {start} has {_letter(board, start)}"
    for target in targets:
        if board.get(target, HOLE) == HOLE:
            return "A.4", f"{target} is no square"
        if board[target] in own + covered:
            return "A.4", f"a target must not hold a stone of the mover's, covered ones included: {target}"
        if sorted((abs(ord(start[0]) - ord(target[0])), abs(int(start[1:]) - int(target[1:])))) != [1, 2]:
            return "A.4", f"{target} is no knight's move from {start}"
    if any(board[target] != EMPTY for target in targets):
        return "A.4", "a target may hold an enemy stone: the added stone goes on top of it"
    return "A.4", "an exposed stone goes to two different targets, a knight's move away"


def _tafl_move(game: Game, word: str) -> tuple[str, str]:
    assert isinstance(game.rules, TaflRules)
    board, options, squares = _board(game), game.rules.options, _SQUARE.findall(word)
    if len(squares) != 2 or any(square not in board for square in squares):
        return "5.4", "a move is two squares of the board"
    start, to = squares
    piece, own = board[start], "a" if game.position.side == "p1" else "dk"
    if piece not in own:
        return "A.9", f"{start} has no piece of the side to move"
    path = _path(start, to)
    if not path:
        return "A.9", "pieces move along a rank or file"
    if any(board[square] != EMPTY for square in path):
        return "A.9", "pieces move over empty squares only"
    steps = options.king_steps if piece == "k" else options.men_steps
    name = "king_steps" if piece == "k" else "men_steps"
    if steps != "any" and len(path) > int(steps):
        return "A.11", f"{name}={steps}, and this goes {len(path)} squares"
    for square, stop, of in ((_centre(board), options.centre_stop, "centre"), (None, options.corner_stop, "corner")):
        if to == square or (square is None and _kind(board, to) == "corner"):
            return "A.11", f"{of}_stop={stop}"
    if _centre(board) in path[:-1]:
        return "A.9", "a piece may pass over the empty centre, whoever may stop there"
    return "A.9", f"the way is empty, and {name}={steps}"


# The position after a move


def _position(game: Game, before: Game, said: str) -> NamedRule:
    right, told = game.position.fen().split(), said.split()
    if told[:1] == right[:1]:
        return NamedRule("5.6", "the side to move and the turn number, which grows by 1 after each turn of p2")
    if isinstance(game.rules, CallanishRules) or not game.moves:
        clause = "A.4" if game.moves else "5.5"
        return NamedRule(clause, "where the stones lie after a turn, and which of them are covered")
    was, board = _board(before), _board(game)
    other = _told_board(told[0] if told else "", board)
    moved = _SQUARE.findall(game.moves[-1])
    for square in sorted(was):
        if square not in moved and board[square] != other.get(square):
            taken = board[square] == EMPTY and was[square] != EMPTY
            beyond = _opposite(square, moved[1])
            if taken:
                how = "another enemy" if board.get(beyond, EMPTY) != EMPTY else f"a hostile {_kind(board, beyond)}"
                return NamedRule("A.10", f"the piece on {square} was taken between {moved[1]} and {how} on {beyond}")
            text = f"the piece on {square} was not taken: no enemy that counts stands opposite {moved[1]}"
            return NamedRule("A.10", text)
    return NamedRule("A.9", "the piece that moves goes from the one square to the other")


def _told_board(text: str, like: Board) -> Board:
    letters = "".join(re.sub("[0-9]+", lambda run: EMPTY * min(25, int(run[0])), text).split("/"))
    return dict(zip(like, letters, strict=False))


# Squares


def _around(square: str) -> list[str]:
    file, rank = ord(square[0]) - 97, int(square[1:]) - 1
    return [square_name(file + f, rank + r) for f, r in _WAYS if 0 <= file + f < 25 and 0 <= rank + r < 25]


def _opposite(square: str, near: str) -> str:
    """The square on the other side of `square` than `near`; empty where there is none."""
    file, rank = 2 * ord(square[0]) - ord(near[0]), 2 * int(square[1:]) - int(near[1:])
    return f"{chr(file)}{rank}" if file >= 97 and rank >= 1 else ""


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


def _kind(board: Board, square: str) -> str:
    size = round(len(board) ** 0.5)
    if square == _centre(board):
        return "centre"
    edges = {"a1", f"a{size}", square_name(size - 1, 0), square_name(size - 1, size - 1)}
    return "corner" if square in edges else "square"


def _letter(board: Board, square: str) -> str:
    letter = board.get(square, HOLE)
    return "nothing" if letter == EMPTY else "no square" if letter == HOLE else f"a covered or foreign stone ({letter})"
