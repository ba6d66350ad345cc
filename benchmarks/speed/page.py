"""The results as text: one table for each part, what peers do better, the machine that was used, and a plot."""

import os
import platform
from collections.abc import Sequence
from html import escape

from benchmarks.speed.rows import FLOOR, OURS, Row

PARTS = {
    "a": "The referee's own cost",
    "b": "Accuracy of the clocks",
    "c": "100 000 games: to play, to keep and to read",
    "d": "Stockfish against itself, two games at once",
}
_LABEL, _BAR, _LINE, _TOP = 160, 420, 24, 34
"""Sizes of the plot in pixels: the names, the longest bar, the height of a bar, the title."""


def machine() -> str:
    """The machine, as far as the system describes it, in one line."""
    cpu = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            cpu = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), cpu)
    except OSError:
        pass
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    load = " ".join(f"{load:.1f}" for load in os.getloadavg())
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return f"{cpu}, {cpus} CPUs, {system}, Python {platform.python_version()}, load before {load}"


def contenders(rows: Sequence[Row]) -> list[str]:
    """All that have a figure or a reason for its absence; ours first, then peers, then the floor."""
    names = dict.fromkeys(name for row in rows for name in (*row.rounds, *row.notes))
    return sorted(names, key=lambda name: (name == FLOOR, name != OURS))


def cells(row: Row, names: Sequence[str]) -> list[str]:
    """A row as words: what, unit, ratio to the best peer, the medians."""
    peer = row.best_peer()
    ratio = "" if peer is None else _figure(row.ratio(peer))
    return [
        row.what,
        row.unit,
        ratio,
        *(_figure(row.median(name)) or ("-" if name in row.notes else "") for name in names),
    ]


def tables(rows: Sequence[Row]) -> list[str]:
    """The lines of Markdown of all parts, which a terminal shows as well."""
    lines = []
    for part in sorted({row.part for row in rows}):
        its = [row for row in rows if row.part == part]
        names = contenders(its)
        peers = any(row.best_peer() for row in its)
        words = [["", "unit", "to best peer", *names], *(cells(row, names) for row in its)]
        if not peers:
            words = [[*line[:2], *line[3:]] for line in words]
        widths = [max(map(len, column)) for column in zip(*words, strict=True)]
        shown = [" | ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)) for line in words]
        rule = "|".join("---" if at < 2 else "--:" for at in range(len(widths)))
        lines += ["", f"## {PARTS[part]}", "", f"| {shown[0]} |", f"|{rule}|", *(f"| {line} |" for line in shown[1:])]
        lines += [""] if any(row.notes for row in its) else []
        lines += sorted({f"* {who}: {why}." for row in its for who, why in row.notes.items()})
    return lines


def ahead(rows: Sequence[Row]) -> list[str]:
    """A line for each figure in which a peer leads, and why it does."""
    lines = []
    for row in rows:
        if (lead := row.behind()) is not None:
            peer, factor = lead
            lines.append(
                f"* {row.what}: {peer} by a factor of {_figure(factor)}{f'; {row.cause}' if row.cause else ''}."
            )
    return lines or ["* in none of these figures."]


def markdown(rows: Sequence[Row], machine: str, command: str, plot: str) -> str:
    """The page."""
    lines = [
        "# Benchmarks",
        "",
        "What the referee costs beside its peers, on the same machine and in turns. Ratios carry over to other",
        "machines, times do not. Each ratio is the median over the rounds of ours to the best peer's of the same",
        "round; the figures are medians.",
        "",
        f"Made by `{command}` on {machine}.",
        "",
        "A peer is ahead in:",
        "",
        *ahead(rows),
        "",
        f"![Microseconds that each referee adds to a ply]({plot})",
        *tables(rows),
        "",
        "Engines of the first part replay a prepared game, answer at once and stamp their own times; all that is not",
        "theirs is the referee's. The C floor plays the same over two pipes without rules, clocks or records. Peers",
        "replay a game of chess. Records are on, adjudication is off; our engines are contained at the level `basic`.",
    ]
    return "\n".join(lines) + "\n"


def svg(rows: Sequence[Row]) -> str:
    """Bars of the time of a ply, the shortest first."""
    ply = next((row for row in rows if row.what.startswith("a ply")), None)
    medians = [] if ply is None else sorted((ply.median(name) or 0.0, name) for name in ply.rounds if ply.median(name))
    longest = max((median for median, _ in medians), default=1.0)
    width, height = _LABEL + _BAR + 80, _TOP + _LINE * len(medians) + 10
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        'font-size="13">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        '<text x="10" y="20" font-weight="bold">Microseconds that a referee adds to a ply, median, one CPU</text>',
    ]
    for index, (median, what) in enumerate(medians):
        y, length = _TOP + _LINE * index, max(1.0, _BAR * median / longest)
        colour = "#1f6f8b" if what == OURS else "#b8b8b8"
        lines += [
            f'<text x="{_LABEL - 8}" y="{y + 15}" text-anchor="end">{escape(what)}</text>',
            f'<rect x="{_LABEL}" y="{y + 3}" width="{length:.1f}" height="{_LINE - 8}" fill="{colour}"/>',
            f'<text x="{_LABEL + length + 6:.1f}" y="{y + 15}">{_figure(median)}</text>',
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    digits = 0 if value == int(value) or abs(value) >= 1000 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}".replace(",", " ")
