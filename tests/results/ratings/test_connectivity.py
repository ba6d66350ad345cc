"""Who is linked and who is left open: against a search that tries every way of every length."""

import itertools

import hypothesis.strategies as st
import pytest
from hypothesis import given

from results.ratings import connectivity
from results.ratings.connectivity import standing
from results.ratings.estimates import PairResult
from results.ratings.pairings import field

NAMES = "abcdefg"
PAIRINGS = st.builds(
    PairResult, st.sampled_from(NAMES), st.sampled_from(NAMES), *[st.sampled_from((0, 0, 1))] * 3
)  # twice as many zeros: fields that fall apart


def through(steps: set[tuple[int, int]], everybody: range) -> set[tuple[int, int]]:
    """Who is reached from whom in any number of steps, none included."""
    found = {(one, one) for one in everybody} | steps
    for via, one, two in itertools.product(everybody, repeat=3):
        if (one, via) in found and (via, two) in found:
            found.add((one, two))
    return found


def plainly(meetings: list[PairResult], anchor: int | None) -> tuple[list[list[int]], dict[int, str]]:
    """What `standing` says, by its own words."""
    everybody, at = range(len(NAMES)), NAMES.index
    points = {(at(game.p1), at(game.p2)) for game in meetings if game.wins or game.draws}
    points |= {(at(game.p2), at(game.p1)) for game in meetings if game.losses or game.draws}
    met = through(points | {(two, one) for one, two in points}, everybody)
    took = through(points, everybody)
    groups = {tuple(other for other in everybody if (one, other) in met) for one in everybody}
    found: dict[int, str] = {}
    for group in groups:
        bodies = {one: {two for two in group if {(one, two), (two, one)} <= took} for one in group}
        main = bodies[anchor] if anchor in group else max(bodies.values(), key=len)
        if anchor not in group and 2 * len(main) <= len(group) and len(main) < len(group):
            main = set()
        for one in set(group) - main:
            against = main or set(group) - bodies[one]
            up, down = (any(way in took for way in ways) for ways in zip(*ways_to(one, against), strict=True))
            found[one] = "open" if up == down else "at least" if up else "at most"
    return sorted(map(list, groups), key=lambda group: (-len(group), group)), found


def ways_to(one: int, others: set[int]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The steps from one to each of the others and back, itself apart."""
    return [((one, other), (other, one)) for other in others if other != one]


@pytest.mark.parametrize("few", [0, connectivity.FEW])
@given(st.lists(PAIRINGS, max_size=12), st.none() | st.integers(0, len(NAMES) - 1))
def test_groups_and_flags_are_those_of_a_plain_search(few: int, meetings: list[PairResult], anchor: int | None) -> None:
    """With the short cut for fields that are linked, and without."""
    before, connectivity.FEW = connectivity.FEW, few
    try:
        assert standing(field(meetings, NAMES), anchor) == plainly(meetings, anchor)
    finally:
        connectivity.FEW = before


def test_long_ladders_of_two_thousand_engines_are_searched_to_the_end() -> None:
    """Each beat the next one only: nobody took a point of the better ones, whom thousands of steps lead to."""
    names = [f"e{number:04}" for number in range(2000)]
    linked, open_ = standing(field([PairResult(one, two, 1, 0, 0) for one, two in itertools.pairwise(names)]))
    assert linked == [[*range(2000)]]
    assert (open_[0], open_[1999]) == ("at least", "at most")
    assert {open_[engine] for engine in range(1, 1999)} == {"open"}
    ring = [PairResult(one, two, 1, 0, 0) for one, two in zip(names, [*names[1:], names[0]], strict=True)]
    assert standing(field(ring)) == ([[*range(2000)]], {})
