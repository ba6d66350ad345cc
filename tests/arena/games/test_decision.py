"""The squares that decided a game, found again by the slow rules."""

import pytest

from arena.games.game import Game
from arena.games.game_boards import decision_of
from arena.games.kind import Decision
from arena.games.line import replay


def marks(found: Decision) -> tuple[frozenset[str], str | None, frozenset[str]]:
    """The squares, without the words for them."""
    return found.squares, found.king, found.taken


def played(variant: str, fen: str, moves: str) -> Game:
    game, _ = replay(variant, fen, moves.split())
    return game


@pytest.mark.parametrize(
    ("variant", "fen", "move", "captors", "king"),
    [
        ("scottish", "7/7/1ak1a2/7/7/7/7 p1 1", "e5d5", "b5 d5", "c5"),
        # A corner is an enemy of the king too.
        ("brandub", "1k1a3/7/7/7/7/7/7 p1 1", "d7c7", "a7 c7", "b7"),
        ("brandub-nielsen", "3a3/7/3a3/2aka2/7/3a3/7 p1 1", "d2d3", "c4 d3 d5 e4", "d4"),
        # Beside the centre, which is empty, three attackers are enough.
        ("brandub-nielsen", "3a3/7/2aka2/7/7/7/7 p1 1", "d7d6", "c5 d4 d6 e5", "d5"),
        ("sea-battle-9", "9/9/9/9/3a5/2ak1a3/3a5/9/9 p1 1", "f4e4", "c4 d3 d5 e4", "d4"),
    ],
)
def test_a_captured_king_and_his_captors(variant: str, fen: str, move: str, captors: str, king: str) -> None:
    """Each way to capture a king names what stood around him."""
    game = played(variant, fen, move)
    assert game.outcome is not None and game.outcome.reason == "king-captured"
    assert marks(decision_of(game)) == marks(Decision(frozenset(captors.split()), king))


def test_all_lines_of_the_winner_are_told() -> None:
    """A file and a rank that meet; not his stones elsewhere."""
    found = marks(decision_of(played("callanish", "w4/w4/wWw2/1b3/3wb p1 9", "")))
    assert found == marks(Decision(frozenset("a3 a4 a5 b3 c3".split())))


@pytest.mark.parametrize(
    ("fen", "move", "wall", "taken"),
    [
        # Closed by the mover on one side and a man on the other; then by an empty corner.
        ("11/7a3/11/a9a/11/5k5/11/11/2d8/3ddd5/3aaad4 p2 1", "c3c1", "c1 d2 e2 f2 g1", "d1 e1 f1"),
        # The man in front of k5 is missing, so the row from k6 has no wall; then the row has a gap.
        ("11/11/11/2a8/5k5/9a1/10d/9ad/9ad/9ad/11 p1 1", "j6k6", "", ""),
        ("11/11/11/2a8/5k5/9a1/11/9ad/9ad/9ad/11 p1 1", "j6k6", "", ""),
        ("11/11/11/2a8/5k5/11/9a1/9ad/9ad/9ad/11 p1 1", "j5k5", "k5 j4 j3 j2 k1", "k4 k3 k2"),
        # The king stands in the row: he is not captured, and the others are.
        ("11/7a3/11/a9a/7d3/11/11/2a8/11/3aaa5/3dkda4 p1 1", "c4c1", "c1 d2 e2 f2 g1", "d1 f1"),
    ],
)
def test_a_shieldwall_is_told_with_its_wall_and_what_it_took(fen: str, move: str, wall: str, taken: str) -> None:
    """In a game that goes on, after the move that closes it; a move that closes nothing has no such squares."""
    game = played("copenhagen", fen, move)
    assert game.outcome is None
    assert marks(decision_of(game)) == marks(Decision(frozenset(wall.split()), taken=frozenset(taken.split())))
