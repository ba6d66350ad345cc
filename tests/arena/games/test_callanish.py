"""Callanish, by cases worked out by hand. On 5x5 every line needs 3 squares."""

import pickle
import time

import pytest

from arena.games.callanish.kind import SHAPES as CALLANISH
from arena.games.callanish.rules import CallanishPosition, CallanishRules
from arena.games.rules import BadPosition, Outcome
from arena.games.variants import find

WHITE_LINE = Outcome("p1", "line")
BLACK_LINE = Outcome("p2", "line")


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


def texts(position: CallanishPosition) -> list[str]:
    return [move.text for move in position.legal_moves()]


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


def test_a_buried_stone_neither_moves_nor_lets_another_of_its_colour_on() -> None:
    """A square with a stone of the mover's is no target, be the stone exposed or buried."""
    position = rules().parse("7/7/7/3W3/7/2b1b2/7 p2 4")
    assert not [word for word in texts(position) if word.startswith("d4")]
    assert not [word for word in texts(position) if "d4" in word[2:]]
    assert position.find("c2a1d4") is None


def test_leaving_a_stack_uncovers_the_stone_below() -> None:
    """The stone below controls its square again, and its owner may move it."""
    position = after(rules().parse("7/7/7/3W3/7/7/b6 p1 4"), "d4b3b5")
    assert position.fen() == "7/7/1w5/3b3/1w5/7/b6 p2 4"
    assert position.find("d4c2e2") is not None


def test_targets_are_accepted_in_either_order_and_kept_in_one() -> None:
    """`b2d1a4` is `b2a4d1`: the same move, the same position."""
    position = rules("callanish-9").parse("9/9/9/9/9/9/9/1w5b1/9 p1 2")
    one, two = position.find("b2d1a4"), position.find("b2a4d1")
    assert one is not None and one == two
    assert one.text == "b2a4d1"
    assert position.find("b2a4a4") is None and position.find("b2a4d2") is None


def test_targets_are_ordered_by_rank_as_a_number() -> None:
    """On boards with ranks from 10 on, a9 comes before a11 in the canonical word, though not as text."""
    position = rules("callanish-11").parse("11/1w9/11/11/11/11/11/11/11/11/10b p1 2")
    move = position.find("b10d11d9")
    assert move is not None and move.text == "b10d9d11"
    assert texts(position) == sorted(texts(position))


def test_a_line_is_a_check_that_the_reply_may_break() -> None:
    """White holds three of rank 1; black goes on top of one of them and the game goes on."""
    check = after(rules().parse("5/5/3w1/2b2/ww3 p1 5"), "d3c5e1")
    assert check.outcome is None, "a line of one's own is not looked at when one's own turn ends"
    assert after(check, "c2a1e3").outcome is None


def test_a_line_that_stands_after_the_reply_wins() -> None:
    """White holds three of rank 1 and black plays elsewhere."""
    position = after(rules().parse("5/5/3w1/2b2/ww3 p1 5"), "d3c5e1", "c2a3e3")
    assert position.outcome == WHITE_LINE
    assert position.legal_moves() == [] and position.moves() == [] and position.find("e1c2d3") is None


def test_uncovering_an_enemy_line_loses_at_once() -> None:
    """White's stone leaves a1, so black holds a1, b1 and c1."""
    position = rules().parse("5/5/5/5/Wbb2 p1 5")
    assert position.outcome is None
    assert after(position, "a1b3c2").outcome == BLACK_LINE


def test_a_position_string_with_a_line_for_the_side_to_move_is_won() -> None:
    """The opponent's turn is over and the line stands; with the other side to move it is only a check."""
    assert rules().parse("5/5/3b1/5/www2 p1 5").outcome == WHITE_LINE
    assert rules().parse("5/5/3b1/5/www2 p2 5").outcome is None
    assert rules().parse("5/5/3w1/5/bbb2 p2 5").outcome == BLACK_LINE


def test_a_side_without_a_complete_turn_loses() -> None:
    """From the middle of 3x3 no square is a knight's move away."""
    assert rules().parse("b2/1w1/3 p1 2").outcome == Outcome("p2", "no-turn")
    assert rules().parse("w2/1b1/3 p2 2").outcome == Outcome("p1", "no-turn")


def test_one_target_is_no_turn() -> None:
    """White's a1 can go to c2 only and its b3 to d2 only; with d4 on the board b3 has a turn."""
    assert rules().parse("*1*2/3*1/1w3/5/w1*1b p1 2").outcome == Outcome("p2", "no-turn")
    assert texts(rules().parse("*1*2/5/1w3/5/w1*1b p1 2")) == ["b3d2d4"]


def test_a_reply_may_leave_a_side_without_a_complete_turn() -> None:
    """After black's turn white's b3 has d2 only and a1 has c2 only: white loses. With d4 on the board b3 has a turn."""
    stuck = after(rules().parse("*1*2/3*1/1w3/5/w1*1b p2 2"), "e1c2d3")
    assert stuck.outcome == Outcome("p2", "no-turn")
    free = after(rules().parse("*1*2/5/1w3/5/w1*1b p2 2"), "e1c2d3")
    assert free.outcome is None and texts(free) == ["b3d2d4"]


def test_the_line_is_looked_at_before_the_missing_turn() -> None:
    """White holds file b and has no turn: white has won."""
    assert rules().parse("*w*/*w*/b1* p1 4").outcome == WHITE_LINE


def test_no_vacant_square_for_the_first_stone_is_no_turn() -> None:
    """Black's first stone goes on a vacant square only."""
    assert rules().parse("w*w/***/w*w p2 1").outcome == Outcome("p1", "no-turn")


def test_a_line_needs_half_of_its_own_squares_rounded_up() -> None:
    """On the corners board the outermost lines need 3, lines b, h, 2 and 8 need 4, the others 5."""
    position = rules("callanish-corners").start()
    assert position.board.needs == (3, 4, 5, 5, 5, 5, 5, 4, 3) * 2
    assert len(position.moves()) == 69
    held = rules("callanish-corners").parse("**5**/*7*/w8/w8/w8/9/5b3/*7*/**5** p1 9")
    assert held.outcome == WHITE_LINE
    short = rules("callanish-corners").parse("**5**/*w6*/1w7/1w7/9/9/5b3/*7*/**5** p1 9")
    assert short.outcome is None, "three of file b, which needs four"


@pytest.mark.parametrize(("side", "need"), [(5, 3), (7, 4), (9, 5), (11, 6), (25, 13)])
def test_needs_of_square_boards(side: int, need: int) -> None:
    """Half of an odd side, rounded up."""
    assert set(rules(f"callanish-{side}").start().board.needs) == {need}


def test_the_largest_board_tells_a_held_line_from_one_that_lacks_a_square() -> None:
    """13 of the 25 squares of a rank win, 12 do not, and 25 do not spill into the next line."""
    empty = "/".join(["25"] * 23)
    for stones, wins in ((12, False), (13, True), (25, True)):
        gap = str(25 - stones) if stones < 25 else ""
        position = rules("callanish-25").parse(f"{empty}/12b12/{'w' * stones}{gap} p1 30")
        assert (position.outcome == WHITE_LINE) is wins
        assert not position.other_lines & position.board.full


def test_a_hole_in_the_middle_does_not_split_a_line() -> None:
    """Rank 1 has four squares either side of its hole and needs two, wherever they are."""
    assert rules().parse("5/5/3b1/5/w1*1w p1 3").outcome == WHITE_LINE


def test_a_side_at_the_end_of_its_supply_has_no_turn() -> None:
    """With a supply of 3, white has three stones after its third turn and loses when it must move again."""
    limited = find("callanish-9", "supply=3")
    assert limited.name == "callanish-9:supply=3"
    position = limited.start()
    assert isinstance(position, CallanishPosition)
    position = after(position, "e5", "a9", "e5c4g6", "a9b7c8", "c4a3d6")
    assert position.outcome is None
    position = after(position, "b7a5d8")
    assert position.outcome == Outcome("p2", "no-turn")
    assert position.legal_moves() == []


def test_side_and_turn_number_follow_the_plies() -> None:
    """The turn number grows after each turn of black."""
    position = rules("callanish-9").start()
    seen = []
    for word in ("e5", "b2", "e5c4d3"):
        position = after(position, word)
        seen.append((position.side, position.turn))
    assert seen == [("p2", 1), ("p1", 2), ("p2", 2)]


def test_positions_are_values() -> None:
    """Two ways to the same board meet in one value, which can be hashed, pickled and compared."""
    start = rules("callanish-9").start()
    one = after(start, "e5", "b2", "e5d3c4")
    two = after(start, "e5", "b2", "e5c4d3")
    assert one == two and hash(one) == hash(two) and len({one, two}) == 1
    assert pickle.loads(pickle.dumps(one)) == one
    assert rules().parse(one.fen()) == one
    assert start.outcome is None and start.own == 0


def test_the_largest_board_is_ready_at_once() -> None:
    """All 17 000 turns of a board never seen before are there in a fraction of a second."""
    began = time.process_time()
    position = rules().parse("/".join(["25"] * 24 + ["*24"]) + " p1 1")
    assert position.find("y25") is not None
    assert time.process_time() - began < 0.3


def test_a_board_is_made_once_for_each_shape() -> None:
    """A drawn 9x9 board shares the tables of callanish-9."""
    assert rules().parse("9/9/9/9/9/9/9/9/9 p1").board is rules("callanish-9").start().board


@pytest.mark.parametrize(
    ("word", "good"),
    [("e5", True), ("b2a4d1", True), ("y25", True), ("a10b12c11", True)]
    + [
        (word, False)
        for word in (
            "",
            "z1",
            "a0",
            "a26",
            "a01",
            "a1b2",
            "b2a4d1e3",
            "E5",
            "e5 ",
            "e5\n",
            "0000",
            "a\N{ARABIC-INDIC DIGIT ONE}",
        )
    ],
)
def test_the_grammar_is_one_square_or_three(word: str, good: bool) -> None:
    """Grammar asks for squares of the largest board, on this board or not."""
    assert rules("callanish-9").wellformed(word) is good


@pytest.mark.parametrize(
    ("fen", "part"),
    [
        ("8/8/8/8/8/8/8/8 p1 1", "8 files and 8 ranks"),
        ("5/5/5/5/5 p1 1", "7 or more"),
        ("7/7/7/7/7/7/1*5 p1 1", "even number of squares; the rules recommend odd: file b, rank 1"),
        ("7/7/7/7/7/7/*****2 p1 1", "one stone is enough to win these lines: rank 1"),
    ],
)
def test_boards_that_are_not_recommended_are_played_with_a_warning(fen: str, part: str) -> None:
    """The rules only recommend other boards, so these are played, with a warning."""
    position = rules().parse(fen)
    assert any(part in warning for warning in rules().warnings(position)), rules().warnings(position)


def test_named_boards_of_side_7_and_more_have_no_warning() -> None:
    """The boards that the rules give are the ones they recommend."""
    for name in CALLANISH:
        if name != "callanish-5":
            assert rules(name).warnings(rules(name).start()) == []


def test_where_one_stone_wins_a_line_it_wins_at_once() -> None:
    """Files of two squares need one: white's first stone has won as soon as black has replied."""
    position = after(rules().parse("3/3 p1 1"), "a1")
    assert position.outcome is None
    assert after(position, "c2").outcome == WHITE_LINE


@pytest.mark.parametrize(
    ("fen", "part"),
    [
        ("", "a position string is a board"),
        ("9/9", "a position string is a board"),
        ("5/5/5/5/5 p3 1", "p1 or p2, not 'p3'"),
        ("5/5/5/5/5 p1 0", "whole number from 1, not '0'"),
        ("5/5/5/5/5 p1 -1", "whole number from 1"),
        ("5/5/5/5/5 p1 1 2", "a position string is a board"),
        ("5/5/2x2/5/5 p1 1", "row 3 from the top (rank 3) has 'x' on c3"),
        ("5/5/4/5/5 p1 1", "row 3 from the top (rank 3) has 4 squares"),
        ("5/5//5/5 p1 1", "row 3 from the top (rank 3) has 0 squares"),
        ("5/5/05/5/5 p1 1", "run 05"),
        ("5/5/0/5/5 p1 1", "run 0;"),
        ("26/26 p1 1", "run 26"),
        ("99999999999999999999 p1 1", "a run is 1 to 25"),
        ("20w20 p1 1", "more than 25 squares"),
        ("/".join(["5"] * 26) + " p1 1", "26 rows"),
        ("*** p1 1", "fewer than 2 playable squares"),
        ("*1* p1 1", "fewer than 2 playable squares"),
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


def test_the_turn_number_may_be_left_out() -> None:
    """Then it is 1."""
    assert rules().parse("7/7/7/7/7/7/7 p2").fen() == "7/7/7/7/7/7/7 p2 1"


@pytest.mark.parametrize(
    "fen",
    [
        "25/25/25 p1 1",
        "12w12/*23*/3W1B2b2w5*7 p2 17",
        "**5**/*7*/9/4w4/4b4/9/9/*7*/**5** p1 3",
    ],
)
def test_a_canonical_position_string_comes_back_as_it_was(fen: str) -> None:
    """Reading and writing are each other's inverse."""
    assert rules().parse(fen).fen() == fen
