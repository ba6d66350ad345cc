"""Chess as a kind of game: its two variants, its words and pieces, and its notation.

The package `chess` is loaded with the first position: engines of other games list the variants without it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from arena.games.kind import GameKind, Piece
from arena.games.rules import Move, OwnVariant, Position, Repetition

if TYPE_CHECKING:
    from callanish_chess.position import ChessPosition

_WORD = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_PIECES = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
_WHITE, _BLACK = "bold bright_white", "bold bright_blue"


@dataclass(frozen=True, slots=True)
class ChessRules:
    """The laws of chess. The third occurrence of a position and the fiftieth move without progress are draws."""

    name: str
    changed_options: str = ""
    own: OwnVariant | None = None
    draws: bool = True
    repetition: Repetition | None = "draw"
    occurrences: int = 3

    @property
    def base(self) -> str:
        return self.name

    @property
    def is_960(self) -> bool:
        """Is castling written as the king's move to its rook's square?"""
        return self.name == "chess960"

    def start(self) -> "ChessPosition":
        from callanish_chess import position

        return position.start(self.is_960)

    def parse(self, fen: str) -> "ChessPosition":
        from callanish_chess import position

        return position.parse(fen, self.is_960)

    def wellformed(self, word: str) -> bool:
        return _WORD.fullmatch(word) is not None

    def warnings(self, position: Position) -> list[str]:
        return []


_VARIANTS = {name: ChessRules(name) for name in ("chess", "chess960")}


class Chess(GameKind):
    """Chess, and Chess960 from any start."""

    name = "chess"
    endings: ClassVar = {
        "checkmate": "checkmate",
        "stalemate": "the side to move has no legal move and is not in check",
        "insufficient-material": "neither side can give mate",
        "fifty-moves": "fifty moves without a capture or a pawn's move",
        "repetition": "the position occurred three times",
    }
    sides = ("White", "Black")
    pieces: ClassVar = {
        **{
            letter.upper(): Piece(f"white {word}", chr(0x2654 + at), _WHITE)
            for at, (letter, word) in enumerate(_PIECES.items())
        },
        **{
            letter: Piece(f"black {word}", chr(0x265A + at), _BLACK)
            for at, (letter, word) in enumerate(_PIECES.items())
        },
    }

    def variants(self) -> Mapping[str, ChessRules]:
        return _VARIANTS

    def evaluate(self, position: Position) -> int:
        from callanish_chess.position import material

        return material(position)

    def find_written(self, position: Position, word: str) -> Move | None:
        from callanish_chess.position import find_san

        return position.find(word) or find_san(position, word)

    def written(self, start: Position, moves: Sequence[str]) -> Sequence[str]:
        from callanish_chess.position import san

        return san(start, moves)


KIND = Chess()
