"""A line of play, and the repetition that only it can see."""

import pytest

from arena.games.game import Game
from arena.games.game_words import legal_words
from arena.games.line import Unplayable, replay
from arena.games.rules import IllegalMove, Outcome, RulesError
from arena.games.variants import find, resolve

ROUND = "d1c1 d3c3 c1d1 c3d3"


def game(variant: str, moves: str = "", fen: str | None = None) -> Game:
    played = Game(*resolve(variant, fen=fen))
    for word in moves.split():
        played.play(word)
    return played


def test_the_third_occurrence_is_a_draw_and_the_start_counts() -> None:
    """The same four moves twice bring the start back for the third time at ply 8, not before."""
    played = game("scottish", f"{ROUND} d1c1 d3c3 c1d1")
    assert played.outcome is None
    played.play("c3d3")
    assert played.outcome == Outcome("draw", "repetition")
    assert len(played.moves) == 8
    assert played.position.outcome is None, "a position has no history"


def test_the_side_that_completes_the_repetition_loses_where_the_variant_says_so() -> None:
    """p2 completes it here, and p1 where p1's move does."""
    assert game("scottish:repetition=loses", f"{ROUND} {ROUND}").outcome == Outcome("p1", "repetition")
    moved = "3a3/3a3/3d3/aadkdaa/3d3/3a3/2a4 p2 1"
    # With p2 to move the position recurs after each move of p1.
    other = game("scottish:repetition=loses", "d3c3 c1d1 c3d3 d1c1 d3c3 c1d1 c3d3 d1c1", moved)
    assert other.outcome == Outcome("p2", "repetition")


def test_the_same_board_with_the_other_side_to_move_is_another_position() -> None:
    """The attackers lose a move by a detour in three: every board occurs, each time with the other side to move."""
    played = game("scottish", "d1c1 d3c3 c1b1 c3d3 b1d1 d3c3 d1c1 c3d3")
    assert played.outcome is None


def test_an_illegal_word_is_refused_and_changes_nothing() -> None:
    """The sentence names the word and the position; it is a fault of the input, a RulesError."""
    played = game("scottish", "d1c1")
    with pytest.raises(IllegalMove) as refused:
        played.play("d1c1")
    assert refused.value.word == "d1c1" and "'d1c1'" in str(refused.value) and " p2 1" in str(refused.value)
    assert isinstance(refused.value, RulesError)
    assert played.moves == ["d1c1"] and played.outcome is None


def test_nothing_is_played_after_the_end() -> None:
    """Neither after an end on the board nor after a repetition."""
    repeated = game("scottish", f"{ROUND} {ROUND}")
    with pytest.raises(IllegalMove):
        repeated.play("d1c1")
    assert repeated.position.legal_moves() and legal_words(repeated) == [], "the board has moves, the game has none"
    won = game("scottish", "", "7/7/7/3k3/7/7/7 p1 1")
    assert won.outcome == Outcome("p2", "no-move")
    with pytest.raises(IllegalMove):
        won.play("d4d5")


def test_words_are_kept_as_the_canonical_ones() -> None:
    """Either order of targets is played, one is kept."""
    played = game("callanish-9", "e5 b2 e5d3c4")
    assert played.moves == ["e5", "b2", "e5c4d3"]
    assert played.start == find("callanish-9").start()
    assert played.position.side == "p2"


ESCAPE = "d1c1 d3b3 c1d1 d4d3 d1c1 d3g3".split()


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
        replay(variant, "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1", moves)
    assert str(refused.value).startswith(said)
