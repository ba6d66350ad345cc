"""Playouts against the positions they go through: what is played, where it ends, how likely each move is."""

from random import Random

import pytest

from arena.games.callanish import rules as callanish
from arena.games.rules import Outcome, Position
from arena.games.tafl import rules as tafl
from arena.games.variants import find


@pytest.fixture(params=[1, 24], ids=["one-try", "many-tries"])
def tries(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All moves are listed after one failed try, so often, or after many, so seldom."""
    for family in (callanish, tafl):
        monkeypatch.setattr(family, "_TRIES", range(request.param))


def replay(start: Position, words: list[str]) -> Outcome | None:
    """How the game ends that these words make; each must be legal where it is played."""
    position = start
    for word in words:
        move = position.find(word)
        assert move is not None, f"{word} in {position.fen()}"
        position = position.play(move)
    return position.outcome


@pytest.mark.usefixtures("tries")
@pytest.mark.parametrize("name", ["callanish-5", "callanish-9:supply=5", "scottish", "brandub-nielsen"])
def test_a_playout_is_a_game_that_ends_where_the_rules_end_it(name: str) -> None:
    """Every move is legal where it is played, and the game has the outcome of its last position, however short."""
    start = find(name).start()
    for seed in range(2):
        outcome, moves = start.playout(Random(seed), 100)
        words = [move.text for move in moves]
        assert replay(start, words) == outcome
        assert outcome is not None or len(words) == 100
        for plies in (len(words), len(words) - 1, 2, 1, 0):
            cut = start.playout(Random(seed), plies)
            assert [move.text for move in cut.moves] == words[:plies]
            assert cut.outcome == (outcome if plies == len(words) else None)
