"""Pictures as SVG drawings: intervals, and curves with bands, each for a wide or a narrow window.

They are legible in black and white: two things differ in shape or text, never in colour alone. They take plain figures
and are independent of games, ratings and files.
"""

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from results.plots.drawing import HOLLOW, WIDE, Drawing, colour, fitting, grid, pairs, soft, text
from results.plots.scale import Scale, figure_text, pixels, range_of, ticks
from results.safe_text import harmless
from results.tables.text_width import shortened

ROW = 26
"""Height of a row of intervals in pixels."""
LABEL = 17
"""Least distance of two labels of curves in pixels."""
KEY = 44
"""Length of the sample of a curve beside its name, in pixels. The pattern of any curve repeats within it."""
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 4", "1 2", "9 3 2 3 2 3")
MARKS = 8
"""How many marks for the points of curves there are."""
MOST_BANDS = 5
"""More curves than this have no bands, which would hide each other, but a bar through each mark."""
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


def curves(title: str, series: Mapping[str, Sequence[Point]], x_unit: str, y_unit: str, width: float = WIDE) -> Drawing:
    """A curve for each name, with its intervals, and beside or below them a sample of each curve and its name.

    No two of 64 curves have both the same dashes and the same marks.
    """
    points = [point for line in series.values() for point in line]
    beside = width >= WIDE
    broad = any(pixels(name) > width / 2 - KEY - 24 for name in series)  # too broad for two columns of a key
    names = dict(zip(series, series if beside or broad else _names(series, width), strict=True))
    left, top, bottom = 48, 24, (380 if beside else 270)
    right = width - (fitting(names.values(), 160) + KEY + 60 if beside else 14)
    across = Scale(*range_of([point.x for point in points], pad=0.0), left, right)
    up = Scale(*_heights(series), bottom, top)
    parts = []
    for value in ticks(across.low, across.high, 6 if beside else 4, whole=True):
        x = across.at(value)
        parts.append(grid(f"M{x:.1f} {top}V{bottom}"))
        parts.append(soft(x, bottom + 17, figure_text(value), "middle"))
    for y in ticks(up.low, up.high):
        parts.append(grid(f"M{left} {up.at(y):.1f}H{right:.1f}", heavy=y == 0))
        parts.append(soft(left - 8, up.at(y) + 4, figure_text(y), "end"))
    drawn = {name: line for name, line in series.items() if line}
    banded = len(drawn) <= MOST_BANDS
    bands: list[str] = []
    over: list[str] = []  # lines and marks lie over all bands
    ends = []
    for number, (name, line) in enumerate(series.items()):
        if not line:
            continue
        path = [(across.at(p.x), up.at(p.y)) for p in line]
        # An infinite end is drawn at the edge of the picture.
        spans = [(up.within(p.lower), up.within(p.upper)) for p in line]
        if banded:
            bands += _band(number, [x for x, _ in path], spans)
        # Curves that overlap have their marks at different points.
        step = max(1, len(path) // 6)
        chosen = range(len(path) - 1 - number % step, -1, -step)
        if not banded:
            bars = "".join(f"M{path[at][0]:.1f} {spans[at][0]:.1f}V{spans[at][1]:.1f}" for at in chosen)
            over.append(f"<path {colour(number, 'bar')} d='{bars}' stroke='currentColor' stroke-opacity='0.6'/>")
        over.append(f"<polyline points='{pairs(path)}' {_line(number)}/>")
        over += [_mark(number, *path[at]) for at in chosen]
        ends.append((path[-1], number, names[name]))
    ends.sort(key=lambda end: (end[0][1], end[1]))
    parts += _clipped([*bands, *over], left, top - 5, right + 6, bottom + 5)
    parts.append(soft((left + right) / 2, bottom + 38, x_unit, "middle"))
    parts.append(soft(8, 13, f"{y_unit}, with 95 % intervals as {'bands' if banded else 'bars'}"))
    height = bottom + 46.0
    if beside:
        parts += _labels(ends, right, top, bottom)
    else:
        rows = len(ends) if broad else math.ceil(len(ends) / 2)
        for place, (_, number, name) in enumerate(ends):
            x, y = 8 + width / 2 * (place // rows), height + 12 + 22 * (place % rows)
            parts.append(f"<g>{_sample(number, x, y)}{text(x + KEY + 6, y + 4, name)}</g>")
        height += 22 * rows + 6
    last_values = [f"{name} {line[-1].y:.2f}" for name, line in drawn.items()]
    words = _words(f"{y_unit} by {x_unit}; at the end", last_values)
    return Drawing(title, words, width, height, tuple(parts))


def leaves(series: Mapping[str, Sequence[Point]]) -> bool:
    """Does a curve or an interval go beyond the picture?"""
    low, high = _heights(series)
    return any(min(p.y, p.lower) < low or max(p.y, p.upper) > high for line in series.values() for p in line)


def _heights(series: Mapping[str, Sequence[Point]]) -> tuple[float, float]:
    """The range of the figures, without the first quarter of each curve if that would make the rest flat.

    After a few games intervals are so wide that the whole history would be a line.
    """
    low, high = range_of([figure for line in series.values() for point in line for figure in point[1:]])
    late = [point for line in series.values() for point in line[len(line) // 4 :]]
    least, most = range_of([figure for point in late for figure in point[1:]])
    return (least, most) if high - low > 1.5 * (most - least) else (low, high)


def _clipped(parts: Sequence[str], left: float, top: float, right: float, bottom: float) -> Iterator[str]:
    # A picture within the picture cuts off what lies outside of it. A clip path would need an id, and a page that has
    # several drawings would have it several times.
    box = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    x, y, width, height = box.split()
    yield f"<svg x='{x}' y='{y}' width='{width}' height='{height}' viewBox='{box}'>"
    yield from parts
    yield "</svg>"


def _labels(ends: Sequence[tuple[tuple[float, float], int, str]], right: float, top: int, bottom: int) -> Iterator[str]:
    """A line from the end of each curve to its sample and its name."""
    heights = _spread([at for (_, at), _, _ in ends], top, bottom)
    for ((x, y), number, name), at in zip(ends, heights, strict=True):
        start = right + 36
        leader = f"<path class='axis' d='M{x:.1f} {y:.1f}L{start:.1f} {at:.1f}' fill='none' stroke='currentColor' "
        leader += "stroke-opacity='0.55' stroke-width='0.8'/>"
        yield f"<g>{leader}{_sample(number, start, at)}{text(start + KEY + 6, at + 4, name)}</g>"


def _names(names: Sequence[str] | Mapping[str, object], width: float) -> list[str]:
    """The names, cut where the drawing is narrow."""
    if width >= WIDE:
        return list(names)
    return list(shortened(names, _NAME).values())


def _words(about: str, facts: Sequence[str]) -> str:
    more = len(facts) - MOST_WORDS
    return f"{about}: {'; '.join(facts[:MOST_WORDS])}{f'; and {more} more' if more > 0 else ''}"


def _band(number: int, across: Sequence[float], spans: Sequence[tuple[float, float]]) -> Iterator[str]:
    """The area of the intervals of a curve. Its edges have the dashes of the curve, so that they can be told apart."""
    outline = [(x, upper) for x, (_, upper) in zip(across, spans, strict=True)]
    lower = [(x, low) for x, (low, _) in zip(across, spans, strict=True)]
    points = pairs([*outline, *lower[::-1]])
    yield f"<polygon {colour(number, 'band')} points='{points}' fill='currentColor' fill-opacity='0.12'/>"
    edges = f"M{pairs(outline)}M{pairs(lower)}"
    yield f"<path {colour(number, 'band')} d='{edges}' fill='none' {_dashes(number)}stroke-opacity='0.6'/>"


def _dashes(number: int) -> str:
    """The stroke of a curve. Curves with the same marks have different dashes."""
    dash = DASHES[(number + number // MARKS) % len(DASHES)]
    return "stroke='currentColor' " + (f"stroke-dasharray='{dash}' " if dash else "")


def _line(number: int) -> str:
    return f"{colour(number)} fill='none' {_dashes(number)}stroke-width='2'"


def _sample(number: int, x: float, y: float) -> str:
    return f"<path d='M{x:.1f} {y:.1f}h{KEY}' {_line(number)}/>{_mark(number, x + KEY / 2, y)}"


def _mark(number: int, x: float, y: float) -> str:
    full = f"{colour(number)} fill='currentColor' stroke='currentColor'"
    hollow = f"{colour(number, 'hollow')} {HOLLOW} stroke-width='1.6'"
    line = f"{colour(number)} fill='none' stroke='currentColor' stroke-width='2'"
    square, triangle = f"M{x - 3.5:.1f} {y - 3.5:.1f}h7v7h-7z", f"M{x:.1f} {y - 5:.1f}l4.5 8.5h-9z"
    cross = f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"
    marks = (
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='4' {hollow}/>",
        f"<path d='{square}' {full}/>",
        f"<path d='{triangle}' {hollow}/>",
        f"<path d='M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z' {full}/>",
        f"<path d='{cross}' {line}/>",
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3.5' {full}/>",
        f"<path d='{square}' {hollow}/>",
        f"<path d='M{x:.1f} {y + 5:.1f}l4.5 -8.5h-9z' {full}/>",
    )
    return marks[number % MARKS]


def _spread(heights: Sequence[float], top: float, bottom: float, least: float = LABEL) -> list[float]:
    """Rising heights, moved as little as possible so that labels do not overlap and stay between both ends."""
    least = min(least, (bottom - top) / max(1, len(heights) - 1))
    clusters: list[list[float]] = []  # each height, less the room of the labels above it
    for place, height in enumerate(heights):
        clusters.append([height - place * least])
        while len(clusters) > 1 and fmean(clusters[-2]) > fmean(clusters[-1]):
            clusters[-2:] = [clusters[-2] + clusters[-1]]
    spare = bottom - least * (len(heights) - 1)
    first = [max(top, min(fmean(cluster), spare)) for cluster in clusters for _ in cluster]
    return [height + place * least for place, height in enumerate(first)]
