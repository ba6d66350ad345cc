"""The trace of a dialogue, as a developer reads it who looks for a fault."""

import itertools
from pathlib import Path

from protocol.trace import Trace

HOUR_NS = 3_600 * 10**9


def test_each_line_has_its_time_to_the_microsecond_and_who_said_it(tmp_path: Path) -> None:
    """Several lines of one write are several lines of the trace, at one time."""
    clock = iter([0, 1_500, 2_001_000, 3_000_000])
    trace = Trace(tmp_path / "a.txt", "mine", lambda: next(clock), lambda: 13 * HOUR_NS)
    trace.note(b"position startpos\nisready\n")
    trace.note(b"readyok")
    trace.close()
    assert (tmp_path / "a.txt").read_text() == (
        "13:00:00.000001 mine <- position startpos\n13:00:00.000001 mine <- isready\n13:00:00.002001 mine -> readyok\n"
    )


def test_a_trace_is_a_transcript_and_remarks_are_skipped_in_it(tmp_path: Path) -> None:
    """What reads transcripts reads traces; odd bytes are spelt out."""
    trace = Trace(tmp_path / "a.txt", "mine")
    trace.remark("game 7")
    trace.note(b"info string \xff\x00")
    trace.close()
    (line,) = [row for row in (tmp_path / "a.txt").read_text().splitlines() if not row.startswith("#")]
    assert line.endswith(" mine -> info string \\xff\\x00")


def test_a_slow_dialogue_is_in_the_file_at_once_and_a_quick_one_at_the_end(tmp_path: Path) -> None:
    """The trace of a hanging engine shows its last line."""
    file = tmp_path / "a.txt"
    slow = itertools.count(0, 2 * 10**9)
    trace = Trace(file, "slow", lambda: next(slow), lambda: 0)
    trace.note(b"go depth 9\n")
    assert "go depth 9" in file.read_text()
    quick = itertools.count(10**12, 10)
    trace = Trace(tmp_path / "b.txt", "quick", lambda: next(quick), lambda: 0)
    trace.note(b"ugi\n")
    trace.note(b"ugiok")
    assert "ugiok" not in (tmp_path / "b.txt").read_text()
    trace.flush()
    assert "ugiok" in (tmp_path / "b.txt").read_text()
    trace.close()
