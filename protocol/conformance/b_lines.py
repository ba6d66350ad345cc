"""Checks B: lines and pipes."""

import time

from protocol.conformance.bench import Bench, count, pause, require
from protocol.conformance.check import Group, Severity
from protocol.conformance.positions import Place
from protocol.conformance.talk import READY_MS, SEARCH_MS
from protocol.line_buffer import LINE_CAP
from protocol.messages import BestMove, MalformedBestMove, OptionLine, ReadyOk, UgiOk, Unknown

GROUP = Group("B", "Lines and pipes")
F, M, m, N = Severity.FATAL, Severity.MAJOR, Severity.MINOR, Severity.NOTE


@GROUP.check(1, "2.7", F, "every line comes while its input stays open", "no output: does it flush?")
def flushes(bench: Bench) -> None:
    bench.lives(bench.engine())


@GROUP.check(2, "2.2", M, "commands that end in CR LF are understood", "`isready\\r` is not known")
def reads_crlf(bench: Bench) -> None:
    talk = bench.engine()
    talk.write(f"{talk.position(Place())}\r\nisready\r\n".encode())
    talk.until(ReadyOk, READY_MS, "readyok")
    talk.write(b"go nodes 100\r\n")
    bench.legal(talk.answer("nodes 100", Place(), time.monotonic_ns(), SEARCH_MS))


@GROUP.check(3, "2.4", M, "a command that comes in two pieces is one command", "one read is taken for one line")
def joins_pieces(bench: Bench) -> None:
    talk = bench.engine()
    for command in ("isready\n", f"{talk.position(bench.book.places(8)[-1])}\nisready\n"):
        talk.write(command[:5].encode())
        pause(50)
        talk.write(command[5:].encode())
        talk.until(ReadyOk, READY_MS, "readyok")
    talk.write(b"go nod")
    pause(50)
    talk.write(b"es 100\n")
    bench.legal(talk.answer("nodes 100", bench.book.places(8)[-1], time.monotonic_ns(), SEARCH_MS))


@GROUP.check(
    4, "2.4", M, "eight commands in one write are answered in their order",
    "only the first line of a read is looked at, or the rest sleeps in a buffer that poll does not see",
)  # fmt: skip
def cuts_lines(bench: Bench) -> None:
    talk = bench.engine()
    talk.say("uginewgame", *["isready"] * 4, talk.position(Place()), "isready", "go nodes 100")
    start_ns = time.monotonic_ns()
    for _ in range(5):
        early = talk.until((ReadyOk, BestMove), READY_MS, "readyok")
        require(count(early, BestMove) == 0, "the bestmove came before the readyok that was asked for first")
    bench.legal(talk.answer("nodes 100", Place(), start_ns, SEARCH_MS))


@GROUP.check(5, "2.3", M, "blank lines are passed over", "the first word of no words is taken")
def passes_blank_lines(bench: Bench) -> None:
    talk = bench.engine()
    talk.write(b"\n\n   \n\t\n \t \r\n")
    bench.lives(talk)


@GROUP.check(6, "2.3", m, "tabs and blanks before, between and behind words do not matter", "a line is split at ' '")
def passes_blanks(bench: Bench) -> None:
    talk = bench.engine()
    place = Place(None, bench.book.games[0].moves[:2])
    talk.write(b"  \t isready \t \n")
    talk.until(ReadyOk, READY_MS, "readyok")
    talk.write(talk.position(place).replace(" ", " \t  ").encode() + b"  \n\tisready\n")
    talk.until(ReadyOk, READY_MS, "readyok")
    talk.write(b" go \t nodes   100\t\n")
    bench.legal(talk.answer("nodes 100", place, time.monotonic_ns(), SEARCH_MS))


@GROUP.check(7, "2.3", M, "an unknown command is survived and not answered", "it exits, or complains on stdout")
def survives_unknown(bench: Bench) -> None:
    talk = bench.engine()
    heard = talk.ready("xyzzy 1 2", "ucinewgame")
    for each in heard:
        answer = isinstance(each.message, BestMove | MalformedBestMove | UgiOk | OptionLine)
        require(not answer, f"it answered an unknown command with {each.raw[:80]!r}")
    bench.lives(talk)


@GROUP.check(8, "2.3", M, "an unknown word before a known one is survived", "it exits")
def survives_unknown_word(bench: Bench) -> str:
    talk = bench.engine()
    talk.say("joho isready")
    heard = talk.ready()
    # The unknown word may have been passed over: then there is a second readyok.
    late = count(talk.drain(100), ReadyOk)
    require(late <= 1, f"{late + 1} readyok came for two lines")
    bench.lives(talk)
    return "reads on" if late + count(heard, ReadyOk) else "ignores the line"


@GROUP.check(
    9, "2.4", F, "a long game is taken in one line: 400 moves, or as many as the variant's games have",
    "a fixed buffer of 4096 bytes, a history of fixed length",
    each_variant=True,
)  # fmt: skip
def takes_long_games(bench: Bench) -> str:
    talk = bench.engine()
    game = bench.book.longest
    place = game.at(len(game.moves))
    talk.place(place)
    if game.result == "none":
        bench.legal(talk.go("nodes 100", place))
    return f"{len(place.moves)} moves, {len(talk.position(place))} bytes"


@GROUP.check(
    10, "2.4", M, "a line of 16 KiB of no sense is passed over", "a fixed buffer: its tail is read as commands"
)
def takes_long_lines(bench: Bench) -> None:
    talk = bench.engine()
    heard = talk.ready("xyzzy " * 2_730)
    heard += talk.drain(100)
    require(count(heard, (ReadyOk, UgiOk, BestMove)) == 0, "it found commands in the line that it does not have")
    bench.lives(talk)


@GROUP.check(11, "2.6", m, "its lines are UTF-8, have no NUL and are short enough", "a name in Latin-1, a C string")
def writes_text(bench: Bench) -> str:
    heard = [*bench.contact.early, *bench.ordinary.heard]
    for each in heard:
        require(b"\0" not in each.raw, f"a line has a NUL: {each.raw[:80]!r}")
        require(_is_text(each.raw), f"a line is not UTF-8: {each.raw[:80]!r}")
        require(len(each.raw) <= LINE_CAP, f"a line has {len(each.raw)} bytes")
    return f"{len(heard)} lines"


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@GROUP.check(12, "2.7", m, "every line is one of the protocol's", "two threads print at once, or debug output")
def mixes_no_lines(bench: Bench) -> str:
    heard = bench.ordinary.heard
    for each in heard:
        odd = isinstance(each.message, Unknown) and each.raw.split()[:1] != [b"option"]
        require(not odd, f"a line is none of the protocol's: {each.raw[:80]!r}")
    return f"{len(heard)} lines"


@GROUP.check(13, "2.8", M, "it plays on while nobody reads its stderr", "it logs more than a pipe holds")
def logs_little(bench: Bench) -> None:
    talk = bench.engine()
    for place in bench.book.places(3):
        talk.place(place)
        talk.subject.leave_errors()
        bench.legal(talk.go("nodes 500", place, 5_000))
        talk.subject.read_errors()
        talk.ready()


@GROUP.check(14, "2.8", N, "an ordinary session leaves nothing on stderr", "debugging was left on")
def logs_nothing(bench: Bench) -> None:
    stderr = bench.ordinary.stderr
    first = stderr.split(b"\n")[0][:80]
    require(not stderr, f"it wrote {len(stderr)} bytes on stderr, beginning with {first!r}")
