"""The ABNF of appendix F is the form of the lines that our readers take and our writers write."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.variants import find
from protocol import commands, grammar, transcript
from protocol.messages import (
    BestMove,
    ErrorLine,
    Id,
    Info,
    MalformedBestMove,
    Message,
    OfferDraw,
    OptionLine,
    ReadyOk,
    Response,
    UgiOk,
    Unknown,
)
from tests.protocol import abnf

ROOT = Path(__file__).parents[2]
SPEC = (ROOT / "protocol" / "SPEC.md").read_text(encoding="utf-8")
RULES = abnf.read("\n".join(re.findall(r"^```abnf\n(.*?)^```", SPEC, re.DOTALL | re.MULTILINE)))
ENGINE, REFEREE = (re.compile(abnf.pattern(RULES, f"{side}-line")) for side in ("engine", "referee"))
WRITABLE = RULES | {"word": "1*(VCHAR / %xC3 %xA1-BF)"}
"""The same with texts that are UTF-8 and have no blanks beyond ASCII."""
SENT, SAID = (
    st.from_regex(re.compile(abnf.pattern(WRITABLE, f"{side}-line")), fullmatch=True) for side in ("referee", "engine")
)
SEMANTIC = ("is above", "is refused")
"""What a grammar cannot say of an option."""


def dialogues() -> list[tuple[str, bytes]]:
    """Every line of the transcripts and of the examples in the documents, with its direction."""
    texts = re.findall(r"^```transcript\n(.*?)^```", SPEC, re.DOTALL | re.MULTILINE)
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "transcripts").glob("*.txt")]
    found: list[tuple[str, bytes]] = [
        (line.direction, line.text.encode()) for text in texts for line in transcript.read(text)
    ]
    quickstart = (ROOT / "docs" / "authors" / "QUICKSTART.md").read_text(encoding="utf-8")
    for said, answers in re.findall(r"^\$ printf '(ugi.*)' \|.*\n((?:[^$`].*\n)*)", quickstart, re.MULTILINE):
        found += [("<-", line.encode()) for line in said.removesuffix("\\n").split("\\n")]
        found += [("->", line.encode()) for line in answers.splitlines() if "..." not in line]
    return found


def test_every_line_of_the_examples_is_in_the_grammar() -> None:
    """Those of the specification, of the transcripts and of the quick start."""
    found = dialogues()
    assert len(found) > 150
    wrong = [(way, line) for way, line in found if not (REFEREE if way == "<-" else ENGINE).fullmatch(line + b"\n")]
    assert not wrong


def test_every_rule_is_used() -> None:
    """A rule that no line needs would be wrong without a trace."""
    named = {
        word for elements in RULES.values() for word in re.findall(r'(?<![%"a-z-])[a-z][a-z0-9-]*(?!")\b', elements)
    }
    assert RULES.keys() - named == {"engine-line", "referee-line"}


def plain(line: bytes) -> Message:
    """What our reader makes of a line."""
    return grammar.parse(line)


def written(message: Message) -> str | None:
    """The form of appendix F for a message; None for a message that has none, such as a text of nothing."""
    match message:
        case UgiOk():
            return "ugiok"
        case ReadyOk():
            return "readyok"
        case OfferDraw():
            return "offer draw"
        case Id(key, value):
            return f"id {key} {value}" if value else None
        case Response(text) | ErrorLine(text):
            return f"{'response' if isinstance(message, Response) else 'error'} {text}" if text else None
        case BestMove(word, ponder):
            known = word in grammar.NO_MOVES or is_move(word)
            return f"bestmove {word}" + (f" ponder {ponder}" if ponder else "") if known else None
        case OptionLine(problems=()):
            return _option(message)
        case Info(problems=()) if all(map(is_move, message.pv)) and message.string != "":
            return _info(message)
    return None


def is_move(word: str) -> bool:
    """Is it a word of any variant's move grammar?"""
    return any(find(variant).wellformed(word) for variant in ("scottish", "callanish-9"))


def _option(option: OptionLine) -> str | None:
    numbers = (option.min, option.max) != (None, None)
    choices = bool(option.choices)
    if (numbers and option.type != "spin") or (choices and option.type != "combo") or "" in option.choices:
        return None  # our reader passes over what the type does not need
    if option.type == "button" and option.default is not None:
        return None
    words = ["option name", option.name, "type", option.type]
    if option.type != "button":
        words += ["default", option.default or "<empty>"]
    if option.type == "spin":
        words += [f"min {option.min} max {option.max}"]
    if option.type == "combo":
        words += [f"var {choice or '<empty>'}" for choice in option.choices]
    return " ".join(words)


def _info(info: Info) -> str:
    names = {"time": info.time_ms} | {
        name: getattr(info, name) for name in "depth seldepth nodes nps hashfull multipv".split()
    }
    words = ["info", *(f"{name} {value}" for name, value in names.items() if value is not None)]
    words += [f"score {info.score}"] if info.score else []
    words += ["pv", *info.pv] if info.pv else []
    words += [f"string {info.string}"] if info.string else []
    return " ".join(words)


@given(SAID)
def test_what_the_grammar_takes_of_an_engine_our_reader_takes(line: bytes) -> None:
    """It is a known message without a problem, but for what a grammar cannot say."""
    message = plain(line)
    assert not isinstance(message, Unknown | MalformedBestMove), line
    if isinstance(message, OptionLine):
        assert all(any(word in problem for word in SEMANTIC) for problem in message.problems), (line, message)
    if isinstance(message, Info):
        assert not message.problems, (line, message)
    if isinstance(message, BestMove):
        assert message.word in grammar.NO_MOVES or is_move(message.word), line


WORDS = (
    "id name author version option type check spin combo button string default min max var ugiok readyok info depth "
    "seldepth time nodes nps hashfull multipv score cp mate lowerbound upperbound pv offer draw bestmove ponder resign "
    "0000 (none) response error true false <empty> d1d3 e5 b2a4d1 y25 a26 7 -3 0 007 Fox"
).split()


EXAMPLES = sorted({line for way, line in dialogues() if way == "->"})
# Lines from the grammar itself would be more, but each takes hypothesis some hundred choices.


@st.composite
def nearly(draw: st.DrawFn) -> bytes:
    """A line of the examples in which up to two words were changed, left out or put in; or any words."""
    words = draw(
        st.one_of(
            st.sampled_from(EXAMPLES).map(bytes.split), st.lists(st.sampled_from(WORDS).map(str.encode), max_size=8)
        )
    )
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(words)))
        words[at : at + draw(st.integers(0, 1))] = [draw(st.sampled_from(WORDS)).encode()] * draw(st.integers(0, 1))
    return b" ".join(words)


@settings(max_examples=3 * settings().max_examples)
@given(nearly())
def test_what_our_reader_takes_has_a_form_in_the_grammar(line: bytes) -> None:
    """The message, written in that form, is in the grammar and means the same; what is unknown is not in it."""
    message = plain(line)
    if isinstance(message, Unknown | MalformedBestMove):
        # That a name has no word `type` is what a grammar cannot say.
        assert not ENGINE.fullmatch(line + b"\n") or line.startswith(b"option name type "), (line, message)
    elif (text := written(message)) is not None and "type" not in getattr(message, "name", "").split():
        assert ENGINE.fullmatch(text.encode() + b"\n"), (line, text)
        again = plain(text.encode())
        assert getattr(again, "word", again) == getattr(message, "word", message), (line, text)


@given(SENT)
def test_what_the_grammar_takes_of_a_referee_is_read_and_written_alike(line: bytes) -> None:
    """An engine that reads with us gets from each line what our referee writes as this line."""
    keyword, *words = commands.words_of(line)
    match keyword:
        case "setoption":
            name, value = commands.read_setoption(words)
            assert grammar.setoption(name, value) == line
        case "position":
            assert grammar.position(*commands.read_position(words)) == line
        case "query":
            assert words
        case "gameover":
            (result,) = (each for each in ("p1win", "p2win", "draw") if each == words[0])
            assert grammar.gameover(result, words[1]) == line
        case "go":
            assert any(_go(commands.read_go(words, True), commands.read_go(words, False), line)), line
        case _:
            sent = (grammar.UGI, grammar.IS_READY, grammar.NEW_GAME, grammar.STOP, grammar.QUIT)
            assert line in sent


def _go(one: commands.Limits, two: commands.Limits, line: bytes) -> list[bool]:
    """Does our referee write the limits of the two sides as this line?"""
    if one.time_ms is not None and two.time_ms is not None:
        gains = grammar.increments(one.inc_ms, two.inc_ms)
        return [_unpadded(line) == grammar.go_clock(one.time_ms, two.time_ms, gains, one.moves_to_go)]
    return [
        one.infinite and line == b"go infinite\n",
        one.movetime_ms is not None and line == grammar.go_movetime(one.movetime_ms),
        one.nodes is not None and line == grammar.go_nodes(one.nodes),
        one.depth is not None and line == grammar.go_depth(one.depth),
    ]


def _unpadded(line: bytes) -> bytes:
    """The numbers without leading zeros, which `natural` allows."""
    return re.sub(rb" 0+(?=[0-9])", b" ", line)


@given(
    st.integers(-5, 10**9),
    st.integers(-5, 10**9),
    st.integers(-5, 10**6),
    st.none() | st.integers(1, 99),
    st.booleans(),
)
def test_what_our_referee_writes_is_in_the_grammar(one: int, two: int, gain: int, to_go: int | None, p2: bool) -> None:
    """Whatever the clocks and the limits are."""
    gains = grammar.increments(0 if p2 else gain, gain)
    lines = [grammar.go_clock(one, two, gains, to_go), grammar.go_movetime(one), grammar.go_nodes(two)]
    lines += [grammar.setoption("Clear Hash", None), grammar.setoption("UGI_Rules", "")]
    lines += [grammar.gameover("p2win" if p2 else "draw", "king-captured")]
    assert all(map(REFEREE.fullmatch, lines)), lines


@pytest.mark.parametrize(
    "line",
    [
        "UGIOK", "ugiok ", " readyok", "bestmove", "bestmove D1D3", "bestmove d1d3 e5", "bestmove z1", "bestmove a26",
        "option name Hash", "option name Hash type spin default 1 min 0", "option name A type check default yes",
        "option name A type combo default x", "option name A type button default x", "id", "id nickname x", "id name",
        "info depth", "info depth -1", "info score 5", "info depth 3  nodes 4", "info pv d1d3 depth 3", "offer",
    ],
)  # fmt: skip
def test_what_is_no_line_of_an_engine_is_not_in_the_grammar(line: str) -> None:
    """Letter case, blanks, and what is missing or too much."""
    assert not ENGINE.fullmatch(line.encode() + b"\n")


@pytest.mark.parametrize(
    "line",
    [
        "go", "go depth 0", "go movetime -1", "go p1time 5 p2time 5", "go infinite depth 3", "position", "query",
        "position startpos moves", "position fen 3a3 p3 1", "position fen 3a3/33a p1 1", "position fen 7/7 p1 0",
        "setoption Hash value 3", "gameover none line", "uginewgame now",
    ],
)  # fmt: skip
def test_what_is_no_line_of_a_referee_is_not_in_the_grammar(line: str) -> None:
    """A referee of ours sends none of these."""
    assert not REFEREE.fullmatch(line.encode() + b"\n")


@pytest.mark.parametrize(
    "text", ["a = b", "a = a", "a = (b", "a = 3", "= x", 'a = "x" /', "a =/ SP", "a = SP\na = SP", "a = <prose>"]
)
def test_a_faulty_grammar_is_refused(text: str) -> None:
    """So a slip of the pen in the appendix does not become a grammar that takes everything."""
    with pytest.raises(abnf.BadGrammar):
        abnf.pattern(abnf.read(text), "a")
