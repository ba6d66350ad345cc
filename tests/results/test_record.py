"""What a record says by itself: flags, and whose fault a loss on time was."""

from dataclasses import replace

from results.plies import LATE_US, Ply
from results.record import IDLE_US, Evidence, Termination
from tests.results.made import GAME


def plies(*late_us: int | None) -> tuple[Ply, ...]:
    return tuple(Ply("c3", 500_000, None, None, late_us=late) for late in late_us)


def test_a_ply_is_flagged_where_the_machine_was_late() -> None:
    """From a fifth of the usual margin on; not where nobody knows."""
    game = replace(GAME, plies=plies(LATE_US, LATE_US - 1, None, 0))
    assert [ply.flagged for ply in game.plies] == [True, False, False, False]
    assert (game.sums.late, game.flagged) == (1, True)
    assert not replace(GAME, plies=plies(None, 0)).flagged


def test_a_loss_that_only_the_machine_caused_flags_the_game() -> None:
    """The move that came too late is no ply; its evidence says so."""
    kept = Evidence("p2", "time", "", "", (), "", machine=True)
    game = replace(GAME, plies=(), termination=Termination.TIME, evidence=kept)
    assert game.machine and game.flagged
    assert not replace(game, evidence=replace(kept, machine=False)).flagged


def test_cpu_in_the_opponents_time_counts_from_a_tenth_of_a_second() -> None:
    """A second of play: less is the housekeeping of any engine."""
    for idle_us, burners in (
        ((None, None), ()),
        ((IDLE_US - 1, IDLE_US), ("p2",)),
        ((IDLE_US, 2 * IDLE_US), ("p1", "p2")),
    ):
        game = replace(GAME, plies=plies(0, 0), p1_idle_us=idle_us[0], p2_idle_us=idle_us[1])
        assert game.burns_idle == burners


def test_in_a_long_game_it_takes_a_tenth_of_its_time() -> None:
    """Ten seconds of play: a second of CPU."""
    game = replace(GAME, plies=plies(*[0] * 20), p1_idle_us=999_999)
    assert game.burns_idle == ()
    assert replace(game, p1_idle_us=1_000_000).burns_idle == ("p1",)
