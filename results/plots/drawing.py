"""A drawing as SVG: the form that a page embeds, the document of its own, the colours and the style sheet of both.

A page with a strict content security policy drops `style` attributes and `<style>` elements. So the embedded form has
neither: its shapes have classes, which `SHEET` colours, and attributes for programs that read no style sheet. Whoever
embeds it serves `SHEET` as a file of the page, and may set its variables (`--plot-ink` and so on) after it.

No figure is told by colour alone: lines also differ in dashes and marks, bars in filling, and texts say the rest.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from results.plots.scale import pixels
from results.safe_text import harmless, xml

WIDE = 860
"""Width of a drawing for a wide window in pixels."""
NARROW = 350
"""Width of a drawing for a telephone in pixels."""
FONT = "font-family='system-ui, sans-serif' font-size='13'"
LINE = 18
"""Height of a line of text in pixels."""

_INK, _PAPER = ("#1f2328", "#e6edf3"), ("#ffffff", "#12161b")
_SOFT, _GRID = ("#57606a", "#9da7b3"), ("#d5dae0", "#343b44")
COLOURS = (
    ("#0060b0", "#4aa0ff"),
    ("#e06010", "#f47c30"),
    ("#008a5e", "#50e0c0"),
    ("#7a1460", "#d070b4"),
    ("#5c4800", "#ffe070"),
    ("#3b9bd4", "#a9dcff"),
    _INK,
    ("#747c86", "#8b949e"),
)
"""The colours of curves, each on light and on dark paper. Each stands out from its paper by 3 to 1 and more, and the
first six differ also for colour-blind people: they differ in lightness."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes and texts of a given size, without the title above them and the notes below."""

    title: str
    words: str
    """What is drawn, in words, for readers who do not see it."""
    width: float
    height: float
    parts: tuple[str, ...]
    data: dict[str, float] = field(default_factory=dict)
    """Figures for a script of the page, each as an attribute `data-NAME`."""


def inline(drawing: Drawing) -> str:
    """The drawing as an element of a page that has `SHEET`. The page says title and notes in its own words."""
    return "\n".join([*_opening(drawing, 0, drawing.height), *drawing.parts, "</svg>"]) + "\n"


def document(drawing: Drawing, notes: Sequence[str] = ()) -> str:
    """The drawing as a file of its own, with its style sheet, its title above it and notes below it."""
    head = _wrapped([drawing.title], drawing.width, 7.6)
    foot = _wrapped(notes, drawing.width, 6.6)
    top = LINE * len(head) + 12
    height = top + drawing.height + (LINE * len(foot) + 8 if foot else 0)
    parts = [
        *_opening(drawing, -top, height),
        f"<style>{SHEET}</style>",
        f"<rect class='paper' y='{-top}' width='{drawing.width:g}' height='{height:g}' fill='{_PAPER[0]}'/>",
        *_texts(head, LINE - top, "font-weight='bold'"),
        *drawing.parts,
        *_texts(foot, drawing.height + LINE - 4, "font-size='12'"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _opening(drawing: Drawing, top: float, height: float) -> Iterator[str]:
    size = f"width='{drawing.width:g}' height='{height:g}' viewBox='0 {top:g} {drawing.width:g} {height:g}'"
    data = "".join(f" data-{name}='{value:g}'" for name, value in drawing.data.items())
    # `color` is what currentColor means where no style sheet is read; a page's own rule for .plot overrides it.
    yield f"<svg xmlns='http://www.w3.org/2000/svg' class='plot' {size} {FONT} role='img'{data}>"
    yield f"<title>{xml(drawing.title)}</title>"
    yield f"<desc>{xml(drawing.words)}</desc>"


def _wrapped(texts: Iterable[str], width: float, each: float) -> list[str]:
    return [line for text in texts for line in textwrap.wrap(harmless(text), int((width - 16) / each))]


def _texts(lines: Sequence[str], y: float, how: str) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"<text x='8' y='{y + LINE * number:g}' fill='currentColor' {how}>{xml(line)}</text>"


def text(x: float, y: float, words: str, anchor: str = "start", how: str = "") -> str:
    """A text in ink. `how` has more attributes."""
    place = f"x='{x:.1f}' y='{y:.1f}'" + ("" if anchor == "start" else f" text-anchor='{anchor}'")
    return f"<text {place} fill='currentColor'{how and ' ' + how}>{xml(words)}</text>"


def soft(x: float, y: float, words: str, anchor: str = "start") -> str:
    """A text that matters less, such as the figures of an axis."""
    return text(x, y, words, anchor, "class='soft' font-size='12'")


def grid(path: str, *, heavy: bool = False) -> str:
    """Lines behind the figures. Heavy ones are for 0 and for bounds."""
    name, opacity = ("axis", 0.55) if heavy else ("grid", 0.2)
    return f"<path class='{name}' d='{path}' fill='none' stroke='currentColor' stroke-opacity='{opacity}'/>"


def colour(number: int, *more: str) -> str:
    """The attributes that make currentColor the colour of a curve; `more` are other classes."""
    place = number % len(COLOURS)
    light = COLOURS[place][0]
    names = " ".join((f"c{place + 1}", *more))
    # Ink is what currentColor already is: without a style sheet it then follows the page, also on dark paper.
    return f"class='{names}'" if light == _INK[0] else f"class='{names}' color='{light}'"


HOLLOW = f"fill='{_PAPER[0]}' stroke='currentColor'"
"""The attributes of a shape that shows the paper. It also needs the class `hollow`."""


def fitting(names: Iterable[str], most: float) -> float:
    """The width in pixels that these names need, at most `most`."""
    return min(most, max((pixels(name) for name in names), default=0.0))


def pairs(points: Iterable[tuple[float, float]]) -> str:
    """The points of a line or an area, as SVG wants them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _variables(mode: int) -> str:
    named = {"ink": _INK, "paper": _PAPER, "soft": _SOFT, "grid": _GRID}
    named |= {str(number): pair for number, pair in enumerate(COLOURS, 1)}
    return "".join(f"--plot-{name}:{pair[mode]};" for name, pair in named.items())


SHEET = "\n".join(
    [
        f":root{{{_variables(0)}}}",
        f"@media (prefers-color-scheme:dark){{:root{{{_variables(1)}}}}}",
        ".plot{color:var(--plot-ink);max-width:100%;height:auto}",
        "svg.plot:root{background:var(--plot-paper)}",
        ".plot .paper,.plot .hollow{fill:var(--plot-paper)}",
        ".plot .soft{fill:var(--plot-soft)}",
        ".plot .grid{stroke:var(--plot-grid);stroke-opacity:1}",
        ".plot .axis{stroke:var(--plot-soft);stroke-opacity:1}",
        *(f".plot .c{number}{{color:var(--plot-{number})}}" for number in range(1, len(COLOURS) + 1)),
        "@media print{:root{" + _variables(0) + "}}",
        "",
    ]
)
"""The style sheet of all drawings, in light and dark. Its rules touch nothing but elements of the class `plot`."""
