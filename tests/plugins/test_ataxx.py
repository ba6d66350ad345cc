"""Ataxx as a plug-in, over the package `ataxx`, against the rules written a second time."""

from random import Random

import pytest

from arena.games.game import Game
from arena.games.perft import perft
from arena.games.rules import BadPosition
from arena.games.variants import find, resolve

PERFT = (16, 256, 6_460, 155_888, 4_752_668)
SQUARES = [(file, rank) for rank in range(7) for file in range(7)]


class Plain:
    """A game of ataxx: a dictionary from squares to sides, or to None where a square is empty."""

    def __init__(self) -> None:
        self.board: dict[tuple[int, int], str | None] = dict.fromkeys(SQUARES)
        self.board |= {(0, 6): "x", (6, 0): "x", (6, 6): "o", (0, 0): "o"}
        self.side, self.other, self.quiet = "x", "o", 0

    def moves(self, side: str) -> dict[str, tuple[tuple[int, int] | None, tuple[int, int]]]:
        """The moves of a side by their words: the square that is left, and the one that is reached."""
        found: dict[str, tuple[tuple[int, int] | None, tuple[int, int]]] = {}
        for to in (square for square in SQUARES if self.board[square] is None):
            for start in (square for square in SQUARES if self.board[square] == side):
                distance = max(abs(to[0] - start[0]), abs(to[1] - start[1]))
                if distance == 1:
                    found[name(to)] = None, to
                elif distance == 2:
                    found[name(start) + name(to)] = start, to
        return found

    def words(self) -> set[str]:
        """The legal words; none after the end."""
        if self.end() is not None:
            return set()
        return set(self.moves(self.side)) or {"0000"}

    def end(self) -> tuple[str, str] | None:
        """Who won, and how."""
        count = {side: sum(each == side for each in self.board.values()) for side in "xo"}
        more = "p1" if count["x"] > count["o"] else "p2" if count["x"] < count["o"] else "draw"
        if not all(count.values()):
            return more, "no-pieces"
        if self.quiet >= 100:
            return "draw", "fifty-moves"
        return None if self.moves("x") or self.moves("o") else (more, "more-pieces")

    def play(self, word: str) -> None:
        if word != "0000":
            start, to = self.moves(self.side)[word]
            self.board[to] = self.side
            if start is not None:
                self.board[start] = None
            for square in SQUARES:
                near = max(abs(square[0] - to[0]), abs(square[1] - to[1])) == 1
                if near and self.board[square] == self.other:
                    self.board[square] = self.side
        self.quiet = 0 if len(word) == 2 else self.quiet + 1
        self.side, self.other = self.other, self.side


def name(square: tuple[int, int]) -> str:
    return "abcdefg"[square[0]] + str(square[1] + 1)


def compare(games: range) -> None:
    """Play random games by both rules, and compare the words and the end at each ply."""
    for number in games:
        chance = Random(number)
        game, plain = Game(*resolve("ataxx")), Plain()
        while True:
            words = sorted(move.text for move in game.position.moves())
            assert set(words) == plain.words(), (number, game.moves)
            end = None if game.outcome is None else (game.outcome.winner, game.outcome.reason)
            assert end == plain.end(), (number, game.moves)
            if end is not None:
                break
            word = chance.choice(words)
            game.play(word)
            plain.play(word)


def test_perft_is_that_of_ataxx() -> None:
    """As published; the deep ones are long."""
    assert tuple(perft(find("ataxx").start(), depth) for depth in range(1, 4)) == PERFT[:3]


@pytest.mark.long
def test_deep_perft_is_that_of_ataxx() -> None:
    """The last is of five plies."""
    assert tuple(perft(find("ataxx").start(), depth) for depth in (4, 5)) == PERFT[3:]


def test_random_games_agree_with_a_second_implementation() -> None:
    """Words and ends at every ply."""
    compare(range(1))


@pytest.mark.long
@pytest.mark.timeout(1_200)
def test_a_thousand_random_games_agree_with_a_second_implementation() -> None:
    """The same at length."""
    compare(range(1, 1_001))


def test_a_side_that_cannot_move_passes() -> None:
    """The pass is the only legal move then, and it is a word of the game."""
    position = find("ataxx").parse("o6/xx5/xxx4/xxx4/7/7/7 o 0 1")
    walled = find("ataxx").parse("ox-4/xx-4/---4/7/7/7/6x o 0 1")
    assert position.find("0000") is None
    assert [move.text for move in walled.moves()] == ["0000"] and find("ataxx").wellformed("0000")
    after = walled.play(walled.moves()[0])
    assert after.side == "p1" and after.fen().split()[0] == walled.fen().split()[0]


def test_an_impossible_position_is_refused() -> None:
    """Too few ranks, too many squares, an unknown side."""
    for fen in ("", "x5o/7/7/7/7/7 x 0 1", "x6o/7/7/7/7/7/o5x x 0 1", "x5o/7/7/7/7/7/o5x w 0 1"):
        with pytest.raises(BadPosition, match="is no position of ataxx"):
            find("ataxx").parse(fen)
