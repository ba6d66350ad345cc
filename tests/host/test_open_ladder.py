"""A ladder with guests as a user starts it, with real engines at the other end of the line."""

from pathlib import Path

import pytest

from benchmarks.host.same_games import ENGINE_IN_C, same_games


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.skipif(not ENGINE_IN_C.exists(), reason="the engine in C was not built")
def test_a_ladder_of_guests_plays_the_games_of_a_local_one_although_lines_are_cut(tmp_path: Path) -> None:
    """The same games, move by move, each stored once; no game is void or lost by a line."""
    same_games(tmp_path, games=60, cuts=40, at_once=2)
