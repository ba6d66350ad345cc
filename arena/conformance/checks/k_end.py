"""Checks K: the end, and what is left and taken."""

from arena.conformance.check import M, N, check
from arena.conformance.checked_engine import QUIT_MS, CheckedEngine
from arena.conformance.context import CheckContext, pause, require
from arena.conformance.violation import NotApplicable, Violation
from protocol.commands import integer

_FOR_EVER_MS = 8_000
_ROOM_BYTES = 256 << 20
_DEFAULT_HASH = 64


def _gone(engine: CheckedEngine, after: str, within_ms: int = QUIT_MS) -> str:
    gone_ms = engine.wait_exit(within_ms)
    require(gone_ms is not None, f"it was still there {within_ms * engine.slow:.0f} ms after {after}")
    return f"{gone_ms:.0f} ms"


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
    "K7", "2.9", N, "it takes no more than Hash + 256 MiB", "an option is not heeded",
)  # fmt: skip
def limits_memory(ctx: CheckContext) -> str:
    engine = ctx.new_engine()
    ctx.moves(engine, "nodes 3000", ctx.book.positions(4))
    usage = engine.subject.usage()
    if usage is None:
        raise NotApplicable("the system does not tell what it takes")
    option = ctx.announced.get("hash")
    wish = {key.lower(): value for key, value in ctx.check_run.settings.options.items()}.get("hash")
    hash_option = integer(wish or (option.default if option else None) or "")
    hash_mb = _DEFAULT_HASH if hash_option is None or hash_option < 0 else hash_option
    taken = f"{usage.peak_bytes / (1 << 20):.0f} MiB"
    require(usage.peak_bytes <= (hash_mb << 20) + _ROOM_BYTES, f"it takes {taken}, with Hash at {hash_mb}")
    return taken
