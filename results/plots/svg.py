"""Pictures as SVG text: intervals, curves with bands, and a heat map.

They are legible in black and white: two things differ in shape or text, never in colour alone. They take plain figures
and are independent of games, ratings and files.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from results.safe_text import xml

FONT = "font-family='sans-serif' font-size='13'"
ROW = 24
"""Height of a row of intervals in pixels."""
LEFT = 170
"""Width of the names at the left in pixels."""
WIDTH = 860
"""Width of a picture of intervals in pixels."""
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 4", "1 2", "9 3 2 3 2 3")
MARKS = 8
"""How many marks for the points of curves there are."""
KEY = 44
"""Length of the sample of a curve beside its name, in pixels. The pattern of any curve repeats within it."""


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


class Cell(NamedTuple):
    """What one engine scored against another: the share of the points, from 0 to 1, and the number of games."""

    share: float
    games: int

    @property
    def percent(self) -> str:
        """The share in per cent, with a decimal if it is not whole: `57.5`. Both cells of a pair add up to 100."""
        # An exact half of a tenth goes to the even tenth, so of two such halves one goes up and the other down. The
        # inner rounding makes it exact again.
        return f"{round(round(1000 * self.share, 6)) / 10:g}"


@dataclass(frozen=True, slots=True)
class Scale:
    """Converts figures to pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a figure."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def ticks(low: float, high: float, wanted: int = 6, *, whole: bool = False) -> list[float]:
    """About `wanted` round figures from `low` to `high`. With `whole` they are whole numbers, such as games."""
    span = high - low
    if not span > 0:
        return [low]
    raw = max(span / wanted, 1.0) if whole else span / wanted
    power = 10.0 ** math.floor(math.log10(raw))
    steps = [power * factor for factor in (1, 2, 2.5, 5, 10)]
    step = next(step for step in steps if step >= raw * 0.999 and not (whole and step % 1))
    first = math.ceil(low / step - 1e-9)
    return [round(number * step, 10) for number in range(first, math.floor(high / step + 1e-9) + 1)]


def intervals(title: str, rows: Sequence[Interval], unit: str, notes: Sequence[str] = ()) -> str:
    """A line for each row, with a mark at its value and its note at the right. `notes` stand below the picture."""
    low, high = _range([figure for row in rows for figure in (row.value, row.lower, row.upper)])
    scale = Scale(low, high, LEFT, WIDTH - 150)
    bottom = 40 + ROW * len(rows)
    parts = [*_axis(scale, 30, bottom, unit)]
    for number, row in enumerate(rows):
        y = 44 + ROW * number
        a, b = (max(LEFT, min(scale.at(end), WIDTH - 150)) for end in (row.lower, row.upper))
        parts.append(f"<text x='{LEFT - 10}' y='{y + 4}' text-anchor='end'>{xml(row.name)}</text>")
        parts.append(f"<line x1='{a:.1f}' y1='{y}' x2='{b:.1f}' y2='{y}' stroke='#000' stroke-width='1.6'/>")
        for end, figure, back in ((a, row.lower, 6), (b, row.upper, -6)):
            arrow = f"M{end + back:.1f} {y - 5}L{end:.1f} {y}L{end + back:.1f} {y + 5}"
            path = arrow if math.isinf(figure) else f"M{end:.1f} {y - 5}V{y + 5}"
            parts.append(f"<path d='{path}' stroke='#000' stroke-width='1.6' fill='none'/>")
        parts.append(_mark(0, scale.at(row.value), y))
        parts.append(f"<text x='{WIDTH - 140}' y='{y + 4}'>{xml(row.note)}</text>")
    return _page(title, WIDTH, bottom + 40, parts, notes)


def curves(
    title: str, series: Mapping[str, Sequence[Point]], x_unit: str, y_unit: str, notes: Sequence[str] = ()
) -> str:
    """A curve for each name, with a band for its intervals. A line leads from its end to a sample and its name.

    No two of 64 curves have both the same dashes and the same marks.
    """
    points = [point for line in series.values() for point in line]
    height, right, wide = 420, 640, 900
    across = Scale(*_range([point.x for point in points], pad=0.0), 70, right)
    up = Scale(*_range([figure for point in points for figure in (point.y, point.lower, point.upper)]), height - 50, 40)
    parts = []
    for value in ticks(across.low, across.high, whole=True):
        x = across.at(value)
        parts.append(f"<line x1='{x:.1f}' y1='40' x2='{x:.1f}' y2='{height - 50}' stroke='#ddd'/>")
        parts.append(f"<text x='{x:.1f}' y='{height - 32}' text-anchor='middle'>{_figure(value)}</text>")
    for y in ticks(up.low, up.high):
        parts.append(f"<line x1='70' y1='{up.at(y):.1f}' x2='{right}' y2='{up.at(y):.1f}' stroke='#ddd'/>")
        parts.append(f"<text x='62' y='{up.at(y) + 4:.1f}' text-anchor='end'>{_figure(y)}</text>")
    ends = []
    shade = 0.4 / max(7, len(series))  # the bands of many curves overlap
    for number, (name, line) in enumerate(series.items()):
        if not line:
            continue
        path = [(across.at(p.x), up.at(p.y)) for p in line]
        # An infinite end is drawn at the edge of the picture.
        outline = [(p.x, p.upper) for p in line] + [(p.x, p.lower) for p in line[::-1]]
        band = [(across.at(x), max(40, min(up.at(y), height - 50))) for x, y in outline]
        parts.append(f"<polygon points='{_pairs(band)}' fill='#000' fill-opacity='{shade:.3f}'/>")
        parts.append(f"<polyline points='{_pairs(path)}' {_line(number)}/>")
        # Curves that overlap have their marks at different points.
        step = max(1, len(path) // 6)
        parts += [_mark(number, x, y) for x, y in path[::-1][number % step :: step]]
        ends.append((path[-1], number, name))
    ends.sort(key=lambda end: (end[0][1], end[1]))
    heights = _spread([at for (_, at), _, _ in ends], 40, height - 50)
    for ((x, y), number, name), at in zip(ends, heights, strict=True):
        leader = f"<path d='M{x:.1f} {y:.1f}L{right + 36} {at:.1f}' fill='none' stroke='#888' stroke-width='0.8'/>"
        sample = f"<path d='M{right + 36} {at:.1f}h{KEY}' {_line(number)}/>{_mark(number, right + 36 + KEY / 2, at)}"
        label = f"<text x='{right + 42 + KEY}' y='{at + 4:.1f}'>{xml(name)}</text>"
        parts.append(f"<g>{leader}{sample}{label}</g>")
    parts.append(f"<text x='{(70 + right) / 2}' y='{height - 10}' text-anchor='middle'>{xml(x_unit)}</text>")
    parts.append(f"<text x='16' y='34'>{xml(y_unit)}</text>")
    return _page(title, wide, height, parts, notes)


def heat(title: str, names: Sequence[str], cells: Sequence[Sequence[Cell | None]]) -> str:
    """Row against column. The darker a field, the better for the row; each field has the share and the games."""
    size = 62
    width, bottom = LEFT + size * len(names) + 30, 150 + size * len(names)
    parts = []
    for number, name in enumerate(names):
        at = 130 + size * number + size / 2
        parts.append(f"<text x='{LEFT - 10}' y='{at + 4}' text-anchor='end'>{xml(name)}</text>")
        x = LEFT + size * number + size / 2
        parts.append(f"<text transform='translate({x + 4} 122) rotate(-40)'>{xml(name)}</text>")
    for row, line in enumerate(cells):
        for column, cell in enumerate(line):
            x, y = LEFT + size * column, 130 + size * row
            grey = 255 if cell is None else round(255 - 175 * cell.share)
            fill, ink = f"rgb({grey},{grey},{grey})", "#fff" if grey < 128 else "#000"
            parts.append(f"<rect x='{x}' y='{y}' width='{size}' height='{size}' fill='{fill}' stroke='#888'/>")
            if row == column:
                parts.append(f"<path d='M{x} {y}l{size} {size}' stroke='#888'/>")
            elif cell is not None:
                middle = f"x='{x + size / 2}' text-anchor='middle' fill='{ink}'"
                parts.append(f"<text {middle} y='{y + size / 2}'>{cell.percent} %</text>")
                parts.append(f"<text {middle} y='{y + size / 2 + 17}' font-size='10'>{cell.games}</text>")
    return _page(title, max(width, 420), bottom, parts)


def _range(figures: Sequence[float], pad: float = 0.06) -> tuple[float, float]:
    finite = [figure for figure in figures if math.isfinite(figure)] or [0.0]
    low, high = min(finite), max(finite)
    spare = (high - low) * pad or (0.5 if low == high else 0.0)
    return low - spare, high + spare


def _axis(scale: Scale, top: float, bottom: float, unit: str) -> Iterator[str]:
    for value in ticks(scale.low, scale.high):
        x = scale.at(value)
        heavy = "#888" if value == 0 else "#ddd"
        yield f"<line x1='{x:.1f}' y1='{top}' x2='{x:.1f}' y2='{bottom}' stroke='{heavy}'/>"
        yield f"<text x='{x:.1f}' y='{bottom + 16}' text-anchor='middle'>{_figure(value)}</text>"
    middle = (scale.start + scale.end) / 2
    yield f"<text x='{middle}' y='{bottom + 34}' text-anchor='middle'>{xml(unit)}</text>"


def _line(number: int) -> str:
    """The style of a curve. Curves with the same marks have different dashes."""
    dash = DASHES[(number + number // MARKS) % len(DASHES)]
    dashed = f" stroke-dasharray='{dash}'" if dash else ""
    return f"fill='none' stroke='#000' stroke-width='1.6'{dashed}"


def _mark(number: int, x: float, y: float) -> str:
    hollow, full = "fill='#fff' stroke='#000' stroke-width='1.4'", "fill='#000' stroke='#000' stroke-width='1'"
    square, triangle = f"M{x - 3.5:.1f} {y - 3.5:.1f}h7v7h-7z", f"M{x:.1f} {y - 5:.1f}l4.5 8.5h-9z"
    cross = f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"
    marks = (
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='4' {hollow}/>",
        f"<path d='{square}' {full}/>",
        f"<path d='{triangle}' {hollow}/>",
        f"<path d='M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z' {full}/>",
        f"<path d='{cross}' fill='none' stroke='#000' stroke-width='1.8'/>",
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3.5' {full}/>",
        f"<path d='{square}' {hollow}/>",
        f"<path d='M{x:.1f} {y + 5:.1f}l4.5 -8.5h-9z' {full}/>",
    )
    return marks[number % MARKS]


def _spread(heights: Sequence[float], top: float, bottom: float, least: float = 16.0) -> list[float]:
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


def _pairs(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _figure(value: float) -> str:
    return f"{value:g}" if abs(value) < 1e5 else f"{value:.3g}"


def _page(title: str, width: float, height: float, parts: Sequence[str], notes: Sequence[str] = ()) -> str:
    below = [
        f"<text x='12' y='{height + 20 + 18 * number:g}' font-size='12'>{xml(note)}</text>"
        for number, note in enumerate(notes)
    ]
    height += 12 + 18 * len(notes) if notes else 0
    size = f"width='{width:g}' height='{height:g}' viewBox='0 0 {width:g} {height:g}'"
    head = f"<svg xmlns='http://www.w3.org/2000/svg' {size} {FONT} role='img'>"
    name = f"<title>{xml(title)}</title><rect width='100%' height='100%' fill='#fff'/>"
    caption = f"<text x='12' y='18' font-weight='bold'>{xml(title)}</text>"
    return "\n".join([head, name, caption, *parts, *below, "</svg>"]) + "\n"
