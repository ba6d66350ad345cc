"""One game in words: its result, its clock, its moves with their costs, and the evidence of a fault."""

from collections.abc import Iterator

from results.export import RESULTS
from results.plies import LATE_US, Ply
from results.record import Evidence, GameRecord


def result_text(record: GameRecord) -> str:
    """Who won, and why."""
    if record.winner in ("p1", "p2"):
        who = f"{record.p1 if record.winner == 'p1' else record.p2} won"
    else:
        who = "a draw" if record.winner == "draw" else "nobody won"
    why = f"by {record.termination}" + (f": {record.detail}" if record.detail else "")
    return f"{RESULTS[record.winner]}, {who} {why}"


def clock_text(record: GameRecord) -> str:
    """The time control, and by what the moves were judged."""
    judged = "" if record.measured or record.clock == "wall" else " (judged by wall time: the system did not tell more)"
    clock = "" if record.clock == "fair" else f", {record.clock}"  # older versions had others
    return f"{record.tc}{clock}{judged}"


def remarks(record: GameRecord) -> Iterator[str]:
    """What was noticed about the machine and the engines."""
    if record.machine:
        line = "the line to the engine was down in this game"
        yield line if record.line_was_down else "only the machine was late in the move that lost this game"
    if late := record.sums.late:
        yield f"the machine was late in {late} of {len(record.plies)} plies, marked 'late'"
    for side, reading_us in record.reading_us.items():
        if reading_us < LATE_US:  # a program that loads its last parts may need some ms
            continue
        name = record.p1 if side == "p1" else record.p2
        yield f"{name} ({side}) read positions for {reading_us / 1e6:.3f} s more than is free: that is its time"
    for side in record.burns_idle:
        name, idle_us = (record.p1, record.p1_idle_us) if side == "p1" else (record.p2, record.p2_idle_us)
        yield f"{name} ({side}) used {(idle_us or 0) / 1e6:.2f} s of CPU in its opponent's time"


def ply_rows(record: GameRecord) -> list[tuple[str, ...]]:
    """The headings, and a row of text for each ply with its cost."""
    line = "line" * any(ply.pv for ply in record.plies)
    rows: list[tuple[str, ...]] = [
        ("ply", "side", "move", "wall ms", "cpu ms", "late ms", "left ms", "depth", "score", "", line)
    ]
    plies = [*(None for _ in record.opening), *record.plies]
    for number, (word, ply) in enumerate(zip(record.moves, plies, strict=True), 1):
        costs = ("opening", *("",) * 7) if ply is None else _costs(ply)
        rows.append((str(number), record.mover(number), word, *costs))
    return rows


def evidence_rows(record: GameRecord, evidence: Evidence) -> list[tuple[str, str]]:
    """What is known of a fault: whose it was, how the engine ended, and the times of the wait."""
    name = record.p1 if evidence.side == "p1" else record.p2
    rows = [("fault", f"{evidence.fault} of {name} ({evidence.side}): {evidence.detail}"), ("exit", evidence.exit)]
    measured = {"allowed": evidence.allowed_us, "wall": evidence.wall_us, "cpu": evidence.cpu_us}
    measured["late"] = evidence.late_us
    times = ", ".join(f"{word} {us / 1000:.1f} ms" for word, us in measured.items() if us is not None)
    return [*rows, ("times", times)] if times else rows


def _costs(ply: Ply) -> tuple[str, ...]:
    times = ("-" if us is None else f"{us / 1000:.1f}" for us in (ply.wall_us, ply.cpu_us, ply.late_us))
    figures = ("-" if figure is None else str(figure) for figure in (ply.left_ms, ply.depth))
    marks = ["late"] if ply.flagged else []
    marks += [f"reading {ply.reading_us / 1000:.1f} ms"] if ply.reading_us else []
    return (*times, *figures, ply.score or "-", ", ".join(marks), ply.pv)
