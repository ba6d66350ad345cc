"""Ataxx as a plug-in, over the package `ataxx`, against the rules written a second time."""

import pytest

from arena.games.perft import perft
from arena.games.rules import BadPosition
from arena.games.variants import find

PERFT = (16, 256, 6_460, 155_888, 4_752_668)


def test_perft_is_that_of_ataxx() -> None:
    """As published; the deep ones are long."""
    assert tuple(perft(find("ataxx").start(), depth) for depth in range(1, 4)) == PERFT[:3]


@pytest.mark.long
def test_deep_perft_is_that_of_ataxx() -> None:
    """The last is of five plies."""
    assert tuple(perft(find("ataxx").start(), depth) for depth in (4, 5)) == PERFT[3:]


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
