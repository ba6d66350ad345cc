"""Whole and short names of variants."""

from results.variant_name import namesake, shown, whole_name

LOCHS = "callanish:name=two-lochs,board=5/5/5"
OTHER = "callanish:name=two-lochs,board=5/2*2/5"
KNOWN = "scottish:king_armed=yes,king_steps=2"


def test_people_see_the_short_name_of_a_variant_of_their_own() -> None:
    """Any other variant is shown as it is stored."""
    assert shown(LOCHS) == "two-lochs"
    assert [shown(name) for name in (KNOWN, "callanish-9", "", "odd:name=")] == [KNOWN, "callanish-9", "", "odd:name="]


def test_a_short_name_stands_for_the_stored_variant() -> None:
    """A name that no stored variant has stays as it is."""
    assert whole_name("two-lochs", [KNOWN, LOCHS]) == LOCHS
    assert whole_name(KNOWN, [KNOWN, LOCHS]) == KNOWN
    assert whole_name("three-lochs", [LOCHS]) == "three-lochs"


def test_a_namesake_has_the_short_name_and_another_board() -> None:
    """The same variant is no namesake of itself, and variants without a short name have none."""
    assert namesake(OTHER, [KNOWN, LOCHS]) == LOCHS
    assert namesake(LOCHS, [KNOWN, LOCHS]) is None
    assert namesake(KNOWN, ["scottish", LOCHS]) is None
