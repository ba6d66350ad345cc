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


def test_the_centre_is_hostile_only_where_the_variant_says_so_and_while_it_is_empty() -> None:
    """A defender on d3 and an attacker who comes to d2."""
    assert board(after("brandub-nielsen", "7/1k5/7/7/3d3/a6/7 p1 1", "a2d2")) == "7/1k5/7/7/7/3a3/7"
    assert board(after("brandub-nielsen", "7/7/7/3k3/3d3/a6/7 p1 1", "a2d2")) == "7/7/7/3k3/3d3/3a3/7"
    assert board(after("brandub", "7/1k5/7/7/3d3/a6/7 p1 1", "a2d2")) == "7/1k5/7/7/3d3/3a3/7"


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


def test_four_attackers_capture_the_king_of_the_sea_battle_and_three_do_not() -> None:
    """Two opposite ones neither, and a defender is no fourth."""
    assert after("sea-battle-9", "9/9/9/4a4/3aka3/9/9/9/4a4 p1 1", "e1e4").outcome == CAPTURED
    assert after("sea-battle-9", "9/9/9/9/3aka3/9/9/9/4a4 p1 1", "e1e4").outcome is None
    assert after("sea-battle-9", "9/9/9/4d4/3aka3/9/9/9/4a4 p1 1", "e1e4").outcome is None


@pytest.mark.parametrize(
    ("fen", "word"),
    [("7/7/1ak3a/7/7/7/7 p1 1", "g5d5"), ("7/7/a6/k6/7/a6/7 p1 1", "a2a3"), ("7/7/7/7/4a2/k6/7 p1 1", "e3a3")],
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
