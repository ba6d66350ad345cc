"""Checks B: lines and pipes."""

import re
import time

from arena.conformance.check import RECORDED, Cost, F, M, N, check, m
from arena.conformance.checked_engine import READY_MS, SEARCH_MS, CheckedEngine
from arena.conformance.checks.plain_session import is_right, require_position
from arena.conformance.context import START, CheckContext, count, pause, require
from arena.conformance.judge.positions import GamePosition
from arena.conformance.violation import IllegalAnswer, Violation, quoted
from protocol.line_buffer import LINE_CAP
from protocol.messages import BestMove, MalformedBestMove, OptionLine, ReadyOk, Response, UgiOk, Unknown

_LONG_LINE = 16_000
_NO_LINE_ENDS = (b"\r", b"\f", b"\v", b"\x1c", b"\0")
"""Bytes at which some languages cut lines. Behind them stands a command, inside the value of an option."""
_WIDE_MOVES = 100
"""The moves of the position that comes in a line of _LONG_LINE bytes."""


@check("B1", "2.7", F, "every line comes while its input stays open", "no output: does it flush?", needs=("D2",))
def flushes(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    ctx.require_alive(engine)
    if engine.ask("p1turn") is not None:
        # Nothing follows this question, so nothing else pushes its answer out.
        engine.send("query p1turn")
        engine.read_until(Response, READY_MS, "response to `query p1turn`")


@check("B2", "2.2", M, "commands that end in CR LF are understood", "`isready\\r` is not known")
def reads_crlf(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    engine.send_bytes(f"{engine.position_command(START)}\r\nisready\r\n".encode())
    engine.read_until(ReadyOk, READY_MS, "readyok")
    engine.send_bytes(b"go nodes 100\r\n")
    ctx.legal(engine.read_answer("nodes 100", START, time.monotonic_ns(), SEARCH_MS))


@check(
    "B3", "2.4", M, "a command that comes in two pieces is one command", "one read is taken for one line",
    cost=Cost(150),
)  # fmt: skip
def joins_pieces(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    for command in ("isready\n", f"{engine.position_command(ctx.book.positions(8)[-1])}\nisready\n"):
        engine.send_bytes(command[:5].encode())
        pause(50)
        engine.send_bytes(command[5:].encode())
        engine.read_until(ReadyOk, READY_MS, "readyok")
    engine.send_bytes(b"go nod")
    pause(50)
    engine.send_bytes(b"es 100\n")
    ctx.legal(engine.read_answer("nodes 100", ctx.book.positions(8)[-1], time.monotonic_ns(), SEARCH_MS))


@check(
    "B4", "2.4", M, "eight commands in one write are answered in their order",
    "only the first line of a read is looked at, or the rest sleeps in a buffer that poll does not see",
    needs=("B3",), cost=Cost(260),
)  # fmt: skip
def cuts_lines(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    engine.send("uginewgame", *["isready"] * 4, engine.position_command(START), "isready", "go nodes 100")
    start_ns = time.monotonic_ns()
    for _ in range(5):
        early = engine.read_until((ReadyOk, BestMove), READY_MS, "readyok")
        require(count(early, BestMove) == 0, "the bestmove came before the readyok that was asked for first")
    ctx.legal(engine.read_answer("nodes 100", START, start_ns, SEARCH_MS))
    for other in _NO_LINE_ENDS:
        engine.send_bytes(b"setoption name Nonsense value a" + other + b"isready\n")
        lines = engine.ready() + engine.drain(50)
        require(not count(lines, ReadyOk), f"it cuts its input at {other!r}, not at \\n alone")


@check("B5", "2.3", M, "blank lines are passed over", "the first word of no words is taken")
def passes_blank_lines(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    engine.send_bytes(b"\n\n   \n\t\n \t \r\n")
    ctx.require_alive(engine)


@check("B6", "2.3", M, "tabs and blanks before, between and behind words do not matter", "a line is split at ' '")
def passes_blanks(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    position = GamePosition(None, ctx.book.games[0].moves[:2])
    engine.send_bytes(b"  \t isready \t \n")
    engine.read_until(ReadyOk, READY_MS, "readyok")
    engine.send_bytes(engine.position_command(position).replace(" ", " \t  ").encode() + b"  \n\tisready\n")
    engine.read_until(ReadyOk, READY_MS, "readyok")
    engine.send_bytes(b" go \t nodes   100\t\n")
    ctx.legal(engine.read_answer("nodes 100", position, time.monotonic_ns(), SEARCH_MS))


@check(
    "B7", "2.3", M, "an unknown command is survived and not answered", "it exits, or complains on stdout",
    cost=Cost(100),
)  # fmt: skip
def survives_unknown(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    lines = engine.ready("xyzzy 1 2", "ucinewgame")
    for each in lines:
        answer = isinstance(each.message, BestMove | MalformedBestMove | UgiOk | OptionLine)
        require(not answer, f"it answered an unknown command with {quoted(each.raw)}")
    require(not count(engine.drain(100), ReadyOk), "it answered an unknown command with a readyok")
    ctx.require_alive(engine)


@check("B8", "2.3", M, "an unknown word before a known one is survived", "it exits", needs=("B7",), cost=Cost(100))
def survives_unknown_word(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    engine.send("joho isready")
    lines = engine.ready()
    # An engine that skips the unknown word sends a second readyok.
    late = count(engine.drain(100), ReadyOk)
    require(late <= 1, f"{late + 1} readyok came for two lines")
    ctx.require_alive(engine)
    return "reads on" if late + count(lines, ReadyOk) else "ignores the line"


@check(
    "B9", "2.4", F, "a long game is taken in one line: 400 moves, or as many as the variant's games have",
    "a fixed buffer of 4096 bytes, a history of fixed length", each_variant=True,
    needs=("B3", "B4"),
)  # fmt: skip
def takes_long_games(ctx: CheckContext) -> str:
    try:
        return _takes_long_games(ctx, ctx.new_engine())
    except IllegalAnswer as violation:
        # The same position in a short line tells whether the length is to blame or the rules.
        if is_right(ctx, GamePosition(ctx.line(violation.position).position.fen()), violation.variant):
            violation.matter = ""
        raise


def _takes_long_games(ctx: CheckContext, engine: CheckedEngine) -> str:
    game = ctx.book.longest
    position = game.at(len(game.moves))
    engine.set_position(position)
    if game.result == "none":
        ctx.legal(engine.go("nodes 100", position))
    else:
        ctx.move(engine, "nodes 100", game.at(len(game.moves) - 1))
    last = min(len(game.moves) - 1, _WIDE_MOVES)
    # A line that is cut leaves fewer moves. Of four lists, one move longer each, not all then leave the right side.
    for ply in range(max(0, last - 3), last + 1):
        _takes_wide_lines(ctx, engine, game.at(ply))
    return f"{len(position.moves)} moves, {len(engine.position_command(position))} bytes"


def _takes_wide_lines(ctx: CheckContext, engine: CheckedEngine, position: GamePosition) -> None:
    """Send a position in a line of nearly 16 KiB: blanks between the words fill it, so moves stand at its end."""
    command = engine.position_command(position)
    words = command.split()
    gap = " " * ((_LONG_LINE - len(command)) // max(1, len(words) - 1))
    engine.ready(command)
    plain = engine.ask("p1turn")
    engine.ready(gap.join(words))
    side = engine.ask("p1turn")
    where = f"after a position in a line of {_LONG_LINE} bytes"
    if side != plain:
        raise Violation(f"{where} `query p1turn` is {side!r}, and {plain!r} without the blanks between its words")
    try:
        require_position(ctx, engine, position)
    except IllegalAnswer as violation:
        raise violation.about(f"{where}: {violation}") from None


@check(
    "B10", "2.4", M, "a line of 16 KiB of no sense is passed over", "a fixed buffer: its tail is read as commands",
    needs=("B3", "B7"), cost=Cost(110),
)  # fmt: skip
def takes_long_lines(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    lines = engine.ready("xyzzy " * 2_730)
    lines += engine.drain(100)
    require(count(lines, (ReadyOk, UgiOk, BestMove)) == 0, "it found commands in the line that it does not have")
    ctx.require_alive(engine)


@check(
    "B11", "2.6", m, "its lines are UTF-8, have no NUL and are short enough", "a name in Latin-1, a C string",
    needs=("A3",), cost=RECORDED,
)  # fmt: skip
def writes_text(ctx: CheckContext) -> str:
    lines = [*ctx.contact.early, *ctx.ordinary.lines]
    for each in lines:
        require(b"\0" not in each.raw, f"a line has a NUL: {quoted(each.raw)}")
        require(_is_text(each.raw), f"a line is not UTF-8: {quoted(each.raw)}")
        require(len(each.raw) <= LINE_CAP, f"a line has {len(each.raw)} bytes")
    return f"{len(lines)} lines"


_MIXED = re.compile(rb"\S(?:readyok|ugiok)\b|\Sbestmove [a-y]|\Sinfo (?:depth|score|nodes|string) |\Sresponse \S")


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@check(
    "B12", "2.7", M, "every line is one of the protocol's, and no two are mixed",
    "two threads print at once, or debug output",
    needs=("A2", "A7", "E1"), cost=RECORDED,
)  # fmt: skip
def mixes_no_lines(ctx: CheckContext) -> str:
    lines = ctx.ordinary.lines
    for each in lines:
        if isinstance(each.message, Unknown) and each.raw.split()[:1] != [b"option"]:
            text = f"a line is none of the protocol's: {quoted(each.raw)}"
            # Debug output costs nothing. A known word behind other text was a line of its own.
            if _MIXED.search(each.raw):
                raise Violation(text)
            raise Violation(text, minor=True, clause="2.6", cause="debug output on stdout: it belongs on stderr")
    return f"{len(lines)} lines"


@check("B13", "2.8", m, "it plays on while nobody reads its stderr", "it logs more than a pipe holds")
def plays_with_full_stderr(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    for position in ctx.book.positions(3):
        engine.set_position(position)
        engine.subject.stop_reading_stderr()
        ctx.legal(engine.go("nodes 500", position, 5_000))
        engine.subject.resume_reading_stderr()
        engine.ready()


@check(
    "B15",
    "2.5",
    M,
    "no line is longer than 64 KiB, and no search writes more than 16 MiB",
    "a newline is never written",
    cost=Cost(300, timed=1),
)
def writes_bounded(ctx: CheckContext) -> str:
    engine, longest = ctx.new_engine(), 0
    for limit in ("movetime 300", "nodes 5000"):
        # A line or a search beyond the caps ends the reading: that is a Violation of its own.
        answer = engine.search(START, limit)
        longest = max(longest, *(len(each.raw) for each in answer.lines))
    require(longest <= LINE_CAP, f"a line has {longest} bytes")
    return f"{longest} bytes at most"


@check(
    "B14", "2.8", N, "an ordinary session leaves nothing on stderr", "debugging was left on",
    needs=("E1",), cost=RECORDED,
)  # fmt: skip
def leaves_stderr_empty(ctx: CheckContext) -> None:
    stderr = ctx.ordinary.stderr
    first = stderr.split(b"\n")[0][:80]
    require(not stderr, f"it wrote {len(stderr)} bytes on stderr, beginning with {quoted(first)}")
