"""What a record keeps of an info line is what the whole line says, however it is read."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import grammar
from protocol.grammar import Summary
from protocol.messages import Info, Score

FIGURES = "depth 4|depth 5|nodes 213|nodes 214|score cp 31|score mate -2|score cp 5 lowerbound|time 12|multipv 1".split(
    "|"
)
HEADS = "depth nodes score string pv time".split()
RARE = (
    "info seldepth hashfull nps multipv currmove currmovenumber refutation cp mate lowerbound upperbound tbhits "
    "stringy nodess odepth bestmove offer"
).split()
NUMBERS = ["0", "-0", "7", "-31", "007", "+5", "1e3", "0.5", "--4", "-", "9" * 19, "9" * 20, "-" + "9" * 19, "٣"]
SQUARES = "d1d3 o1p2 p15o4 o p oo p1o odepth dep1th no1des".split()
VALUES = st.sampled_from([*NUMBERS, *SQUARES, *HEADS, *RARE])
BOUNDS = st.sampled_from(["", " lowerbound", " upperbound", " lowerbounds", " lowerbound 7"])
SHORT = st.sampled_from(["8", "x", "9" * 20, "string", "depth 8", "o1p2 nodes 8", "score cp 8"])
FLAWS = st.one_of(
    st.builds("{} {}".format, st.sampled_from(HEADS), SHORT),
    st.builds("{} {}".format, st.sampled_from(HEADS), VALUES),
    st.builds("{} {}".format, st.sampled_from(RARE), VALUES),
    st.builds("score {} {}{}".format, st.sampled_from(["cp", "mate", "cpu"]), VALUES, BOUNDS),
    VALUES,
).map(str.encode)
ODD = st.one_of(
    st.sampled_from([b"  ", b"\t", b"\0", b"\x1f", b"\x0b", b"", b"\r", b"\x7f", "\u00a0".encode(), b"\x85", b"\xff"]),
    st.binary(max_size=3),
)
STARTS = st.sampled_from([b"info"] * 8 + [b" info", b"\xefinfo", b"infos", b"id", b""])
TAILS = st.sampled_from(
    [b""] * 4 + [b" pv d1d3", b" pv o1p2 p15d4 ", b" string depth 3", b"\r", b" ", b"\r\r", b"\x1c", b"\xff"]
)


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """A line of an info's words. Most deviate from the usual form in a place or two, where they might be misread."""
    pieces = [piece.encode() for piece in draw(st.lists(st.sampled_from(FIGURES), max_size=6))]
    for flaw in draw(st.lists(FLAWS, max_size=2)):
        pieces.insert(draw(st.integers(0, len(pieces))), flaw)
    line = b" ".join([draw(STARTS), *pieces]) + draw(TAILS)
    for odd in draw(st.lists(ODD, max_size=draw(st.sampled_from([0, 0, 1, 2])))):
        at = draw(st.integers(0, len(line)))
        line = line[:at] + odd + line[at + draw(st.integers(0, 1)) :]
    return line


def meaning(raw: bytes) -> Summary:
    """By the whole messages."""
    infos = [info for line in raw.split(b"\n") if isinstance(info := grammar.parse(line), Info)]
    depths = [info.depth for info in infos if info.depth is not None]
    nodes = [info.nodes for info in infos if info.nodes is not None]
    scores = [info.score for info in infos if info.score is not None]
    pvs = [" ".join(info.pv) for info in infos if info.pv]
    return Summary(
        depths[-1] if depths else None,
        nodes[-1] if nodes else None,
        scores[-1] if scores else None,
        pvs[-1] if pvs else "",
    )


@settings(max_examples=5 * settings().max_examples)
@given(st.lists(lines(), min_size=1, max_size=2).map(b"\n".join))
def test_a_summary_is_what_the_whole_lines_say(raw: bytes) -> None:
    """Whatever words, numbers and junk stand in them, and in whatever order."""
    assert grammar.summary(raw) == meaning(raw)


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        (b"info", Summary(None, None, None)),
        (b"info depth 3 depth 4 nodes 5 nodes x", Summary(4, 5, None)),
        (b"info depth 3 nodes 7 string depth 9", Summary(3, 7, None)),
        (b"info depth 3 pv d1d3 depth 4 o1p2", Summary(4, None, None, "d1d3")),
        (b"info depth 3 pv d1d3 nodes 8", Summary(3, 8, None, "d1d3")),
        (b"info pv d1d3 score cp 8 lowerbound", Summary(None, None, Score("cp", 8, "lowerbound"), "d1d3")),
        (b"info score cp 8 score mate x", Summary(None, None, None)),
        (b"info score cp 8 lowerbounds nodes 1", Summary(None, 1, Score("cp", 8))),
        (b"info score depth 3", Summary(3, None, None)),
        (b"info de\0pth 3", Summary(3, None, None)),
        (b"info time depth 3", Summary(3, None, None)),
        (b"info time string depth 3", Summary(None, None, None)),
        (b"info string 7 depth 4", Summary(None, None, None)),
        (b"info stringy 7 depth 4", Summary(4, None, None)),
        (b"info pv o1p2 nodes 8", Summary(None, 8, None, "o1p2")),
        (b"info depth 3 depth " + b"9" * 20, Summary(3, None, None)),
        (b"info nodes " + b"9" * 20, Summary(None, None, None)),
        (b"info nodes " + b"9" * 19, Summary(None, 10**19 - 1, None)),
    ],
)
def test_odd_infos_are_summed_up(line: bytes, summary: Summary) -> None:
    """The last of two figures counts, behind a line of play too, not behind a string; a bad score is none at all."""
    assert grammar.summary(line) == summary == meaning(line)


@pytest.mark.parametrize(
    "line",
    [
        b"info depth 1 score cp 12 nodes 48 time 1 pv d1c1",
        b"info depth 2 seldepth 5 multipv 1 score mate -4 upperbound nodes 1310 nps 14555 hashfull 4 time 9 pv o1p15",
        b"info nodes 2130 time 12\r",
        b"info depth 1 nodes 1 score cp 0 string h\xe9!",
    ],
)
def test_ordinary_infos_are_summed_up_without_being_parsed(line: bytes) -> None:
    """Between two moves a referee has no time to take each to pieces."""
    assert grammar._USUAL_INFO(line)
    assert grammar.summary(line) == meaning(line)
