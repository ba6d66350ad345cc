"""Positions of chess: the boards of the package `chess` as values that do not change."""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

import chess

from arena.games.rules import BadPosition, Move, Outcome, Playout, Position, Side

_FIFTY_MOVES = 100
"""In plies."""
_VALUES = {chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 900}
_CENTRE = {
    square: 6 - round(max(abs(chess.square_file(square) - 3.5), abs(chess.square_rank(square) - 3.5)) * 2)
    for square in chess.SQUARES
}
_SIDES: dict[bool, Side] = {chess.WHITE: "p1", chess.BLACK: "p2"}


class ChessMove(NamedTuple):
    """A move as UCI writes it. There is one object for each word."""

    text: str


_move = lru_cache(None)(ChessMove)


class ChessPosition:
    """A board that is never changed."""

    __slots__ = ("_board", "_identity", "_moves", "_outcome")

    def __init__(self, board: chess.Board) -> None:
        self._board = board
        self._identity: Hashable = None
        self._moves: Sequence[ChessMove] | None = None
        self._outcome: Outcome | str | None = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChessPosition) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    def __repr__(self) -> str:
        return f"ChessPosition({self.fen()!r})"

    @property
    def board(self) -> chess.Board:
        """The board, which belongs to this position: copy it before a change."""
        return self._board

    @property
    def identity(self) -> Hashable:
        """All that makes this position another one than others."""
        board = self._board
        if self._identity is None:
            self._identity = (board._transposition_key(), board.halfmove_clock, board.fullmove_number, board.chess960)
        return self._identity

    @property
    def side(self) -> Side:
        return _SIDES[self._board.turn]

    @property
    def turn(self) -> int:
        return self._board.fullmove_number

    @property
    def outcome(self) -> Outcome | None:
        if isinstance(self._outcome, str):
            self._outcome = self._judged()
        return self._outcome

    @property
    def key(self) -> Hashable:
        return self._board._transposition_key()

    def find(self, word: str) -> ChessMove | None:
        if self.outcome is not None:
            return None
        try:
            move = chess.Move.from_uci(word)
        except chess.InvalidMoveError:
            return None
        board = self._board
        return _move(word) if board.is_legal(move) and board.uci(move) == word else None

    def play(self, move: Move) -> "ChessPosition":
        board = self._board.copy(stack=False)
        board.push(board.parse_uci(move.text))
        board.clear_stack()
        return ChessPosition(board)

    def moves(self) -> Sequence[ChessMove]:
        if self._moves is None:
            legal = () if self.outcome is not None else self._board.legal_moves
            self._moves = tuple(_move(self._board.uci(move)) for move in legal)
        return self._moves

    def legal_moves(self) -> Sequence[ChessMove]:
        return sorted(self.moves())

    def playout(self, chance: Random, plies: int) -> Playout:
        position, played = self, list[ChessMove]()
        while position.outcome is None and len(played) < plies:
            played.append(chance.choice(position.moves()))
            position = position.play(played[-1])
        return Playout(position.outcome, played)

    def fen(self) -> str:
        return self._board.fen()

    def _judged(self) -> Outcome | None:
        board = self._board
        if not any(board.generate_legal_moves()):
            if board.is_check():
                return Outcome("p2" if board.turn else "p1", "checkmate")
            return Outcome("draw", "stalemate")
        if board.is_insufficient_material():
            return Outcome("draw", "insufficient-material")
        if board.halfmove_clock >= _FIFTY_MOVES:
            return Outcome("draw", "fifty-moves")
        return None


def start(is_960: bool) -> ChessPosition:
    """The usual start."""
    return ChessPosition(chess.Board(chess960=is_960))


def parse(fen: str, is_960: bool) -> ChessPosition:
    """The position of a FEN. Raises BadPosition."""
    try:
        board = chess.Board(" ".join(fen.split()), chess960=is_960)
    except ValueError as wrong:
        raise BadPosition(f"{fen!r} is no FEN of chess: {wrong}") from None
    if not board.is_valid():
        faults = [flag.name for flag in chess.Status if flag and flag in board.status()]
        words = ", ".join(str(name).lower().replace("_", " ") for name in faults)
        raise BadPosition(f"{fen!r} is no position that a game of chess can have: {words}")
    return ChessPosition(board)


def find_san(position: Position, word: str) -> ChessMove | None:
    """The legal move that standard algebraic notation names."""
    assert isinstance(position, ChessPosition)
    if position.outcome is not None:
        return None
    try:
        return _move(position.board.uci(position.board.parse_san(word)))
    except ValueError:
        return None


def san(start: Position, moves: Sequence[str]) -> list[str]:
    """The moves in standard algebraic notation, as programs of chess read them."""
    assert isinstance(start, ChessPosition)
    board = start.board.copy(stack=False)
    return [board.san_and_push(board.parse_uci(move)) for move in moves]


def material(position: Position) -> int:
    """The material for the side to move, in hundredths of a pawn, with a little for pieces near the centre."""
    assert isinstance(position, ChessPosition)
    board, score = position.board, 0
    for square, piece in board.piece_map().items():
        value = _VALUES.get(piece.piece_type, 0) + _CENTRE[square]
        score += value if piece.color == board.turn else -value
    return score
