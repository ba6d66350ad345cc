"""The grades of `Strength`: each is stronger than the one below, and a game with a seed repeats."""

from itertools import pairwise

import pytest

from engines.buckquoy import BuckquoyPlayer
from engines.native.player import HIGHEST_GRADE, NativePlayer
from engines.stornoway import StornowayPlayer
from protocol.engine import Limits, Root
from tests.engines.shared import IN_C, Heard

ROOTS = {
    StornowayPlayer: Root("callanish-7", "", None, ("d4",)),
    BuckquoyPlayer: Root("brandub", "", None, ("d1e1",)),
}

pytestmark = [*IN_C, pytest.mark.parametrize("engine", list(ROOTS), ids=lambda engine: engine.name)]


def answer(player: NativePlayer, **options: int) -> tuple[str, object]:
    """The move in the engine's root, and the nodes of the search; None where nothing was searched."""
    for name, value in options.items():
        player.set_option(name, str(value))
    search = Heard(Limits(movetime_ms=20_000))
    move = player.search(ROOTS[type(player)], search)
    return move, search.told[-1]["nodes"] if search.told else None


def test_grades_have_ever_more_nodes_and_ever_fewer_slips(engine: type[NativePlayer]) -> None:
    """No grade equals the one below, and `Strength` has a value for each."""
    assert len(engine.grades) == HIGHEST_GRADE
    for below, above in pairwise(engine.grades):
        assert below != above and below.nodes <= above.nodes and below.slips >= above.slips


def test_a_grade_without_slips_is_a_limit_of_nodes(engine: type[NativePlayer]) -> None:
    """It searches so many nodes whatever `go` allows, or one more where the last one decides."""
    player = engine()
    grades = [(number, grade) for number, grade in enumerate(engine.grades, 1) if not grade.slips]
    for number, grade in grades[:4]:
        assert answer(player, Strength=number)[1] in (grade.nodes, grade.nodes + 1)


def test_a_grade_with_slips_draws_its_share_of_moves_at_random(engine: type[NativePlayer]) -> None:
    """The seed decides which ones, so that a game repeats. They are not told as searched."""
    player, slips = engine(), engine.grades[0].slips
    answers = [answer(player, Strength=1, Seed=seed) for seed in range(200)]
    assert answers[:40] == [answer(player, Strength=1, Seed=seed) for seed in range(40)]
    drawn = [move for move, nodes in answers if nodes is None]
    # Four standard deviations of a binomial share.
    assert abs(len(drawn) / 200 - slips / 100) < 4 * (slips * (100 - slips) / 200) ** 0.5 / 100
    assert len(set(drawn)) > 10
