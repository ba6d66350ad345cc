"""OpenTafl's notation says the same as our words."""

import pytest

from arena.games.tafl import otn as notation
from arena.games.tafl.otn import NoCounterpart
from arena.games.tafl.rules import TaflRules
from arena.games.tafl.variants import TAFL
from arena.games.variants import find, resolve

CROSS = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
CHANGED = [
    "scottish:king_captured_by=four,repetition=loses,men_steps=2",
    "brandub:corner_stop=any,corner_hostile=no,king_steps=3",
    "brandub-nielsen:king_armed=no",
    "tawlbwrdd:escape=corner,centre_hostile=yes",
    "scottish:centre_pass=king",
    "brandub:centre_pass=nobody,centre_stop=nobody,centre_hostile=always",
    "copenhagen:shieldwall=yes,repetition=loses",
    "sea-battle-9:king_captured_by=all-sides,encirclement=wins",
]
S1 = "/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/"
LINNAEUS = "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"


def tafl(name: str) -> TaflRules:
    rules = find(name)
    assert isinstance(rules, TaflRules)
    return rules


@pytest.mark.parametrize("name", [*CHANGED, "ard-ri", "tablut-saami", "copenhagen"])
def test_a_rules_record_reads_back_as_the_same_rules(name: str) -> None:
    """Each variant, and each with changed rule options, is told without loss.

    Only a third occurrence that loses for p2 is told as one that loses for whoever completes it, as OpenTafl plays it.
    """
    rules = tafl(name)
    told = notation.read_rules(notation.rules_record(rules, rules.start().fen()))
    again, start = resolve(told.variant, told.rules, told.fen)
    assert isinstance(again, TaflRules)
    expected = {"repetition": "loses"} if rules.options.repetition == "p2-loses" else {}
    assert again.options == rules.options.changed(expected)
    assert start.fen() == rules.start().fen()


@pytest.mark.parametrize(
    ("record", "variant"),
    [
        (f"dim:7 ks:n surf:n cenhe: cenh: start:{CROSS}", "brandub"),
        (f"dim:9 esc:e ka:n nj:n cj:n cor: cen: start:{LINNAEUS}", "sea-battle-9:encirclement=wins"),
        (f"dim:9 esc:e ks:c cor: linc:y start:{LINNAEUS}", "tablut-saami:repetition=draw"),
        (f"dim:11 name:Computer_Fetlar tfr:w start:{S1}", "computer-fetlar"),
        (f"dim:11 tfr:w sw:s efe:y start:{S1}", "copenhagen:repetition=loses"),
        (f"dim:11 sw:w efe:y starti:{S1}", "copenhagen:repetition=draw,shieldwall=yes"),
        (f"dim:11 cenre:TK cens:K cenp:K start:{S1}", "fetlar:centre_pass=king"),
        (f"dim:11 cenre: corre:tTK start:{S1}", "fetlar:centre_stop=nobody,centre_pass=nobody"),
        (f"dim:11 tfr:l sww:y start:{S1}", "fetlar"),
        (f"dim:11 ka:n cenh:t start:{S1}", "fetlar:king_armed=no"),
    ],
)
def test_the_rules_of_opentafls_games_are_read(record: str, variant: str) -> None:
    """Each as the variant that is nearest; what our rules lack and leaves the moves as they are is passed over."""
    told = notation.read_rules(record)
    again, start = resolve(told.variant, told.rules, told.fen)
    expected = resolve(variant)[0]
    assert isinstance(again, TaflRules) and isinstance(expected, TaflRules)
    assert again.options == expected.options
    assert start.fen() == expected.start().fen()


def test_all_variants_but_that_with_camps_can_be_told() -> None:
    assert [name for name in TAFL if not notation.can_tell(TAFL[name].options)] == ["tablut-ashton"]


def test_the_nearest_of_an_engines_variants_is_taken() -> None:
    """An engine may play just one, with changed options; another size than its own is refused by what it has."""
    told = notation.read_rules(f"dim:11 start:{S1}", ("scottish", "tawlbwrdd"))
    assert told.variant == "tawlbwrdd" and "escape=corner" in told.rules
    with pytest.raises(NoCounterpart, match="11 squares a side; known are 7, 9"):
        notation.read_rules(f"dim:11 start:{S1}", ("scottish", "sea-battle-9"))


def test_a_board_is_read_from_its_first_rank_up() -> None:
    """The record begins with a1, the position string with the top rank; an inverted record is as ours."""
    board = "a6/7/3d3/3k3/7/7/5aa"
    assert notation.position_record(board) == "/5tt/7/7/3K3/3T3/7/t6/"
    assert notation.read_board("/5tt/7/7/3K3/3T3/7/t6/") == board
    assert notation.read_board("/t6/7/3T3/3K3/7/7/5tt/", inverted=True) == board


@pytest.mark.parametrize("record", ["d1-d3", "d1-d3xd4", "td1-d3xTd4/e3+", "Kd1-d3--", "d1-d3xx"])
def test_a_move_is_read_with_whatever_it_tells_of_captures(record: str) -> None:
    """A full move record says the same as a simple one."""
    assert notation.read_move(record) == "d1d3"
    assert notation.move_record("d1d3") == "d1-d3"
    assert notation.move_record("a10k11") == "a10-k11"


def test_rules_that_our_engines_cannot_play_are_refused() -> None:
    """What would make moves illegal is refused in a sentence that names it."""
    words = "ber:c ks:x ka:h kj:r afor:d1 cenp:T cors: cor: cor:a1, cen:b2, spd:1,2 spd:x".split()
    strange = [*(f"dim:7 {word} start:{CROSS}" for word in words), "start:/3t3/", "dim:13 start:/13/"]
    for record in (*strange, f"dim:9 start:{CROSS}", f"dim:7 start:{CROSS.replace('3t3', '3c3')}"):
        with pytest.raises(NoCounterpart):
            pytest.fail(f"{record} is {notation.read_rules(record)}")
