"""The opening of a game: from its job, or drawn from a seed."""

from dataclasses import replace

from arena.games import variants
from arena.play import random_opening
from arena.play.jobs import GameJob, Terms
from arena.play.worker import RunningGame
from arena.timing.time_control import parse


def test_a_game_has_the_moves_of_its_job_or_else_random_ones() -> None:
    """An empty opening from a book is an opening too."""
    job = GameJob("run-1", 1, 1, "scottish", None, 2, "seed", "a", "b", 1, Terms(parse("nodes=1")))
    openings = [RunningGame(replace(job, opening=moves)).opening for moves in (("d1c1",), (), None)]
    assert openings == [("d1c1",), (), random_opening.draw(*variants.resolve("scottish"), 2, "seed")]
