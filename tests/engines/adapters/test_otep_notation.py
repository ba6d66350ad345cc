"""OpenTafl's notation says the same as our words."""

import pytest

from arena.games.tafl import TaflRules
from arena.games.tafl_variants import TAFL
from arena.games.variants import find, resolve
from engines.adapters import otep_notation as notation
from engines.adapters.otep_notation import NoCounterpart

CROSS = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
CHANGED = [
    "scottish:king_captured_by=four,repetition=loses,men_steps=2",
    "brandub:corner_stop=any,corner_hostile=no,king_steps=3",
    "brandub-nielsen:king_armed=no",
    "tawlbwrdd:escape=corner,centre_hostile=yes",
]


def tafl(name: str) -> TaflRules:
    rules = find(name)
    assert isinstance(rules, TaflRules)
    return rules


@pytest.mark.parametrize("name", [*TAFL, *CHANGED])
def test_a_rules_record_reads_back_as_the_same_rules(name: str) -> None:
    """Each variant, and each with changed rule options, is told to an OTEP engine without loss."""
    rules = tafl(name)
    told = notation.read_rules(notation.rules_record(rules, rules.start().fen()))
    again, start = resolve(told.variant, told.rules, told.fen)
    assert isinstance(again, TaflRules)
    assert again.options == rules.options
    assert start.fen() == rules.start().fen()


def test_a_position_in_which_the_defenders_move_first_is_told() -> None:
    """The side to move of a position string is a rule of the game there."""
    fen = "7/2a4/3d3/2ak3/3d3/3a3/7 p2 1"
    told = notation.read_rules(notation.rules_record(tafl("scottish"), fen))
    assert told.fen == fen


def test_the_records_of_opentafls_own_games_are_read() -> None:
    """Brandub and the sea battle as OpenTafl's specification has them."""
    brandub = notation.read_rules(f"dim:7 ks:n cenhe: cenh: start:{CROSS}")
    again, _ = resolve(brandub.variant, brandub.rules, brandub.fen)
    assert isinstance(again, TaflRules) and again.options == tafl("brandub").options
    battle = "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
    sea = notation.read_rules(f"dim:9 esc:e ka:n cen: cenhe: cor: start:{battle}")
    again, start = resolve(sea.variant, sea.rules, sea.fen)
    assert isinstance(again, TaflRules)
    assert (again.options.king_captured_by, again.options.centre_stop, again.options.king_armed) == (
        "four",
        "any",
        "no",
    )
    assert start.fen() == tafl("sea-battle-9").start().fen()


def test_a_board_is_read_from_its_first_rank_up() -> None:
    """The record begins with a1, the position string with the top rank; an inverted record is as ours."""
    board = "a6/7/3d3/3k3/7/7/5aa"
    assert notation.position_record(board) == "/5tt/7/7/3K3/3T3/7/t6/"
    assert notation.read_board("/5tt/7/7/3K3/3T3/7/t6/") == board
    assert notation.read_board("/t6/7/3T3/3K3/7/7/5tt/", inverted=True) == board


@pytest.mark.parametrize("record", ["d1-d3", "d1-d3xd4", "td1-d3xd4/e3+", "Kd1-d3--"])
def test_a_move_is_read_with_whatever_it_tells_of_captures(record: str) -> None:
    """A full move record says the same as a simple one."""
    assert notation.read_move(record) == "d1d3"
    assert notation.move_record("d1d3") == "d1-d3"
    assert notation.move_record("a10k11") == "a10-k11"


@pytest.mark.parametrize(
    "record",
    [
        "start:/3t3/",
        f"dim:7 ber:c start:{CROSS}",
        f"dim:7 ks:m start:{CROSS}",
        f"dim:7 afor:d1 start:{CROSS}",
        f"dim:7 cenp:K start:{CROSS}",
        f"dim:7 spd:1,2 start:{CROSS}",
        f"dim:7 spd:x start:{CROSS}",
        "dim:13 start:/13/",
        f"dim:7 start:{CROSS.replace('3t3', '3c3')}",
    ],
)
def test_rules_that_our_engines_cannot_play_are_refused(record: str) -> None:
    """What would make moves illegal is refused in a sentence that names it."""
    with pytest.raises(NoCounterpart):
        notation.read_rules(record)


@pytest.mark.parametrize("record", ["", "d1d3", "d1^d3", "resign"])
def test_a_word_that_is_no_move_is_refused(record: str) -> None:
    """Jumps are no moves of ours."""
    with pytest.raises(NoCounterpart):
        notation.read_move(record)
