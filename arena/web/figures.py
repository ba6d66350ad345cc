"""The pictures of pages: inline SVG without styles of its own; the style sheet of the pages sets its colours."""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from results.eval_disagreement import centipawns
from results.plots import figures as plotted
from results.plots.history import Checkpoint
from results.plots.svg import Scale, ticks
from results.safe_text import harmless
from results.tables import one_sided
from results.tables.standings import Standings

MOST_RATED = 64
"""A picture of ratings has at most so many engines."""
CLIP = 1_000
"""Scores beyond so many centipawns are drawn at the edge."""
_WIDE, _HIGH, _LEFT, _RIGHT, _TOP, _BOTTOM = 480, 180, 52, 10, 12, 24


class Chart(NamedTuple):
    """A picture, and in words what it shows."""

    svg: Markup
    caption: str = ""


def ratings(title: str, standings: Standings) -> Chart:
    """The rating of every rated engine with its interval."""
    return Chart(_inline(plotted.ratings(title, standings).svg))


def _inline(svg: str) -> Markup:
    """A picture of `results.plots` for a page: black becomes the colour of the text, and the white ground goes."""
    svg = re.sub(r"<rect width='100%' height='100%' fill='#fff'/>", "", svg)
    svg = re.sub(r" width='[\d.]+' height='[\d.]+' viewBox", " class='plot' viewBox", svg, count=1)
    svg = svg.replace("#000", "currentColor").replace("'#ddd'", "'currentColor' stroke-opacity='.15'")
    svg = svg.replace("<text ", "<text fill='currentColor' ")
    svg = svg.replace("fill='#fff' stroke='currentColor'", "class='hollow' stroke='currentColor'")
    return Markup(svg.strip())


def scores(names: tuple[str, str], said: Sequence[str | None], first: int = 0) -> Chart | None:
    """Both engines' scores by ply, in points from p1's point of view. None where there are too few.

    `said` are as the movers said them, such as `cp 31`. The first is that of p1, or of p2 if `first` is 1.
    """
    values = [centipawns(score) for score in said]
    if sum(value is not None for value in values) < 2:
        return None
    most = max(abs(value) for value in values if value is not None)
    top = min(CLIP, max(200, most))
    across, up = _across(len(values)), Scale(-top, top, _HIGH - _BOTTOM, _TOP)
    parts = []
    for tick in ticks(-top / 100, top / 100, 4):
        parts += _grid(up.at(tick * 100), f"{tick:+g}" if tick else "0", zero=tick == 0)
    for side, style in enumerate(("one", "two")):
        points = [
            (across.at(ply), up.at(max(-top, min(top, value if side == 0 else -value))))
            for ply, value in enumerate(values, 1)
            if (ply - 1 + first) % 2 == side and value is not None
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f"<polyline class='{style}' points='{line}'/>")
        parts.append(_dots(style, points))
    return _chart(names, parts, across, len(values), "scores")


def times(names: tuple[str, str], times_ms: Sequence[float | None], first: int = 0) -> Chart | None:
    """The time of each move as bars: p1 above the line, p2 below it. None where no time is known."""
    known = [time for time in times_ms if time is not None]
    if not known:
        return None
    top = max(*known, 1.0)
    across, up = _across(len(times_ms)), Scale(-top, top, _HIGH - _BOTTOM, _TOP)
    parts = _grid(up.at(0), "0", zero=True)
    for value in (-top, top):
        parts += _grid(up.at(value), f"{abs(value) / 1000:.2g} s")
    broad = max(0.8, min(12.0, 0.7 * (across.at(1) - across.at(0))))
    for side, style in enumerate(("one", "two")):
        bars = "".join(
            f"M{across.at(ply):.1f} {up.at(0):.1f}V{up.at(-time if side else time):.1f}"
            for ply, time in enumerate(times_ms, 1)
            if (ply - 1 + first) % 2 == side and time is not None
        )
        parts.append(f"<path class='{style}' stroke-width='{broad:.1f}' d='{bars}'/>")
    return _chart(names, parts, across, len(times_ms), "times")


def ratio(lower: float, upper: float, path: Sequence[tuple[int, float]]) -> Chart | None:
    """The log-likelihood ratio of a sequential test by game, between its bounds. None without a complete pair."""
    if not path:
        return None
    values = [value for _, value in path]
    low, high = min(lower, *values), max(upper, *values)
    spare = 0.08 * (high - low)
    across = Scale(0, max(path[-1][0], 1), _LEFT, _WIDE - _RIGHT)
    up = Scale(low - spare, high + spare, _HIGH - _BOTTOM, _TOP)
    parts = _grid(up.at(0), "0", zero=True)
    for bound, name in ((lower, "H0"), (upper, "H1")):
        parts.append(f"<path class='bound' d='M{_LEFT} {up.at(bound):.1f}H{_WIDE - _RIGHT}'/>")
        parts.append(f"<text x='{_LEFT - 6}' y='{up.at(bound) + 4:.1f}' text-anchor='end'>{name}</text>")
    line = " ".join(f"{across.at(x):.1f},{up.at(y):.1f}" for x, y in [(0, 0.0), *path])
    parts.append(f"<polyline class='one' points='{line}'/>")
    return _chart(("log-likelihood ratio",), parts, across, path[-1][0], "ratio")


def history(name: str, points: Sequence[Checkpoint]) -> Chart | None:
    """The rating of one engine over the games of the whole field, with its interval. None with one point."""
    if len(points) < 2:
        return None
    there = [(games, ratings[name]) for games, ratings in points]
    ends = [(games, one_sided.lower(rating), rating.mean, one_sided.upper(rating)) for games, rating in there]
    finite = [figure for _, *figures in ends for figure in figures if math.isfinite(figure)]
    low, high = min(finite), max(finite)
    spare = 0.08 * (high - low) or 1.0
    across = Scale(0, there[-1][0], _LEFT, _WIDE - _RIGHT)
    up = Scale(low - spare, high + spare, _HIGH - _BOTTOM, _TOP)
    parts = []
    for value in ticks(low, high, 4):
        parts += _grid(up.at(value), f"{value:+g}" if value else "0", zero=value == 0)
    outline = [(games, upper) for games, _, _, upper in ends] + [(games, lower) for games, lower, _, _ in ends[::-1]]
    band = " ".join(f"{across.at(x):.1f},{max(_TOP, min(_HIGH - _BOTTOM, up.at(_finite(y)))):.1f}" for x, y in outline)
    line = " ".join(f"{across.at(games):.1f},{up.at(mean):.1f}" for games, _, mean, _ in ends)
    parts += [f"<polygon class='band' points='{band}'/>", f"<polyline class='one' points='{line}'/>"]
    parts.append(_dots("one", [(across.at(games), up.at(mean)) for games, _, mean, _ in ends]))
    return _chart((name,), parts, across, there[-1][0], "history")


def _finite(value: float) -> float:
    return max(-1e6, min(1e6, value))


def _across(plies: int) -> Scale:
    return Scale(0, plies + 1, _LEFT, _WIDE - _RIGHT)


def _grid(y: float, label: str, zero: bool = False) -> list[str]:
    kind = "zero" if zero else "rule"
    return [
        f"<path class='{kind}' d='M{_LEFT} {y:.1f}H{_WIDE - _RIGHT}'/>",
        f"<text x='{_LEFT - 6}' y='{y + 4:.1f}' text-anchor='end'>{label}</text>",
    ]


def _dots(style: str, points: Sequence[tuple[float, float]]) -> str:
    """Discs for p1, squares for p2: they differ without colour. A line of no length shows its ends only."""
    return f"<path class='dots {style}' d='{''.join(f'M{x:.1f} {y:.1f}h0' for x, y in points)}'/>"


def _chart(names: Sequence[str], parts: Sequence[str], across: Scale, most: int, kind: str) -> Chart:
    labels = [
        f"<text x='{across.at(value):.1f}' y='{_HIGH - 6}' text-anchor='middle'>{value:g}</text>"
        for value in ticks(0, max(most, 1), 8, whole=True)
    ]
    step = (across.end - across.start) / (across.high - across.low)
    # The script moves this line to the ply that the board shows.
    marker = f"<path class='at' visibility='hidden' d='M0 {_TOP}V{_HIGH - _BOTTOM}'/>" if len(names) > 1 else ""
    head = (
        f"<svg class='chart {kind}' viewBox='0 0 {_WIDE} {_HIGH}' role='img' focusable='false' "
        f"data-left='{across.at(0):.1f}' data-step='{step:.3f}'>"
    )
    text = " - ".join(names)
    title = f"<title>{escape(harmless(text))}</title>" if text else ""
    return Chart(Markup("".join([head, title, *labels, *parts, marker, "</svg>"])), text)
