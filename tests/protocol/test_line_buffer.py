"""What has come from an engine is given out as lines, whatever pieces it came in."""

import os
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.line_buffer import LINE_CAP, TURN_CAP, LineBuffer

Feed = Callable[..., LineBuffer]


@pytest.fixture
def feed() -> Iterator[Feed]:
    """Writes pieces into a pipe and reads each of them; into a new one if no buffer is named."""
    ends: dict[LineBuffer, tuple[int, int]] = {}

    def write(*pieces: bytes, into: LineBuffer | None = None) -> LineBuffer:
        if into is None:
            reader, writer = os.pipe()
            os.set_blocking(reader, False)
            into = LineBuffer(reader)
            ends[into] = reader, writer
        for piece in pieces:
            view = memoryview(piece)
            while view:
                view = view[os.write(ends[into][1], view[:32_768]) :]
                while into.read():
                    pass
        return into

    yield write
    for fds in ends.values():
        for fd in fds:
            os.close(fd)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text("ab\n", max_size=9).map(str.encode)))
def test_lines_are_the_same_whatever_pieces_they_came_in(feed: Feed, pieces: list[bytes]) -> None:
    """What has no end yet is told apart."""
    lines = feed(*pieces)
    *whole, rest = b"".join(pieces).split(b"\n")
    assert list(lines.whole) == whole and lines.unfinished == rest


def test_the_cap_of_a_line_is_exact(feed: Feed) -> None:
    """LINE_CAP bytes and a newline are a line; one more are none, and nothing comes after it."""
    longest = b"x" * LINE_CAP
    for piece in (LINE_CAP + 2, 1000, 4096):
        for data, is_allowed in ((longest + b"\n", True), (longest + b"x\n", False), (longest + b"x", False)):
            lines = feed(*(data[at : at + piece] for at in range(0, len(data), piece)))
            assert list(lines.whole) == ([longest] if is_allowed else [])
            assert lines.overflow == ("" if is_allowed else f"wrote a line of more than {LINE_CAP} bytes")
            if not is_allowed:
                assert not feed(b"bestmove a1\n", into=lines).whole


def test_the_cap_of_a_turn_is_exact_and_each_turn_has_its_own(feed: Feed) -> None:
    """TURN_CAP bytes may come, in lines that have been taken or not; one more may not."""
    lines = feed()
    line = b"x" * (2**15 - 1) + b"\n"
    for _ in range(2):
        lines.begin_turn()
        feed(*[line] * (TURN_CAP // len(line)), into=lines)
        assert len(lines.whole) == TURN_CAP // len(line)
        lines.discard()
    assert feed(b"\n", into=lines).overflow == f"wrote more than {TURN_CAP} bytes in one turn"


def test_what_was_not_taken_can_be_forgotten(feed: Feed) -> None:
    """Nothing is kept of it, and the next line is whole."""
    lines = feed(b"one\ntwo")
    lines.discard()
    assert not lines.whole and lines.unfinished == b""
    assert list(feed(b"three\n", into=lines).whole) == [b"three"]
