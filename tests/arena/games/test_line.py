"""Lines of play that come from outside."""

import pytest

from arena.games.game import Game
from arena.games.game_words import legal_words
from arena.games.line import Unplayable, play_line, replay
from arena.games.variants import resolve

START = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"
ESCAPE = "d1c1 d3b3 c1d1 d4d3 d1c1 d3g3".split()
CYCLE = "d1c1 d3c3 c1d1 c3d3".split()


@pytest.mark.parametrize(
    ("variant", "moves", "said"),
    [
        ("chess", [], "start: "),
        ("scottish", ["d1c1", "a1a7"], "ply 2: 'a1a7' is no legal move"),
        ("scottish", [*ESCAPE, "a1a7"], "ply 7: 'a1a7' cannot be played: the game was over before it, p2 by king-es"),
    ],
)
def test_a_line_that_the_rules_refuse_is_named_with_its_place(variant: str, moves: list[str], said: str) -> None:
    """The start, or the ply, which counts from 1."""
    with pytest.raises(Unplayable) as refused:
        replay(variant, START, moves)
    assert str(refused.value).startswith(said)


def test_after_repetition_nothing_is_legal() -> None:
    """The board has moves, but the game is over."""
    game = Game(*resolve("scottish"))
    play_line(game, CYCLE * 2)
    assert game.position.legal_moves() and legal_words(game) == []
