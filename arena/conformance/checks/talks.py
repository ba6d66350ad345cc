"""The checks that only talk, as a table: what is sent, awaited and judged (`talk`), or judged in what was recorded."""

from collections.abc import Callable
from typing import Any

from arena.conformance.check import RECORDED, Area, Cost, F, M, N, check, m
from arena.conformance.checked_engine import QUIT_MS
from arena.conformance.checks.g_search import LIMITS
from arena.conformance.context import CheckContext, require
from arena.conformance.talk import talk
from arena.conformance.violation import quoted
from protocol.line_buffer import LINE_CAP
from protocol.messages import Id, Info, OptionLine

GONE = f"gone {QUIT_MS}"
_BURST = r"\n".join(["isready"] * 20)
_BAD_MOVES = ("a1a1", "y25y24", "zz", "0000", "d1d2x", "a1 a1 a1")
_RESULTS = ("p1win line", "p2win king-escaped", "draw adjudication", "p1win time")
_SEED_MOST = 2_147_483_647


def _talk(*about: Any, says: str, **more: Any) -> None:
    """A check that goes through the steps of a talk."""

    def function(ctx: CheckContext) -> str:
        return talk(ctx, says)

    check(*about, **more)(function)


def _recorded(*about: Any, wrong: Callable[[CheckContext], object], seen: str, **more: Any) -> None:
    """A check of what was recorded. It fails if anything is `wrong`; `seen` says so with `{}` in its place."""

    def function(ctx: CheckContext) -> None:
        found = wrong(ctx)
        require(not found, seen.format(", ".join(map(str, found)) if isinstance(found, list) else found))

    check(*about, cost=RECORDED, **more)(function)


# The start and the handshake

_recorded(
    "A2", "3.4", m, "it says nothing before `ugi`", "a banner is printed at the start", needs=("A3",), smoke=True,
    wrong=lambda ctx: [quoted(each.raw) for each in ctx.contact.early[:3]], seen="it said {} before it was asked",
)  # fmt: skip
_recorded(
    "A4", "3.2", m, "it says one `id name`, and it has a value", needs=("A3",), smoke=True,
    wrong=lambda ctx: [*map(bool, _ids(ctx, "name"))] != [True] and (_ids(ctx, "name") or "none"),
    seen="it does not say one `id name` with a value before `ugiok`: {}",
)  # fmt: skip
_recorded(
    "A5", "3.2", m, "it says one `id author`", needs=("A3",), smoke=True, seen="`id author` came {} times",
    wrong=lambda ctx: len(_ids(ctx, "author")) != 1 and str(len(_ids(ctx, "author"))),
)  # fmt: skip
_recorded(
    "A6", "2.6", m, "`ugiok` is the whole of its line", "a blank or a NUL is written after it",
    needs=("A3", "B11"), smoke=True,
    wrong=lambda ctx: _unless_bare(ctx.greeting.lines[-1].raw), seen="the line is {}",
)  # fmt: skip
_recorded(
    "A7", "3.4", m, "between `ugi` and `ugiok` there is nothing but id, option and info string", "debug output",
    needs=("A3",), smoke=True,
    wrong=lambda ctx: [
        quoted(each.raw)
        for each in ctx.greeting.lines[:-1]
        # Check C1 judges an option that cannot be read.
        if not (isinstance(each.message, Id | OptionLine) or each.raw.split()[:1] == [b"option"])
        and not (isinstance(each.message, Info) and each.message.string is not None)
    ][:1],
    seen="it said {}",
)  # fmt: skip
_recorded(
    "A9", "3.1", N, "the handshake takes less than a second", "a long set-up belongs after `isready`",
    needs=("A3",), area=Area.TIME, smoke=True, seen="it took {} ms",
    wrong=lambda ctx: ctx.greeting.elapsed_ms >= 1_000 * ctx.slow and round(ctx.greeting.elapsed_ms),
)  # fmt: skip
_talk(
    "A10", "14.2", M, "`quit` right after `ugiok` ends it", "it waits for `isready` before it reads on",
    needs=("K1",), smoke=True, says=f"start ; ugi ; > quit ; {GONE}",
)  # fmt: skip

# Lines and pipes

_talk(
    "B1", "2.7", F, "every line comes while its input stays open", "no output: does it flush?", needs=("D2",),
    # Nothing follows the question, so nothing else pushes its answer out.
    says="move ; unless answers p1turn ; > query p1turn ; < response",
)  # fmt: skip
_talk(
    "B2", "2.2", M, "commands that end in CR LF are understood", "`isready\\r` is not known",
    says=r"> {0}\r\nisready\r ; < readyok ; > go nodes 100\r ; < legal",
)  # fmt: skip
_talk(
    "B3", "2.4", M, "a command that comes in two pieces is one command", "one read is taken for one line",
    cost=Cost(150),
    says=r">> isrea ; pause 50 ; >> dy\n ; < readyok ; >> posi ; pause 50 ; >> tion startpos\nisready\n ; < readyok ;"
    r" > {7}\nisready ; < readyok ; >> go nod ; pause 50 ; >> es 100\n ; < legal",
)  # fmt: skip
_talk(
    "B5", "2.3", M, "blank lines are ignored", "the first word of no words is taken",
    says=r">> \n\n   \n\t\n \t \r\n ; move",
)  # fmt: skip
_talk(
    "B6", "2.3", M, "tabs and blanks before, between and after words do not matter", "a line is split at ' '",
    says=r"> \x20 \t isready \t ; < readyok ; > {spaced 2} \n \tisready ; < readyok ;"
    r" > \x20go \t nodes   100\t ; < legal",
)  # fmt: skip
_talk(
    "B7", "2.3", M, "an unknown command is survived and not answered", "it exits, or complains on stdout",
    cost=Cost(100),
    says=r"> xyzzy 1 2\nucinewgame\nisready ; < readyok, no bestmove ugiok option ; within 100: no readyok ; move",
)  # fmt: skip
_talk(
    "B8", "2.3", M, "an unknown word before a known one is survived", "it exits", needs=("B7",), cost=Cost(100),
    # An engine that skips the unknown word sends a second readyok.
    says=r"> joho isready\nisready ; < readyok ; within 100: 1 readyok ; move",
)  # fmt: skip
_talk(
    "B10", "2.4", M, "a line of 16 KiB of no sense is ignored", "a fixed buffer: its tail is read as commands",
    needs=("B3", "B7"), cost=Cost(110),
    says=rf"> {'xyzzy ' * 2_730}\nisready ; < readyok, no ugiok bestmove ;"
    " within 100: no readyok ugiok bestmove ; move",
)  # fmt: skip
_recorded(
    "B11", "2.6", m, "its lines are UTF-8, have no NUL and are short enough", "a name in Latin-1, a C string",
    needs=("A3",), seen="a line {}",
    wrong=lambda ctx: next(filter(None, (_no_text(e.raw) for e in (*ctx.contact.early, *ctx.ordinary.lines))), ""),
)  # fmt: skip
_recorded(
    "B14", "2.8", N, "an ordinary session leaves nothing on stderr", "debugging was left on",
    needs=("E1",), seen="it wrote {}",
    wrong=lambda ctx: (err := ctx.ordinary.stderr) and f"{len(err)} bytes, first {quoted(err.splitlines()[0])}",
)  # fmt: skip
_talk(
    "B15", "2.5", M, "no line is longer than 64 KiB, and no search writes more than 16 MiB", "a newline is missing",
    # A line or a search beyond the caps ends the reading.
    cost=Cost(300, timed=1), says="move movetime 300 ; move nodes 5000",
)  # fmt: skip

# Options

_recorded(
    "C3", "3.3", M, "no two options have one name, letter case ignored", needs=("A3",), seen="announced twice: {}",
    wrong=lambda ctx: [name for number, name in enumerate(_names(ctx)) if name in _names(ctx)[:number]],
)  # fmt: skip
_recorded(
    "C12", "4.4", M, "OwnBook, if there is one, is false by default", "a book is used unasked",
    needs=("A3",), seen="its default is {}",
    wrong=lambda ctx: (ctx.option("OwnBook").default or "nothing").lower().removeprefix("false"),
)  # fmt: skip
_recorded(
    "C13", "13.1", M, f"the range of Seed holds every number from 0 to {_SEED_MOST}", "a narrower range was chosen",
    needs=("A3",), seen="it is {}; the referee sends numbers from 0 to 2147483647",
    wrong=lambda ctx: _narrow(ctx.option("Seed")),
)  # fmt: skip

# Synchronisation and positions

_talk(
    "D1", "6.4", F, "each `isready` is answered by one `readyok`", "one answer for a burst of questions",
    needs=("A3",), cost=Cost(160), smoke=True,
    says="start ; ugi ; within 100: no readyok ;"
    f" start ; ugi ; > isready ; < readyok ; > {_BURST} ; < 20 readyok ; within 50: no readyok",
)  # fmt: skip
_talk(
    "D2", "6.4", F, "`isready` is answered after `uginewgame` and after `position`", each_variant=True, needs=("D1",),
    says="game ; at 0 ; game ; at 9999 ; game ; at 10 ; game ; at 21 ; game ; at 3",
)  # fmt: skip
_talk(
    "D4", "2.9", M, "after `readyok` it is silent until something is said to it", "it ponders aloud, a heartbeat",
    cost=Cost(1000), says="at 0 ; within 1000: nothing",
)  # fmt: skip
_talk(
    "E1", "6.1", F, "from the start position it gives a legal move", each_variant=True, needs=("G1",), smoke=True,
    says="move nodes 200 at 0",
)  # fmt: skip
_talk(
    "E2", "6.1", F, "it follows a game: a legal move after each of the first 20",
    "off by one, or the other side's move", each_variant=True, needs=("G2",), cost=Cost(searches=20),
    says=" ; ".join(f"move nodes 200 at {ply}" for ply in range(1, 21)),
)  # fmt: skip
_talk(
    "E5", "6.3", m, "`moves` with nothing after it is accepted", "an index beyond the words", area=Area.PROTOCOL,
    # The start comes after another position, so that an engine that refuses the line is still there.
    says=r"move nodes 20 at 5 ; > {0} moves\nisready ; < readyok ; is at 0 ;"
    r" move nodes 20 at 6 ; > {0} moves\nisready ; < readyok ; is at 0",
)  # fmt: skip
_talk(
    "E8", "6.2", M, "a game can be taken back ten plies", "moves are only ever added", needs=("E6",),
    says=" ; ".join(f"at {ply} ; is at {ply}" for ply in (30, 20, 29, 19, 1, 30)),
)  # fmt: skip
_talk(
    "E11", "6.7", M, "an illegal move in the list is survived", "an assertion", area=Area.PROTOCOL,
    says=" ; ".join(
        rf"> {{0}} moves {word}\nisready ; < readyok ; > {{3}} {word}\nisready ; < readyok" for word in _BAD_MOVES
    ) + " ; move nodes 20 at 3 ; move",
)  # fmt: skip
_talk(
    "E12", "2.4", M, "a game of 300 plies, or the longest that the variant has, is played on", "a history of 256",
    needs=("B9",), cost=Cost(timed=1), area=Area.PROTOCOL, says="move movetime 100 at 300 ; is at 300",
)  # fmt: skip

# Searching

_talk(
    "G1", "8.1", F, "each kind of limit brings a bestmove", "a kind is not known, and it thinks for ever",
    needs=("B1",), cost=Cost(200, timed=2), smoke=True, says=" ; ".join(f"move {limit}" for limit in LIMITS),
)  # fmt: skip
_talk(
    "G3", "8.1", F, "each `go` brings exactly one bestmove, and nothing after it", "a second one at `stop`",
    cost=Cost(450, timed=1), smoke=True,
    says="move nodes 200 ; within 200: no line ; move movetime 50 ; within 200: no line",
)  # fmt: skip
_talk(
    "G4", "14.1", F, "`stop` ends a search within 2 s", "the input is not read while it searches",
    needs=("D3",), cost=Cost(300, stops=1), area=Area.TIME, smoke=True, says="lasting 300 ; stop",
)  # fmt: skip
_talk(
    "G7", "14.1", M, "`stop` outside a search is not answered", "the last bestmove is printed again",
    needs=("G4",), cost=Cost(500, stops=1),
    says=r"at 0 ; > stop\nisready ; < readyok, no bestmove ; move nodes 200 ;"
    r" > stop\nstop\nisready ; < readyok, no bestmove ; within 200: no bestmove ; move nodes 200 ;"
    r" unless lasting 200 ; stop ; > stop\nisready ; < readyok ; again ; within 100: no bestmove ; stop",
)  # fmt: skip
_talk(
    "I4", "9.10", M, "`gameover` is not answered, and the next game is played", "it answers, or exits",
    says="needs UGI_GameOver ; "
    + "".join(f"move nodes 100 ; > gameover {result} ; within 50: nothing ; game ; " for result in _RESULTS) + "move",
)  # fmt: skip

# The end

_talk(
    "K1", "14.2", M, "`quit` ends it, with status 0", "it hangs while it cleans up, or dies of it", smoke=True,
    # Status 0 is only a SHOULD; a signal means that it died of its quitting.
    says=f"move nodes 200 ; > quit ; {GONE} ; status 0",
)  # fmt: skip
_talk(
    "K2", "14.2", M, "`quit` ends it in a search", "it finishes the search first", needs=("G4", "K1"),
    says=f"at 0 ; > go infinite ; wait 50 ; > quit ; {GONE}",
)  # fmt: skip
_talk(
    "K3", "14.3", M, "the end of its input ends it, idle and in a search", "it reads the end again and again",
    needs=("G4", "K1"), cost=Cost(starts=2),
    says=f"eof ; {GONE} ; engine ; at 0 ; > go infinite ; wait 50 ; eof ; {GONE}",
)  # fmt: skip
_talk("K5", "10.7", N, "SIGTERM ends it within a second", "the signal is ignored", says="sigterm ; gone 1000")
_talk(
    "K6", "14.5", m, "it leaves no process behind", "a wrapper script without `exec`: it dies, its child lives on",
    needs=("K1",), says=f"move nodes 200 ; > quit ; {GONE} ; pause 50 ; no process",
)  # fmt: skip
_recorded(
    "K8", "11.10", N, "an ordinary session ends without a last word on stderr and without a signal", needs=("K1",),
    wrong=lambda ctx: ctx.ordinary.ending.removeprefix("exit status 0"), seen="it ended with: {}",
)  # fmt: skip
_recorded(
    "K9", "2.1", m, "it writes no file into its working directory", "a log, a table",
    wrong=lambda ctx: list(ctx.ordinary.files[:5]), seen="it left {}",
)  # fmt: skip


def _ids(ctx: CheckContext, key: str) -> list[str]:
    ids = [each.message for each in ctx.greeting.lines if isinstance(each.message, Id)]
    return [each.value for each in ids if each.key == key]


def _unless_bare(raw: bytes) -> str:
    return "" if raw in (b"ugiok", b"ugiok\r") else quoted(raw)


def _no_text(raw: bytes) -> str:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return f"is not UTF-8: {quoted(raw)}"
    return f"has a NUL: {quoted(raw)}" if b"\0" in raw else f"has {len(raw)} bytes" if len(raw) > LINE_CAP else ""


def _names(ctx: CheckContext) -> list[str]:
    return [each.message.name.lower() for each in ctx.greeting.lines if isinstance(each.message, OptionLine)]


def _narrow(seed: OptionLine) -> str:
    if seed.type != "spin":
        return f"a {seed.type}, not a spin"
    low, high = seed.min, seed.max
    return "" if low is not None and high is not None and low <= 0 and high >= _SEED_MOST else f"from {low} to {high}"
