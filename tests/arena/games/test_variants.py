"""Variants by name, with and without changed rule options."""

import pytest

from arena.games.rules import UnknownVariant
from arena.games.tafl.variants import TAFL
from arena.games.variants import find, names, resolve

KING_FIRST = {"tawlbwrdd-bell", "tawlbwrdd-lewis", "sea-battle-11", "tablut-ashton"}
"""The variants in which the king's side moves first."""


def test_every_variant_is_found_by_its_name_and_starts_unfinished() -> None:
    """The name comes back, there are no rule options to send, and its start string reads as its start."""
    for name in names():
        rules = find(name)
        assert (rules.name, rules.base, rules.changed_options) == (name, name, "")
        start = rules.start()
        assert start.outcome is None and (start.side, start.turn) == ("p2" if name in KING_FIRST else "p1", 1)
        assert rules.parse(start.fen()) == start


def test_changed_rule_options_are_part_of_the_name_in_one_order() -> None:
    """However they are written, the name is the same, and finds the same rules."""
    for options in ("king_steps=2 king_armed=yes", " king_steps=2 , king_armed=yes"):
        rules = find("scottish", options)
        assert (rules.base, rules.name) == ("scottish", "scottish:king_armed=yes,king_steps=2")
        assert rules.changed_options == "king_armed=yes king_steps=2"
        assert find(rules.name) == rules == find(rules.base, rules.changed_options)


def test_rule_options_in_the_name_and_beside_it_add_up() -> None:
    """And contradict each other only where they differ."""
    assert find("scottish:king_armed=yes", "king_steps=2").name == "scottish:king_armed=yes,king_steps=2"
    assert find("scottish:king_armed=yes", "king_armed=yes").name == "scottish:king_armed=yes"
    with pytest.raises(UnknownVariant, match="given twice"):
        find("scottish:king_armed=yes", "king_armed=no")


def test_the_variants_are_those_that_are_published() -> None:
    """Callanish on odd boards from 5 to 25 and with corners; and of each kind of tafl what differs from scottish."""
    brandub = "escape=corner king_armed=yes corner_stop=king corner_hostile=yes"
    sea_battle = "king_captured_by=four centre_stop=any"
    federation = "encirclement=wins repetition=p2-loses"
    saami = f"{federation} king_armed=yes king_captured_by=four-three-two centre_hostile=yes"
    fetlar = f"{brandub} king_captured_by=four centre_hostile=yes encirclement=wins"
    published = {
        "scottish": "",
        "scottish-armed": "king_armed=yes",
        "scottish-king1": "king_armed=yes king_steps=1",
        "scottish-king2": "king_armed=yes king_steps=2",
        "scottish-king3": "king_armed=yes king_steps=3",
        "brandub": brandub,
        "brandub-nielsen": f"{brandub} king_captured_by=four-three-two centre_stop=nobody centre_hostile=yes",
        "ard-ri": "men_steps=1 king_steps=1 king_armed=yes king_captured_by=four",
        "ard-ri-two": "men_steps=1 king_steps=1 king_armed=yes",
        "tawlbwrdd": "king_armed=yes centre_stop=any",
        "sea-battle-9": sea_battle,
        **dict.fromkeys(("tawlbwrdd-bell", "tawlbwrdd-lewis", "tablut-saami"), saami),
        **dict.fromkeys(("sea-battle-9-wtf", "sea-battle-11"), f"{sea_battle} {federation}"),
        "tablut-ashton": "king_armed=yes king_captured_by=four-three-two camps=yes occurrences=2 "
        "centre_pass=nobody centre_stop=nobody centre_hostile=always",
        "fetlar": fetlar,
        "computer-fetlar": f"{fetlar} repetition=loses",
        "copenhagen": f"{fetlar} shieldwall=corner fort=wins repetition=p2-loses",
    }
    callanish = {"callanish", "callanish-corners", *(f"callanish-{side}" for side in range(5, 26, 2))}
    assert set(names()) == callanish | published.keys()
    scottish = set(TAFL["scottish"].options.items())
    for name, differing in published.items():
        found = {f"{option}={value}" for option, value in set(TAFL[name].options.items()) - scottish}
        assert found == set(differing.split()), name


@pytest.mark.parametrize(
    ("name", "options", "part"),
    [
        ("callanish-8", "", "no variant 'callanish-8'; did you mean callanish-"),
        ("callanish-09", "", "no variant 'callanish-09'; did you mean callanish-9"),
        ("scotish", "", "did you mean scottish"),
        ("", "", "no variant ''; there are callanish,"),
        ("scottish", "king_amed=yes", "no rule option 'king_amed'; did you mean king_armed"),
        ("scottish", "king_armed=maybe", "king_armed is yes or no"),
        ("scottish", "king_steps=0", "any or a number from 1 to 24"),
        ("scottish", "king_armed", "write option=value"),
        ("scottish", "fort=wins", "fort=wins with escape=edge leaves the king no fort"),
        ("brandub", "camps=yes", "camps=yes wants a board of 9 ranks or more, and this one has 7"),
        ("callanish-9", "king_armed=yes", "callanish-9 has no rule option 'king_armed'; it has supply"),
        ("callanish-9", "supply=0", "supply=0 of callanish-9 is not a number of stones"),
    ],
)
def test_what_is_unknown_is_refused_with_something_near(name: str, options: str, part: str) -> None:
    """One sentence names what is unknown and what there is."""
    with pytest.raises(UnknownVariant) as refused:
        find(name, options)
    assert part in str(refused.value)


def test_callanish_without_a_position_string_is_callanish_9() -> None:
    """In name as on the board, rule options kept; with a string it is the variant of every board."""
    rules, start = resolve("callanish")
    assert (rules.name, start) == ("callanish-9", find("callanish-9").start())
    assert find("callanish").start() == start
    assert resolve("callanish", "supply=20")[0].name == "callanish-9:supply=20"
    drawn, position = resolve("callanish", fen="5/5/2*2/5/5 p2")
    assert drawn.name == "callanish" and position.fen() == "5/5/2*2/5/5 p2 1"
    assert resolve("brandub", "escape=edge")[0].name == "brandub:escape=edge"
