"""The written form of a dialogue."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import commands, grammar, transcript
from protocol.messages import Unknown

TRANSCRIPTS = Path(__file__).parent.parent / "transcripts"
COMMANDS = "ugi setoption isready uginewgame position go stop query gameover quit".split()


@given(st.binary(max_size=80), st.sampled_from(["<-", "->"]))
def test_whatever_was_said_can_be_written_down_and_read_back(data: bytes, direction: transcript.Direction) -> None:
    """A transcript keeps the direction and the number of lines of any bytes, in printable text."""
    lines = transcript.show("fox", direction, data)
    assert all(line.isprintable() for line in lines)
    read = list(transcript.read("\n".join(lines)))
    assert [line.direction for line in read] == [direction] * (data.removesuffix(b"\n").count(b"\n") + 1)


def test_arrows_in_the_text_do_not_turn_it_round() -> None:
    """The first arrow counts; a name may have blanks."""
    (line,) = transcript.read("my fox -> info string a <- b -> c")
    assert line == ("my fox", "->", "info string a <- b -> c")
    (line,) = transcript.read("fox ->")
    assert line == ("fox", "->", "")


def test_what_is_no_transcript_is_refused_with_its_line() -> None:
    """A line without an arrow is named by its number; comments and blank lines are none."""
    with pytest.raises(ValueError, match="line 3"):
        list(transcript.read("# talk\n\nfox says readyok\n"))


def test_the_transcripts_beside_the_tests_speak_the_protocol() -> None:
    """Every line of a well-behaved dialogue is known to the reader of its side."""
    for path in sorted(TRANSCRIPTS.glob("*.txt")):
        lines = list(transcript.read(path.read_text()))
        assert lines
        for line in lines:
            if line.direction == "<-":
                assert commands.words_of(line.text.encode())[0] in COMMANDS, line
            else:
                assert not isinstance(grammar.parse(line.text.encode()), Unknown), line
