"""Clocks, which are told the time."""

from hypothesis import given
from hypothesis import strategies as st

from arena.timing.clock import MS, Clock, full_clock
from arena.timing.time_control import Limit, parse

LIMITS = st.builds(
    Limit,
    st.just("clock"),
    st.integers(1, 5_000),
    st.integers(0, 500),
    st.none() | st.integers(1, 5),
    st.just(0),
    st.integers(1, 1_000),
)
"""Clocks with a lag."""
MOVES_NS = st.lists(st.integers(0, 2_000 * MS), min_size=1, max_size=30)


def test_a_move_costs_its_time_and_earns_the_increment() -> None:
    """10 s and 0.1 s: after a move of 2.5 s there are 7.6 s left."""
    clock = Clock(parse("10+0.1"))
    assert clock.spend(2_500 * MS) == clock.left_ns == 7_600 * MS


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


@given(LIMITS, MOVES_NS)
def test_a_lag_makes_no_clock_longer(limit: Limit, moves_ns: list[int]) -> None:
    """Than that of one who moves at once, without lag; and a move is charged what it takes beyond the lag, no more."""
    plain = Limit("clock", limit.base_ms, limit.increment_ms, limit.moves)
    clock, at_once, without = full_clock(limit), Clock(plain), Clock(plain)
    for number, elapsed_ns in enumerate(moves_ns, 1):
        left_ns, most_ns, least_ns = clock.spend(elapsed_ns), at_once.spend(0), without.spend(elapsed_ns)
        assert least_ns <= left_ns <= min(most_ns, least_ns + number * limit.lag_ms * MS)
    charged_ns = at_once.left_ns - clock.left_ns
    assert charged_ns == sum(max(0, elapsed_ns - limit.lag_ms * MS) for elapsed_ns in moves_ns)


def test_reading_before_a_move_has_no_lag() -> None:
    """It is charged in full: what an engine reads does not wait for a line."""
    clock = full_clock(parse("1 lag=250"))
    clock.charge(100 * MS)
    assert clock.spend(300 * MS) == 850 * MS
