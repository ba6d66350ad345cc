"""What was noticed about machine and engines in one game, and what is kept of a fault, as `arena show` prints it."""

from collections.abc import Iterator

from arena.cli import output
from results.record import Evidence, GameRecord


def judged(record: GameRecord) -> str:
    """What moves were judged by, for people."""
    if record.measured or record.clock == "wall":
        return record.clock
    return f"{record.clock} (judged by wall time: the system did not tell more)"


def notes(record: GameRecord) -> Iterator[str]:
    """What was noticed about machine and engines."""
    if record.machine:
        yield "only the machine was late in the move that lost this game"
    if record.late_plies:
        yield f"the machine was late in {record.late_plies} of {len(record.plies)} plies, marked 'late'"
    for side in record.burns_idle:
        name, idle_us = (record.p1, record.p1_idle_us) if side == "p1" else (record.p2, record.p2_idle_us)
        yield f"{name} ({side}) used {(idle_us or 0) / 1e6:.2f} s of CPU in its opponent's time"


def text(record: GameRecord, kept: Evidence) -> str:
    """What is kept of a fault, as lines."""
    name = record.p1 if kept.side == "p1" else record.p2
    measured = (
        ("allowed", kept.allowed_us),
        ("wall", kept.wall_us),
        ("cpu", kept.cpu_us),
        ("late", kept.late_us),
    )
    times = ", ".join(f"{word} {us / 1000:.1f} ms" for word, us in measured if us is not None)
    lines = [("fault", f"{kept.fault} of {name} ({kept.side}): {kept.detail}"), ("exit", kept.exit)]
    if times:
        lines.append(("times", times))
    parts = [output.table(lines)]
    for heading, said in (("dialogue", kept.transcript), ("stderr", kept.stderr.splitlines())):
        if said:
            parts.append(f"\nend of the {heading}:\n" + "".join(f"  {_printable(line)}\n" for line in said))
    return "".join(parts)


def _printable(line: str) -> str:
    """The line as a terminal may show it: what an engine wrote must not steer it."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in line)
