"""What the record of a game keeps as evidence of a fault: its times, the transcript, the stderr of the engine."""

from collections.abc import Sequence

from arena.play.adjudication import SIDES
from protocol.faults import EngineFault, LastWords
from protocol.session import KEPT_LINES
from results.record import Evidence

LINE_COLUMNS = 1_000
STDERR_BYTES = 4_096
"""How much of an engine's output is stored with a fault. A thousand faults take some megabytes."""


def last_words(transcript: Sequence[str], stderr: bytes, end: str) -> LastWords:
    """The end of what an engine said, cut to what is kept; `end` says how its process ended."""
    lines = tuple(line[:LINE_COLUMNS] for line in transcript[-KEPT_LINES:])
    text = stderr[-STDERR_BYTES:].decode("utf-8", "backslashreplace").replace("\0", "\\0")
    return LastWords(lines, text, end)


def evidence(side: int, broken: EngineFault, last_words: LastWords | None) -> Evidence:
    """What is stored of a fault of one side, 0 for p1."""
    last_words = last_words or LastWords((), "", "never started")
    times = broken.times
    return Evidence(
        side=SIDES[side],
        fault=broken.fault.value,
        detail=broken.detail,
        exit=last_words.exit,
        transcript=last_words.transcript,
        stderr=last_words.stderr,
        allowed_us=None if times is None else times.allowed_ns // 1000,
        wall_us=None if times is None else times.wall_ns // 1000,
        cpu_us=None if times is None or times.cpu_ns is None else times.cpu_ns // 1000,
        late_us=None if times is None or times.late_ns is None else times.late_ns // 1000,
        machine=times is not None and times.machine,
    )
