"""Parsing and formatting of lines, as pure functions: an engine's line to a message, the referee's commands to bytes.

Moves and positions are words. `parse` never raises; a line that it does not understand is `Unknown`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from protocol.commands import integer
from protocol.messages import (
    OPTION_TYPES,
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
    Score,
    UgiOk,
    Unknown,
)

NO_MOVES = frozenset({"0000", "(none)", "resign"})
"""Words outside of every move grammar that count as illegal moves, not as malformed ones (SPEC.md 8.6)."""

_BLANKS = bytes(range(0x21)) + b"\x7f"
_ODD = _BLANKS + bytes(range(0x80, 0x100))
_INFO_WORDS = frozenset(
    "depth seldepth time nodes hashfull nps multipv score pv string currmove currmovenumber refutation".split()
)
_INFO_NUMBERS = {"time": "time_ms"} | {word: word for word in "depth seldepth nodes hashfull nps multipv".split()}
_OPTION_WORDS = frozenset({"type", "default", "min", "max", "var"})


def clean(line: bytes) -> bytes:
    """The line without blanks, control bytes and non-ASCII bytes around it, which cost nothing (SPEC.md 2.6).

    Non-ASCII bytes at the end stay where text may end in them, and after a bestmove, where they belong to its word.
    """
    line = line.strip(_BLANKS).lstrip(_ODD)
    bare = line.rstrip(_ODD)
    return bare if bare in (b"ugiok", b"readyok", b"offer draw") else line


def parse(line: bytes) -> Message:
    """The message of an engine's line, with or without its newline."""
    line = clean(line)
    words = line.split(None, 1)
    if not words:
        return Unknown("", "blank line")
    keyword, rest = words[0], words[1] if len(words) > 1 else b""
    if keyword == b"bestmove":
        return _bestmove(rest)
    if keyword == b"info":
        return _info(_words(rest))
    if keyword == b"option":
        return _option(_words(rest))
    if keyword == b"id":
        key, _, value = _text(rest).partition(" ")
        if key in ("name", "author", "version"):
            return Id(key, value.strip())
        return Unknown(_text(line), "id without name, author or version")
    if keyword == b"response":
        return Response(_text(rest))
    if keyword == b"error":
        return ErrorLine(_text(rest))
    if line == b"ugiok":
        return UgiOk()
    if line == b"readyok":
        return ReadyOk()
    if line.split() == [b"offer", b"draw"]:
        return OfferDraw()
    return Unknown(_text(line))


def _text(raw: bytes) -> str:
    """Text for people: single blanks, no control bytes, the replacement character for invalid UTF-8."""
    return " ".join(_words(raw))


def _words(raw: bytes) -> list[str]:
    return raw.translate(None, b"\0").decode("utf-8", "replace").split()


def _bestmove(rest: bytes) -> BestMove | MalformedBestMove:
    text = rest.decode("ascii", "backslashreplace")
    if not rest.isascii() or not text.replace("\t", " ").isprintable():
        return MalformedBestMove(text, "has bytes that are no printable ASCII")
    words = text.split()
    if len(words) == 1 or (len(words) == 3 and words[1] == "ponder"):
        return BestMove(words[0].lower(), words[2] if len(words) == 3 else None)
    return MalformedBestMove(text, "is not one word" if words else "has no move")


def _info(words: list[str]) -> Info:
    numbers: dict[str, int] = {}
    score: Score | None = None
    pv: tuple[str, ...] = ()
    string: str | None = None
    problems: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        value = words[at] if at < len(words) else ""
        if word in _INFO_NUMBERS:
            number = integer(value)
            if number is None or number < 0:
                problems.append(f"{word} {value or '(nothing)'} is not a whole number from 0")
            else:
                numbers[_INFO_NUMBERS[word]] = number
            at += value not in _INFO_WORDS
        elif word == "score":
            score, used = _score(words[at : at + 3])
            if used and "." in words[at + 1]:
                problems.append(f"score {' '.join(words[at : at + 2])} is not a whole number; it is taken as {score}")
            at += used
            if score is None:
                problems.append(
                    f"score {' '.join(words[at : at + 2]) or '(nothing)'} is neither cp nor mate and a number"
                )
        elif word == "pv":
            start = at
            while at < len(words) and words[at] not in _INFO_WORDS:
                at += 1
            pv = tuple(words[start:at])
        elif word == "string":
            string = " ".join(words[at:])
            break
    return Info(**numbers, score=score, pv=pv, string=string, problems=tuple(problems))


def _score(words: Sequence[str]) -> tuple[Score | None, int]:
    """The score at the start of the words, and its number of words. A fraction of a cp is rounded."""
    kind: Literal["cp", "mate"] | None = "cp" if words[:1] == ["cp"] else "mate" if words[:1] == ["mate"] else None
    value = integer(words[1]) if len(words) > 1 else None
    if value is None and kind == "cp" and len(words) > 1 and _FRACTION.fullmatch(words[1]):
        value = round(float(words[1]))
    if kind is None or value is None:
        return None, 0
    bound: Literal["lowerbound", "upperbound"] | None = None
    if words[2:] == ["lowerbound"]:
        bound = "lowerbound"
    elif words[2:] == ["upperbound"]:
        bound = "upperbound"
    return Score(kind, value, bound), 3 if bound else 2


def _option(words: list[str]) -> OptionLine | Unknown:
    text = f"option {' '.join(words)}"
    if words[:1] != ["name"]:
        return Unknown(text, "option without name")
    fields: dict[str, list[str]] = {"name": []}
    choices: list[str] = []
    problems: list[str] = []
    current = fields["name"]
    for word in words[1:]:
        free = fields.get("type") == ["string"] and "default" in fields
        if word in _OPTION_WORDS and not free and (word == "type" or "type" in fields):
            if word in fields and word != "var":
                problems.append(f"{word} stands twice")
            if word == "var" and "var" in fields:
                choices.append(" ".join(current))
            current = fields[word] = []
        else:
            current.append(word)
    if "var" in fields:
        choices.append(" ".join(fields["var"]))
    name, kind = " ".join(fields["name"]), " ".join(fields.get("type", []))
    if not name:
        return Unknown(text, "option without name")
    default = " ".join(fields["default"]) if "default" in fields else None
    low, high = (integer(" ".join(fields.get(word, []))) for word in ("min", "max"))
    option = OptionLine(name, kind, "" if default == "<empty>" else default, low, high, tuple(choices))
    return replace(option, problems=(*problems, *_option_problems(option)))


def _option_problems(option: OptionLine) -> list[str]:
    if option.type not in OPTION_TYPES:
        return [f"type {option.type or '(nothing)'} is none of {', '.join(OPTION_TYPES)}"]
    problems = []
    if option.type == "spin":
        if option.min is None or option.max is None:
            problems.append("a spin needs min and max, whole numbers")
        elif option.min > option.max:
            problems.append(f"min {option.min} is above max {option.max}")
    if option.type == "combo" and not option.choices:
        problems.append("a combo needs at least one var")
    if option.type != "button" and option.default is None:
        problems.append(f"a {option.type} needs a default")
    elif option.default is not None and (refused := option.refuses(option.default)):
        problems.append(f"the default is refused: {refused}")
    return problems


class Summary(NamedTuple):
    """The figures of a search that a record keeps."""

    depth: int | None
    nodes: int | None
    score: Score | None
    pv: str = ""
    """The line of play, words as they were said, split by one blank."""


_FRACTION: Final = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,15}")


def summary(raw: bytes | None) -> Summary:
    """Depth, nodes, score and pv of `Reply.last_info`: one or two info lines, of which the later one counts."""
    depth: int | None = None
    nodes: int | None = None
    score: Score | None = None
    pv: tuple[str, ...] = ()
    for line in () if raw is None else raw.split(b"\n"):
        info = parse(line)
        if isinstance(info, Info):
            depth = depth if info.depth is None else info.depth
            nodes = nodes if info.nodes is None else info.nodes
            score = info.score or score
            pv = info.pv or pv
    return Summary(depth, nodes, score, " ".join(pv))


# The referee's commands. Each function returns one whole line with its newline.

Result = Literal["p1win", "p2win", "draw"]

UGI = b"ugi\n"
NEW_GAME = b"uginewgame\n"
IS_READY = b"isready\n"
STOP = b"stop\n"
QUIT = b"quit\n"


def _line(text: str) -> bytes:
    if "\n" in text or "\r" in text or "\0" in text:
        raise ValueError(f"a line of the protocol cannot hold a line break or NUL: {text!r}")
    return text.encode() + b"\n"


def setoption(name: str, value: str | None) -> bytes:
    """`value` None presses a button. The empty string is written as `<empty>`."""
    return _line(f"setoption name {name}" + ("" if value is None else f" value {value or '<empty>'}"))


def set_as_asked(option: OptionLine, value: str) -> bytes:
    """The command that sets an option to a user's value, which it takes; nothing for a button that is not pressed."""
    if option.type != "button":
        return setoption(option.name, value)
    return b"" if value == "false" else setoption(option.name, None)


def position(fen: str | None, moves: Iterable[str]) -> bytes:
    """`fen` None is the variant's start position. `moves` are all moves from the position."""
    played = " ".join(moves)
    return _line(f"position {'startpos' if fen is None else 'fen ' + fen}{' moves ' if played else ''}{played}")


def increments(p1_inc_ms: int = 0, p2_inc_ms: int = 0) -> bytes:
    """The increments in the `go` lines of a game with clocks. They are the same for every move."""
    return b" p1inc %d p2inc %d" % (max(0, p1_inc_ms), max(0, p2_inc_ms))


def go_clock(p1_time_ms: int, p2_time_ms: int, gains: bytes, moves_to_go: int | None = None) -> bytes:
    """Both clocks and the `increments`. A clock is never sent as less than 1 ms (SPEC.md 7.4)."""
    # This runs before every move, and two calls of max() would take as long as the rest.
    if p1_time_ms < 1:
        p1_time_ms = 1
    if p2_time_ms < 1:
        p2_time_ms = 1
    line = b"go p1time %d p2time %d%b\n" % (p1_time_ms, p2_time_ms, gains)
    return line if moves_to_go is None else line[:-1] + b" movestogo %d\n" % moves_to_go


def go_movetime(movetime_ms: int) -> bytes:
    """A fixed time for this move."""
    return b"go movetime %d\n" % max(1, movetime_ms)


def go_nodes(nodes: int) -> bytes:
    """A number of nodes, from 1."""
    return b"go nodes %d\n" % max(1, nodes)


def go_depth(depth: int) -> bytes:
    """A depth in plies."""
    return b"go depth %d\n" % max(0, depth)


def gameover(result: Result, reason: str) -> bytes:
    """How the game ended, for engines that announced UGI_GameOver."""
    return _line(f"gameover {result} {reason}")
