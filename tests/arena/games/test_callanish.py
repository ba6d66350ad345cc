"""Callanish, by cases worked out by hand. On 5x5 every line needs 3 squares."""

import pickle

import pytest

from arena.games.callanish.rules import CallanishPosition, CallanishRules
from arena.games.rules import BadPosition, Outcome
from arena.games.variants import find

WHITE_LINE = Outcome("p1", "line")


def rules(name: str = "callanish") -> CallanishRules:
    found = find(name)
    assert isinstance(found, CallanishRules)
    return found


def after(position: CallanishPosition, *words: str) -> CallanishPosition:
    for word in words:
        move = position.find(word)
        assert move is not None, f"{word} in {position.fen()}"
        position = position.play(move)
    return position


def test_the_first_turn_of_each_side_places_one_stone_on_a_vacant_square() -> None:
    """White may place on any of 81 squares, black on any but white's, and then turns begin."""
    start = rules("callanish-9").start()
    assert start.fen() == "9/9/9/9/9/9/9/9/9 p1 1"
    assert len(start.moves()) == 81
    placed = after(start, "e5")
    assert placed.fen() == "9/9/9/9/4w4/9/9/9/9 p2 1"
    assert placed.find("e5") is None and placed.find("d3e5f5") is None
    assert len(placed.moves()) == 80
    assert len(after(placed, "b2").find("e5c4d3") or ()) > 0
    assert after(placed, "b2").find("a1") is None, "white has placed already"


def test_a_turn_takes_a_stone_off_and_puts_two_a_knights_move_away() -> None:
    """The stone leaves its square, both targets get one; on top of an enemy stone it controls the square."""
    position = after(rules("callanish-9").start(), "e5", "d3", "e5c4d3")
    assert position.fen() == "9/9/9/9/9/2w6/3W5/9/9 p2 2"
    assert position.outcome is not None, "black's only stone lies under a white one, so black has no turn"
    assert position.outcome == Outcome("p1", "no-turn")


def test_a_line_is_a_check_that_the_reply_may_break() -> None:
    """White holds three of rank 1; black goes on top of one of them and the game goes on."""
    check = after(rules().parse("5/5/3w1/2b2/ww3 p1 5"), "d3c5e1")
    assert check.outcome is None, "a line of one's own is not looked at when one's own turn ends"
    assert after(check, "c2a1e3").outcome is None


def test_a_line_that_stands_after_the_reply_wins() -> None:
    """White holds three of rank 1 and black plays elsewhere. So it is in a position string."""
    position = after(rules().parse("5/5/3w1/2b2/ww3 p1 5"), "d3c5e1", "c2a3e3")
    assert position.outcome == WHITE_LINE
    assert position.legal_moves() == [] and position.moves() == [] and position.find("e1c2d3") is None
    assert rules().parse("5/5/3w1/5/bbb2 p2 5").outcome == Outcome("p2", "line")


def test_positions_are_values() -> None:
    """Two ways to the same board meet in one value, which can be hashed, pickled and compared."""
    start = rules("callanish-9").start()
    one = after(start, "e5", "b2", "e5d3c4")
    two = after(start, "e5", "b2", "e5c4d3")
    assert one == two and hash(one) == hash(two) and len({one, two}) == 1
    assert pickle.loads(pickle.dumps(one)) == one
    assert rules().parse(one.fen()) == one
    assert start.outcome is None and start.own == 0


def test_the_grammar_is_one_square_or_three() -> None:
    """Grammar asks for squares of the largest board, on this board or not."""
    wellformed = rules("callanish-9").wellformed
    assert all(map(wellformed, ("e5", "b2a4d1", "y25", "a10b12c11")))
    bad = ("", "z1", "a0", "a26", "a01", "a1b2", "b2a4d1e3", "E5", "e5 ", "e5\n", "0000", "a\N{ARABIC-INDIC DIGIT ONE}")
    assert not [word for word in bad if wellformed(word)]


@pytest.mark.parametrize(
    ("fen", "part"),
    [
        ("8/8/8/8/8/8/8/8 p1 1", "at least 7; this board has 8 and 8"),
        ("5/5/5/5/5 p1 1", "at least 7 files and 7 ranks; this board has 5 and 5"),
        ("7/7/7/7/7/7/1*5 p1 1", "even number of squares; the rules recommend odd: file b, rank 1"),
        ("7/7/7/7/7/7/*****2 p1 1", "one stone is enough to win these lines: rank 1"),
    ],
)
def test_boards_that_are_not_recommended_are_played_with_a_warning(fen: str, part: str) -> None:
    """The rules only recommend other boards, so these are played, with a warning."""
    position = rules().parse(fen)
    assert part in rules().warnings(position)[-1]


@pytest.mark.parametrize(
    ("fen", "part"),
    [
        ("", "a position string is a board"),
        ("5/5/5/5/5 p3 1", "p1 or p2, not 'p3'"),
        ("5/5/5/5/5 p1 0", "whole number from 1, not '0'"),
        ("5/5/5/5/5 p1 1 2", "a position string is a board"),
        ("5/5/2x2/5/5 p1 1", "row 3 from the top (rank 3) has 'x' on c3"),
        ("5/5/4/5/5 p1 1", "row 3 from the top (rank 3) has 4 squares"),
        ("5/5/05/5/5 p1 1", "run 05"),
        ("99999999999999999999 p1 1", "a run is 1 to 25"),
        ("20w20 p1 1", "more than 25 squares"),
        ("/".join(["5"] * 26) + " p1 1", "26 rows"),
        ("*** p1 1", "fewer than 2 playable squares"),
        ("/ p1 1", "no squares"),
    ],
)
def test_a_bad_position_string_is_refused_with_the_place_named(fen: str, part: str) -> None:
    """One sentence says which field, row or square is wrong."""
    with pytest.raises(BadPosition) as refused:
        rules().parse(fen)
    assert part in str(refused.value)


@pytest.mark.parametrize(
    ("name", "fen", "part"),
    [
        ("callanish-9", "7/7/7/7/7/7/7 p1 1", "callanish-9 has 9 files and 9 ranks, this board has 7 and 7"),
        ("callanish-7", "7/7/7/3*3/7/7/7 p1 1", "callanish-7 has no hole on d4"),
        ("callanish-corners", "9/9/9/9/9/9/9/9/9 p1 1", "callanish-corners has a hole on a1"),
    ],
)
def test_a_named_board_refuses_another_size_and_other_holes(name: str, fen: str, part: str) -> None:
    """The sentence names the difference and the variant that takes every board."""
    with pytest.raises(BadPosition) as refused:
        rules(name).parse(fen)
    assert part in str(refused.value) and "the variant callanish" in str(refused.value)
