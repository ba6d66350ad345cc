"""Pictures as SVG drawings: intervals, and a curve with its band, each for a wide or a narrow window."""

import math
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from results.plots.drawing import WIDE, Drawing, colour, fitting, grid, pairs, soft, text
from results.plots.scale import Scale, figure_text, range_of, ticks
from results.safe_text import harmless
from results.tables.text_width import shortened

ROW = 26
"""Height of a row of intervals in pixels."""
MOST_WORDS = 40
"""A drawing tells at most so many figures in words."""
_NAME = 14
"""The columns of a name in a narrow drawing. Longer names are cut."""


class Interval(NamedTuple):
    """A figure and its interval. An infinite end is drawn as an arrow."""

    name: str
    value: float
    lower: float
    upper: float
    note: str = ""


class Point(NamedTuple):
    """A point of a curve, with the interval of `y`."""

    x: float
    y: float
    lower: float
    upper: float


def intervals(title: str, rows: Sequence[Interval], unit: str, width: float = WIDE) -> Drawing:
    """A line for each row, with a mark at its value and its note at the right."""
    names = _names([row.name for row in rows], width)
    left = fitting(names, width * 0.4) + 18
    right = width - fitting([row.note for row in rows], width * 0.3) - 22
    scale = Scale(*range_of([figure for row in rows for figure in (row.value, row.lower, row.upper)]), left, right)
    bottom = 12 + ROW * len(rows)
    parts = []
    for value in ticks(scale.low, scale.high, max(3, int((right - left) / 70))):
        x = scale.at(value)
        parts.append(grid(f"M{x:.1f} 2V{bottom}", heavy=value == 0))
        parts.append(soft(x, bottom + 17, figure_text(value), "middle"))
    unit_lines = textwrap.wrap(harmless(unit), int(width / 6.8))
    middle = (left + right) / 2 if width >= WIDE else width / 2
    parts += [soft(middle, bottom + 38 + 16 * place, line, "middle") for place, line in enumerate(unit_lines)]
    for number, (name, row) in enumerate(zip(names, rows, strict=True)):
        y = 8 + ROW * (number + 0.5)
        a, b = (max(left, min(scale.at(end), right)) for end in (row.lower, row.upper))
        path = f"M{a:.1f} {y:.1f}H{b:.1f}"
        for end, figure, back in ((a, row.lower, 6), (b, row.upper, -6)):
            arrow = f"M{end + back:.1f} {y - 5:.1f}L{end:.1f} {y:.1f}L{end + back:.1f} {y + 5:.1f}"
            path += arrow if math.isinf(figure) else f"M{end:.1f} {y - 5:.1f}v10"
        parts.append(text(left - 12, y + 4.5, name, "end"))
        parts.append(f"<path {colour(0)} d='{path}' stroke='currentColor' stroke-width='2' fill='none'/>")
        parts.append(f"<circle {colour(0)} cx='{scale.at(row.value):.1f}' cy='{y:.1f}' r='4.5' fill='currentColor'/>")
        parts.append(text(right + 14, y + 4.5, row.note))
    facts = [f"{row.name} {row.note or figure_text(row.value)}" for row in rows]
    return Drawing(title, _words(unit, facts), width, bottom + 30 + 16 * len(unit_lines), tuple(parts))


def curve(title: str, line: Sequence[Point], x_unit: str, y_unit: str, width: float = WIDE) -> Drawing:
    """A curve, and the band of its intervals."""
    wide = width >= WIDE
    left, top, right, bottom = 48, 24, width - 14, 380 if wide else 270
    across = Scale(*range_of([point.x for point in line], pad=0.0), left, right)
    up = Scale(*_heights(line), bottom, top)
    parts = []
    for value in ticks(across.low, across.high, 6 if wide else 4, whole=True):
        parts.append(grid(f"M{across.at(value):.1f} {top}V{bottom}"))
        parts.append(soft(across.at(value), bottom + 17, figure_text(value), "middle"))
    for y in ticks(up.low, up.high):
        parts.append(grid(f"M{left} {up.at(y):.1f}H{right:.1f}"))
        parts.append(soft(left - 8, up.at(y) + 4, figure_text(y), "end"))
    # What goes beyond the picture, such as an infinite end, is drawn at its edge.
    path = [(across.at(point.x), up.within(point.y)) for point in line]
    upper, lower = (
        [(across.at(point.x), up.within(end)) for point, end in zip(line, ends, strict=True)]
        for ends in ([point.upper for point in line], [point.lower for point in line])
    )
    band = f"points='{pairs([*upper, *lower[::-1]])}' fill='currentColor' fill-opacity='0.12'"
    parts.append(f"<polygon {colour(0, 'band')} {band}/>")
    parts.append(f"<polyline {colour(0)} points='{pairs(path)}' fill='none' stroke='currentColor' stroke-width='2'/>")
    if len(path) == 1:
        (x, y), *_ = path
        parts.append(f"<circle {colour(0)} cx='{x:.1f}' cy='{y:.1f}' r='4' fill='currentColor'/>")
    parts.append(soft((left + right) / 2, bottom + 38, x_unit, "middle"))
    parts.append(soft(8, 13, f"{y_unit}, with the band of its 95 % intervals"))
    return Drawing(title, f"{y_unit} by {x_unit}; at the end {line[-1].y:.2f}", width, bottom + 46.0, tuple(parts))


def _heights(line: Sequence[Point]) -> tuple[float, float]:
    """The range of the figures, without the first quarter of the curve if that would make the rest flat.

    After a few games intervals are so wide that the whole history would be a line.
    """
    low, high = range_of([figure for point in line for figure in point[1:]])
    least, most = range_of([figure for point in line[len(line) // 4 :] for figure in point[1:]])
    return (least, most) if high - low > 1.5 * (most - least) else (low, high)


def _names(names: Sequence[str], width: float) -> list[str]:
    """The names, cut where the drawing is narrow."""
    if width >= WIDE:
        return list(names)
    return list(shortened(names, _NAME).values())


def _words(about: str, facts: Sequence[str]) -> str:
    more = len(facts) - MOST_WORDS
    return f"{about}: {'; '.join(facts[:MOST_WORDS])}{f'; and {more} more' if more > 0 else ''}"
