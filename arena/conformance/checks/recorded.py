"""Checks of what was recorded once: the handshake, and an ordinary session."""

from collections.abc import Callable
from typing import Any

from arena.conformance.check import Area, M, N, check, m
from arena.conformance.context import CheckContext, require
from arena.conformance.violation import quoted
from protocol.line_buffer import LINE_CAP
from protocol.messages import Id, Info, OptionLine

_SEED_MOST = 2_147_483_647


def _recorded(*about: Any, wrong: Callable[[CheckContext], object], seen: str, **more: Any) -> None:
    """A check of what was recorded. It fails if anything is `wrong`; `seen` says so with `{}` in its place."""

    def function(ctx: CheckContext) -> None:
        found = wrong(ctx)
        require(not found, seen.format(", ".join(map(str, found)) if isinstance(found, list) else found))

    check(*about, **more)(function)


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
