"""Checks A: the start and the handshake."""

import shlex
import sys

from arena.conformance.check import F, check, m
from arena.conformance.checked_engine import START_MS
from arena.conformance.context import SETTLE_MS, CheckContext, count, require
from arena.conformance.violation import Violation
from protocol.containment import scratch
from protocol.messages import Id, OptionLine, UgiOk


@check(
    "A1", "3.1", F, "it starts, and lives on while nothing is said to it", "a missing library, or it wants a tty",
    needs=(), smoke=True,
)  # fmt: skip
def starts(ctx: CheckContext) -> str:
    require(not ctx.contact.dead, ctx.contact.dead)
    unasked = [each.raw[:80] for each in ctx.contact.early if isinstance(each.message, Id | OptionLine | UgiOk)]
    require(not unasked, f"it did not wait for `ugi`: it said {unasked[:3]}", cause="it greets without being asked")
    return f"alive after {SETTLE_MS * ctx.slow:.0f} ms"


@check(
    "A3", "3.1", F, "`ugi` is answered by `ugiok` in time", "no output: does it flush? Or it loads tables first",
    needs=("A1",), smoke=True,
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
