"""The tafl family, by cases worked out by hand."""

import pickle

import pytest

from arena.games.rules import BadPosition, Outcome
from arena.games.tafl.rules import TaflPosition, TaflRules
from arena.games.variants import find

CAPTURED = Outcome("p1", "king-captured")
ESCAPED = Outcome("p2", "king-escaped")


def rules(name: str) -> TaflRules:
    found = find(name)
    assert isinstance(found, TaflRules)
    return found


def after(name: str, fen: str, *words: str) -> TaflPosition:
    position = rules(name).parse(fen)
    for word in words:
        move = position.find(word)
        assert move is not None, f"{word} in {position.fen()}"
        position = position.play(move)
    return position


def board(position: TaflPosition) -> str:
    return position.fen().split()[0]


@pytest.mark.parametrize(
    ("name", "fen", "word", "board_after"),
    [
        # The attacker that comes to e3 takes the defender on d3 with the one on c3.
        ("scottish", "7/1k5/4a2/7/2ad3/7/7 p1 1", "e5e3", "7/1k5/7/7/2a1a2/7/7"),
        # A defender comes to c5, the attacker stands on c4, the king on c3: he helps if he is armed.
        ("scottish", "7/7/6d/2a4/2k4/7/7 p2 1", "g5c5", "7/7/2d4/2a4/2k4/7/7"),
        ("scottish-armed", "7/7/6d/2a4/2k4/7/7 p2 1", "g5c5", "7/7/2d4/7/2k4/7/7"),
        # The king comes to c3.
        ("scottish", "7/7/2d4/2a4/5k1/7/7 p2 1", "f3c3", "7/7/2d4/2a4/2k4/7/7"),
        ("scottish-armed", "7/7/2d4/2a4/5k1/7/7 p2 1", "f3c3", "7/7/2d4/7/2k4/7/7"),
        # A man on b1 with an enemy who comes to c1: brandub's corners are hostile, those of scottish are squares.
        ("scottish", "7/3k3/7/7/2a4/7/1d5 p1 1", "c3c1", "7/3k3/7/7/7/7/1da4"),
        ("brandub", "7/3k3/7/7/2a4/7/1d5 p1 1", "c3c1", "7/3k3/7/7/7/7/2a4"),
        ("brandub", "7/3k3/7/7/2d4/7/1a5 p2 1", "c3c1", "7/3k3/7/7/7/7/2d4"),
        # A defender on d3 and an attacker who comes to d2: the centre is hostile only in some variants, while empty.
        ("brandub-nielsen", "7/1k5/7/7/3d3/a6/7 p1 1", "a2d2", "7/1k5/7/7/7/3a3/7"),
        ("brandub-nielsen", "7/7/7/3k3/3d3/a6/7 p1 1", "a2d2", "7/7/7/3k3/3d3/3a3/7"),
        ("brandub", "7/1k5/7/7/3d3/a6/7 p1 1", "a2d2", "7/1k5/7/7/3d3/3a3/7"),
        # With the king on it the centre helps only where it is always hostile.
        ("scottish:centre_hostile=always", "7/7/7/2dk3/1a5/7/7 p1 1", "b3b4", "7/7/7/1a1k3/7/7/7"),
        ("scottish:centre_hostile=yes", "7/7/7/2dk3/1a5/7/7 p1 1", "b3b4", "7/7/7/1adk3/7/7/7"),
    ],
)
def test_men_between_enemies_are_captured_by_the_move(name: str, fen: str, word: str, board_after: str) -> None:
    """And by nothing else; what is hostile, and who takes part, is the variant's to say."""
    assert board(after(name, fen, word)) == board_after


@pytest.mark.parametrize(
    ("name", "fen", "word", "captured"),
    [
        # Two attackers, wherever he stands.
        ("scottish", "7/7/7/2ak1a1/7/7/7 p1 1", "f4e4", True),
        ("tawlbwrdd", "11/11/11/11/11/4ak1a3/11/11/11/11/11 p1 1", "h6g6", True),
        # Four, of whom none may be a defender.
        ("sea-battle-9", "9/9/9/4a4/3aka3/9/9/9/4a4 p1 1", "e1e4", True),
        ("sea-battle-9", "9/9/9/9/3aka3/9/9/9/4a4 p1 1", "e1e4", False),
        ("sea-battle-9", "9/9/9/4d4/3aka3/9/9/9/4a4 p1 1", "e1e4", False),
        # Four beside the centre; elsewhere two: in the open, on the edge, and with a hostile corner as the second.
        ("brandub-nielsen", "7/7/1ak3a/7/7/7/7 p1 1", "g5d5", True),
        ("brandub-nielsen", "7/7/a6/k6/7/a6/7 p1 1", "a2a3", True),
        ("brandub-nielsen", "7/7/7/7/4a2/k6/7 p1 1", "e3a3", True),
        # On the centre four, elsewhere two, beside the centre, too.
        ("brandub:king_captured_by=four-two", "7/7/3a3/2akaa1/7/3a3/7 p1 1", "d2d3", True),
        ("brandub:king_captured_by=four-two", "7/7/3a3/2ak3/7/3a3/7 p1 1", "d2d3", False),
        ("brandub:king_captured_by=four-two", "7/7/2ak1a1/7/7/7/7 p1 1", "f5e5", True),
        # All sides that he has, also on an edge, where `four` never captures.
        ("brandub:king_captured_by=all-sides", "7/7/7/7/a6/k6/2a4 p1 1", "c1b1", False),
        ("brandub:king_captured_by=all-sides", "7/7/7/a6/k6/a6/2a4 p1 1", "c1c3", False),
        ("brandub:king_captured_by=all-sides", "7/7/7/a6/k6/a6/1a5 p1 1", "b1b3", True),
        ("brandub:king_captured_by=four", "7/5d1/7/a6/k6/a6/1a5 p1 1", "b1b3", False),
    ],
)
def test_the_king_is_captured_by_as_many_as_his_variant_asks_for(
    name: str, fen: str, word: str, captured: bool
) -> None:
    """He is off the board then, and the game over."""
    position = after(name, fen, word)
    assert position.outcome == (CAPTURED if captured else None)
    assert ("k" in board(position)) != captured and (position.legal_moves() == []) == captured


def test_the_king_escapes_to_the_edge_or_to_a_corner_as_the_variant_says() -> None:
    """Scottish asks for any edge square, corners included, brandub for a corner."""
    assert after("scottish", "7/7/7/7/2k4/7/3a3 p2 1", "c3a3").outcome == ESCAPED
    edge = after("brandub", "7/7/7/7/2k4/7/3a3 p2 1", "c3a3")
    assert edge.outcome is None
    assert after("brandub", "7/7/7/7/k6/7/3a3 p2 1", "a3a1").outcome == ESCAPED
    assert after("tawlbwrdd", "11/11/11/11/11/4k6/11/11/11/11/3a7 p2 1", "e6e11").outcome == ESCAPED


def test_attackers_without_pieces_have_no_move_and_lose() -> None:
    """Whether the last is captured or none was there."""
    nomove = Outcome("p2", "no-move")
    assert rules("scottish").parse("7/7/7/3k3/7/7/7 p1 1").outcome == nomove
    assert after("scottish", "7/7/7/3k3/7/7/7 p2 1", "d4d3").outcome == nomove
    taken = after("scottish", "7/2d4/7/2k4/2a4/2d4/7 p2 1", "c2b2")
    assert taken.outcome is None
    assert after("scottish-armed", "7/7/7/2k4/2a4/7/1d5 p2 1", "b1b2", "c3d3", "b2d2").outcome is None
    assert after("scottish-armed", "7/7/7/2k4/2a4/7/1d5 p2 1", "b1c1", "c3d3", "c4c3").outcome is None
    assert after("scottish-armed", "7/7/7/2k4/2a4/1d5/7 p2 1", "b2c2").outcome == nomove


def test_a_shut_in_king_has_no_move_and_loses_or_draws() -> None:
    """By the rule option `no_move`."""
    fen = "7/7/3a3/2aka2/3a3/7/7 p2 1"
    assert rules("sea-battle-9").parse("9/9/9/4a4/3aka3/4a4/9/9/9 p2 1").outcome == Outcome("p1", "no-move")
    assert rules("scottish").parse(fen).outcome == Outcome("p1", "no-move")
    assert rules("scottish:no_move=draw").parse(fen).outcome == Outcome("draw", "no-move")
    assert rules("scottish:no_move=draw").parse("7/7/7/3k3/7/7/7 p1 1").outcome == Outcome("draw", "no-move")


def test_positions_are_values() -> None:
    """Equal boards are equal values, which can be hashed and pickled."""
    one = after("scottish", rules("scottish").start().fen(), "d1c1", "d3c3")
    two = rules("scottish").parse(one.fen())
    assert one == two and hash(one) == hash(two)
    assert pickle.loads(pickle.dumps(one)) == one
    assert one.key != one.play(one.legal_moves()[0]).key


@pytest.mark.parametrize(
    ("name", "fen", "part"),
    [
        ("scottish", "7/7/7/7/7/7/7 p1 1", "no king"),
        ("scottish", "7/7/2k4/2k4/7/7/7 p1 1", "2 kings (c5, c4)"),
        ("scottish", "7/7/7/k6/7/7/7 p1 1", "the king on a4 has already escaped"),
        ("scottish", "9/9/9/9/4k4/9/9/9/9 p1 1", "scottish has 7 files and 7 ranks, this board has 9 and 9"),
        ("scottish", "7/7/7/3k3/7/7/*6 p1 1", "'*' on a1"),
    ],
)
def test_a_bad_position_string_is_refused_with_the_place_named(name: str, fen: str, part: str) -> None:
    """Exactly one king, not yet free, on the variant's own board."""
    with pytest.raises(BadPosition) as refused:
        rules(name).parse(fen)
    assert part in str(refused.value)


def test_the_grammar_is_two_squares() -> None:
    """Squares of the largest board, on this board or not."""
    assert all(map(rules("scottish").wellformed, ("d1d3", "a10a11", "a1b25")))
    assert not any(map(rules("scottish").wellformed, ("d1", "d1d3d4", "d1-d3", "D1D3")))
