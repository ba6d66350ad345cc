"""Time controls as users write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.timing.time_control import MAX_LAG_MS, BadLimit, Limit, lag_warning, parse, scaled, with_lag


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("10+0.1", Limit("clock", 10_000, 100)),
        ("60", Limit("clock", 60_000, 0)),
        ("1000000", Limit("clock", 1_000_000_000, 0)),  # the longest
        ("40/60+0", Limit("clock", 60_000, 0, 40)),
        ("0.05+0.001", Limit("clock", 50, 1)),
        ("5:00+3", Limit("clock", 300_000, 3_000)),
        ("40/1:30.5", Limit("clock", 90_500, 0, 40)),
        ("movetime=20", Limit("movetime", value=20)),
        ("nodes=1000", Limit("nodes", value=1000)),
        ("depth=3", Limit("depth", value=3)),
        ("5+0.2 lag=250", Limit("clock", 5_000, 200, lag_ms=250)),
        ("40/60 lag=0.25s", Limit("clock", 60_000, 0, 40, lag_ms=250)),
        ("movetime=20 lag=7", Limit("movetime", value=20, lag_ms=7)),
    ],
)
def test_a_time_control_reads_as_chess_players_write_it(text: str, limit: Limit) -> None:
    """Seconds in the text, whole milliseconds in the value."""
    assert parse(text) == limit


def test_a_time_control_that_makes_no_sense_is_refused_in_a_sentence() -> None:
    """The user sees what is wrong with it."""
    clocks = "abc 10+ +1 -5+1 0+1 0/60 1e3 10+0.0001 1:75 0:00+1 :30 1:2:3 99999:00 99999999 nodes=0 depth=-1".split()
    for text in (*clocks, "", "nodes=9 lag=250", "5 lag=", "5 lag=-1", "5 lag=60001", "5 lag=1 lag=1", " lag=5"):
        with pytest.raises(BadLimit, match=r".{20,}"):
            pytest.fail(f"{text} is {parse(text)}")


@given(st.integers(1, 10**9), st.integers(0, 10**9), st.none() | st.integers(1, 9999), st.integers(0, MAX_LAG_MS))
def test_a_clock_survives_its_own_text(base: int, increment: int, moves: int | None, lag: int) -> None:
    """The text that is stored with a game can be read again."""
    limit = Limit("clock", base, increment, moves, lag_ms=lag)
    assert parse(str(limit)) == limit


def test_a_scaled_limit_has_its_times_multiplied() -> None:
    """Times stay whole ms and at least 1; nodes and depth are no times; a time that becomes too long is refused."""
    assert str(scaled(parse("40/10+0.1"), 0.5)) == "40/5+0.05"
    assert scaled(parse("movetime=1"), 0.1) == parse("movetime=1")
    assert scaled(parse("nodes=7"), 9) == parse("nodes=7")
    with pytest.raises(BadLimit, match=r"^900000\+0 times 1000 is longer than"):
        scaled(parse("900000+0"), 1000)


def test_a_lag_belongs_to_the_line_and_not_to_the_machine() -> None:
    """A slow machine gets more time, and the same lag. What has no time has none."""
    assert str(scaled(parse("5+0.2 lag=250"), 2)) == "10+0.4 lag=250"
    assert with_lag(parse("nodes=9"), 250) == parse("nodes=9")
    assert with_lag(parse("5+0.2 lag=250"), 0) == parse("5+0.2")


@pytest.mark.parametrize(
    ("tc", "lag_ms", "warns"),
    [("5+0.2", 250, True), ("5+0.25", 250, False), ("1", 1, True), ("1", 0, False), ("nodes=9", 250, False)],
)
def test_organisers_are_told_where_the_increment_is_below_the_lag(tc: str, lag_ms: int, warns: bool) -> None:
    """The sentence names both and the remedy."""
    told = lag_warning(parse(tc), lag_ms)
    assert (told is not None) == warns
    assert told is None or f"a lag of {lag_ms} ms is free in each move, and the increment of {tc}" in told
