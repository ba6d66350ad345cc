"""The written form of a dialogue."""

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from protocol import commands, grammar, transcript
from protocol.messages import Unknown

TRANSCRIPTS = Path(__file__).parent.parent / "transcripts"
COMMANDS = "ugi setoption isready uginewgame position go stop query gameover quit".split()


@given(st.binary(max_size=80), st.sampled_from(["<-", "->"]))
def test_whatever_was_said_can_be_written_down(data: bytes, direction: transcript.Direction) -> None:
    """A transcript keeps the direction and the number of lines of any bytes, in printable text."""
    lines = transcript.show("fox", direction, data)
    assert all(line.isprintable() for line in lines)
    assert [line.split()[1] for line in lines] == [direction] * (data.removesuffix(b"\n").count(b"\n") + 1)


def test_the_transcripts_beside_the_tests_speak_the_protocol() -> None:
    """Every line of a well-behaved dialogue is known to the reader of its side."""
    for path in sorted(TRANSCRIPTS.glob("*.txt")):
        rows = [row for row in path.read_text().splitlines() if row.strip() and not row.startswith("#")]
        assert rows
        for row in rows:
            _, direction, text = re.split(" (<-|->) ?", row, maxsplit=1)
            if direction == "<-":
                assert commands.words_of(text.encode())[0] in COMMANDS, row
            else:
                assert not isinstance(grammar.parse(text.encode()), Unknown), row
