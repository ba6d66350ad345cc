"""Boards to draw, from position strings and recorded games."""

from arena.games.board_drawing import DrawnBoard, squares
from arena.games.game_boards import board_of_game, boards_of_game
from arena.games.kind import UNDECIDED
from arena.games.kinds import built_in
from arena.games.line import replay
from arena.games.squares import spread_rows


def drawn(fen: str, marked: frozenset[str] = frozenset(), last_move: str = "") -> DrawnBoard:
    """The board of a position string of Callanish or tafl."""
    callanish, tafl = built_in()
    kind = tafl if set(fen.split()[0]) & set("adk") else callanish
    return DrawnBoard(kind, tuple(spread_rows(fen.split()[0])), marked, squares(last_move))


def ended(variant: str, fen: str, moves: str) -> DrawnBoard:
    """The last board of a game that the rules ended."""
    game, positions = replay(variant, fen, moves.split())
    boards = boards_of_game(game, positions)
    assert boards[-1] == board_of_game(game)
    assert all(board.decision == UNDECIDED for board in boards[:-1])
    return boards[-1]
