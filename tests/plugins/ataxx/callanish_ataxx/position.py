"""Positions of ataxx: the boards of the package `ataxx` as values that do not change."""

import re
from collections.abc import Hashable, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from ataxx import BLACK, Board
from ataxx import Move as PackageMove

from arena.games.rules import BadPosition, Move, Outcome, Playout, Position, Side, Winner

_FEN = re.compile(r"[xo1-7-]+(?:/[xo1-7-]+){6} [xo] [0-9]{1,3} [0-9]{1,4}")
_WINNERS: dict[str, Winner] = {"1-0": "p1", "0-1": "p2", "1/2-1/2": "draw"}
_PIECE = 100


class AtaxxMove(NamedTuple):
    """A square for a clone, two squares for a jump, `0000` for a pass. There is one object for each word."""

    text: str


_move = lru_cache(None)(AtaxxMove)


class AtaxxPosition:
    """A board that is never changed."""

    __slots__ = ("_board", "_fen", "_moves", "_outcome")

    def __init__(self, board: Board) -> None:
        self._board, self._fen = board, str(board.get_fen())
        self._moves: Sequence[AtaxxMove] | None = None
        self._outcome: Outcome | str | None = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AtaxxPosition) and self._fen == other._fen

    def __hash__(self) -> int:
        return hash(self._fen)

    def __repr__(self) -> str:
        return f"AtaxxPosition({self._fen!r})"

    @property
    def side(self) -> Side:
        return "p1" if self._board.turn == BLACK else "p2"

    @property
    def turn(self) -> int:
        return int(self._board.fullmove_clock)

    @property
    def outcome(self) -> Outcome | None:
        if isinstance(self._outcome, str):
            self._outcome = self._judged()
        return self._outcome

    @property
    def key(self) -> Hashable:
        return self._fen.rsplit(" ", 2)[0]

    @property
    def lead(self) -> int:
        """By how many pieces the side to move is ahead."""
        score = int(self._board.score())
        return score if self.side == "p1" else -score

    def find(self, word: str) -> AtaxxMove | None:
        move = _move(word)
        return move if move in self.moves() else None

    def play(self, move: Move) -> "AtaxxPosition":
        board = Board(self._fen)
        board.makemove(PackageMove.from_san(move.text))
        return AtaxxPosition(board)

    def moves(self) -> Sequence[AtaxxMove]:
        if self._moves is None:
            legal = [] if self.outcome is not None else self._board.legal_moves()
            self._moves = tuple(_move(str(move)) for move in legal)
        return self._moves

    def legal_moves(self) -> Sequence[AtaxxMove]:
        return sorted(self.moves())

    def playout(self, chance: Random, plies: int) -> Playout:
        position, played = self, list[AtaxxMove]()
        while position.outcome is None and len(played) < plies:
            played.append(chance.choice(position.moves()))
            position = position.play(played[-1])
        return Playout(position.outcome, played)

    def fen(self) -> str:
        return self._fen

    def _judged(self) -> Outcome | None:
        board = self._board
        if not board.gameover():
            return None
        winner = _WINNERS[board.result()]
        if not board.num_black() or not board.num_white():
            return Outcome(winner, "no-pieces")
        return Outcome("draw", "fifty-moves") if board.fifty_move_draw() else Outcome(winner, "more-pieces")


def parse(fen: str) -> AtaxxPosition:
    """The position of a position string. Raises BadPosition."""
    board = Board()
    if not _FEN.fullmatch(fen) or not board.set_fen(fen):
        raise BadPosition(
            f"{fen!r} is no position of ataxx: write seven ranks of x, o, - and digits, the side, two numbers"
        )
    return AtaxxPosition(board)


def lead(position: Position) -> int:
    """By how much the side to move is ahead, in hundredths of a piece."""
    assert isinstance(position, AtaxxPosition)
    return _PIECE * position.lead
