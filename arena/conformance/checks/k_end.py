"""Checks K: the end, and what is left and taken."""

from arena.conformance import runtime_threads
from arena.conformance.check import RECORDED, Cost, M, N, check, m
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


@check("K1", "14.2", M, "`quit` ends it, with status 0", "it hangs in its clearing up, or dies of it", smoke=True)
def quits(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    ctx.move(engine, "nodes 200")
    engine.send("quit")
    gone = _gone(engine, "`quit`")
    status = engine.subject.exit_status()
    # Status 0 is only a SHOULD; a signal means that it died of its quitting.
    require(status == 0, f"its exit status is {status}", minor=True)
    return gone


@check("K2", "14.2", M, "`quit` ends it in a search too", "it finishes the search first", needs=("G4", "K1"))
def quits_in_search(ctx: CheckContext) -> str:
    engine = _searching(ctx)
    engine.send("quit")
    return _gone(engine, "`quit` in a search")


@check(
    "K3", "14.3", M, "the end of its input ends it, idle and in a search", "it reads the end again and again",
    needs=("G4", "K1"), cost=Cost(starts=2),
)  # fmt: skip
def ends_with_its_input(ctx: CheckContext) -> str:
    idle = ctx.new_engine()
    idle.subject.end_input()
    gone = _gone(idle, "the end of its input")
    engine = _searching(ctx)
    engine.subject.end_input()
    return f"{gone}, in a search {_gone(engine, 'the end of its input in a search')}"


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


@check("K5", "10.7", N, "SIGTERM ends it within a second", "the signal is ignored")
def ends_on_sigterm(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    engine.subject.terminate()
    return _gone(engine, "SIGTERM", _TERM_MS)


@check(
    "K6", "14.5", m, "it leaves no process behind", "a wrapper script without `exec`: it dies, its child lives on",
    needs=("K1",),
)  # fmt: skip
def leaves_no_process(ctx: CheckContext) -> None:
    engine = ctx.new_engine()
    ctx.move(engine, "nodes 200")
    engine.send("quit")
    _gone(engine, "`quit`")
    pause(50)
    processes = engine.subject.group_members()
    require(not processes, f"{len(processes)} processes of its group live on")


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


@check(
    "K8", "11.10", N, "an ordinary session ends without a last word on stderr and without a signal",
    needs=("K1",), cost=RECORDED,
)  # fmt: skip
def ends_cleanly(ctx: CheckContext) -> str:
    ordinary = ctx.ordinary
    last = ordinary.stderr.decode("utf-8", "replace").splitlines()[-20:]
    require(ordinary.ending == "exit status 0", f"it ended with: {ordinary.ending}; stderr: {' / '.join(last)[-200:]}")
    return f"{ordinary.ending}, {len(last)} lines on stderr"


@check("K9", "2.1", m, "it writes no file into its working directory", "a log, a table", cost=RECORDED)
def writes_no_files(ctx: CheckContext) -> None:
    files = ctx.ordinary.files
    require(not files, f"it left {', '.join(files[:5])}")
