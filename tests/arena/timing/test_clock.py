"""Clocks, which are told the time."""

from arena.timing.clock import MS, Clock
from arena.timing.time_control import parse


def test_a_move_costs_its_time_and_earns_the_increment() -> None:
    """10 s and 0.1 s: after a move of 2.5 s there are 7.6 s left."""
    clock = Clock(parse("10+0.1"))
    assert clock.spend(2_500 * MS) == clock.left_ns == 7_600 * MS


def test_every_fraction_of_a_millisecond_is_charged() -> None:
    """A thousand moves of 0.9 ms take 0.9 s off the clock."""
    clock = Clock(parse("10"))
    for _ in range(1000):
        clock.spend(900_000)
    assert clock.left_ns == 9_100 * MS


def test_a_new_period_brings_its_time_after_its_last_move() -> None:
    """Three moves in 60 s: the third brings another 60 s, and three more moves to go."""
    clock = Clock(parse("3/60+0"))
    assert clock.moves_to_go == 3
    clock.spend(0)
    clock.spend(0)
    assert (clock.moves_to_go, clock.left_ns) == (1, 60_000 * MS)
    assert clock.spend(10_000 * MS) == 110_000 * MS
    assert (clock.moves_to_go, clock.left_ns) == (3, 110_000 * MS)


def test_an_overrun_within_the_margin_stays_on_the_clock() -> None:
    """The margin is granted once in a game, not with every move."""
    assert Clock(parse("1")).spend(1_030 * MS) == -30 * MS
