"""Checks K: the end, and what is left and taken."""

from arena.conformance import runtime_threads
from arena.conformance.check import Cost, M, N, check
from arena.conformance.checked_engine import QUIT_MS, CheckedEngine
from arena.conformance.context import START, CheckContext, pause, require
from arena.conformance.violation import NotApplicable, Violation

_TERM_MS = 1_000
_FOR_EVER_MS = 8_000
_ROOM_BYTES = 256 << 20
_DEFAULT_HASH = 64
_WORK_MS = 300
"""So long a search that what a runtime compiles and collects meanwhile is little beside it."""


def _gone(engine: CheckedEngine, after: str, within_ms: int = QUIT_MS) -> str:
    gone_ms = engine.wait_exit(within_ms)
    require(gone_ms is not None, f"it was still there {within_ms * engine.slow:.0f} ms after {after}")
    return f"{gone_ms:.0f} ms"


def _searching(ctx: CheckContext) -> CheckedEngine:
    engine = ctx.new_engine()
    engine.set_position(START)
    engine.send("go infinite")
    engine.drain(50)
    return engine


@check("K4", "14.4", M, "it exits when nobody reads its output any more", "a failed write is passed over")
def ends_with_its_reader(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    engine.subject.close_output()
    # The engine notices the closed pipe only when it writes.
    for _ in range(20):
        if engine.subject.exit_status() is not None:
            break
        engine.subject.send_ignoring_errors(b"isready\n")
        pause(20)
    if engine.wait_exit(QUIT_MS) is None:
        gone = _gone(engine, "its stdout was closed and `isready` sent", _FOR_EVER_MS)
        raise Violation(f"it exited no sooner than {gone} later, when nobody read its output any more", minor=True)
    return "it exits"


@check(
    "K7", "2.9", N, "it takes no more than Hash + 256 MiB, and Threads + 3 threads", "an option is not heeded",
    cost=Cost(searches=19),
)  # fmt: skip
def limits_resources(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    ctx.moves(engine, "nodes 3000", ctx.book.positions(4))
    usage = engine.subject.usage()
    if usage is None:
        raise NotApplicable("the system does not tell what it takes")
    hash_mb, threads = _setting(ctx, "hash", _DEFAULT_HASH), _setting(ctx, "threads", 1)
    threads_taken = usage.threads + sum(_working_threads(ctx, engine, pid) for pid in usage.runtimes)
    figures = f"{usage.peak_bytes / (1 << 20):.0f} MiB, {threads_taken} threads"
    figures += " that work, besides those of its runtime" if usage.runtimes else ""
    require(usage.peak_bytes <= (hash_mb << 20) + _ROOM_BYTES, f"it takes {figures}, with Hash at {hash_mb}")
    require(threads_taken <= threads + 3, f"it takes {figures}, with Threads at {threads}")
    return figures


def _working_threads(ctx: CheckContext, engine: CheckedEngine, pid: int) -> int:
    """How many threads of a JVM, of Node, Go or .NET search: such a runtime has a dozen others that hardly run."""
    before_ns = runtime_threads.cpu_times_ns(pid)
    ctx.move(engine, f"movetime {_WORK_MS}")
    return runtime_threads.working(before_ns, runtime_threads.cpu_times_ns(pid))


def _setting(ctx: CheckContext, name: str, otherwise: int) -> int:
    option = ctx.announced.get(name)
    wish = {key.lower(): value for key, value in ctx.check_run.settings.options.items()}.get(name)
    text = wish or (option.default if option else None) or str(otherwise)
    return int(text) if text.isdigit() else otherwise
