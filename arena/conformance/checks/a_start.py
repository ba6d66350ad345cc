"""Checks A: the start and the handshake."""

import shlex
import sys

from arena.conformance.check import RECORDED, Area, F, M, N, check, m
from arena.conformance.checked_engine import QUIT_MS, START_MS
from arena.conformance.context import SETTLE_MS, CheckContext, count, require
from arena.conformance.violation import Violation, quoted
from protocol.containment import scratch
from protocol.messages import Id, Info, OptionLine, UgiOk


@check(
    "A1", "3.1", F, "it starts, and lives on while nothing is said to it", "a missing library, or it wants a tty",
    needs=(), cost=RECORDED, smoke=True,
)  # fmt: skip
def starts(ctx: CheckContext) -> str:
    require(not ctx.contact.dead, ctx.contact.dead)
    unasked = [each.raw[:80] for each in ctx.contact.early if isinstance(each.message, Id | OptionLine | UgiOk)]
    require(not unasked, f"it did not wait for `ugi`: it said {unasked[:3]}", cause="it greets without being asked")
    return f"alive after {SETTLE_MS * ctx.slow:.0f} ms"


@check(
    "A2", "3.4", m, "it says nothing before `ugi`", "a banner is printed at the start",
    needs=("A3",), cost=RECORDED, smoke=True,
)  # fmt: skip
def says_nothing_first(ctx: CheckContext) -> None:
    early = ctx.contact.early
    require(not early, f"it said {[each.raw for each in early[:3]]} before it was asked")


@check(
    "A3", "3.1", F, "`ugi` is answered by `ugiok` in time", "no output: does it flush? Or it loads tables first",
    needs=("A1",), cost=RECORDED, smoke=True,
)  # fmt: skip
def answers_ugi(ctx: CheckContext) -> str:
    try:
        return f"{ctx.greeting.elapsed_ms:.0f} ms"
    except Violation as violation:
        other = ctx.start()
        if other.says("uciok", "uci", START_MS):
            program = shlex.quote(shlex.join(ctx.check_run.settings.command.argv))
            violation.cause = f"it speaks UCI: `arena check {program} --adapter uci` translates"
            raise violation.about("it answers `uci` and not `ugi`: did you mean `--adapter uci`?") from None
        # The report shows the last dialogue, which is to be that with `ugi`.
        ctx.engines.remove(other)
        ctx.check_run.release([other])
        raise


@check("A4", "3.2", m, "it says one `id name`, and it has a value", needs=("A3",), cost=RECORDED, smoke=True)
def names_itself(ctx: CheckContext) -> str:
    name = _only_id(ctx, "name")
    require(bool(name), "`id name` has no value")
    return name


@check("A5", "3.2", m, "it says one `id author`", needs=("A3",), cost=RECORDED, smoke=True)
def names_its_author(ctx: CheckContext) -> str:
    return _only_id(ctx, "author")


def _only_id(ctx: CheckContext, key: str) -> str:
    values = [
        each.message.value for each in ctx.greeting.lines if isinstance(each.message, Id) and each.message.key == key
    ]
    require(len(values) == 1, f"`id {key}` came {len(values)} times before `ugiok`, not once")
    return values[0]


@check(
    "A6", "2.6", m, "`ugiok` is the whole of its line", "a blank or a NUL is written behind it",
    needs=("A3", "B11"), cost=RECORDED, smoke=True,
)  # fmt: skip
def ugiok_is_bare(ctx: CheckContext) -> None:
    raw = ctx.greeting.lines[-1].raw
    require(raw in (b"ugiok", b"ugiok\r"), f"the line is {quoted(raw)}")


@check(
    "A7", "3.4", m, "between `ugi` and `ugiok` there is nothing but id, option and info string", "debug output",
    needs=("A3",), cost=RECORDED, smoke=True,
)  # fmt: skip
def handshakes_without_other_lines(ctx: CheckContext) -> None:
    for each in ctx.greeting.lines[:-1]:
        announced = isinstance(each.message, Id | OptionLine)
        remark = isinstance(each.message, Info) and each.message.string is not None
        # Check C1 judges an option that cannot be read.
        require(announced or remark or each.raw.split()[:1] == [b"option"], f"it said {quoted(each.raw)}")


@check(
    "A8", "3.5", m, "a second `ugi` is answered like the first", "the handshake is read once, before the loop",
    needs=("A3",), smoke=True,
)  # fmt: skip
def answers_second_ugi(ctx: CheckContext) -> None:
    engine = ctx.start()
    first = [each.message for each in engine.handshake().lines if isinstance(each.message, Id | OptionLine)]
    second = [each.message for each in engine.handshake().lines if isinstance(each.message, Id | OptionLine)]
    require(first == second, f"it announced {len(first)} lines first and {len(second)} others then")


@check(
    "A9", "3.1", N, "the handshake takes less than a second", "heavy set-up belongs behind `isready`",
    needs=("A3",), cost=RECORDED, area=Area.TIME, smoke=True,
)  # fmt: skip
def handshakes_within_a_second(ctx: CheckContext) -> str:
    elapsed_ms = ctx.greeting.elapsed_ms
    require(elapsed_ms < 1_000 * ctx.slow, f"it took {elapsed_ms:.0f} ms")
    return f"{elapsed_ms:.0f} ms"


@check(
    "A10", "14.2", M, "`quit` right behind `ugiok` ends it", "it waits for `isready` before it reads on",
    needs=("K1",), smoke=True,
)  # fmt: skip
def quits_after_handshake(ctx: CheckContext) -> str:
    engine = ctx.start()
    engine.handshake()
    engine.send("quit")
    gone_ms = engine.wait_exit(QUIT_MS)
    require(gone_ms is not None, f"it was still there {QUIT_MS * engine.slow:.0f} ms after `quit`")
    return f"{gone_ms:.0f} ms"


@check(
    "A11", "2.1", m, "it starts in a foreign directory that it cannot write to, with PATH as its only environment",
    "it looks for its files, or writes a log, in the working directory",
    needs=("A3",), smoke=True,
)  # fmt: skip
def starts_anywhere(ctx: CheckContext) -> None:
    # Not even root can make files in /proc.
    with scratch.folder("check") as folder:
        engine = ctx.start(directory="/proc" if sys.platform == "linux" else folder, bare=True)
        greeting = ctx.set_up(engine)
        require(count(greeting.lines, UgiOk) == 1, "it did not greet")
        ctx.require_alive(engine)
