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


def texts(position: TaflPosition, start: str = "") -> list[str]:
    return [move.text for move in position.legal_moves() if move.text.startswith(start)]


# Captures of men


def test_a_man_between_two_enemies_is_captured_by_the_move() -> None:
    """The attacker that comes to e3 takes the defender on d3 with the one on c3."""
    position = after("scottish", "7/1k5/4a2/7/2ad3/7/7 p1 1", "e5e3")
    assert position.fen() == "7/1k5/7/7/2a1a2/7/7 p2 1"


def test_moving_in_between_two_enemies_is_safe() -> None:
    """A defender goes over the empty centre to stand between two attackers and stays."""
    assert board(after("scottish", "7/1k1d3/7/7/2a1a2/7/7 p2 1", "d6d3")) == "7/1k5/7/7/2ada2/7/7"


def test_one_move_may_capture_several() -> None:
    """Three defenders are each shut in by the attacker that comes to d3."""
    position = after("scottish", "7/1k1a3/7/7/1ad1da1/3d3/3a3 p1 1", "d6d3")
    assert board(position) == "7/1k5/7/7/1a1a1a1/7/3a3"


def test_diagonals_and_edges_do_not_capture() -> None:
    """A man on the edge has nothing beyond it, and a corner neighbour is no neighbour."""
    assert board(after("scottish", "7/7/7/7/a6/1k5/d6 p1 1", "a3a2")) == "7/7/7/7/7/ak5/d6"


@pytest.mark.parametrize(("name", "captures"), [("scottish", False), ("scottish-armed", True)])
def test_only_an_armed_king_is_the_other_side_of_a_capture(name: str, captures: bool) -> None:
    """A defender comes to c5, the attacker stands on c4, the king on c3."""
    position = after(name, "7/7/6d/2a4/2k4/7/7 p2 1", "g5c5")
    assert board(position) == ("7/7/2d4/7/2k4/7/7" if captures else "7/7/2d4/2a4/2k4/7/7")


@pytest.mark.parametrize(("name", "captures"), [("scottish", False), ("scottish-armed", True)])
def test_only_an_armed_king_captures_by_moving(name: str, captures: bool) -> None:
    """The king comes to c3, the attacker stands on c4, a defender on c5."""
    position = after(name, "7/7/2d4/2a4/5k1/7/7 p2 1", "f3c3")
    assert board(position) == ("7/7/2d4/7/2k4/7/7" if captures else "7/7/2d4/2a4/2k4/7/7")


@pytest.mark.parametrize(("name", "captures"), [("scottish", False), ("brandub", True)])
def test_a_hostile_corner_takes_part_in_captures_of_both_sides(name: str, captures: bool) -> None:
    """A man on b1 with an enemy who comes to c1; brandub's corners are hostile, those of scottish are squares."""
    king = "7/3k3/7/7/"
    attackers = after(name, f"{king}2a4/7/1d5 p1 1", "c3c1")
    assert board(attackers) == (f"{king}7/7/2a4" if captures else f"{king}7/7/1da4")
    defenders = after(name, f"{king}2d4/7/1a5 p2 1", "c3c1")
    assert board(defenders) == (f"{king}7/7/2d4" if captures else f"{king}7/7/1ad4")


def test_a_hostile_corner_is_hostile_whoever_stands_on_it() -> None:
    """Only the centre has to be empty to be hostile."""
    position = after("brandub:corner_stop=any", "7/3k3/7/7/2a4/7/dd5 p1 1", "c3c1")
    assert board(position) == "7/3k3/7/7/7/7/d1a4"


def test_the_centre_is_hostile_only_where_the_variant_says_so_and_while_it_is_empty() -> None:
    """A defender on d3 and an attacker who comes to d2."""
    assert board(after("brandub-nielsen", "7/1k5/7/7/3d3/a6/7 p1 1", "a2d2")) == "7/1k5/7/7/7/3a3/7"
    assert board(after("brandub-nielsen", "7/7/7/3k3/3d3/a6/7 p1 1", "a2d2")) == "7/7/7/3k3/3d3/3a3/7"
    assert board(after("brandub", "7/1k5/7/7/3d3/a6/7 p1 1", "a2d2")) == "7/1k5/7/7/3d3/3a3/7"


def test_the_empty_centre_is_hostile_to_attackers_too() -> None:
    """A defender who comes to d2 takes the attacker on d3."""
    assert board(after("brandub-nielsen", "7/1k5/7/7/3a3/d6/7 p2 1", "a2d2")) == "7/1k5/7/7/7/3d3/7"


# The king's end


@pytest.mark.parametrize("name", ["scottish", "brandub", "ard-ri-two", "tawlbwrdd"])
def test_two_attackers_capture_the_king_wherever_he_stands(name: str) -> None:
    """Also in the centre; the king is off the board then and the game over."""
    size = rules(name).size
    middle, gap = size // 2, str(size // 2 - 1)
    rows = [str(size)] * size
    rows[middle] = f"{gap}ak1a{int(gap) - 1 or ''}"
    position = after(name, f"{'/'.join(rows)} p1 1", *_towards_king(size))
    rows[middle] = f"{gap}a1a{gap}"
    assert position.fen() == f"{'/'.join(rows)} p2 1"
    assert position.outcome == CAPTURED
    assert position.legal_moves() == [] and position.moves() == []


def _towards_king(size: int) -> tuple[str]:
    rank = size // 2 + 1
    files = "abcdefghijk"
    return (f"{files[size // 2 + 2]}{rank}{files[size // 2 + 1]}{rank}",)


def test_the_king_may_step_between_two_attackers() -> None:
    """Only a move of the attackers captures him."""
    assert after("scottish", "7/7/7/2k4/7/1a1a3/7 p2 1", "c4c2").outcome is None


def test_an_attacker_who_comes_beside_the_king_must_be_one_of_the_two() -> None:
    """Attackers already on both sides do not capture when a third comes above."""
    assert after("scottish", "7/2a4/7/7/1aka3/7/7 p1 1", "c6c4").outcome is None


def test_four_attackers_capture_the_king_of_the_sea_battle_and_three_do_not() -> None:
    """Two opposite ones neither, and a defender is no fourth."""
    assert after("sea-battle-9", "9/9/9/4a4/3aka3/9/9/9/4a4 p1 1", "e1e4").outcome == CAPTURED
    assert after("sea-battle-9", "9/9/9/9/3aka3/9/9/9/4a4 p1 1", "e1e4").outcome is None
    assert after("sea-battle-9", "9/9/9/4d4/3aka3/9/9/9/4a4 p1 1", "e1e4").outcome is None


def test_four_means_that_one_of_them_has_just_moved() -> None:
    """A king drawn among four attackers is not taken by a move elsewhere."""
    assert after("sea-battle-9", "9/9/9/4a4/3aka3/4a4/9/9/a6d1 p1 1", "a1a2").outcome is None


def test_a_king_on_the_edge_cannot_be_taken_by_four() -> None:
    """He has no four neighbours."""
    held = after("ard-ri:escape=corner", "7/7/a6/k1a4/a6/7/3d3 p1 1", "c4b4")
    assert held.outcome is None
    assert texts(held) == ["d1c1", "d1d2", "d1e1"]


def test_the_hostile_empty_centre_is_one_of_the_four() -> None:
    """Beside the centre three attackers suffice where the centre is hostile, and only while it is empty."""
    three = "7/a6/2aka2/7/7/7/7 p1 1"
    assert after("ard-ri:centre_hostile=yes,men_steps=any", three, "a6d6").outcome == CAPTURED
    assert after("ard-ri:men_steps=any", three, "a6d6").outcome is None
    filled = "7/a6/2aka2/3d3/7/7/7 p1 1"
    assert after("ard-ri:centre_hostile=yes,men_steps=any", filled, "a6d6").outcome is None


def test_four_three_two_asks_for_four_in_the_centre() -> None:
    """Three are not enough, four are."""
    assert after("brandub-nielsen", "7/a6/3a3/2aka2/7/3a3/7 p1 1", "d2d3").outcome == CAPTURED
    assert after("brandub-nielsen", "7/7/7/2aka2/7/3a3/7 p1 1", "d2d3").outcome is None


def test_four_three_two_asks_for_three_beside_the_empty_centre() -> None:
    """Two opposite ones are not enough there, whichever side the third comes from."""
    assert after("brandub-nielsen", "7/a6/2aka2/7/7/7/7 p1 1", "a6d6").outcome == CAPTURED
    assert after("brandub-nielsen", "7/3a3/2ak2a/7/7/7/7 p1 1", "g5e5").outcome == CAPTURED
    assert after("brandub-nielsen", "7/7/2ak2a/7/7/7/7 p1 1", "g5e5").outcome is None


def test_four_three_two_counts_the_empty_centre_even_where_it_is_not_hostile() -> None:
    """Only as the fourth side, and a defender on the centre saves the king."""
    soft = "brandub-nielsen:centre_hostile=no,centre_stop=any"
    assert after(soft, "7/a6/2aka2/7/7/7/7 p1 1", "a6d6").outcome == CAPTURED
    assert after(soft, "7/a6/2aka2/3d3/7/7/7 p1 1", "a6d6").outcome is None


@pytest.mark.parametrize(
    ("fen", "word"),
    [
        ("7/7/1ak3a/7/7/7/7 p1 1", "g5d5"),
        ("7/7/a6/k6/7/a6/7 p1 1", "a2a3"),
        ("7/7/7/7/4a2/k6/7 p1 1", "e3a3"),
    ],
)
def test_four_three_two_asks_for_two_elsewhere(fen: str, word: str) -> None:
    """In the open, on the edge, and with a hostile corner as the second."""
    assert after("brandub-nielsen", fen, word).outcome == CAPTURED


def test_the_king_escapes_to_the_edge_or_to_a_corner_as_the_variant_says() -> None:
    """Scottish asks for any edge square, corners included, brandub for a corner."""
    assert after("scottish", "7/7/7/7/2k4/7/3a3 p2 1", "c3a3").outcome == ESCAPED
    edge = after("brandub", "7/7/7/7/2k4/7/3a3 p2 1", "c3a3")
    assert edge.outcome is None
    assert after("brandub", "7/7/7/7/k6/7/3a3 p2 1", "a3a1").outcome == ESCAPED
    assert after("tawlbwrdd", "11/11/11/11/11/4k6/11/11/11/11/3a7 p2 1", "e6e11").outcome == ESCAPED


# Moves


def test_nobody_jumps_and_nobody_lands_on_another() -> None:
    """The start of scottish: 48 moves, none of them through a man."""
    start = rules("scottish").start()
    assert len(start.legal_moves()) == 48
    assert start.find("d1d3") is None and start.find("d1d4") is None and start.find("a4c4") is None
    assert start.find("d3c3") is None, "a defender's move, and the attackers are to move"


def test_men_pass_over_the_empty_centre_and_rest_on_it_only_if_anyone_may() -> None:
    """By `centre_stop`: king, any, nobody."""
    fen = "7/3a3/7/7/7/1k5/7 p1 1"
    for name, rests in (("scottish", False), ("scottish:centre_stop=any", True), ("brandub-nielsen", False)):
        position = rules(name).parse(fen)
        assert (position.find("d6d4") is not None) is rests
        assert position.find("d6d3") is not None


def test_nobody_passes_over_an_occupied_centre() -> None:
    """The king in the centre is in the way as any other piece."""
    assert rules("scottish").parse("7/3a3/7/3k3/7/7/7 p1 1").find("d6d3") is None


@pytest.mark.parametrize(("stop", "rests"), [("king", True), ("any", True), ("nobody", False)])
def test_the_king_returns_to_the_centre_unless_nobody_may_rest_there(stop: str, rests: bool) -> None:
    """With `nobody` he may leave it and pass over it."""
    position = rules(f"scottish:centre_stop={stop}").parse("7/7/3k3/7/7/7/a6 p2 1")
    assert (position.find("d5d4") is not None) is rests
    assert position.find("d5d3") is not None
    assert rules(f"scottish:centre_stop={stop}").parse("7/7/7/3k3/7/7/a6 p2 1").find("d4d5") is not None


def test_men_rest_on_corners_only_where_anyone_may() -> None:
    """In scottish corners are squares, in brandub they are the king's."""
    fen = "7/7/7/3k3/7/7/3a3 p1 1"
    assert rules("scottish").parse(fen).find("d1a1") is not None
    assert rules("brandub").parse(fen).find("d1a1") is None
    assert rules("brandub").parse(fen).find("d1b1") is not None


@pytest.mark.parametrize(("name", "reach"), [("scottish-king1", 1), ("scottish-king2", 2), ("scottish-king3", 3)])
def test_the_king_goes_no_further_than_his_steps(name: str, reach: int) -> None:
    """His men go any distance."""
    position = rules(name).parse("7/7/7/3k3/7/7/d5a p2 1")
    assert texts(position, "d4") == sorted(
        f"d4{square}"
        for n in range(1, reach + 1)
        for square in (f"d{4 + n}", f"d{4 - n}", "defg"[n] + "4", "dcba"[n] + "4")
    )
    assert len(texts(position, "a1")) == 6 + 5


def test_men_go_no_further_than_their_steps() -> None:
    """In ard-ri everybody makes single steps, and nobody steps over the centre."""
    assert texts(rules("ard-ri").start(), "c1") == ["c1b1", "c1c2"]
    assert texts(rules("ard-ri:men_steps=2").parse("7/7/3a3/7/7/1k5/7 p1 1"), "d5") == sorted(
        ["d5d6", "d5d7", "d5d3", "d5c5", "d5b5", "d5e5", "d5f5"]
    )


def test_the_larger_boards_start_as_drawn() -> None:
    """Numbers of men and of first moves, counted on the drawings."""
    tawlbwrdd, sea = rules("tawlbwrdd").start(), rules("sea-battle-9").start()
    assert (board(tawlbwrdd).count("a"), board(tawlbwrdd).count("d")) == (24, 12)
    assert (board(sea).count("a"), board(sea).count("d")) == (16, 8)
    # On each side of the sea: two outer men with six moves, the one behind them with none, the one before with eight.
    assert texts(sea, "a4") == ["a4a1", "a4a2", "a4a3", "a4b4", "a4c4", "a4d4"]
    assert texts(sea, "a5") == []
    assert len(texts(sea, "b5")) == 8
    assert len(sea.legal_moves()) == 4 * (6 + 0 + 6 + 8)


def test_anyone_rests_on_the_centre_of_the_larger_boards() -> None:
    """`centre_stop=any`, and the king may be unarmed (sea battle) or armed (tawlbwrdd)."""
    assert rules("sea-battle-9").parse("9/9/9/9/a8/1k7/9/9/9 p1 1").find("a5e5") is not None
    assert rules("tawlbwrdd").parse("11/11/11/11/11/a10/1k9/11/11/11/11 p1 1").find("a6f6") is not None
    assert board(after("sea-battle-9", "9/9/2d6/2a6/5k3/9/9/9/9 p2 1", "f5c5")) == "9/9/2d6/2a6/2k6/9/9/9/9"


# No move


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


def test_the_empty_centre_beside_the_last_man_is_no_move_for_him() -> None:
    """A defender comes to d3 and shuts the way over the centre; where men may rest on it the attacker has a move."""
    fen = "7/3d3/2dad2/7/7/1k1d3/7 p2 1"
    assert after("scottish", fen, "d2d3").outcome == Outcome("p2", "no-move")
    assert texts(after("scottish:centre_stop=any", fen, "d2d3")) == ["d5d4"]


def test_a_man_whose_only_way_is_over_the_centre_has_a_move() -> None:
    """Unless his steps do not carry him across."""
    fen = "7/3d3/2dad2/7/7/1k5/7 p1 1"
    assert texts(rules("scottish").parse(fen)) == ["d5d1", "d5d2", "d5d3"]
    assert rules("scottish:men_steps=1").parse(fen).outcome == Outcome("p2", "no-move")


# Positions as text and as values


def test_positions_are_values() -> None:
    """Equal boards are equal values, which can be hashed and pickled."""
    one = after("scottish", rules("scottish").start().fen(), "d1c1", "d3c3")
    two = rules("scottish").parse(one.fen())
    assert one == two and hash(one) == hash(two)
    assert pickle.loads(pickle.dumps(one)) == one
    assert one.key != one.play(one.legal_moves()[0]).key


def test_the_key_leaves_out_the_turn_number_and_keeps_the_side() -> None:
    """A position occurs again however late, but not with the other side to move."""
    scottish = rules("scottish")
    cross = scottish.start().fen().split()[0]
    assert scottish.parse(f"{cross} p1 1").key == scottish.parse(f"{cross} p1 9").key
    assert scottish.parse(f"{cross} p1 1").key != scottish.parse(f"{cross} p2 1").key


@pytest.mark.parametrize(
    ("name", "fen", "part"),
    [
        ("scottish", "7/7/7/7/7/7/7 p1 1", "no king"),
        ("scottish", "7/7/2k4/2k4/7/7/7 p1 1", "2 kings (c5, c4)"),
        ("scottish", "7/7/7/k6/7/7/7 p1 1", "the king on a4 has already escaped"),
        ("brandub", "7/7/7/7/7/7/6k p1 1", "the king on g1 has already escaped"),
        ("scottish", "9/9/9/9/4k4/9/9/9/9 p1 1", "scottish has 7 files and 7 ranks, this board has 9 and 9"),
        ("scottish", "8/8/8/3k4/8/8/8 p1 1", "this board has 8 and 7"),
        ("scottish", "7/7/7/3k3/7/7/*6 p1 1", "'*' on a1"),
        ("scottish", "7/7/7/3K3/7/7/7 p1 1", "'K' on d4"),
    ],
)
def test_a_bad_position_string_is_refused_with_the_place_named(name: str, fen: str, part: str) -> None:
    """Exactly one king, not yet free, on the variant's own board."""
    with pytest.raises(BadPosition) as refused:
        rules(name).parse(fen)
    assert part in str(refused.value)


def test_a_king_on_the_edge_is_fine_where_the_corner_is_his_goal() -> None:
    """And the string comes back as it was."""
    fen = "7/7/7/k6/7/7/aaaaaaa p1 12"
    assert rules("brandub").parse(fen).fen() == fen
    assert rules("brandub").warnings(rules("brandub").parse(fen)) == []


@pytest.mark.parametrize(
    ("word", "good"),
    [
        ("d1d3", True),
        ("a10a11", True),
        ("a1b25", True),
        ("d1", False),
        ("d1d3d4", False),
        ("d1-d3", False),
        ("D1D3", False),
    ],
)
def test_the_grammar_is_two_squares(word: str, good: bool) -> None:
    """Squares of the largest board, on this board or not."""
    assert rules("scottish").wellformed(word) is good
