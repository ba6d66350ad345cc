"""Ataxx as a kind of game: pieces are cloned to a square beside them or jump two squares, and flip their neighbours."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from arena.games.kind import GameKind, Piece, disc
from arena.games.rules import Move, OwnVariant, Position, Repetition

if TYPE_CHECKING:
    from callanish_ataxx.position import AtaxxPosition

_WORD = re.compile(r"[a-g][1-7](?:[a-g][1-7])?|0000")
PASS, _PASS = "0000", "pass"
"""A pass as it is played, and as it is written in PGN, where a word does not begin with a digit."""
START = "x5o/7/7/7/7/7/o5x x 0 1"


@dataclass(frozen=True, slots=True)
class AtaxxRules:
    """The rules of ataxx on 7x7 squares. x begins and is p1."""

    name: str = "ataxx"
    base: str = "ataxx"
    changed_options: str = ""
    own: OwnVariant | None = None
    draws: bool = True
    repetition: Repetition | None = None
    occurrences: int = 3

    def start(self) -> "AtaxxPosition":
        return self.parse(START)

    def parse(self, fen: str) -> "AtaxxPosition":
        from callanish_ataxx.position import parse

        return parse(fen)

    def wellformed(self, word: str) -> bool:
        return _WORD.fullmatch(word) is not None

    def warnings(self, position: Position) -> list[str]:
        return []


_VARIANTS = {"ataxx": AtaxxRules()}


class Ataxx(GameKind):
    """Who has more pieces at the end has won."""

    name = "ataxx"
    endings: ClassVar = {
        "more-pieces": "nobody can move, and the pieces were counted",
        "no-pieces": "a side has no piece left",
        "fifty-moves": "fifty moves without a clone",
    }
    sides = ("Black", "White")
    pieces: ClassVar = {
        "x": Piece("black", "●", "bold bright_blue", disc("black", 14)),
        "o": Piece("white", "○", "bold bright_white", disc("white", 14)),
        "-": Piece("gap", "▒", "bright_black"),
    }
    blocked = "-"
    symmetric = True

    def variants(self) -> Mapping[str, AtaxxRules]:
        return _VARIANTS

    def written(self, start: Position, moves: Sequence[str]) -> Sequence[str]:
        return [_PASS if move == PASS else move for move in moves]

    def find_written(self, position: Position, word: str) -> Move | None:
        return position.find(PASS if word == _PASS else word)

    def evaluate(self, position: Position) -> int:
        from callanish_ataxx.position import lead

        return lead(position)


KIND = Ataxx()
