"""What has come from an engine is given out as lines, whatever pieces it came in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.line_buffer import LINE_CAP, TURN_CAP, LineBuffer
from protocol.transport import TransportFlooded


def out(lines: LineBuffer) -> list[bytes]:
    """All lines that are there."""
    found = []
    while (line := lines.next()) is not None:
        found.append(line)
    return found


@given(st.lists(st.text("ab\n", max_size=9).map(str.encode)), st.booleans())
def test_lines_are_the_same_whatever_pieces_they_came_in(pieces: list[bytes], asked: bool) -> None:
    """Whether they are taken out piece by piece or at last; what has no end yet is told apart."""
    lines = LineBuffer()
    found = []
    for piece in pieces:
        lines.add(piece)
        if asked:
            found += out(lines)
    found += out(lines)
    *whole, rest = b"".join(pieces).split(b"\n")
    assert found == whole and lines.unfinished == rest
    assert lines.between_lines == (rest == b"")


def test_the_cap_of_a_line_is_exact() -> None:
    """LINE_CAP bytes and a newline are a line; one more are none, and nothing comes after it."""

    def fed(data: bytes, piece: int) -> LineBuffer:
        lines = LineBuffer()
        for at in range(0, len(data), piece):
            lines.add(data[at : at + piece])
            if at + piece < len(data):
                assert lines.next() is None
        return lines

    longest = b"x" * LINE_CAP
    for piece in (LINE_CAP + 2, 1000, 4096):
        assert fed(longest + b"\n", piece).next() == longest
        lines = fed(longest + b"x\n", piece)
        for _ in range(2):
            with pytest.raises(TransportFlooded, match=f"a line of more than {LINE_CAP} bytes"):
                lines.next()
            lines.add(b"bestmove a1\n")


def test_the_cap_of_a_turn_is_exact_and_each_turn_has_its_own() -> None:
    """TURN_CAP bytes may come, in lines that have been given out or not; one more may not."""
    lines = LineBuffer()
    line = b"x" * (2**15 - 1) + b"\n"
    for _ in range(2):
        lines.begin_turn()
        for _ in range(TURN_CAP // len(line)):
            lines.add(line)
            assert lines.next() == line[:-1]
    lines.add(b"\n")
    with pytest.raises(TransportFlooded, match=f"more than {TURN_CAP} bytes in one turn"):
        lines.next()


def test_what_was_not_given_out_can_be_forgotten() -> None:
    """Nothing is kept of it, and the next line is whole."""
    lines = LineBuffer()
    lines.add(b"one\ntwo")
    lines.discard()
    assert lines.next() is None and lines.unfinished == b""
    lines.add(b"three\n")
    assert lines.next() == b"three"
