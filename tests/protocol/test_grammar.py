"""The spelling of the protocol: what lines mean, and that no line can break the reader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import commands, grammar
from protocol.engine import Engine
from protocol.messages import (
    BestMove,
    ErrorLine,
    Id,
    Info,
    MalformedBestMove,
    OfferDraw,
    OptionLine,
    ReadyOk,
    Response,
    Score,
    UgiOk,
    Unknown,
)

KEYWORDS = "id option ugiok readyok info bestmove offer response error name type default min max var pv score".split()
PIECES = st.one_of(
    st.sampled_from([word.encode() for word in KEYWORDS]),
    st.sampled_from([b"spin", b"combo", b"cp", b"mate", b"draw", b"ponder", b"string", b"-3", b"9" * 30, b"<empty>"]),
    st.binary(max_size=6),
)


@given(st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=12).map(b" ".join)))
def test_no_bytes_break_the_reader(line: bytes) -> None:
    """Whatever an engine writes is some message; nothing raises."""
    message = grammar.parse(line)
    if isinstance(message, BestMove):
        assert message.word and message.word == message.word.lower() and message.word.isascii()
        assert not set(message.word) & set(" \t\r\n\0")
    grammar.summary(line)


def test_a_line_means() -> None:
    """Each line of an engine has one meaning, blanks and odd bytes round it notwithstanding."""
    for line, message in (
        (b"id name Fox 1.2", Id("name", "Fox 1.2")),
        (b"id author Jos\xe9", Id("author", "Jos\ufffd")),
        (b"id author Jos\xc3\xa9\n", Id("author", "José")),
        (b"ugiok", UgiOk()),
        (b"ugiok \0", UgiOk()),
        (b"\xef\xbb\xbfugiok\xff", UgiOk()),
        (b"readyok\r", ReadyOk()),
        (b"0readyok", Unknown("0readyok")),
        (b"readyok now", Unknown("readyok now")),
        (b"", Unknown("", "blank line")),
        (b" \t\0", Unknown("", "blank line")),
        (b"bestmove d1d3", BestMove("d1d3")),
        (b"  bestmove\td1d3 \0\r\n", BestMove("d1d3")),
        (b"bestmove D1D3", BestMove("d1d3")),
        (b"bestmove d1d3 ponder d7d6", BestMove("d1d3", "d7d6")),
        (b"bestmove (none)", BestMove("(none)")),
        (b"bestmove", MalformedBestMove("", "has no move")),
        (b"bestmove d1d3 draw", MalformedBestMove("d1d3 draw", "is not one word")),
        (b"bestmove d1\xffd3", MalformedBestMove("d1\\xffd3", "has bytes that are no printable ASCII")),
        (b"bestmove d1\0d3", MalformedBestMove("d1\0d3", "has bytes that are no printable ASCII")),
        (b"bestmoved1d3", Unknown("bestmoved1d3")),
        (b"offer  draw", OfferDraw()),
        (b"response 2 a1 b1", Response("2 a1 b1")),
        (b"error no king", ErrorLine("no king")),
        (b"id", Unknown("id", "id without name, author or version")),
    ):
        assert grammar.parse(line) == message


def test_info_is_read() -> None:
    """An info line gives its figures; unknown words are skipped and a string takes the rest."""
    for text, info in (
        (
            "depth 3 seldepth 7 score cp 20 nodes 2130 time 12 nps 177500 hashfull 4 multipv 1 pv a1 b2",
            Info(3, 7, 12, 2130, 4, 177500, 1, Score("cp", 20), ("a1", "b2")),
        ),
        ("score mate -4 upperbound depth 2", Info(depth=2, score=Score("mate", -4, "upperbound"))),
        ("foo 3 nodes 7 bar", Info(nodes=7)),
        ("string bestmove d1d3 readyok", Info(string="bestmove d1d3 readyok")),
        ("pv a1 b2 string best so far", Info(pv=("a1", "b2"), string="best so far")),
    ):
        assert grammar.parse(b"info " + text.encode()) == info


def test_bad_figures_in_info_are_named_and_left_out() -> None:
    """A figure that cannot be read is a problem with the word in it, and no figure."""
    for text in ("score 54", "score cp -INFINITE", "time 0.5", "nps inf", "depth -1", "nodes", "score"):
        info = grammar.parse(f"info {text} multipv 1".encode())
        assert isinstance(info, Info)
        assert info.problems and text.split()[0] in info.problems[0]
        assert info.score is None and info.multipv == 1


def test_a_fraction_of_a_cp_is_rounded_and_named() -> None:
    """Engines that count in floats write it. It can be shown, also in the fast summary; a check names it."""
    for text, value in (("-47.5", -48), ("0.4", 0), ("31.0", 31), ("-0.6", -1)):
        line = f"info depth 3 score cp {text} lowerbound nodes 5".encode()
        info = grammar.parse(line)
        assert isinstance(info, Info)
        assert (info.score, info.nodes) == (Score("cp", value, "lowerbound"), 5)
        assert info.problems == (f"score cp {text} is not a whole number; it is taken as cp {value} lowerbound",)
        assert grammar.summary(line) == (3, 5, Score("cp", value, "lowerbound"), "")


def test_options_are_read() -> None:
    """Names and choices may have blanks, a string's default takes the rest of the line."""
    spin = grammar.parse(b"option name Hash Size type spin default 64 min 1 max 4096")
    assert spin == OptionLine("Hash Size", "spin", "64", 1, 4096)
    combo = grammar.parse(b"option name Style type combo default Very Solid var Very Solid var Wild")
    assert combo == OptionLine("Style", "combo", "Very Solid", choices=("Very Solid", "Wild"))
    assert grammar.parse(b"option name Rules type string default <empty>") == OptionLine("Rules", "string", "")
    assert grammar.parse(b"option name Log type string default min max var") == OptionLine(
        "Log", "string", "min max var"
    )
    assert grammar.parse(b"option name Clear type button") == OptionLine("Clear", "button")


def test_a_faulty_option_is_kept_and_its_fault_said() -> None:
    """An option that departs from the form is still announced, with a sentence that says what is wrong."""
    for text, word in (
        ("name UGI_Resign", "type"),
        ("name A type spinn default 1", "spinn"),
        ("name A type spin default 0 min 1 max 4", "1 to 4"),
        ("name A type spin default 1 min 4 max 1", "above"),
        ("name A type spin default 1", "min and max"),
        ("name A type combo default x var y", "one of y"),
        ("name A type combo default x", "var"),
        ("name A type check default yes", "true or false"),
        ("name A type check", "default"),
        ("name A type check default true default false", "twice"),
    ):
        option = grammar.parse(f"option {text}".encode())
        assert isinstance(option, OptionLine)
        assert any(word in problem for problem in option.problems), option.problems


def test_an_option_without_a_name_is_none() -> None:
    """There is nothing to set without a name."""
    assert isinstance(grammar.parse(b"option type spin default 1"), Unknown)
    assert isinstance(grammar.parse(b"option name type spin default 1"), Unknown)


def test_the_referee_never_sends_a_clock_below_one_millisecond() -> None:
    """Negative and empty clocks go out as 1 ms, increments as at least 0."""
    assert (
        grammar.go_clock(-50, 0, grammar.increments(-1, 20), 3)
        == b"go p1time 1 p2time 1 p1inc 0 p2inc 20 movestogo 3\n"
    )
    assert grammar.go_clock(1000, 900, grammar.increments()) == b"go p1time 1000 p2time 900 p1inc 0 p2inc 0\n"
    assert grammar.go_movetime(0) == b"go movetime 1\n"


def test_what_the_referee_says_is_one_line() -> None:
    """Text from outside cannot smuggle in a second command."""
    assert grammar.position(None, ()) == b"position startpos\n"
    assert grammar.position("7/7 p1 1", ["d1d3"]) == b"position fen 7/7 p1 1 moves d1d3\n"
    assert grammar.setoption("Rules", "") == b"setoption name Rules value <empty>\n"
    assert grammar.setoption("Clear", None) == b"setoption name Clear\n"
    for text in ("a\nquit", "a\rquit", "a\0"):
        with pytest.raises(ValueError, match="line break"):
            grammar.setoption("Name", text)


MOVES = st.lists(st.from_regex(r"[a-y][1-9][a-y][1-9]", fullmatch=True), max_size=8)


@given(st.none() | st.just("3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 p1 1"), MOVES)
def test_an_engine_reads_the_position_that_the_referee_sent(fen: str | None, moves: list[str]) -> None:
    """Position lines survive the way from referee to engine."""
    words = commands.words_of(grammar.position(fen, moves))
    assert words[0] == "position"
    assert commands.read_position(words[1:]) == (fen, tuple(moves))


@given(st.text("abcdefgh XYZ", min_size=1).filter(str.strip), st.text("abc 12", max_size=9))
def test_an_engine_reads_the_option_that_the_referee_set(name: str, value: str) -> None:
    """Names and values with blanks survive, blanks counted once."""
    name, value = " ".join(name.split()), " ".join(value.split())
    words = commands.words_of(grammar.setoption(name, value))
    assert commands.read_setoption(words[1:]) == (name, value)


@given(st.integers(1, 10**9), st.integers(1, 10**9), st.integers(0, 10**6), st.integers(0, 10**6), st.booleans())
def test_an_engine_reads_its_own_clock(one: int, two: int, inc: int, other: int, p1_turn: bool) -> None:
    """Each side sees its own time and increment."""
    words = commands.words_of(grammar.go_clock(one, two, grammar.increments(inc, other), 7))
    limits = commands.read_go(words[1:], p1_turn)
    assert limits == commands.Limits((one if p1_turn else two), (inc if p1_turn else other), 7)


@given(st.binary(max_size=100))
def test_no_command_breaks_an_engine_that_reads_with_us(line: bytes) -> None:
    """Any bytes are words, and any words after go are limits that end or are infinite."""
    words = commands.words_of(line)
    commands.read_setoption(words)
    limits = commands.read_go(words, True)
    assert limits.infinite or any(
        limit is not None for limit in (limits.time_ms, limits.movetime_ms, limits.nodes, limits.depth)
    )


def test_go_is_read_leniently() -> None:
    """Missing, garbled and unknown words never make an engine crash or think for ever."""
    for text, limits in (
        ("p1time 900 p2time 800", commands.Limits(900)),
        ("p2inc 5 foo 3 p1inc 4 p2time 800 p1time 900", commands.Limits(900, 4)),
        ("p1time p2time 50000", commands.Limits(1)),
        ("p2time 50000", commands.Limits(50000)),
        ("p1time -30 p2time 100 p1inc -1", commands.Limits(1, 0)),
        ("movetime 1e3", commands.Limits(movetime_ms=1)),
        ("nodes", commands.Limits(nodes=1)),
        ("depth 0", commands.Limits(depth=0)),
        ("infinite", commands.Limits(infinite=True)),
        ("", commands.Limits(movetime_ms=1000)),
    ):
        assert commands.read_go(text.split(), True) == limits


def test_whose_turn_it_is_follows_from_the_text() -> None:
    """The side in the position string and the number of moves since tell who is to move."""
    for fen, first in ((None, True), ("7/7 p1 3", True), ("7/7 p2 3", False), ("7/7", True)):
        assert Engine().p1_turn(commands.Root("", "", fen, ())) is first
        assert Engine().p1_turn(commands.Root("", "", fen, ("d1d3",))) is not first
    # `startpos` does not say it, so the variant does; a position string comes before it.
    assert not Engine().p1_turn(commands.Root("tablut-ashton", "", None, ()))
    assert Engine().p1_turn(commands.Root("tablut-ashton", "", None, ("e4f4",)))
    assert Engine().p1_turn(commands.Root("tablut-ashton", "", "9/9 p1 3", ())) and Engine().p1_turn(
        commands.Root("fetlar", "", None, ())
    )


def test_roots_and_limits_are_values() -> None:
    """They are equal by content, can be keys, and cannot be changed."""
    root = commands.Root("brandub", "", None, ("d1d3",))
    assert root == commands.Root("brandub", "", None, ("d1d3",)) and len({root, root}) == 1
    assert root != commands.Root("brandub", "", None, ())
    with pytest.raises(AttributeError):
        root.variant = "scottish"
    assert "brandub" in repr(root)
