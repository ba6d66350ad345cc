"""Wrong tokens are slowed and logged, in bounded memory. The time is handed in."""

from hypothesis import given
from hypothesis import strategies as st

from arena.host.throttle import MOST_ADDRESSES, QUIET_S, Throttle


def test_each_wrong_token_of_an_address_waits_longer_for_its_answer() -> None:
    """Also if they come at once; what would wait for long gets no answer at all. Other addresses wait for nothing."""
    throttle = Throttle()
    delays = [throttle.wrong("10.0.0.1", 5).delay_s for _ in range(8)]
    assert delays == [0.25, 0.75, 1.75, 3.75, 7.75, 15.75, None, None]
    assert throttle.wrong("10.0.0.2", 5).delay_s == 0.25
    assert throttle.wrong("10.0.0.1", 100).delay_s == 8


@given(st.lists(st.floats(0, 0.5), min_size=20, max_size=200))
def test_an_address_gets_no_more_answers_than_one_in_eight_seconds_in_the_long_run(gaps: list[float]) -> None:
    """However it spreads its attempts."""
    throttle, now_s, answers = Throttle(), 0.0, 0
    for gap in gaps:
        now_s += gap
        answers += throttle.wrong("10.0.0.1", now_s).delay_s is not None
    assert answers <= 6 + (now_s + 16) / 8


def test_the_log_grows_by_the_logarithm_of_the_attempts() -> None:
    """A flood of wrong tokens fills no disk; who tries is harmless in the log."""
    throttle = Throttle()
    lines = [line for _ in range(5000) if (line := throttle.wrong("10.0.0.1", 0).log)]
    assert len(lines) == 13 and lines[:2] == ["wrong token from 10.0.0.1", "wrong token from 10.0.0.1, 2 so far"]
    assert throttle.wrong("\x1b[2J", 0).log == "wrong token from \\x1b[2J"


def test_addresses_without_end_take_no_memory_without_end() -> None:
    """What is beyond the bound shares one entry and is slowed together; a quiet address is forgotten."""
    throttle = Throttle()
    for number in range(3 * MOST_ADDRESSES):
        last = throttle.wrong(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", 1)
    assert len(throttle._wrong) == MOST_ADDRESSES + 1 and last.delay_s is None
    assert throttle.wrong("10.0.0.0", 1).delay_s == 0.75
    assert throttle.wrong("1.1.1.1", 1 + QUIET_S).delay_s == 0.25 and len(throttle._wrong) == 1


def test_a_network_of_ipv6_is_one_address() -> None:
    """One customer has 2**64 of them. An IPv4 address in IPv6 clothes is itself."""
    throttle = Throttle()
    assert throttle.wrong("2001:db8::1", 0).delay_s == 0.25
    assert throttle.wrong("2001:db8::ffff:2%eth0", 0).delay_s == 0.75
    assert throttle.wrong("2001:db8:0:1::1", 0).delay_s == 0.25
    assert [throttle.wrong(each, 0).delay_s for each in ("10.0.0.1", "::ffff:10.0.0.1")] == [0.25, 0.75]
