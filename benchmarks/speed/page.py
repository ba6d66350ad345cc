"""The results as text: a table for each part, the machine that was used, and a plot. Measures nothing."""

import os
import platform
import sys
from collections.abc import Sequence
from html import escape

from benchmarks.speed.rows import Row

PARTS = {
    "a": "What the referee adds to each ply, and between two games",
    "b": "Short games: 20 plies, engines that answer at once",
    "c": "Start and stop of a tournament",
    "d": "Reading: commands, report and pages by the number of games",
    "e": "Accuracy of the clocks",
    "f": "Many games on few CPUs",
}
_HEADER = ("", "unit", "median", "least", "95 %", "ratio", "of least")
_LABEL, _BAR, _LINE, _TOP = 330, 420, 24, 34
"""Sizes of the plot in pixels: the names, the longest bar, the height of a bar, the title."""


def machine() -> dict[str, str]:
    """The machine, as far as the system describes it."""
    cpu = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            cpu = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), cpu)
    except OSError:
        pass
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {
        "CPU": cpu,
        "CPUs": str(cpus),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "load before": " ".join(f"{load:.2f}" for load in os.getloadavg()),
    }


def cells(row: Row) -> tuple[str, ...]:
    """A row as words. A missing figure has its reason in the place of the median."""
    if row.median is None:
        return (row.what, row.unit, row.note, "", "", "", "")
    figures = (row.median, row.least, row.high)
    return (row.what, row.unit, *(_figure(value) for value in figures), _figure(row.ratio), _figure(row.least_ratio))


def table(rows: Sequence[Row]) -> str:
    """All rows in columns, for a terminal."""
    lines = []
    for part in sorted({row.part for row in rows}):
        its = [_HEADER, *(cells(row) for row in rows if row.part == part)]
        widths = [max(len(words[column]) for words in its if words[3] or column < 2) for column in range(len(_HEADER))]
        lines += ["", f"{part}. {PARTS[part]}"]
        for words in its:
            first, *rest = (word.rjust(width) for word, width in zip(words, widths, strict=True))
            lines.append(f"{words[0].ljust(len(first))}  {'  '.join(rest)}".rstrip())
    return "\n".join(lines).lstrip("\n")


def markdown(rows: Sequence[Row], machine: dict[str, str], plot: str) -> str:
    """The page: the machine, the plot's file name, a table for each part."""
    lines = [
        "# Benchmarks",
        "",
        f"Made by `{' '.join(['python -m', 'benchmarks.run', *sys.argv[1:]])}`. Times are from one machine; "
        "what carries over are the ratios, each of two figures of one round, in which all contenders took turns.",
        "",
        *(f"* {name}: {value}" for name, value in machine.items()),
        "",
        "In part a both engines replay a prepared game and answer at once; they are a C program that stamps its own "
        "time, and all that is neither of the engines' is the referee's. The yardstick is a C program that plays the "
        "same over two pipes without rules, clocks or records. Peers replay a game of chess. Records are on, "
        "adjudication is off. `one CPU`: referee and engines together on one; `free`: wherever they go. With several "
        "games at once the figure is the time of the whole machine, all its CPUs, for a ply. Ratios are to the "
        "yardstick: the median of the rounds' ratios of medians, and the ratio of the two least figures.",
        "",
        f"![Microseconds that each referee adds to a ply]({plot})",
    ]
    for part in sorted({row.part for row in rows}):
        lines += ["", f"## {part}. {PARTS[part]}", "", f"| {' | '.join(_HEADER)} |", "|---|---|--:|--:|--:|--:|--:|"]
        lines += [f"| {' | '.join(cells(row))} |" for row in rows if row.part == part]
    return "\n".join(lines) + "\n"


def svg(rows: Sequence[Row]) -> str:
    """Bars of the medians of part a on one CPU, the shortest first."""
    shown = sorted(
        (
            (row.median, row.what.removeprefix("ply: ").removesuffix(", one CPU"))
            for row in rows
            if row.median is not None
            and row.part == "a"
            and row.what.startswith("ply:")
            and row.what.endswith("one CPU")
        ),
    )
    longest = max((median for median, _ in shown), default=1.0)
    width, height = _LABEL + _BAR + 80, _TOP + _LINE * len(shown) + 10
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
        'font-size="13">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        '<text x="10" y="20" font-weight="bold">Microseconds that a referee adds to a ply, median, one CPU</text>',
    ]
    for index, (median, what) in enumerate(shown):
        y, length = _TOP + _LINE * index, max(1.0, _BAR * median / longest)
        colour = "#1f6f8b" if what.startswith("arena") else "#b8b8b8"
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
