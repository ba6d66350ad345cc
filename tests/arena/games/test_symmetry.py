"""The symmetries of boards: images of a position are one game, and folding makes one text of them."""

from random import Random

import pytest

from arena.games.rules import Outcome, Position
from arena.games.symmetry import NAMES, image, symmetries, symmetry_of_start
from arena.games.variants import find, names

SOME = ("callanish-5", "brandub", "copenhagen")


@pytest.mark.parametrize(
    "variant", [name if name in SOME else pytest.param(name, marks=pytest.mark.long) for name in names()]
)
def test_an_image_of_a_position_is_the_same_game(variant: str) -> None:
    """Each symmetry of a board keeps the number of moves, what they lead to and how games end."""
    rules = find(variant)
    position = start = rules.start()
    used = symmetries(start.fen())
    assert used == NAMES, "all these boards have every symmetry"
    fold = symmetry_of_start(start.fen(), used)

    def after(played: Position) -> list[tuple[str, Outcome | None]]:
        return sorted(
            ((fold.position(each), each.outcome) for each in map(played.play, played.moves())), key=lambda pair: pair[0]
        )

    moves = start.playout(Random(variant), 6).moves
    for move in moves:
        position = position.play(move)
    wanted = after(position)
    few = NAMES if len(wanted) < 60 else NAMES[4:6]
    for name in few:
        turned = rules.parse(image(name, position.fen()))
        assert fold.position(turned) == fold.position(position)
        assert after(turned) == wanted


def test_holes_leave_fewer_symmetries() -> None:
    """A hole must come to lie on a hole, and only a square board can be turned by 90 degrees."""
    assert symmetries("*4/5/5/5/5 p1") == ("identity", "mirror-antidiagonal")
    assert symmetries("7/7/7/7/7 p1") == ("identity", "mirror-files", "mirror-ranks", "turn-180")


def test_folding_makes_one_of_positions_that_a_turn_or_a_mirror_makes_equal() -> None:
    """The four corners are one square; a corner that is a hole leaves only the mirror through it."""
    rules = find("callanish")

    def folded(fens: list[str]) -> int:
        fold = symmetry_of_start(fens[0], symmetries(fens[0]))
        return len({fold.position(rules.parse(fen)) for fen in fens})

    assert folded(["w4/5/5/5/5 p2 1", "4w/5/5/5/5 p2 1", "5/5/5/5/w4 p2 1", "5/5/5/5/4w p2 1"]) == 1
    assert folded(["w4/5/5/5/5 p2 1", "1w3/5/5/5/5 p2 1", "b4/5/5/5/5 p2 1", "w4/5/5/5/5 p1 1"]) == 4
    assert folded(["*w3/5/5/5/5 p2 1", "*4/w4/5/5/5 p2 1"]) == 1
    assert folded(["*3w/5/5/5/5 p2 1", "*4/5/5/5/4w p2 1"]) == 2
