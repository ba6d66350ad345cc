"""A drawing as SVG that a page embeds, its colours and its style sheet.

A page with a strict content security policy drops `style` attributes and `<style>` elements. So a drawing has neither:
its shapes have classes, which `SHEET` colours, and attributes for programs that read no style sheet. Whoever embeds it
serves `SHEET` as a file of the page, and may set its variables (`--plot-ink` and so on) after it.

No figure is told by colour alone: lines also differ in dashes and marks, bars in filling, and texts say the rest.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from results.plots.scale import pixels
from results.safe_text import xml

WIDE = 860
"""Width of a drawing for a wide window in pixels."""
NARROW = 350
"""Width of a drawing for a telephone in pixels."""
FONT = "font-family='system-ui, sans-serif' font-size='13'"

_INK, _PAPER = ("#1f2328", "#e6edf3"), ("#ffffff", "#12161b")
_SOFT, _GRID = ("#57606a", "#9da7b3"), ("#d5dae0", "#343b44")
COLOURS = (("#0060b0", "#4aa0ff"), ("#e06010", "#f47c30"))
"""The colours of p1 and p2, each on light and on dark paper. They also differ in lightness, for colour-blind people."""


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
    size = f"width='{drawing.width:g}' height='{drawing.height:g}' viewBox='0 0 {drawing.width:g} {drawing.height:g}'"
    data = "".join(f" data-{name}='{value:g}'" for name, value in drawing.data.items())
    # `color` is what currentColor means where no style sheet is read; a page's own rule for .plot overrides it.
    opening = [
        f"<svg xmlns='http://www.w3.org/2000/svg' class='plot' {size} {FONT} role='img'{data}>",
        f"<title>{xml(drawing.title)}</title>",
        f"<desc>{xml(drawing.words)}</desc>",
    ]
    return "\n".join([*opening, *drawing.parts, "</svg>"]) + "\n"


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
    """The attributes that make currentColor one of the two colours; `more` are other classes."""
    return f"class='{' '.join((f'c{number + 1}', *more))}' color='{COLOURS[number][0]}'"


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
        ".plot .soft{fill:var(--plot-soft)}",
        ".plot .grid{stroke:var(--plot-grid);stroke-opacity:1}",
        ".plot .axis{stroke:var(--plot-soft);stroke-opacity:1}",
        *(f".plot .c{number}{{color:var(--plot-{number})}}" for number in range(1, len(COLOURS) + 1)),
        "@media print{:root{" + _variables(0) + "}}",
        "",
    ]
)
"""The style sheet of all drawings, in light and dark. Its rules touch nothing but elements of the class `plot`."""
