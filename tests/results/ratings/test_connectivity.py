"""Who is linked and whom scores bound on one side only: against a search that tries every way of every length."""

import itertools

import hypothesis.strategies as st
from hypothesis import example, given

from results.ratings.connectivity import closure, connected, one_sided
from results.ratings.estimates import PairResult
from results.ratings.model import Field

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
    """The groups, and who is bounded on one side only."""
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
        if anchor not in group and 2 * len(main) <= len(group):
            main = set()
        for one in set(group) - main:
            others = main or set(group) - bodies[one]
            up, down = any((one, two) in took for two in others), any((two, one) in took for two in others)
            if up != down:
                found[one] = "at least" if up else "at most"
    return sorted(map(list, groups), key=lambda group: (-len(group), group)), found


@given(st.lists(PAIRINGS, max_size=12), st.none() | st.integers(0, len(NAMES) - 1))
@example([PairResult("a", "b", 1, 0, 0), PairResult("b", "c", 1, 0, 0)], None)
@example([PairResult("a", "b", 1, 0, 0), PairResult("b", "c", 0, 1, 0), PairResult("d", "a", 1, 0, 0)], 0)
def test_groups_and_flags_are_those_of_a_plain_search(meetings: list[PairResult], anchor: int | None) -> None:
    """With an anchor and without, also where an engine met itself."""
    field = Field.of(meetings, NAMES)
    groups = connected(field.between > 0)
    assert (groups, one_sided(closure(field.took), groups, anchor)) == plainly(meetings, anchor)
