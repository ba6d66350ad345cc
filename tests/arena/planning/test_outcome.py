"""What a run tells of games that its store does not have."""

from arena.planning.prepared_run import RunOutcome
from arena.run.events import GameEnded
from tests.arena.live.made import record


def test_a_game_that_lost_its_worker_and_was_played_again_is_not_missing() -> None:
    """Neither where it was lost several times. One that never had a result is missing once."""
    outcome = RunOutcome()
    for number in (1, 3, 1, 3):
        outcome.add([GameEnded(0, record(number, None))])
    outcome.add([GameEnded(0, record(2, "p1"))])
    outcome.add([GameEnded(0, record(1, "draw"))])
    assert [game.number for game in outcome.unfinished] == [3]
