"""The boards of running games. A board is kept for each game, and only new moves are played on it."""

import contextlib
from dataclasses import dataclass

from arena.games import board_drawing, variants
from arena.games.game import Game
from arena.games.game_boards import board_of_game
from arena.games.rules import RulesError
from arena.live.state import LiveGame

MOST_PLIES = 5_000
"""A longer game has no board: nobody waits for the replay of what a stranger may have made up."""


@dataclass(slots=True)
class _Board:
    fen: str
    variant: str
    game: Game | None = None
    """None where the game cannot be replayed. It is not tried again."""
    drawn: board_drawing.DrawnBoard | None = None


class RunningBoards:
    """Knows the boards of the games that it was asked for last, by their ids."""

    def __init__(self) -> None:
        self._boards: dict[str, _Board] = {}

    def board(self, game: LiveGame) -> board_drawing.DrawnBoard | None:
        """The board as it is now, with the last move. None where it is not known, or the moves cannot be played."""
        if not game.fen or game.moves is None:
            return None
        words = (*game.opening, *game.moves)
        board = self._boards.get(game.id)
        had = [] if board is None or board.game is None else board.game.moves
        if board is None or (board.fen, board.variant) != (game.fen, game.variant) or had != [*words[: len(had)]]:
            board = self._boards[game.id] = _Board(game.fen, game.variant)
            with contextlib.suppress(RulesError):
                board.game = Game(*variants.resolve(game.variant, fen=game.fen))
        if board.game is None or len(words) > MOST_PLIES:
            return None
        try:
            for word in words[len(board.game.moves) :]:
                board.game.play(word)
                board.drawn = None
        except RulesError:
            board.game = None
            return None
        if board.drawn is None:
            board.drawn = board_of_game(board.game)
        return board.drawn

    def first_side(self, game: LiveGame) -> int:
        """Who moves first in a game that `board` was asked for: 0 for p1, also where that is not known."""
        board = self._boards.get(game.id)
        return int(board is not None and board.game is not None and board.game.start.side == "p2")

    def forget_others(self, games: tuple[LiveGame, ...]) -> None:
        """Forget the boards of all other games."""
        ids = {game.id for game in games}
        for old in [known for known in self._boards if known not in ids]:
            del self._boards[old]
